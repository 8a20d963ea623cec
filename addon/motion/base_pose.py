# SPDX-License-Identifier: GPL-3.0-or-later
"""The base's pose as keys on the armature object, and from its animation."""

from __future__ import annotations

from collections.abc import Generator

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.motion import BaseMotion
from ...core.spatial import quaternion_from_rotation, rotation_from_quaternion, transform
from ..actions import NewAction
from ..convert import to_array
from ..exact_curves import Channels
from ..fcurves import OBJECT_GROUP, add_linear_curve, curves_by_channel
from ..motion_rates import object_rests
from ..sliders import scene_unit
from ..world import nearest_rigid, world_pose
from .curve_values import curve_values
from .played import Progress, read_played

Array = NDArray[np.float64]

_PATHS = (("location", 3), ("rotation_quaternion", 4))
_FIXED = (
    "scale",
    "rotation_euler",
    "rotation_axis_angle",
    "delta_location",
    "delta_rotation_quaternion",
    "delta_scale",
)


def add_base(action: NewAction, rig: bpy.types.Object, scene: bpy.types.Scene, base: BaseMotion, frames: Array) -> None:
    """Add a base's motion to an action as locations and quaternions of the armature object.

    A parent stays where it is now; the object's own delta transforms are allowed for.

    Args:
        action: The action, for this object.
        rig: The armature object.
        scene: Its unit says what a metre is.
        base: ``W_H_B`` at T instants.
        frames: The frame of each, shape (T,).
    """
    parent = np.eye(4)
    if rig.parent is not None:
        parent = to_array(rig.matrix_world) @ np.linalg.inv(to_array(rig.matrix_basis))
    poses = base.poses
    poses[:, :3, 3] /= scene_unit(scene)
    basis = np.linalg.solve(parent, poses)
    delta = np.array(rig.delta_location, dtype=np.float64)
    turn = rotation_from_quaternion(np.array(rig.delta_rotation_quaternion, dtype=np.float64)).T
    if rig.parent is not None:
        basis[:, :3, :3] = nearest_rigid(parent)[:3, :3].T @ base.poses[:, :3, :3]
    motion = BaseMotion(base.times, basis[:, :3, 3] - delta, quaternion_from_rotation(turn @ basis[:, :3, :3]))
    for (path, _), values in zip(_PATHS, (motion.positions, motion.quaternions), strict=True):
        for index, column in enumerate(values.T):
            add_linear_curve(action.home, (path, index), OBJECT_GROUP, frames, column)


def base_poses(
    context: bpy.types.Context, rig: bpy.types.Object, frames: Array
) -> Generator[Progress, None, Array | None]:
    """Return ``W_H_B`` at frames, shape (T, 4, 4), whatever drives it; None where the base rests.

    Args:
        context: Its scene is the one that is animated.
        rig: The armature object.
        frames: Shape (T,).
    """
    if object_rests(rig, Channels(rig)):
        return None
    poses = _from_curves(context.scene, rig, frames)
    if poses is None:
        found = yield from read_played(context, rig, frames, lambda evaluated: world_pose(evaluated, context.scene))
        poses = np.array(found)
    return poses


def _from_curves(scene: bpy.types.Scene, rig: bpy.types.Object, frames: Array) -> Array | None:
    """Return ``W_H_B`` where nothing but curves of locations and quaternions move the object, else None."""
    animation, render = rig.animation_data, scene.render
    if animation is None or len(animation.nla_tracks) or render.frame_map_old != render.frame_map_new:
        return None
    paths = [path for path, _ in _PATHS]
    channels = Channels(rig)
    held = rig.parent is not None or rig.rigid_body is not None or any(not item.mute for item in rig.constraints)
    driven = any(curve.data_path in paths for curve in animation.drivers)
    if held or driven or rig.rotation_mode != "QUATERNION" or not channels.rest(_FIXED):
        return None
    curves = curves_by_channel(rig)
    values = []
    for path, size in _PATHS:
        for index in range(size):
            curve = curves.get((path, index))
            read = None if curve is None else curve_values(curve, frames)
            values.append(np.full(len(frames), getattr(rig, path)[index]) if read is None else read)
    columns = np.stack(values, axis=-1)
    lengths = np.linalg.norm(columns[:, 3:], axis=1)
    if (lengths < 1e-6).any():
        return None
    delta = rotation_from_quaternion(np.array(rig.delta_rotation_quaternion, dtype=np.float64))
    origin = columns[:, :3] + np.array(rig.delta_location, dtype=np.float64)
    return transform(delta @ rotation_from_quaternion(columns[:, 3:]), scene_unit(scene) * origin)
