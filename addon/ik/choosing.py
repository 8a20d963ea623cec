# SPDX-License-Identifier: GPL-3.0-or-later
"""All solutions for a goal that has several: listed, and set one after the other."""

from __future__ import annotations

import math
from collections.abc import Sequence

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import RigError
from ...core.ik import PoseGoal, solve_ik_all
from ...core.kinematics import frame_pose
from ..rig import JointBone, joint_bones_by_name, joint_values, robot_of
from ..world import base_of
from .asked import core_goal, joints_of_goal
from .goals import place_seen, pose_seen
from .settings import goal_data, remember_values, remembered_values
from .solving import configuration, joints_that_serve, pinned_joints, pose_rig

Array = NDArray[np.float64]

_SAME = 1e-3
_STILL_THERE = 1e-4
_MOST = 256
_POSE = 6
_AT_PIN = 1e-5


def find_solutions(rig: bpy.types.Object, goal: bpy.types.Object, graph: bpy.types.Depsgraph) -> None:
    """Keep all solutions for a goal with it, in an order that does not depend on where the joints are now.

    Raises:
        UrdfRigError: If the goal is no pose or out of reach, or the rig is damaged.
    """
    data = goal_data(goal)
    serving = joints_that_serve(rig, [goal])
    bones = joint_bones_by_name(rig)
    data.solutions.clear()  # type: ignore[attr-defined]
    rows, data.solution_note = _found(rig, goal, serving, graph)
    turning = np.array([bones[name].turns for name in serving])
    for row in rows[_order(rows, turning)]:
        solution = data.solutions.add()  # type: ignore[attr-defined]
        remember_values(solution.values, dict(zip(serving, row.tolist(), strict=True)))
    data.solutions_at = place_seen(rig, goal, graph).tolist()
    near = _nearest(rig, goal)
    data.solution_index = data.solution_index if near is None else near


def _found(
    rig: bpy.types.Object, goal: bpy.types.Object, serving: Sequence[str], graph: bpy.types.Depsgraph
) -> tuple[Array, str]:
    """Return the solutions' values of the joints that serve, one row each, and what there is to say of them."""
    robot, asked = robot_of(rig), _pose_asked(rig, goal, graph)
    here, used = configuration(robot, rig), joints_of_goal(rig, goal)
    bones = joint_bones_by_name(rig)
    given = {name: bones[name].clamped(here[name]) for name in pinned_joints(rig) if name in used}
    # of six joints or fewer all solutions can be had: those are left that agree with the pins, to float32
    few = len(used) <= _POSE
    found = solve_ik_all(
        robot, asked.frame, asked.W_H_F, here, base=base_of(rig), given={} if few else given, copies=False, most=_MOST
    )
    agrees = np.ones(len(found), dtype=bool)
    for name, value in given.items():
        apart = [_apart(bones[name], float(row[robot.dofs.index(name)]) - value) for row in found.q]
        agrees &= np.array(apart, dtype=np.float64) < _AT_PIN
    if not agrees.any():
        raise RigError(f"there is no solution: {found.note}" if found.note else "there is no solution")
    columns = [robot.dofs.index(name) for name in serving]
    return found.q[agrees][:, columns], "" if found.complete else "There may be more"


def step_solution(rig: bpy.types.Object, goal: bpy.types.Object, graph: bpy.types.Depsgraph, step: int) -> str:
    """Set the joints to the next (1) or previous (-1) solution for a goal, and return which of how many that is.

    Where they are at none of them, the nearest comes first.

    Raises:
        UrdfRigError: If the goal is no pose or out of reach, or the rig is damaged.
    """
    data = goal_data(goal)
    if not _hold(rig, goal, graph):
        find_solutions(rig, goal, graph)
    near = _nearest(rig, goal)
    index = data.solution_index if near is None else (near + step) % len(data.solutions)
    return _set(rig, goal, index)


def choose_solution(rig: bpy.types.Object, goal: bpy.types.Object, graph: bpy.types.Depsgraph, index: int) -> str:
    """Set the joints to one of the solutions that are listed, and return which of how many that is.

    Raises:
        UrdfRigError: If there is none of that number, or the list is out of date.
    """
    if not 0 <= index < len(goal_data(goal).solutions):
        raise RigError(f"there is no solution {index + 1}: find all solutions first")
    if not _hold(rig, goal, graph):
        raise RigError("the goal or the robot has changed since: find all solutions again")
    return _set(rig, goal, index)


