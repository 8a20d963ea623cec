# SPDX-License-Identifier: GPL-3.0-or-later
"""Which parts of a rig something is drawn for, and where they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.model import Robot
from ...core.plan import rides
from ..convert import read_matrices, to_array
from ..properties import armature_data, bone_data
from ..rig import armature_of, robot_of
from ..world import base_of

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LinkFrames:
    """Links and their frames.

    Attributes:
        names: The links' names.
        joints: Of the joint that moves each; empty for the base.
        poses: The frames in Blender's world, shape (n, 4, 4), scaled as the armature is.
    """

    names: list[str]
    joints: list[str]
    poses: Array


def is_shown(bone: bpy.types.PoseBone, which: str) -> bool:
    """Whether a bone is among ``ALL``, ``VISIBLE`` or ``SELECTED`` ones."""
    if which == "SELECTED":
        owner: Any = bone if hasattr(bone, "select") else bone.bone  # it moved with Blender 5.0
        return bool(owner.select)
    return which == "ALL" or _is_visible(bone)


def _is_visible(bone: bpy.types.PoseBone) -> bool:
    owner: Any = bone if hasattr(bone, "hide") else bone.bone  # as did this
    collections = bone.bone.collections
    return not owner.hide and (not collections or any(collection.is_visible_effectively for collection in collections))


def link_frames(rig: bpy.types.Object, which: str) -> LinkFrames:
    """Return the links that are shown and where they are; links without a bone go with the bone they ride on.

    Raises:
        UrdfRigError: If the rig is damaged.
    """
    bones = rig.pose.bones
    a_h_b = read_matrices(bones, "matrix")
    names, joints, carriers = [], [], []
    constants: list[Any] = []  # each of 16 numbers
    boneless = _boneless(rig)
    for index, bone in enumerate(bones):
        data = bone_data(bone.bone)
        if not data.link or not is_shown(bone, which):
            continue
        b_h_l = data.bone_h_link[:]
        names.append(data.link)
        joints.append(data.joint)
        carriers.append(index)
        constants.append(b_h_l)
        for link, joint, carrier_h_link in boneless.get(data.link, ()):
            names.append(link)
            joints.append(joint)
            carriers.append(index)
            constants.append((np.reshape(b_h_l, (4, 4)) @ carrier_h_link).ravel())
    poses = a_h_b[carriers] @ np.reshape(constants, (-1, 4, 4))
    return LinkFrames(names, joints, to_array(rig.matrix_world) @ poses)


def _boneless(rig: bpy.types.Object) -> dict[str, list[tuple[str, str, Array]]]:
    """Return for each bone's link those that ride on it: their names, joints, and poses in it."""
    if armature_data(armature_of(rig)).fixed_frames:
        return {}
    links = frozenset(bone_data(bone.bone).link for bone in rig.pose.bones)
    return _riding(robot_of(rig), base_of(rig), links)


@lru_cache(maxsize=8)
def _riding(robot: Robot, base: str, links: frozenset[str]) -> dict[str, list[tuple[str, str, Array]]]:
    moved_by = {joint.child: joint.name for joint in robot.joints}
    found: dict[str, list[tuple[str, str, Array]]] = {}
    for link, ride in rides(robot, base, links).items():
        if link != ride.carrier:
            found.setdefault(ride.carrier, []).append((link, moved_by.get(link, ""), ride.carrier_h_link))
    return found
