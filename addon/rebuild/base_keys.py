# SPDX-License-Identifier: GPL-3.0-or-later
"""The armature object put where its new base is, and keyed where that moves."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.spatial import quaternion_from_rotation
from ..actions import active_home
from ..convert import to_matrix
from ..fcurves import OBJECT_GROUP, add_linear_curve, remove_curves
from .base_motion import OWN_MOVES, BaseMotion
from .frames import curve_time

Array = NDArray[np.float64]

_TURNS = {"QUATERNION": ("rotation_quaternion", 4), "AXIS_ANGLE": ("rotation_axis_angle", 4)}


def write_base_motion(scene: bpy.types.Scene, rig: bpy.types.Object, motion: BaseMotion) -> None:
    """Put the armature object where it has to be, and key it where it has to move; its scale is not touched."""
    turn, size = _TURNS.get(rig.rotation_mode, ("rotation_euler", 3))
    stands = not len(motion.frames)
    remove_curves(rig, OWN_MOVES)
    scale = rig.scale.copy()
    if not stands:
        rows = _axis_angle_rows(rig, motion.bases) if turn == "rotation_axis_angle" else _rows(rig, turn, motion.bases)
        home = active_home(rig)
        channels = [("location", index) for index in range(3)] + [(turn, index) for index in range(size)]
        times = motion.frames * curve_time(scene)
        for channel, values in zip(channels, rows.T, strict=True):
            add_linear_curve(home, channel, OBJECT_GROUP, times, values)
    rig.matrix_basis = to_matrix(motion.now)
    if turn == "rotation_axis_angle":
        rig.rotation_axis_angle = _axis_angle_rows(rig, motion.now[None])[0, 3:].tolist()
    rig.scale = scale


def _rows(rig: bpy.types.Object, turn: str, bases: Array) -> Array:
    """Return location and rotation for transforms, (T, 6) or (T, 7), each rotation as near as can be to the last."""
    rows = []
    before: Any = None
    for basis in bases:
        rig.matrix_basis = to_matrix(basis)
        value: Any = getattr(rig, turn).copy()
        if before is not None:
            value.make_compatible(before)
        before = value
        rows.append([*rig.location, *value])
    return np.array(rows)


def _axis_angle_rows(rig: bpy.types.Object, bases: Array) -> Array:
    """Return location, angle and axis for transforms, (T, 7); Blender's own conversion loses half of the digits."""
    rows = np.empty((len(bases), 7))
    rows[:, :3] = bases[:, :3, 3] - np.array(rig.delta_location)
    axes = bases[:, :3, :3]
    quaternions = quaternion_from_rotation(axes / np.linalg.norm(axes, axis=1)[:, None, :])
    axis, angle = np.array([0.0, 1.0, 0.0]), 0.0
    for row, (w, *vector) in zip(rows, quaternions, strict=True):
        sine = float(np.linalg.norm(vector))
        near = axis if sine == 0.0 else np.array(vector) / sine
        turned = 2.0 * float(np.arctan2(sine, w))
        if near @ axis < 0.0:
            near, turned = -near, -turned
        turned += 2.0 * np.pi * round((angle - turned) / (2.0 * np.pi))
        axis, angle = near, turned
        row[3:] = turned, *near
    return rows
