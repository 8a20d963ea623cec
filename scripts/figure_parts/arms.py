# SPDX-License-Identifier: GPL-3.0-or-later
"""The figure of re-rooting: one arm, imported twice with different bases, in the same pose."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from urdf_rig.addon.convert import to_array
from urdf_rig.addon.importer import ImportOptions, import_robot
from urdf_rig.addon.properties import bone_data
from urdf_rig.addon.rig import armature_of, set_joint_values
from urdf_rig.core.spatial import inverse

from .solids import GREEN, INK, Color, arrow, bone, label
from .studio import new_scene, on_paper, render, sideways

Array = NDArray[np.float64]

_POSE = {"joint_1": 0.1, "joint_2": 0.35, "joint_3": -0.25, "joint_4": 0.4, "joint_5": 0.8}
_PLACES = {"base_link": -0.68, "tool0": 0.28}
_BONE: Color = (0.86, 0.47, 0.07)
_LENGTH = 0.15
_VIEW = np.array([0.5, -1.0, 0.32])


def re_rooting(arm: Path) -> Array:
    """Bones and their parents, with the robot as a ghost behind them."""
    new_scene(_VIEW, (0.0, 0.0, 0.42), 2.0)
    rigs = [_place(arm, base) for base in _PLACES]
    robot = render()
    for rig in rigs:
        for obj in rig.children:
            obj.hide_render = True
    for rig in rigs:
        _draw_bones(rig)
    for base, place in _PLACES.items():
        label(f"root: {base}", place * sideways() - (0.0, 0.0, 0.19), 0.065, GREEN)
    return on_paper((robot, 0.5), (render(), 1.0))


def _place(arm: Path, base: str) -> bpy.types.Object:
    """Import and pose the arm, and move it so that its foot stands where it should, whatever it hangs from."""
    rig = import_robot(bpy.context, arm, ImportOptions(base=base)).rig
    set_joint_values(rig, _POSE)
    bpy.context.view_layer.update()
    foot = next(bone for bone in armature_of(rig).bones if bone_data(bone).link == "base_link")
    b_h_link = np.reshape(bone_data(foot).bone_h_link, (4, 4))
    a_h_foot = to_array(rig.pose.bones[foot.name].matrix) @ b_h_link
    world = inverse(a_h_foot)
    world[:3, 3] += _PLACES[base] * sideways()
    rig.matrix_world = Matrix(world.tolist())
    bpy.context.view_layer.update()
    return rig


def _draw_bones(rig: bpy.types.Object) -> None:
    world = to_array(rig.matrix_world)
    for pose_bone in rig.pose.bones:
        frame = world @ to_array(pose_bone.matrix)
        root = pose_bone.parent is None
        if not root and bone_data(pose_bone.bone).channel == "none":
            continue
        bone(frame, _LENGTH, GREEN if root else _BONE, slim=0.13)
        if root:
            continue
        start = (world @ to_array(pose_bone.parent.matrix))[:3, 3]
        end = frame[:3, 3]
        if np.linalg.norm(end - start) > 0.05:
            towards = (end - start) / np.linalg.norm(end - start)
            # nearer to the camera, which changes nothing in the picture but that no bone is in front
            arrow(start + 0.02 * towards + _VIEW, end - 0.02 * towards + _VIEW, INK, 0.007)
