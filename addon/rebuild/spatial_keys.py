# SPDX-License-Identifier: GPL-3.0-or-later
"""The motion of planar and floating joints, read as values and written on the channels of other bones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.model import JointType, Robot
from ..actions import active_home, curve_homes
from ..fcurves import acts, add_linear_curve, remove_curves
from ..kept_pose import BONE_CHANNELS
from ..motion_rates import kept_frame
from ..spatial_joints import SpatialJoint, spatial_joints
from .frames import curve_time, frames_to_keep

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SpatialMotion:
    """How a planar or floating joint moves.

    Attributes:
        value: Its value at present, as ``joint_motion`` takes it.
        frames: Frames of its motion, shape (T,); empty where it does not move.
        values: Its values at these, shape (T, 3) or (T, 7).
    """

    value: Array
    frames: Array
    values: Array


def spatial_motions(context: bpy.types.Context, rig: bpy.types.Object, robot: Robot) -> dict[str, SpatialMotion]:
    """Return how the planar and floating joints of a rig move; the current frame is kept.

    Raises:
        RigError: If the animation is too long.
    """
    joints = spatial_joints(robot, rig)
    moving = [name for name, joint in joints.items() if _curves(rig, joint)]
    curves = [curve for name in moving for curve in _curves(rig, joints[name])]
    frames = frames_to_keep(context.scene, curves) if moving else np.zeros(0)
    values: dict[str, list[Array]] = {name: [] for name in moving}
    now = {name: joint.value for name, joint in joints.items()}
    if moving:
        with kept_frame(context, rig):
            for frame in frames.tolist():
                whole = int(np.floor(frame))
                context.scene.frame_set(whole, subframe=frame - whole)
                for name in moving:
                    values[name].append(joints[name].value)
    nothing = np.zeros(0)
    return {
        name: SpatialMotion(value, frames, np.array(values[name]))
        if name in values
        else SpatialMotion(value, nothing, nothing)
        for name, value in now.items()
    }


def _curves(rig: bpy.types.Object, joint: SpatialJoint) -> list[Any]:
    path = joint.bone.path_from_id()
    paths = {f"{path}.{name}" for name, _ in BONE_CHANNELS}
    return [curve for home in curve_homes(rig) for curve in home.fcurves if curve.data_path in paths and acts(curve)]


def key_spatial(
    scene: bpy.types.Scene,
    rig: bpy.types.Object,
    robot: Robot,
    motions: Mapping[str, SpatialMotion],
    joints: Mapping[str, str],
) -> None:
    """Write values and motions of planar and floating joints on the bones that show them now.

    Args:
        scene: The scene that is animated.
        rig: The armature object.
        robot: Its robot.
        motions: The motions by the joints' old names.
        joints: New names of the joints that are still there, by their old ones.
    """
    found = spatial_joints(robot, rig)
    for name, motion in motions.items():
        joint = found.get(joints.get(name, ""))
        if joint is None or len(motion.value) != (3 if joint.joint.type is JointType.PLANAR else 7):
            continue
        if len(motion.frames):
            _key(scene, rig, joint, motion)
        joint.value = motion.value


def _key(scene: bpy.types.Scene, rig: bpy.types.Object, joint: SpatialJoint, motion: SpatialMotion) -> None:
    path = joint.bone.path_from_id()
    (_, _), (turn, _) = joint.properties
    rows = []
    for value in motion.values:
        joint.value = value
        rows.append([*joint.bone.location, *getattr(joint.bone, turn)])
    table = np.array(rows)
    if joint.joint.type is JointType.PLANAR:
        table[:, 4] = np.unwrap(table[:, 4])
    else:
        flips = np.where((table[1:, 3:] * table[:-1, 3:]).sum(axis=1) < 0.0, -1.0, 1.0)
        table[1:, 3:] *= np.cumprod(flips)[:, None]
    home = active_home(rig)
    channels = [(f"{path}.{name}", index) for name, size in joint.properties for index in range(size)]
    for column, channel in zip(table.T, channels, strict=True):
        add_linear_curve(home, channel, joint.bone.name, motion.frames * curve_time(scene), column)


def clear_spatial(rig: bpy.types.Object, robot: Robot, motions: Mapping[str, SpatialMotion]) -> None:
    """Remove the curves of the planar and floating joints that move, before they are written anew."""
    found = spatial_joints(robot, rig)
    paths = {
        f"{found[name].bone.path_from_id()}.{channel}"
        for name, motion in motions.items()
        if name in found and len(motion.frames)
        for channel, _ in BONE_CHANNELS
    }
    remove_curves(rig, paths)
