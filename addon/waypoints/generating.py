# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyframes from waypoints: written, and taken back when they are made anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from ...core.diagnostics import Diagnostic, Level
from ...core.errors import RigError
from ...core.waypoints import JointKeys, plan_waypoints
from ..fcurves import LAST_FRAME, curves_by_channel, ensure_curve, keys_between, remove_curve, remove_keys
from ..keying import check_animatable, show_animation
from ..motion.playback import frames_a_second
from ..rig import JointBone, joint_bones_by_name, require_local, robot_of
from .ranges import generated_keys, store_generated
from .settings import waypoints_data
from .teaching import core_waypoint, standing_joints, tool_shift

_SHIFTED = 1e-4  # m


@dataclass(frozen=True, slots=True, eq=False)
class Generated:
    """What became of the waypoints.

    Attributes:
        first: Frame of the first waypoint.
        last: Frame of the last waypoint.
        joints: How many joints are keyed.
        keys: How many keys were made.
        diagnostics: Remarks.
    """

    first: float
    last: float
    joints: int
    keys: int
    diagnostics: tuple[Diagnostic, ...]


def generate_motion(context: bpy.types.Context, rig: bpy.types.Object) -> Generated:
    """Key the motion through a rig's waypoints in its action; the keys made before are replaced, others stay.

    Args:
        context: Its scene says how many frames a second has.
        rig: The armature object.

    Raises:
        WaypointError: If a move is not possible; it names the joint. Nothing is written then.
        RigError: If the rig's animation cannot be changed.
        UrdfRigError: If a waypoint or the stored description was damaged.
    """
    _check_animation(rig)
    robot, spatial = robot_of(rig), standing_joints(rig)
    items = list(waypoints_data(rig).waypoints)
    points = [core_waypoint(item) for item in items]
    if any(abs(point.frame) > LAST_FRAME for point in points):
        raise RigError("a waypoint is at a frame that Blender does not have")
    plan = plan_waypoints(robot, points, spatial=spatial, frames_a_second=frames_a_second(context.scene))
    remarks = [
        Diagnostic(
            Level.WARNING,
            f"the tool is {1e3 * shift:.3g} mm from where it was taught: the robot has changed, or its base joints",
            element=f"waypoint {item.name!r}",
        )
        for item in items
        if (shift := tool_shift(robot, item, spatial)) > _SHIFTED
    ]
    clear_motion(rig)
    bones = joint_bones_by_name(rig)
    written = {name: keys for name, keys in plan.keys.items() if name in bones}
    lost = 0
    for name, keys in written.items():
        lost += _write(rig, bones[name], keys)
    if lost:
        text = f"{lost} other keys of these joints lay between the first and the last waypoint, and are gone"
        remarks.append(Diagnostic(Level.WARNING, text))
    store_generated(rig, {name: (float(keys.frames[0]), float(keys.frames[-1])) for name, keys in written.items()})
    show_animation(context, rig)
    count = sum(len(keys.frames) for keys in written.values())
    return Generated(plan.first, plan.last, len(written), count, (*plan.diagnostics, *remarks))


def _check_animation(rig: bpy.types.Object) -> None:
    require_local(rig)
    check_animatable(rig)


def clear_motion(rig: bpy.types.Object) -> int:
    """Remove the keys that were made of waypoints last, and return how many.

    Raises:
        RigError: If the rig's animation cannot be changed.
    """
    _check_animation(rig)
    bones = joint_bones_by_name(rig)
    removed = 0
    for name, ends in generated_keys(rig).items():
        if name in bones:
            removed += _remove_keys(rig, bones[name], *ends)
    store_generated(rig, {})
    return removed


def _remove_keys(rig: bpy.types.Object, joint: JointBone, first: float, last: float) -> int:
    """Remove a channel's keys in a range, and its curve where none is left; return how many."""
    channel = joint.curve_path, 1
    curve = curves_by_channel(rig).get(channel)
    count = 0 if curve is None else remove_keys(curve, first, last)
    if count and not len(curve.keyframe_points):
        remove_curve(rig, channel)
    return count


def _write(rig: bpy.types.Object, joint: JointBone, keys: JointKeys) -> int:
    """Write a joint's keys and return how many others were in their range."""
    frames, values = keys.frames.tolist(), (joint.data.sign * keys.values).tolist()
    lost = _remove_keys(rig, joint, frames[0], frames[-1])
    curve = ensure_curve(rig, (joint.curve_path, 1), joint.bone.name)
    for frame, value in zip(frames, values, strict=True):
        curve.keyframe_points.insert(frame, value, options={"FAST"})
    points = keys_between(curve, frames[0], frames[-1])
    for point, value in zip(points, values, strict=True):
        point.co.y = value  # a key that was there is moved by the difference, and rounded
    _shape(points, keys)
    curve.update()
    return lost


def _shape(points: list[Any], keys: JointKeys) -> None:
    """Give each key its interpolation, and handles that say the same if it is made a Bézier curve."""
    for point in points:
        point.handle_left_type = point.handle_right_type = "FREE"
    for index, point in enumerate(points):
        x, y = point.co
        smooth = keys.smooth[index]
        point.interpolation = "BEZIER" if smooth or index == len(points) - 1 else "LINEAR"
        if index == 0:
            point.handle_left = (x - 1.0, y)
        if index == len(points) - 1:
            point.handle_right = (x + 1.0, y)
            break
        following = points[index + 1]
        run, rise = (following.co.x - x) / 3.0, 0.0 if smooth else (following.co.y - y) / 3.0
        point.handle_right = (x + run, y + rise)
        following.handle_left = (following.co.x - run, following.co.y - rise)
