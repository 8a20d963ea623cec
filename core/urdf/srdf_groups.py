# SPDX-License-Identifier: GPL-3.0-or-later
"""``<group>`` elements of an SRDF file, resolved to the robot's joints."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from ..diagnostics import Diagnostics
from ..errors import UrdfUnsupportedError
from ..model import Joint, Robot
from .remarks import listed, note, quoted, warn
from .semantics import JointGroup
from .srdf_states import FREE_FLYER
from .xml import Element

_MOST_STEPS = 2_000_000


def read_groups(root: Element, robot: Robot, virtual: Collection[str], remarks: Diagnostics) -> tuple[JointGroup, ...]:
    """Return the groups in document order.

    Args:
        root: The ``<robot>`` of the SRDF file.
        robot: The robot that it is for.
        virtual: Names of joints that only the SRDF file has.
        remarks: Takes what does not fit the robot.

    Raises:
        UrdfUnsupportedError: If the groups are too tangled to be resolved.
    """
    return _GroupReader(root, robot, virtual, remarks).groups()


@dataclass(slots=True)
class _Written:
    """A group as the file has it, its own joints resolved and the groups in it not yet."""

    element: Element
    joints: set[str] = field(default_factory=set)
    chains: list[tuple[str, str]] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)


class _GroupReader:
    def __init__(self, root: Element, robot: Robot, virtual: Collection[str], remarks: Diagnostics) -> None:
        self._root = root
        self._order = {joint.name: index for index, joint in enumerate(robot.joints)}
        self._links = {link.name for link in robot.links}
        self._joint_to: Mapping[str, Joint] = {joint.child: joint for joint in robot.joints}
        self._virtual = virtual
        self._remarks = remarks
        self._steps = 0

    def groups(self) -> tuple[JointGroup, ...]:
        written: dict[str, _Written] = {}
        for element in self._root.all("group"):
            name = element.attributes.get("name", "")
            if not name.strip():
                warn(self._remarks, element, "a <group> has no name; it is left out", "group")
            elif name in written:
                warn(self._remarks, element, "there is another group of this name; the first is used", _who(name))
            else:
                written[name] = self._written(element, _who(name))
        self._note_missing(written)
        return tuple(
            JointGroup(
                name, tuple(sorted(self._all_joints(name, written), key=self._order.__getitem__)), tuple(own.chains)
            )
            for name, own in written.items()
        )

    def _step(self, element: Element, count: int = 1) -> None:
        self._steps += count
        if self._steps > _MOST_STEPS:
            message = "its groups and chains are too many to be resolved"
            raise UrdfUnsupportedError(message, file=element.file, line=element.line)

    def _written(self, element: Element, who: str) -> _Written:
        group = _Written(element)
        unknown: list[str] = []
        for child in element.children:
            name = child.attributes.get("name", "")
            if child.tag == "group":
                group.inner.append(name)
            elif child.tag == "chain":
                self._add_chain(group, child, who)
            elif child.tag == "joint" and name in self._order:
                group.joints.add(name)
            elif child.tag == "link" and name in self._links:
                # MoveIt takes a link for the joint that carries it
                if name in self._joint_to:
                    group.joints.add(self._joint_to[name].name)
            elif child.tag in ("joint", "link") and name not in self._virtual and name != FREE_FLYER:
                unknown.append(name)
        if unknown:
            note(self._remarks, element, f"the robot does not have {listed(unknown, 8)}", who)
        return group

    def _add_chain(self, group: _Written, element: Element, who: str) -> None:
        base, tip = (element.attributes.get(end, "") for end in ("base_link", "tip_link"))
        joints = []
        link = tip
        while link != base and link in self._joint_to:
            self._step(element)
            joints.append(self._joint_to[link].name)
            link = self._joint_to[link].parent
        if link != base or base not in self._links:
            note(self._remarks, element, f"there is no chain from link {quoted(base)} out to {quoted(tip)}", who)
            return
        group.joints.update(joints)
        group.chains.append((base, tip))

    def _note_missing(self, written: Mapping[str, _Written]) -> None:
        for name, group in written.items():
            missing = [inner for inner in group.inner if inner not in written]
            if missing:
                note(self._remarks, group.element, f"there is no group {listed(missing, 8)}", _who(name))

    def _all_joints(self, name: str, written: Mapping[str, _Written]) -> set[str]:
        """Return a group's joints with those of the groups in it, however these refer to each other."""
        seen = {name}
        waiting = [name]
        joints: set[str] = set()
        while waiting:
            group = written[waiting.pop()]
            self._step(group.element, 1 + len(group.joints))
            joints |= group.joints
            for inner in group.inner:
                self._step(group.element)
                if inner in written and inner not in seen:
                    seen.add(inner)
                    waiting.append(inner)
        return joints


def _who(name: str) -> str:
    return f"group {quoted(name)}"
