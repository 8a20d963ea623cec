# SPDX-License-Identifier: GPL-3.0-or-later
"""The motion of a rig in its animation, at any rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import ModelError, RigError
from ...core.motion import JointMotion, in_degrees, with_followers
from ..fcurves import action_curves
from ..frame_csv import frame_range
from ..motion_sampling import sample_motion
from ..rig import joint_bones, robot_of
from .actions import interpolation_number
from .constrained import constrained_motion, is_constrained
from .playback import frames_a_second

Array = NDArray[np.float64]


def recorded_motion(
    context: bpy.types.Context,
    rig: bpy.types.Object,
    *,
    start: float,
    end: float,
    rate: float = 0.0,
    degrees: bool = False,
    followers: bool = False,
    rates: bool = False,
) -> JointMotion:
    """Return how the joints move from one frame to another, whatever drives them; time 0 is ``start``.

    The current frame and the rig's pose are kept.

    Args:
        context: Its scene is the one that is animated.
        rig: The armature object.
        start: First frame.
        end: Last frame, included where the rate meets it.
        rate: Samples a second; 0 is one for each frame.
        degrees: Whether to return angles in degrees.
        followers: Whether to add the joints that follow another one.
        rates: Whether to add velocities and accelerations.

    Raises:
        ModelError: If that is no range of frames, or the robot has no joints that move.
        RigError: If the object is no rig, or not in the view layer, or a constraint takes a bone off its joint's axis.
        UrdfError: If the stored description was damaged.
    """
    robot = robot_of(rig)
    if not robot.dofs:
        raise ModelError(f"{robot.name} has no joints that move")
    if not np.isfinite(rate) or rate < 0.0:
        raise ModelError(f"a rate must be above 0, not {rate:g}")
    fps = frames_a_second(context.scene)
    frames = np.array(frame_range(start, end, fps / rate if rate else 1.0))
    names, values = _sampled(context, rig, frames, rates)
    speeds = [values[1] * fps, values[2] * fps**2] if rates else [None, None]
    motion = JointMotion(names, (frames - start) / fps, values[0], *speeds)
    if followers:
        motion = with_followers(motion, robot)
    return in_degrees(motion, robot) if degrees else motion


def _sampled(
    context: bpy.types.Context, rig: bpy.types.Object, frames: Array, rates: bool
) -> tuple[tuple[str, ...], Array]:
    """Return the free joints, and their values and first two derivatives by the frame, shape (3, T, n)."""
    robot = robot_of(rig)
    found: Mapping[str, Sequence[Array]] | None
    if is_constrained(rig):
        found = constrained_motion(context, rig, frames, rates)
    else:
        found = _from_curves(context.scene, rig, frames, rates)
    if found is None:
        moved = sample_motion(context, rig, frames.tolist())
        fps = frames_a_second(context.scene)
        columns = {name: index for index, name in enumerate(robot.dofs)}
        found = {
            name: (moved.q[name], moved.v[:, columns[name]] / fps, moved.a[:, columns[name]] / fps**2)
            for name in robot.dofs
            if name in moved.q
        }
    names = tuple(name for name in robot.dofs if name in found)
    if not names:
        raise RigError(f"no bone of {rig.name!r} has a joint")
    return names, np.stack([np.stack(list(found[name]), axis=0) for name in names], axis=-1)


def _from_curves(
    scene: bpy.types.Scene, rig: bpy.types.Object, frames: Array, rates: bool
) -> dict[str, Sequence[Array]] | None:
    """Return the free joints' values and derivatives, shape (3, T), where only curves animate them, else None.

    Without playing the animation, and so a hundred times faster. Derivatives are known between linear keys only.
    """
    animation = rig.animation_data
    render = scene.render
    if animation is None or len(animation.nla_tracks) or render.frame_map_old != render.frame_map_new:
        return None
    curves = {(curve.data_path, curve.array_index): curve for curve in action_curves(rig)}
    driven = {(curve.data_path, curve.array_index) for curve in animation.drivers}
    values: dict[str, Sequence[Array]] = {}
    for joint in joint_bones(rig):
        if joint.data.leader:
            continue
        channel = f"{joint.bone.path_from_id()}.{joint.data_path}", 1
        curve = curves.get(channel)
        if channel in driven:
            return None
        if curve is None:
            values[joint.data.joint] = np.full((3, len(frames)), [[joint.value], [0.0], [0.0]])
            continue
        read = _on_linear_keys(curve, frames)
        if read is None and not rates:
            read = _evaluated(curve, frames)
        if read is None:
            return None
        values[joint.data.joint] = joint.data.sign * read
    return values


def _is_muted(curve: bpy.types.FCurve) -> bool:
    return curve.mute or (curve.group is not None and curve.group.mute)


def _evaluated(curve: bpy.types.FCurve, frames: Array) -> Array | None:
    """Return the value that Blender gives, in the first row of three."""
    if _is_muted(curve) or not (len(curve.keyframe_points) or len(curve.sampled_points)):
        return None
    values = np.zeros((3, len(frames)))
    values[0] = [curve.evaluate(frame) for frame in frames.tolist()]
    return values


def _on_linear_keys(curve: bpy.types.FCurve, frames: Array) -> Array | None:
    """Return value and derivatives, shape (3, T); on a key the slope is the mean of those on both sides."""
    keys = curve.keyframe_points
    if _is_muted(curve) or len(curve.modifiers) or not len(keys) or curve.extrapolation != "CONSTANT":
        return None
    kinds = np.empty(len(keys), dtype=np.int32)
    keys.foreach_get("interpolation", kinds)
    if (kinds != interpolation_number("LINEAR")).any():
        return None
    co = np.empty(2 * len(keys), dtype=np.float32)
    keys.foreach_get("co", co)
    times, values = co[0::2].astype(np.float64), co[1::2].astype(np.float64)
    steps = np.diff(times)
    if (steps <= 0.0).any():
        return None
    # keys lie at float32 frames: those that were written for the same instants are met exactly
    at = frames.astype(np.float32).astype(np.float64)
    slopes = np.concatenate([[0.0], np.diff(values) / steps, [0.0]])  # constant before the first key and after the last
    before, after = (slopes[np.searchsorted(times, at, side=side)] for side in ("left", "right"))
    return np.stack([np.interp(at, times, values), 0.5 * (before + after), np.zeros(len(at))])
