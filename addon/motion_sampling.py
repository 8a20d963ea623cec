# SPDX-License-Identifier: GPL-3.0-or-later
"""How a rig moves in its animation: joint velocities from F-curves where these say all, else from samples.

A channel that nothing but an F-curve animates is differentiated exactly. Everything else (drivers, the NLA, modifiers,
easings, planar and floating joints, the armature object itself) is read from Blender at sub-frames.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.errors import RigError
from ..core.kinematics import OFFSETS, RobotMotion, joint_motion, pose_rates, value_rates
from ..core.model import Robot
from .fcurves import Channels, Point
from .rig import JointBone, joint_bones, joint_values, robot_of
from .spatial_joints import SpatialJoint, spatial_joints
from .world import base_of, world_pose

Array = NDArray[np.float64]

SUBFRAME = 0.5  # of Blender's float32 channels, less would leave too few digits to a second difference
_BONE_CHANNELS = (("location", 3), ("rotation_euler", 3), ("rotation_quaternion", 4))
_TRANSFORMS = (
    *("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale", "rotation_mode"),
    *("delta_location", "delta_rotation_euler", "delta_rotation_quaternion", "delta_scale"),
)


@dataclass(frozen=True, slots=True, eq=False)
class _Samples:
    """What was read at sub-frames, with ``OFFSETS`` first: free joints (5, T), spatial joints and ``W_H_A``."""

    joints: Mapping[str, Array]
    spatial: Mapping[str, Array]
    world: Array


def sample_motion(context: bpy.types.Context, rig: bpy.types.Object, frames: Sequence[float]) -> RobotMotion:
    """Return how the rig moves at T frames of the animation; the current frame and the rig's pose are kept.

    At a key where a curve has a corner, the velocity is the mean of those before and after.

    Args:
        context: Its scene is the one that is animated.
        rig: The armature object.
        frames: The frames, parts of one allowed, at least one.

    Raises:
        RigError: If the object is no rig, or not in the view layer.
        UrdfError: If the stored description was damaged.
    """
    robot = robot_of(rig)
    if context.view_layer.objects.get(rig.name) is not rig:
        raise RigError(f"{rig.name!r} is not in the current view layer")
    times = np.asarray(frames, dtype=np.float64)
    channels = Channels(rig)
    points = _exact_points(rig, channels, times * _remapping(context.scene))
    spatial = spatial_joints(robot, rig)
    moving = {name: joint for name, joint in spatial.items() if not _bone_rests(joint, channels)}
    rests = _object_rests(rig, channels)
    samples = None
    if not rests or moving or None in points.values():
        samples = _sample(context, robot, rig, times)
    return _assembled(context, robot, rig, points, samples if samples is not None else None, times, rests, spatial, moving)