def are_current(rig: bpy.types.Object, goal: bpy.types.Object, graph: bpy.types.Depsgraph) -> bool:
    """Whether the goal is where it was when its solutions were found."""
    before = np.array(goal_data(goal).solutions_at, dtype=np.float32)
    return bool(np.array_equal(before, place_seen(rig, goal, graph).astype(np.float32)))


def count_text(goal: bpy.types.Object) -> str:
    """Return how many solutions are listed, and whether these are all."""
    data = goal_data(goal)
    count = len(data.solutions)
    return f"{count} solution{'' if count == 1 else 's'}. {data.solution_note}".strip()


def differences(values: dict[str, float], solution: dict[str, float]) -> dict[str, float]:
    """Return by how much [rad or m] a solution's joints differ from the values that joints have, where they do."""
    apart = {name: value - values.get(name, value) for name, value in solution.items()}
    return {name: difference for name, difference in apart.items() if abs(difference) > _SAME}


def difference_texts(rig: bpy.types.Object, solution: dict[str, float]) -> list[str]:
    """Return how a solution's joints differ from the pose shown, in degrees or metres; what differs most first."""
    bones = joint_bones_by_name(rig)
    apart = differences(joint_values(rig), solution)
    return [
        f"{name} {math.degrees(value):+.0f}°" if bones[name].turns else f"{name} {value:+.3g} m"
        for name, value in sorted(apart.items(), key=lambda item: -abs(item[1]))
    ]


def _pose_asked(rig: bpy.types.Object, goal: bpy.types.Object, graph: bpy.types.Depsgraph) -> PoseGoal:
    asked = core_goal(goal, pose_seen(rig, goal, graph)) if goal_data(goal).kind == "POSE" else None
    if not isinstance(asked, PoseGoal):
        raise RigError(f"{goal.name!r} asks for less than a pose: there are endlessly many solutions")
    return asked


def _hold(rig: bpy.types.Object, goal: bpy.types.Object, graph: bpy.types.Depsgraph) -> bool:
    """Whether the solutions listed still put the link at the goal, with the joints that may move now."""
    listed = goal_data(goal).solutions
    asked = _pose_asked(rig, goal, graph)
    if not len(listed):
        return False
    first = remembered_values(listed[0].values)
    if set(first) != set(joints_that_serve(rig, [goal])):
        return False
    robot = robot_of(rig)
    pose = frame_pose(robot, {**configuration(robot, rig), **first}, asked.frame, base=base_of(rig))
    return bool(np.abs(pose - np.asarray(asked.W_H_F)).max() < _STILL_THERE)


def _set(rig: bpy.types.Object, goal: bpy.types.Object, index: int) -> str:
    data = goal_data(goal)
    pose_rig(rig, remembered_values(data.solutions[index].values))
    data.solution_index = index
    return f"Solution {index + 1} of {len(data.solutions)}{' found' if data.solution_note else ''}"


def _order(rows: Array, turning: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return an order that does not depend on where the joints are now: by value, whole turns apart."""
    keys = np.where(turning, np.mod(rows + math.pi + _SAME, 2.0 * math.pi), rows)
    return np.lexsort(np.round(keys, 4).T[::-1])


def _nearest(rig: bpy.types.Object, goal: bpy.types.Object) -> int | None:
    """Return which solution the joints are at, whole turns apart; None, and the nearest is the chosen one, if none."""
    data = goal_data(goal)
    bones, here = joint_bones_by_name(rig), joint_values(rig)
    far = [
        max(
            (_apart(bones[name], value - here[name]) for name, value in remembered_values(item.values).items()),
            default=0.0,
        )
        for item in data.solutions
    ]
    nearest = int(np.argmin(far))
    if far[nearest] < _SAME:
        return nearest
    data.solution_index = nearest
    return None


def _apart(joint: JointBone, difference: float) -> float:
    return abs(math.remainder(difference, 2.0 * math.pi)) if joint.turns else abs(difference)
