# SPDX-License-Identifier: GPL-3.0-or-later
"""Constraints that look at a rig's bones, whose frames may lie elsewhere on their links after a rebuild."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import bpy
import numpy as np
from numpy.typing import NDArray

from ..convert import to_array, to_matrix
from ..properties import bone_data
from ..rig import armature_of

Array = NDArray[np.float64]

_EQUAL = 1e-6


def bone_frames(rig: bpy.types.Object) -> dict[str, Array]:
    """Return the pose ``b_H_L``, (4, 4), of its link in each of the robot's bones, by the bone's name."""
    bones = [bone for bone in armature_of(rig).bones if bone_data(bone).link]
    return {bone.name: np.reshape(bone_data(bone).bone_h_link, (4, 4)).astype(np.float64) for bone in bones}


def follow_frames(rig: bpy.types.Object, before: Mapping[str, Array]) -> list[str]:
    """Let *Child Of* constraints hold to links whose bones' frames lie elsewhere now.

    Args:
        rig: The armature object, rebuilt.
        before: What ``bone_frames`` returned before.

    Returns:
        Which other constraints look at such bones, or at bones that are gone, in words.
    """
    after = bone_frames(rig)
    remarks = []
    for owner, constraint in _constraints():
        if getattr(constraint, "target", None) != rig:
            continue
        bone = getattr(constraint, "subtarget", "")
        if bone not in before:
            continue
        if bone not in after:
            remarks.append(f"constraint {constraint.name!r} of {owner!r} looks at bone {bone!r}, which is gone")
            continue
        old_h_new = before[bone] @ np.linalg.inv(after[bone])
        if np.abs(old_h_new - np.eye(4)).max() < _EQUAL:
            continue
        if isinstance(constraint, bpy.types.ChildOfConstraint):
            constraint.inverse_matrix = to_matrix(np.linalg.solve(old_h_new, to_array(constraint.inverse_matrix)))
        elif not constraint.mute:
            place = "which lies elsewhere on its link now"
            remarks.append(f"constraint {constraint.name!r} of {owner!r} looks at bone {bone!r}, {place}")
    return remarks


def _constraints() -> Iterator[tuple[str, bpy.types.Constraint]]:
    for obj in bpy.data.objects:
        if obj.library is not None:
            continue
        for constraint in obj.constraints:
            yield obj.name, constraint
        for bone in obj.pose.bones if obj.pose is not None else ():
            for constraint in bone.constraints:
                yield bone.name, constraint
