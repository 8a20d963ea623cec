# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint values of a rig whose bones are moved by constraints, such as Blender's IK: from the bones themselves."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import RigError
from ...core.kinematics import value_rates
from ..build.armature import LIMIT_TYPES
from ..convert import to_array
from ..motion_rates import SUBFRAME
from ..rig import JointBone, joint_bones
from .played import Progress, around, read_played

Array = NDArray[np.float64]

_OFF_AXIS = 2e-3
"""Radians or metres by which a bone may leave its joint's axis; constraints work in float32."""


def is_constrained(rig: bpy.types.Object) -> bool:
    """Whether more than limits acts on the rig's bones."""
    return any(
        not item.mute and item.influence > 0.0 and item.type not in LIMIT_TYPES
        for bone in rig.pose.bones
        for item in bone.constraints
    )


def constrained_motion(
    context: bpy.types.Context, rig: bpy.types.Object, frames: Array, rates: bool
) -> Generator[Progress, None, dict[str, Sequence[Array]]]:
    """Return value, velocity and acceleration by the frame, shape (T,), of each free joint as its bone shows them.

    Whole turns are those of the channel; where it stands still, they are counted from the first frame on.

    Args:
        context: Its scene is the one that is animated.
        rig: The armature object.
        frames: Shape (T,).
        rates: Whether rates are wanted; without, they are zero.

    Raises:
        RigError: If a constraint takes a bone off its joint's axis, which no robot can follow.
    """
    distinct, places = around(frames, rates)

    def read(evaluated: bpy.types.Object) -> dict[str, tuple[float, float, float]]:
        return {joint.data.joint: _shown(joint) for joint in joint_bones(evaluated) if not joint.data.leader}

    shown = yield from read_played(context, rig, distinct, read)
    turns = {joint.data.joint: joint.turns for joint in joint_bones(rig)}
    result: dict[str, Sequence[Array]] = {}
    for name in shown[0]:
        value, channel, off = np.array([item[name] for item in shown]).T
        if off.max() > _OFF_AXIS:
            frame = distinct[int(np.argmax(off))]
            raise RigError(f"a constraint takes joint {name!r} off its axis, most at frame {frame:g}")
        if turns[name]:
            value = channel + np.unwrap(value - channel)
            value -= 2.0 * np.pi * np.round((value[0] - channel[0]) / (2.0 * np.pi))
        samples = value[places]
        still = np.zeros(len(frames))
        result[name] = (samples[2], *value_rates(samples, SUBFRAME)) if rates else (samples[0], still, still)
    return result


def _shown(joint: JointBone) -> tuple[float, float, float]:
    """Return the joint's value as the bone shows it and as the channel has it, and how far the bone is off its axis."""
    bone = joint.bone
    rest, pose = to_array(bone.bone.matrix_local), to_array(bone.matrix)
    if bone.parent is not None:
        rest = np.linalg.solve(to_array(bone.parent.bone.matrix_local), rest)
        pose = np.linalg.solve(to_array(bone.parent.matrix), pose)
    local = np.linalg.solve(rest, pose)
    angle = float(np.arctan2(local[0, 2] - local[2, 0], local[0, 0] + local[2, 2]))
    across = float(np.abs(local[[0, 2, 1, 1], [1, 1, 0, 2]]).max())
    shift = np.abs(local[:3, 3])
    if joint.turns:
        return joint.data.sign * angle, joint.value, max(across, float(shift.max()))
    return joint.data.sign * float(local[1, 3]), joint.value, max(across, abs(angle), float(shift[[0, 2]].max()))
