# SPDX-License-Identifier: GPL-3.0-or-later
"""One solution after the other, where a goal has several."""

from __future__ import annotations

import math

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import RigError
from ...core.ik import IkSolutions, PoseGoal, solve_ik_all
from ..rig import joint_bones_by_name, robot_of
from ..world import base_of
from .goals import core_goal, pose_seen
from .settings import ik_data
from .solving import configuration, joints_that_serve, pinned_joints, pose_rig

Array = NDArray[np.float64]

_SAME = 1e-3


def step_solution(rig: bpy.types.Object, goal: bpy.types.Object, graph: bpy.types.Depsgraph, step: int) -> str:
    """Set the joints to the next (1) or previous (-1) solution for a goal, and return which of how many that is.

    Raises:
        UrdfRigError: If the goal is no pose or out of reach, or the rig is damaged.
    """
    robot = robot_of(rig)
    asked = core_goal(goal, pose_seen(rig, goal, graph))
    if not isinstance(asked, PoseGoal):
        raise RigError(f"{goal.name!r} asks for less than a pose: there are endlessly many solutions")
    serving = joints_that_serve(rig, [goal])
    here = configuration(robot, rig)
    bones = joint_bones_by_name(rig)
    given = {name: bones[name].clamped(here[name]) for name in pinned_joints(rig)}
    found = solve_ik_all(robot, asked.frame, asked.W_H_F, here, base=base_of(rig), given=given, copies=False, most=256)
    if not len(found):
        raise RigError(f"there is no solution: {found.note}" if found.note else "there is no solution")
    columns = [robot.dofs.index(name) for name in serving]
    turning = np.array([bones[name].turns for name in serving])
    rows = found.q[:, columns]
    order = _order(rows, turning)
    place = _next_place(rows[order], np.array([here[name] for name in serving]), turning, step)
    pose_rig(rig, dict(zip(serving, rows[order][place].tolist(), strict=True)))
    text = _described(found, place)
    ik_data(rig).solution = text
    return text


def _described(found: IkSolutions, place: int) -> str:
    return f"Solution {place + 1} of {len(found)}{'' if found.complete else ' found'}"


def _order(rows: Array, turning: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return an order that does not depend on where the joints are now: by value, whole turns apart."""
    keys = np.where(turning, np.mod(rows + math.pi + _SAME, 2.0 * math.pi), rows)
    return np.lexsort(np.round(keys, 4).T[::-1])


def _next_place(rows: Array, here: Array, turning: NDArray[np.bool_], step: int) -> int:
    """Return the row after that where the joints are; the nearest where they are at none."""
    apart = rows - here
    apart = np.where(turning, apart - 2.0 * math.pi * np.round(apart / (2.0 * math.pi)), apart)
    far = np.abs(apart).max(axis=1)
    nearest = int(far.argmin())
    return (nearest + step) % len(rows) if far[nearest] < _SAME else nearest
