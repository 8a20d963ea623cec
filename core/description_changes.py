# SPDX-License-Identifier: GPL-3.0-or-later
"""What has changed between two descriptions of a robot, and which links and joints are still the same ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from .model import Camera, Joint, Limits, Mesh, Origin, Robot, Shape, Vec3

_SAME = 1e-9  # metres, radians


class ChangeKind(StrEnum):
    """What a change is about; the value is what a reader sees."""

    ROBOT_RENAMED = "robot renamed"
    LINK_ADDED = "link added"
    LINK_REMOVED = "link removed"
    LINK_RENAMED = "link renamed"
    JOINT_ADDED = "joint added"
    JOINT_REMOVED = "joint removed"
    JOINT_RENAMED = "joint renamed"
    TYPE = "joint type"
    LINKS = "joint's links"
    ORIGIN = "joint origin"
    AXIS = "joint axis"
    LIMITS = "joint limits"
    MIMIC = "joint mimic"
    VISUALS = "visuals"
    COLLISIONS = "collisions"
    INERTIA = "inertia"
    CAMERAS = "cameras"


@dataclass(frozen=True, slots=True)
class Change:
    """One change: of which kind, of which link or joint (by its new name, if it has one), and how."""

    kind: ChangeKind
    name: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}" + (f" ({self.detail})" if self.detail else "")


@dataclass(frozen=True, slots=True)
class DescriptionChanges:
    """The difference of two descriptions.

    Attributes:
        changes: What has changed: names first, then joints, then links, in the new description's order.
        links: New name of each link that is still there, by its old name.
        joints: New name of each joint that is still there, by its old name.
    """

    changes: tuple[Change, ...]
    links: Mapping[str, str]
    joints: Mapping[str, str]

    def of(self, *kinds: ChangeKind) -> list[Change]:
        """Return the changes of some kinds."""
        return [change for change in self.changes if change.kind in kinds]


def description_changes(old: Robot, new: Robot) -> DescriptionChanges:
    """Return what has changed from one description to another.

    Links and joints are the same ones where they have the same name. A joint of another name is the same one where it
    has the same type and child link; a link of another name, where the same joint carries it, or where both are roots
    with a joint in common.
    Numbers that differ by less than 1e-9 are equal.
    """
    joints = {joint.name: joint.name for joint in old.joints if joint.name in _joint_names(new)}
    links = {link.name: link.name for link in old.links if link.name in _link_names(new)}
    links |= _renamed_links(old, new, joints, links)
    joints |= _renamed_joints(old, new, joints, links)
    changes = (
        *_names(old, new, joints, links),
        *(change for a, b in _pairs(old, new, joints) for change in _joint_changes(a, b, links)),
        *_link_changes(old, new, links),
    )
    return DescriptionChanges(changes, links, joints)


def shape_changes(old: Shape, new: Shape) -> frozenset[str]:
    """Return which of ``geometry``, ``origin`` and ``material`` differ."""
    found = {
        "geometry": old.geometry != new.geometry,
        "origin": not _same_origin(old.origin, new.origin),
        "material": old.material != new.material,
    }
    return frozenset(part for part, differs in found.items() if differs)


def same_camera(old: Camera, new: Camera) -> bool:
    """Whether two cameras of links of the same name are equal."""
    fields = ("name", "link", "horizontal_fov", "width", "height", "near", "far")
    equal = all(getattr(old, field) == getattr(new, field) for field in fields)
    return equal and bool(np.allclose(old.link_h_camera, new.link_h_camera, rtol=0.0, atol=_SAME))


def _joint_names(robot: Robot) -> set[str]:
    return {joint.name for joint in robot.joints}


def _link_names(robot: Robot) -> set[str]:
    return {link.name for link in robot.links}


def _renamed_links(old: Robot, new: Robot, joints: Mapping[str, str], links: Mapping[str, str]) -> dict[str, str]:
    fresh = _link_names(new) - set(links.values())
    renamed = {}
    hung = [joint for joint in old.joints if joint.parent == old.root and joint.name in joints]
    same = any(new.joint(joints[joint.name]).parent == new.root for joint in hung)
    if same and old.root not in links and new.root in fresh:
        renamed[old.root] = new.root
    for joint in old.joints:
        if joint.name in joints and joint.child not in links:
            child = new.joint(joints[joint.name]).child
            if child in fresh and child not in renamed.values():
                renamed[joint.child] = child
    return renamed


def _renamed_joints(old: Robot, new: Robot, joints: Mapping[str, str], links: Mapping[str, str]) -> dict[str, str]:
    by_child = {joint.child: joint for joint in new.joints if joint.name not in joints.values()}
    renamed = {}
    for joint in old.joints:
        other = by_child.get(links.get(joint.child, ""))
        if joint.name not in joints and other is not None and other.type is joint.type:
            renamed[joint.name] = other.name
    return renamed


def _names(old: Robot, new: Robot, joints: Mapping[str, str], links: Mapping[str, str]) -> Iterator[Change]:
    if old.name != new.name:
        yield Change(ChangeKind.ROBOT_RENAMED, new.name, f"was {old.name}")
    groups = (
        (ChangeKind.LINK_ADDED, ChangeKind.LINK_REMOVED, ChangeKind.LINK_RENAMED, old.links, new.links, links),
        (ChangeKind.JOINT_ADDED, ChangeKind.JOINT_REMOVED, ChangeKind.JOINT_RENAMED, old.joints, new.joints, joints),
    )
    for added, removed, renamed, before, after, kept in groups:
        survivors = set(kept.values())
        yield from (Change(added, item.name) for item in after if item.name not in survivors)
        yield from (Change(removed, item.name) for item in before if item.name not in kept)
        yield from (Change(renamed, name, f"was {was}") for was, name in kept.items() if name != was)


def _pairs(old: Robot, new: Robot, joints: Mapping[str, str]) -> list[tuple[Joint, Joint]]:
    was = {name: before for before, name in joints.items()}
    return [(old.joint(was[joint.name]), joint) for joint in new.joints if joint.name in was]


def _joint_changes(old: Joint, new: Joint, links: Mapping[str, str]) -> Iterator[Change]:
    if old.type is not new.type:
        yield Change(ChangeKind.TYPE, new.name, f"{old.type} → {new.type}")
    if (links.get(old.parent), links.get(old.child)) != (new.parent, new.child):
        yield Change(ChangeKind.LINKS, new.name, f"{old.parent} to {old.child} → {new.parent} to {new.child}")
    if not _same_origin(old.origin, new.origin):
        yield Change(ChangeKind.ORIGIN, new.name, _origin_detail(old.origin, new.origin))
    if not _same_axis(old.axis, new.axis):
        yield Change(ChangeKind.AXIS, new.name, f"{_vector(old.axis)} → {_vector(new.axis)}")
    if old.limit != new.limit:
        yield Change(ChangeKind.LIMITS, new.name, _limits_detail(old.limit, new.limit))
    if old.mimic != new.mimic:
        texts = [
            "none" if mimic is None else f"{mimic.multiplier:g} × {mimic.joint} + {mimic.offset:g}"
            for mimic in (old.mimic, new.mimic)
        ]
        yield Change(ChangeKind.MIMIC, new.name, " → ".join(texts))


def _link_changes(old: Robot, new: Robot, links: Mapping[str, str]) -> Iterator[Change]:
    for was, name in links.items():
        before, after = old.link(was), new.link(name)
        for kind, shapes, others in (
            (ChangeKind.VISUALS, before.visuals, after.visuals),
            (ChangeKind.COLLISIONS, before.collisions, after.collisions),
        ):
            detail = _shapes_detail(shapes, others)
            if detail:
                yield Change(kind, name, detail)
        inertias = [
            None if item is None else (item.mass, *item.origin.matrix.ravel(), *item.inertia.ravel())
            for item in (before.inertial, after.inertial)
        ]
        if inertias[0] != inertias[1]:
            masses = ["none" if item is None else f"{item.mass:g} kg" for item in (before.inertial, after.inertial)]
            yield Change(ChangeKind.INERTIA, name, "" if masses[0] == masses[1] else " → ".join(masses))
        cameras = [[item for item in robot.cameras if item.link == at] for robot, at in ((old, was), (new, name))]
        if len(cameras[0]) != len(cameras[1]) or not all(
            a.name == b.name and same_camera(a, b) for a, b in zip(*cameras, strict=True) if was == name
        ):
            yield Change(ChangeKind.CAMERAS, name)


def _shapes_detail(old: tuple[Shape, ...], new: tuple[Shape, ...]) -> str:
    parts = [f"{len(old)} → {len(new)}"] if len(old) != len(new) else []
    for index, (before, after) in enumerate(zip(old, new, strict=False), start=1):
        differing = sorted(shape_changes(before, after))
        if differing:
            text = " and ".join(differing)
            if isinstance(before.geometry, Mesh) and isinstance(after.geometry, Mesh) and "geometry" in differing:
                uris = before.geometry.uri, after.geometry.uri
                text += f": {uris[0]} → {uris[1]}" if uris[0] != uris[1] else ": scale"
            parts.append(f"number {index}: {text}")
    return "; ".join(parts)


def _same_origin(old: Origin, new: Origin) -> bool:
    return bool(np.allclose(old.matrix, new.matrix, rtol=0.0, atol=_SAME))


def _same_axis(old: Vec3 | None, new: Vec3 | None) -> bool:
    if old is None or new is None:
        return old is new
    return bool(np.allclose(old, new, rtol=0.0, atol=_SAME))


def _origin_detail(old: Origin, new: Origin) -> str:
    parts = [
        f"{what} {_vector(a)} → {_vector(b)}"
        for what, a, b in (("xyz", old.xyz, new.xyz), ("rpy", old.rpy, new.rpy))
        if a != b
    ]
    return ", ".join(parts)


def _vector(numbers: Vec3 | None) -> str:
    return "none" if numbers is None else " ".join(f"{number:g}" for number in numbers)


def _limits_detail(old: Limits | None, new: Limits | None) -> str:
    before, after = old or Limits(), new or Limits()
    fields = ("lower", "upper", "velocity", "effort", "acceleration", "jerk")
    pairs = [(field, getattr(before, field), getattr(after, field)) for field in fields]
    return ", ".join(f"{field} {_number(a)} → {_number(b)}" for field, a, b in pairs if a != b)


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"
