# SPDX-License-Identifier: GPL-3.0-or-later
"""From the goals of a rig to its joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import RigError, UrdfRigError
from ...core.ik import IkResult, solve_ik
from ...core.model import Robot
from ...core.spatial import inverse, transform
from ..convert import to_array, to_matrix
from ..rig import joint_bones, joint_bones_by_name, joint_values, robot_of
from ..spatial_joints import spatial_joints
from ..world import base_of, nearest_rigid
from .asked import core_goal, core_swivel, joints_of_goal
from .goals import place_seen, pose_seen, swivel_seen
from .settings import goal_data, ik_data, pin_data
from .status import tell, tell_problem
from .tool import is_finite

Array = NDArray[np.float64]
Configuration = dict[str, Any]

_EYE = np.eye(4)
_STANDS = 1e-7
CERTAIN = 96  # random starts of a solve that has time


def configuration(robot: Robot, rig: bpy.types.Object) -> Configuration:
    """Return the values of all joints that move, as the rig's channels hold them."""
    spatial = {name: joint.value for name, joint in spatial_joints(robot, rig).items()}
    return {**joint_values(rig), **spatial}


def pinned_joints(rig: bpy.types.Object) -> tuple[str, ...]:
    """Return the free joints that must not move."""
    return tuple(
        joint.data.joint for joint in joint_bones(rig) if not joint.data.leader and pin_data(joint.bone).pinned
    )


def joints_that_serve(rig: bpy.types.Object, goals: Sequence[bpy.types.Object]) -> list[str]:
    """Return the free joints that may move for these goals, in the description's order.

    Raises:
        UnknownNameError: If the robot has no such link.
    """
    used = frozenset[str]().union(*(joints_of_goal(rig, goal) for goal in goals)) - set(pinned_joints(rig))
    return [name for name in robot_of(rig).dofs if name in used]


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Where everything is.

    Attributes:
        poses: The goals' matrices in the armature, of ``pose_seen``.
        swivels: For each goal the swivel angle [rad] of the elbow, None where it does not matter.
        world: The armature's matrix in the world, shape (4, 4).
    """

    poses: Sequence[Array]
    swivels: Sequence[float | None]
    world: Array


def look(rig: bpy.types.Object, goals: Sequence[bpy.types.Object], graph: bpy.types.Depsgraph) -> Seen:
    """Return where goals and armature are as Blender has evaluated them."""
    return Seen(
        [pose_seen(rig, goal, graph) for goal in goals],
        [swivel_seen(goal, graph) for goal in goals],
        to_array(rig.evaluated_get(graph).matrix_world),
    )


def solve(
    rig: bpy.types.Object,
    goals: Sequence[bpy.types.Object],
    seen: Seen,
    start: Mapping[str, Any],
    restarts: int,
    a_h_b: Array | None = None,
) -> IkResult:
    """Return joint values for the goals, and residuals for each, then for each swivel; nothing is changed.

    Args:
        rig: The armature object.
        goals: Its goals.
        seen: Where they are.
        start: The values of all joints to start from.
        restarts: Number of random starts if that does not lead there.
        a_h_b: Where a free base starts, seen from where the armature is, shape (4, 4); there where None. The result
            has its pose in the same frame.

    Raises:
        UrdfRigError: If a goal makes no sense, or the rig is damaged.
    """
    free = ik_data(rig).base_free
    if free and (rig.parent is not None or any(not item.mute for item in rig.constraints)):
        raise RigError("the base can't be free while the armature has a parent or constraints")
    u_h_a = _upright(goals, seen.world)
    wanted = [core_goal(goal, u_h_a @ pose) for goal, pose in zip(goals, seen.poses, strict=True)]
    angles = zip(goals, seen.swivels, strict=True)
    wanted += [core_swivel(goal, angle) for goal, angle in angles if angle is not None]
    start_h_b = np.eye(4) if a_h_b is None else a_h_b
    moved = u_h_a is not _EYE
    result = solve_ik(
        robot_of(rig),
        wanted,
        dict(start),
        base=base_of(rig),
        W_H_B=u_h_a @ start_h_b if moved or a_h_b is not None else None,
        floating=free,
        locked=pinned_joints(rig),
        restarts=restarts,
    )
    return replace(result, W_H_B=inverse(u_h_a) @ result.W_H_B) if moved else result


def _upright(goals: Sequence[bpy.types.Object], world: Array) -> Array:
    """Return ``U_H_A``, shape (4, 4): the armature in upright axes, where a goal needs to know these."""
    if not is_finite(world) or all(goal_data(goal).kind != "MASS" for goal in goals):
        return _EYE
    return transform(nearest_rigid(world)[:3, :3], np.zeros(3))


def follow(
    rig: bpy.types.Object, goals: Sequence[bpy.types.Object], graph: bpy.types.Depsgraph, restarts: int
) -> IkResult | None:
    """Let a rig follow its goals from where it is; each goal says how well. Return None where that makes no sense."""
    for goal in goals:
        remember(goal, place_seen(rig, goal, graph))
    try:
        robot = robot_of(rig)
        result = solve(rig, goals, look(rig, goals, graph), configuration(robot, rig), restarts)
    except UrdfRigError as error:
        for goal in goals:
            tell_problem(goal, str(error))
        return None
    pose_rig(rig, dict(zip(robot.dofs, result.q.tolist(), strict=True)))
    if ik_data(rig).base_free and np.abs(result.W_H_B - np.eye(4)).max() > _STANDS:
        rig.matrix_world = to_matrix(to_array(rig.evaluated_get(graph).matrix_world) @ result.W_H_B)
    tell(rig, goals, result)
    return result


def pose_rig(rig: bpy.types.Object, values: Mapping[str, float]) -> None:
    """Write joint values, clamped, to the channels of those that are not pinned and have another value."""
    pinned = set(pinned_joints(rig))
    bones = joint_bones_by_name(rig)
    for name, value in values.items():
        joint = bones.get(name)
        if joint is not None and name not in pinned and joint.value != joint.clamped(value):
            joint.value = value


def remember(goal: bpy.types.Object, place: Array) -> None:
    """Keep where a goal was, as ``place_seen`` says, when it was solved for."""
    if was_moved(goal, place):
        goal_data(goal).seen = place.tolist()


def was_moved(goal: bpy.types.Object, place: Array) -> bool:
    """Whether a goal is elsewhere in the armature than when it was solved for."""
    before = np.array(goal_data(goal).seen, dtype=np.float32)
    return not np.array_equal(before, place.astype(np.float32), equal_nan=True)
