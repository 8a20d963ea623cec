# SPDX-License-Identifier: GPL-3.0-or-later
"""Waypoints recorded, changed, applied, and handed to the core."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import RigError, UnknownNameError
from ...core.model import Robot
from ...core.poses import FittedValues, joint_text, parse_joint_text
from ...core.waypoints import Move, Waypoint, tool_pose
from ..ik.tool import tool_pose as tool_in_link
from ..keying import key_joints_if_wanted
from ..new_names import NewNames
from ..poses.joint_state import set_joint_state
from ..properties import bone_data
from ..rig import LONGEST_NAME, armature_of, joint_values, require_local, robot_of
from ..spatial_joints import spatial_joints
from ..world import base_of
from .ranges import generated_keys, store_generated
from .settings import URDF_RIG_PG_waypoint, waypoints_data

Array = NDArray[np.float64]

_SAME_FRAME = 0.1


def standing_joints(rig: bpy.types.Object) -> dict[str, Array]:
    """Return the values of the planar and floating joints, which stand still in a motion through waypoints."""
    return {name: joint.value for name, joint in spatial_joints(robot_of(rig), rig).items()}


def core_waypoint(item: URDF_RIG_PG_waypoint) -> Waypoint:
    """Return a waypoint as the core has it.

    Raises:
        MotionError: If its values were damaged in the file.
    """
    joints = parse_joint_text(item.joints)
    return Waypoint(
        item.name,
        float(item.frame),
        {name: value for name, value in joints.items() if not isinstance(value, tuple)},
        Move(item.move),
        item.smooth,
        (item.link, tool_in_link(item.tool_xyz, item.tool_rpy)),
        item.reference or None,
        item.keep_orientation,
    )


def record_waypoint(
    rig: bpy.types.Object,
    name: str,
    frame: float,
    *,
    move: str = Move.JOINT.value,
    smooth: bool = True,
    joints: Collection[str] | None = None,
) -> URDF_RIG_PG_waypoint:
    """Return a new waypoint of the rig as it is, active and in its place by frame.

    Args:
        rig: The armature object.
        name: What it is called; a number is added where another is called so.
        frame: When it is reached.
        move: How it is reached, of ``Move``.
        smooth: Whether the move starts and stops gently.
        joints: Which free joints it is of; all where None.

    Raises:
        RigError: If there is a waypoint at the frame already, or the armature is linked from another file.
        UnknownNameError: If the tool's link does not exist.
    """
    require_local(rig)
    data = waypoints_data(rig)
    for other in data.waypoints:
        if abs(other.frame - frame) < _SAME_FRAME:
            raise RigError(f"waypoint {other.name!r} is at frame {other.frame:g} already: update that one")
    values = {joint: value for joint, value in joint_values(rig).items() if joints is None or joint in joints}
    if not values:
        raise RigError("there is no free joint to record")
    link = data.link or _link_of_active_bone(rig)
    robot_of(rig).link(link or base_of(rig))
    item = data.waypoints.add()
    item.name = _free_name(rig, name)
    item.frame, item.move, item.smooth, item.all_joints = frame, move, smooth, joints is None
    _teach(rig, item, values, link)
    place = sum(other.frame < item.frame for other in data.waypoints)
    data.waypoints.move(len(data.waypoints) - 1, place)
    data.active = place
    return data.waypoints[place]


def _link_of_active_bone(rig: bpy.types.Object) -> str:
    bone = armature_of(rig).bones.active
    return "" if bone is None else bone_data(bone).link


def _free_name(rig: bpy.types.Object, name: str) -> str:
    stem = name.strip() or "Waypoint"
    if len(stem.encode()) > LONGEST_NAME:
        raise RigError(f"a waypoint's name has no more than {LONGEST_NAME} bytes")
    taken = {item.name for item in waypoints_data(rig).waypoints}
    return next(text for text in (stem, *(f"{stem} {n}" for n in range(2, len(taken) + 3))) if text not in taken)


def _teach(rig: bpy.types.Object, item: URDF_RIG_PG_waypoint, values: Mapping[str, float], link: str) -> None:
    data = waypoints_data(rig)
    item.joints = joint_text(values, "JSON")
    item.link, item.tool_xyz, item.tool_rpy = link, data.tool_xyz, data.tool_rpy
    item.reference = base_of(rig)
    if link:
        item.pose = tool_pose(robot_of(rig), core_waypoint(item), standing_joints(rig)).ravel().tolist()


def update_waypoint(rig: bpy.types.Object, place: int) -> None:
    """Teach a waypoint anew: its joints as they are now, and the tool. Name, frame and move stay.

    Raises:
        RigError: If there is none at that place, or the armature is linked from another file.
        UnknownNameError: If the tool's link does not exist.
    """
    require_local(rig)
    item = waypoint_at(rig, place)
    values = joint_values(rig)
    if not item.all_joints:
        known = parse_joint_text(item.joints)
        values = {joint: value for joint, value in values.items() if joint in known}
    link = waypoints_data(rig).link or item.link or _link_of_active_bone(rig)
    robot_of(rig).link(link or base_of(rig))
    _teach(rig, item, values, link)


def waypoint_at(rig: bpy.types.Object, place: int) -> URDF_RIG_PG_waypoint:
    """Return a waypoint by its place.

    Raises:
        RigError: If there is none.
    """
    items = waypoints_data(rig).waypoints
    if not 0 <= place < len(items):
        raise RigError("no waypoint is chosen: record one" if not len(items) else f"there is no waypoint {place}")
    return items[place]


def apply_waypoint(context: bpy.types.Context, rig: bpy.types.Object, place: int) -> FittedValues:
    """Set the joints to a waypoint, key them where auto-keying is on, and return what there is to say.

    Raises:
        RigError: If there is none at that place, or the rig is linked from another file.
        MotionError: If its values were damaged in the file.
    """
    fitted = set_joint_state(rig, parse_joint_text(waypoint_at(rig, place).joints))
    key_joints_if_wanted(context, rig, fitted.values)
    return fitted


def remove_waypoint(rig: bpy.types.Object, place: int) -> None:
    """Remove a waypoint; keys that were made of it stay until the next time.

    Raises:
        RigError: If there is none at that place, or the armature is linked from another file.
    """
    require_local(rig)
    waypoint_at(rig, place)
    data = waypoints_data(rig)
    data.waypoints.remove(place)
    data.active = max(0, min(data.active, len(data.waypoints) - 1))


def move_waypoint(rig: bpy.types.Object, place: int, step: int) -> None:
    """Let a waypoint and its neighbour change places, and so frames.

    Args:
        rig: The armature object.
        place: Which.
        step: -1 for earlier, 1 for later.

    Raises:
        RigError: If there is none at that place, no neighbour there, or the armature is linked from another file.
    """
    require_local(rig)
    first, second = waypoint_at(rig, place), waypoint_at(rig, place + step)
    first.frame, second.frame = second.frame, first.frame
    data = waypoints_data(rig)
    data.waypoints.move(place, place + step)
    data.active = place + step


def tool_shift(robot: Robot, item: URDF_RIG_PG_waypoint, spatial: Mapping[str, Array]) -> float:
    """Return how far [m] the taught joints now put the tool from where it was taught; 0 where it has none.

    The two differ where the robot's description has changed meanwhile.
    """
    if not item.link or not any(item.pose):
        return 0.0
    try:
        waypoint = core_waypoint(item)
        known = {name: value for name, value in waypoint.q.items() if name in robot.dofs}
        seen = Waypoint(waypoint.name, waypoint.frame, known, tool=waypoint.tool, reference=waypoint.reference)
        now = tool_pose(robot, seen, spatial)
    except UnknownNameError:
        return 0.0
    return float(np.linalg.norm(now[:3, 3] - np.reshape(item.pose, (4, 4))[:3, 3]))


def follow_new_names(_context: bpy.types.Context, rig: bpy.types.Object, names: NewNames) -> list[str]:
    """Let waypoints follow joints and links that have new names.

    Raises:
        MotionError: If a waypoint was damaged in the file; none is changed then.
    """
    data = waypoints_data(rig)
    items = list(data.waypoints)
    tables = [names.by_joint(parse_joint_text(item.joints)) for item in items]
    for item, joints in zip(items, tables, strict=True):
        item.joints = joint_text(joints, "JSON")
        item.link, item.reference = names.link(item.link), names.link(item.reference)
    data.link = names.link(data.link)
    store_generated(rig, names.by_joint(generated_keys(rig)))
    return []
