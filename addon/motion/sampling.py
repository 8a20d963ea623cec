# SPDX-License-Identifier: GPL-3.0-or-later
"""The motion of a rig in its animation, at any rate."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import ModelError, RigError
from ...core.model import Robot
from ...core.motion import BaseMotion, JointMotion, in_degrees, with_followers
from ...core.stepwise import finished
from ..fcurves import curves_by_channel
from ..frame_csv import frame_range
from ..ik.live import is_live
from ..motion_rates import sample_stepwise
from ..rig import joint_bones, robot_of
from ..world import base_of
from .base_pose import base_poses
from .constrained import constrained_motion, is_constrained
from .curve_values import curve_values, on_linear_keys
from .following import following_motion
from .playback import frames_a_second
from .played import Progress

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
    base: bool = True,
) -> JointMotion:
    """Return how joints and base move, as ``record_stepwise`` does with the same arguments, at once."""
    steps = record_stepwise(
        context,
        rig,
        start=start,
        end=end,
        rate=rate,
        degrees=degrees,
        followers=followers,
        rates=rates,
        base=base,
    )
    return finished(steps)


def record_stepwise(
    context: bpy.types.Context,
    rig: bpy.types.Object,
    *,
    start: float,
    end: float,
    rate: float = 0.0,
    degrees: bool = False,
    followers: bool = False,
    rates: bool = False,
    base: bool = True,
) -> Generator[Progress, None, JointMotion]:
    """Return how joints and base move from one frame to another, whatever drives them; time 0 is ``start``.

    Where frames have to be played, it yields the share done, 0 to 1, and a text before each. The current frame and
    the rig's pose are kept.

    Args:
        context: Its scene is the one that is animated.
        rig: The armature object.
        start: First frame.
        end: Last frame, included where the rate meets it.
        rate: Samples a second; 0 is one for each frame.
        degrees: Whether to return angles in degrees.
        followers: Whether to add the joints that follow another one.
        rates: Whether to add velocities and accelerations.
        base: Whether to add the base's pose where it moves, or can be moved by something else than the user.

    Raises:
        ModelError: If that is no range of frames, or nothing of the robot can move.
        RigError: If the object is no rig, or not in the view layer, or a constraint takes a bone off its joint's axis.
        UrdfError: If the stored description was damaged.
    """
    robot = robot_of(rig)
    if not np.isfinite(rate) or rate < 0.0:
        raise ModelError(f"a rate must be above 0, not {rate:g}")
    fps = frames_a_second(context.scene)
    frames = np.array(frame_range(start, end, fps / rate if rate else 1.0))
    times = (frames - start) / fps
    if is_live(rig):
        found, poses = yield from following_motion(context, rig, frames, rates)
        if poses is None:
            poses = yield from base_poses(context, rig, frames)
    else:
        poses = (yield from base_poses(context, rig, frames)) if base else None
        found = yield from _joint_values(context, rig, frames, rates)
    if not robot.dofs and poses is None:
        raise ModelError(f"{robot.name} has no joints that move")
    pose = None
    if base and poses is not None:
        pose = BaseMotion.from_poses(times, poses, frame="world", link=base_of(rig))
    names, values = _in_order(robot, rig, found, len(frames))
    speeds = (values[1] * fps, values[2] * fps**2) if rates else (None, None)
    motion = JointMotion(names, times, values[0], *speeds, pose)
    if followers:
        motion = with_followers(motion, robot)
    return in_degrees(motion, robot) if degrees else motion


def _joint_values(
    context: bpy.types.Context, rig: bpy.types.Object, frames: Array, rates: bool
) -> Generator[Progress, None, Mapping[str, Sequence[Array]]]:
    """Return the free joints' values and first two derivatives by the frame."""
    if is_constrained(rig):
        return (yield from constrained_motion(context, rig, frames, rates))
    found = _from_curves(context.scene, rig, frames, rates)
    if found is not None:
        return found
    moved = yield from sample_stepwise(context, rig, frames.tolist())
    fps = frames_a_second(context.scene)
    return {
        name: (moved.q[name], moved.v[:, column] / fps, moved.a[:, column] / fps**2)
        for column, name in enumerate(robot_of(rig).dofs)
        if name in moved.q
    }


def _in_order(
    robot: Robot, rig: bpy.types.Object, found: Mapping[str, Sequence[Array]], count: int
) -> tuple[tuple[str, ...], Array]:
    """Return the joints in the description's order, and what was found as an array (3, T, n)."""
    names = tuple(name for name in robot.dofs if name in found)
    if robot.dofs and not names:
        raise RigError(f"no bone of {rig.name!r} has a joint")
    if not names:
        return (), np.zeros((3, count, 0))
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
    curves = curves_by_channel(rig)
    driven = {(curve.data_path, curve.array_index) for curve in animation.drivers}
    values: dict[str, Sequence[Array]] = {}
    for joint in joint_bones(rig):
        if joint.data.leader:
            continue
        channel = joint.curve_path, 1
        curve = curves.get(channel)
        if channel in driven:
            return None
        if curve is None:
            values[joint.data.joint] = np.full((3, len(frames)), [[joint.value], [0.0], [0.0]])
            continue
        read = on_linear_keys(curve, frames)
        if read is None and not rates:
            found = curve_values(curve, frames)
            read = None if found is None else np.stack([found, np.zeros(len(frames)), np.zeros(len(frames))])
        if read is None:
            return None
        values[joint.data.joint] = joint.data.sign * read
    return values
