# SPDX-License-Identifier: GPL-3.0-or-later
"""From the goals of a rig to its joints, and what there is to say of it to each goal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import RigError, UrdfRigError
from ...core.ik import Goal, IkResult, solve_ik
from ...core.ik.path import path_of
from ...core.model import Robot
from ..convert import to_array, to_matrix
from ..rig import joint_bones, joint_bones_by_name, joint_values, robot_of
from ..spatial_joints import spatial_joints
from ..world import base_of
from .goals import core_goal, place_seen, pose_seen
from .settings import goal_data, ik_data, pin_data

Array = NDArray[np.float64]
Configuration = dict[str, Any]

_STANDS = 1e-7
CERTAIN = 96  # random starts of a solve that has time


def configuration(robot: Robot, rig: bpy.types.Object) -> Configuration:
    """Return the values of all joints that move, as the rig's channels hold them."""
    spatial = {name: joint.value for name, joint in spatial_joints(robot, rig).items()}
    return {**joint_values(rig), **spatial}


def pinned_joints(rig: bpy.types.Object) -> tuple[str, ...]:
    """Return the free joints that must not move."""
    return tuple(
        joint.data.joint for joint in joint_bones(rig) if not joint.data.leader and pin_data(joint.bone.bone).pinned
    )


def joints_that_serve(rig: bpy.types.Object, goals: Sequence[bpy.types.Object]) -> list[str]:
    """Return the free joints that may move for these goals, in the description's order.

    Raises:
        UnknownNameError: If the robot has no such link.
    """
    robot = robot_of(rig)
    spatial = {name: joint.value for name, joint in spatial_joints(robot, rig).items()}
    paths = (path_of(robot, goal_data(goal).link, base_of(rig), spatial) for goal in goals)
    columns = sorted({int(column) for path in paths for column in path.columns})
    pinned = pinned_joints(rig)
    return [robot.dofs[column] for column in columns if robot.dofs[column] not in pinned]


def solve(
    rig: bpy.types.Object,
    goals: Sequence[bpy.types.Object],
    poses: Sequence[Array],
    start: Mapping[str, Any],
    restarts: int,
    a_h_b: Array | None = None,
) -> IkResult:
    """Return joint values for the goals, and residuals for those that ask for anything; nothing is changed.

    Args:
        rig: The armature object.
        goals: Its goals.
        poses: Their matrices, of ``pose_seen``.
        start: The values of all joints to start from.
        restarts: Number of random starts if that does not lead there.
        a_h_b: Where a free base starts, seen from where the armature is, shape (4, 4); there where None. The result
            has its pose in the same frame.

    Raises:
        UrdfRigError: If a goal makes no sense, or the rig is damaged.
    """
    asked = [core_goal(goal, pose) for goal, pose in zip(goals, poses, strict=True)]
    wanted: list[Goal] = [item for item in asked if item is not None]
    if not wanted:
        raise RigError("no goal asks for a position or an orientation")
    free = ik_data(rig).base_free
    if free and (rig.parent is not None or any(not item.mute for item in rig.constraints)):
        raise RigError("the base can't be free while the armature has a parent or constraints")
    return solve_ik(
        robot_of(rig),
        wanted,
        dict(start),
        base=base_of(rig),
        W_H_B=a_h_b,
        floating=free,
        locked=pinned_joints(rig),
        restarts=restarts,
    )


def follow(
    rig: bpy.types.Object, goals: Sequence[bpy.types.Object], graph: bpy.types.Depsgraph, restarts: int
) -> IkResult | None:
    """Let a rig follow its goals from where it is; each goal says how well. Return None where that makes no sense."""
    poses = [pose_seen(rig, goal, graph) for goal in goals]
    for goal in goals:
        remember(goal, place_seen(rig, goal, graph))
    try:
        robot = robot_of(rig)
        start = configuration(robot, rig)
        result = solve(rig, goals, poses, start, restarts)
    except UrdfRigError as error:
        for goal in goals:
            tell_problem(goal, str(error))
        return None
    pose_rig(rig, dict(zip(robot.dofs, result.q.tolist(), strict=True)))
    if ik_data(rig).base_free and np.abs(result.W_H_B - np.eye(4)).max() > _STANDS:
        rig.matrix_world = to_matrix(to_array(rig.evaluated_get(graph).matrix_world) @ result.W_H_B)
    tell(goals, result)
    return result


def pose_rig(rig: bpy.types.Object, values: Mapping[str, float]) -> None:
    """Write joint values, clamped, to the channels of those that are not pinned and have another value."""
    pinned = set(pinned_joints(rig))
    bones = joint_bones_by_name(rig)
    for name, value in values.items():
        joint = bones.get(name)
        if joint is not None and name not in pinned and joint.value != joint.clamped(value):
            joint.value = value


def remember(goal: bpy.types.Object, pose: Array) -> None:
    """Keep where a goal was when it was solved for."""
    if was_moved(goal, pose):
        goal_data(goal).seen = pose.ravel().tolist()


def was_moved(goal: bpy.types.Object, pose: Array) -> bool:
    """Whether a goal is elsewhere in the armature than when it was solved for."""
    before = np.array(goal_data(goal).seen, dtype=np.float32)
    return not np.array_equal(before, pose.ravel().astype(np.float32), equal_nan=True)


def tell(goals: Sequence[bpy.types.Object], result: IkResult) -> None:
    """Write on each goal how well it is met."""
    residuals = iter(result.residuals)
    limits = ", ".join(result.active_limits)
    for goal in goals:
        data = goal_data(goal)
        if not (data.use_position or data.use_orientation):
            tell_problem(goal, "It asks for nothing")
            continue
        found = next(residuals)
        _put(goal, "problem", "")
        _put(goal, "solved", True)
        _put(goal, "reached", found.reached)
        _put(goal, "position_error", float(np.float32(found.position)))
        _put(goal, "rotation_error", float(np.float32(found.rotation)))
        _put(goal, "at_limits", limits)


def tell_problem(goal: bpy.types.Object, problem: str) -> None:
    """Write on a goal why it can't be solved for."""
    _put(goal, "problem", problem)
    _put(goal, "reached", False)


def _put(goal: bpy.types.Object, name: str, value: bool | float | str) -> None:
    # every assignment makes Blender evaluate the object again, so that there must be none without a change
    data = goal_data(goal)
    if getattr(data, name) != value:
        setattr(data, name, value)


def status_text(goal: bpy.types.Object) -> str:
    """Return in a few words how well a goal is met."""
    data = goal_data(goal)
    if data.problem:
        return data.problem
    if not data.solved:
        return "Not solved yet"
    if data.reached:
        return "Reached"
    parts = []
    if data.use_position:
        parts.append(f"{data.position_error * 1e3:.3g} mm")
    if data.use_orientation:
        parts.append(f"{math.degrees(data.rotation_error):.3g}°")
    return "Off by " + " and ".join(parts)
