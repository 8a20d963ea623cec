# SPDX-License-Identifier: GPL-3.0-or-later
"""What hangs from a rig, hung again where its links are after a rebuild."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.spatial import inverse
from ..attachments import attachment_data
from ..build.parenting import Seat, hang
from ..convert import to_array, to_matrix
from ..properties import bone_data, object_data
from ..rig import armature_of

Array = NDArray[np.float64]

_EQUAL = 2e-6


@dataclass(frozen=True, slots=True, eq=False)
class Heir:
    """Where what hung from a link goes: to a link of the new robot, in which the old one's pose is ``heir_h_link``."""

    link: str
    heir_h_link: Array


@dataclass(slots=True, eq=False)
class Child:
    """An object that hangs from a rig.

    Attributes:
        obj: The object.
        link: The link that it hangs from; empty where it hangs from the armature object itself.
        deformed: Whether the rig's bones deform it.
        offset: What its parent inverse adds to the link's seat, (4, 4); None where it adds nothing.
    """

    obj: bpy.types.Object
    link: str
    deformed: bool
    offset: Array | None


def children_of(rig: bpy.types.Object, places: Mapping[str, Seat]) -> list[Child]:
    """Return what hangs from a rig.

    Args:
        rig: The armature object.
        places: Where its links sit.
    """
    links = {bone.name: bone_data(bone).link for bone in armature_of(rig).bones}
    return [_child(obj, rig, places, links) for obj in rig.children]


def _child(obj: bpy.types.Object, rig: bpy.types.Object, places: Mapping[str, Seat], links: Mapping[str, str]) -> Child:
    if obj.parent_type != "BONE":
        deformed = obj.parent_type == "ARMATURE" or any(
            isinstance(item, bpy.types.ArmatureModifier) and item.object == rig for item in obj.modifiers
        )
        return Child(obj, "", deformed, None)
    named = attachment_data(obj).link or object_data(obj).link
    seat = places.get(named)
    if seat is not None and seat.bone == obj.parent_bone:
        link = named
    else:
        link = links.get(obj.parent_bone, "")
        seat = places.get(link)
    if seat is None:
        return Child(obj, "", False, None)
    inverse_seat = np.linalg.inv(to_array(seat.tail_h_link))
    offset = inverse_seat @ to_array(obj.matrix_parent_inverse)
    return Child(obj, link, False, None if np.abs(offset - np.eye(4)).max() < _EQUAL else offset)


def hang_again(
    rig: bpy.types.Object,
    children: list[Child],
    places: Mapping[str, Seat],
    heirs: Mapping[str, Heir],
    bases: tuple[str, str],
    new_h_old: Array,
) -> None:
    """Hang objects from the rebuilt rig so that each is where it was, seen from its link.

    Args:
        rig: The armature object.
        children: What hung from it before, as ``children_of`` has found it.
        places: Where the links sit now.
        heirs: Where what hung from each old link goes.
        bases: The old base link and the new one's old name. What hung from the armature object itself goes to the old
            base's bone where they differ.
        new_h_old: Pose (4, 4) of the old armature space in the new one with all joints at 0, for what bones deform.
    """
    for child in children:
        link = child.link
        offset = child.offset
        if not link:
            if bases[0] == bases[1]:
                continue
            inverse_now = to_array(child.obj.matrix_parent_inverse)
            if child.deformed:
                child.obj.matrix_parent_inverse = to_matrix(new_h_old @ inverse_now)
                continue
            if child.obj.parent_type != "OBJECT":
                continue
            link, offset = bases[0], inverse_now
        heir = heirs[link]
        _hang(child.obj, rig, places[heir.link], heir, offset)
        if attachment_data(child.obj).link == link:
            attachment_data(child.obj).link = heir.link
        if object_data(child.obj).link == link:
            object_data(child.obj).link = heir.link


def _hang(obj: bpy.types.Object, rig: bpy.types.Object, seat: Seat, heir: Heir, offset: Array | None) -> None:
    """Hang an object, its own transform kept; an attachment keeps being measured from its link's frame."""
    moved = heir.heir_h_link if offset is None else heir.heir_h_link @ offset
    hang(obj, rig, seat)
    if np.array_equal(moved, np.eye(4)):
        return
    if offset is None and attachment_data(obj).link:
        obj.matrix_basis = to_matrix(moved @ to_array(obj.matrix_basis))
    else:
        obj.matrix_parent_inverse = to_matrix(to_array(seat.tail_h_link) @ moved)


def heirs_of(
    kept: Mapping[str, str], paths: Mapping[str, str], poses: Mapping[str, Array], base: str
) -> dict[str, Heir]:
    """Return where what hung from each link goes: to the link itself, else to the nearest one before that is left.

    Args:
        kept: New names of the links that are still there, by their old names.
        paths: Old name of the link before each one, towards the old base.
        poses: Pose of each old link in the old base at present, (4, 4).
        base: The new base, for what has no link before it that is left.
    """
    heirs = {}
    for link, pose in poses.items():
        at: str | None = link
        while at is not None and at not in kept:
            at = paths.get(at)
        if at is None:
            heirs[link] = Heir(base, pose)
        else:
            same = at == link
            heirs[link] = Heir(kept[at], np.eye(4) if same else inverse(poses[at]) @ pose)
    return heirs
