# SPDX-License-Identifier: GPL-3.0-or-later
"""A recorded motion as keys on the channels of a rig."""

from __future__ import annotations

import math
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.diagnostics import Diagnostic, Level
from ...core.errors import RigError
from ...core.motion import JointMotion, fit_to_robot
from ...core.urdf.remarks import listed
from ..actions import NewAction
from ..fcurves import LAST_FRAME, add_linear_curve
from ..keying import check_animatable, show_animation
from ..rig import JointBone, joint_bones_by_name, robot_of
from ..world import base_of
from .base_pose import add_base

Array = NDArray[np.float64]

_ROUNDING = 1e-6  # limits on bones are float32


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """What was made of a recording.

    Attributes:
        action: The rig's new action.
        first, last: Frames of the first and the last key.
        joints: How many joints are keyed.
        base: Whether the armature object is keyed.
        diagnostics: Remarks.
    """

    action: bpy.types.Action
    first: float
    last: float
    joints: int
    base: bool
    diagnostics: tuple[Diagnostic, ...]


def frames_a_second(scene: bpy.types.Scene) -> float:
    """Return how many frames of a scene are one second."""
    return scene.render.fps / scene.render.fps_base


def play_motion(
    context: bpy.types.Context,
    rig: bpy.types.Object,
    motion: JointMotion,
    *,
    start: float = 1.0,
    degrees: bool = False,
    offset: float = 0.0,
    rate: float = 0.0,
    file: str = "",
) -> Played:
    """Key a motion on a rig, in a new action of its own. Joints that it lacks keep their values.

    The base's pose is keyed on the armature object, whose rotations are quaternions from then on. Time t is frame
    ``start + (t + offset) * frames a second``, not rounded. Values beyond a joint's limits are keyed at the limit, and
    noted.

    Args:
        context: Its scene says how many frames a second has.
        rig: The armature object.
        motion: The motion, perhaps with joints that the robot does not have.
        start: Frame of time 0.
        degrees: Whether angles are in degrees.
        offset: Seconds to add to all times.
        rate: Resample to that many keys a second; 0 keeps the samples.
        file: Name for messages.

    Raises:
        RigError: If the object is no rig, its animation cannot be changed, or frames lie where Blender has none.
        MotionError: If the motion has none of the robot's joints, or the rate is too high.
        UrdfError: If the stored description was damaged.
    """
    fitted = fit_to_robot(motion, robot_of(rig), degrees=degrees, file=file, base=base_of(rig))
    part = fitted.motion.resampled(rate) if rate else fitted.motion
    fps = frames_a_second(context.scene)
    frames = start + (part.times + offset) * fps
    base_frames = start + (part.base.times + offset) * fps if part.base is not None else frames
    first, last = min(frames[0], base_frames[0]), max(frames[-1], base_frames[-1])
    if not (abs(first) <= LAST_FRAME and abs(last) <= LAST_FRAME):
        raise RigError(f"the motion would last from frame {first:g} to {last:g}, where Blender has none")
    check_animatable(rig, other_action=True)
    bones = joint_bones_by_name(rig)
    action = NewAction(rig, f"{rig.name} Motion")
    clamped: dict[str, int] = {}
    keyed = 0
    for column, name in enumerate(part.joints):
        joint = bones.get(name)
        if joint is None:  # a bone that the user has deleted
            continue
        keyed += 1
        values, count = _clamped(joint, part.positions[:, column])
        if count:
            clamped[name] = count
        add_linear_curve(action.home, (joint.curve_path, 1), joint.bone.name, frames, joint.data.sign * values)
    if part.base is not None:
        context.view_layer.update()
        add_base(action, rig, context.scene, part.base, base_frames)
    made = action.assign()
    if part.base is not None:
        rig.rotation_mode = "QUATERNION"
    show_animation(context, rig)
    remarks = [*fitted.diagnostics]
    if clamped:
        text = (
            f"{sum(clamped.values())} samples of {listed(list(clamped), 12)} lie beyond the limits, and are set to them"
        )
        remarks.append(Diagnostic(Level.WARNING, text, file))
    return Played(made, float(first), float(last), keyed, part.base is not None, tuple(remarks))


def _clamped(joint: JointBone, values: Array) -> tuple[Array, int]:
    """Return values that the joint allows, and how many were others."""
    if not joint.data.limited:
        return values, 0
    allowed = np.clip(values, joint.data.lower, joint.data.upper)
    return allowed, int(np.count_nonzero(np.abs(allowed - values) > _ROUNDING * np.maximum(1.0, np.abs(values))))


def show_all(scene: bpy.types.Scene, played: Played) -> None:
    """Let the scene's range hold the whole motion."""
    scene.frame_start = min(scene.frame_start, max(0, math.floor(played.first)))
    scene.frame_end = max(scene.frame_end, math.ceil(played.last))
