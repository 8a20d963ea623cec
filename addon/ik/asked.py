# SPDX-License-Identifier: GPL-3.0-or-later
"""From an object in the scene to what the solver of the core is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import RigError, UrdfRigError
from ...core.ik import (
    AxisGoal,
    CenterOfMassGoal,
    Goal,
    LineGoal,
    LookAtGoal,
    OrientationGoal,
    PlaneGoal,
    PoseGoal,
    PositionGoal,
    PostureGoal,
    SwivelGoal,
)
from ...core.ik.path import path_of
from ...core.kinematics.chain import Frame
from ...core.model import Robot
from ..rig import robot_of
from ..world import base_of, nearest_rigid
from .kinds import AXES, KINDS
from .settings import URDF_RIG_PG_ik_goal, goal_data, remembered_values
from .tool import is_finite, tool_pose

Array = NDArray[np.float64]

_FLAT = 1e-9  # of the largest axis


def core_goal(goal: bpy.types.Object, seen: Array) -> Goal:
    """Return what the solver is asked for, in the frame that the goal is seen from.

    Args:
        goal: The object.
        seen: Its matrix there, shape (4, 4), scale and all. For a centre of mass the frame's z axis is upright.

    Raises:
        RigError: If the object, or its armature, has no pose that a link could take, or a posture holds no joint.
    """
    data = goal_data(goal)
    if data.kind == "POSTURE":
        wished = remembered_values(data.posture)
        if not wished:
            raise RigError(f"{goal.name!r} holds no posture")
        return PostureGoal(q=wished, weight=data.weight, priority=data.priority)
    if not is_finite(seen):
        raise RigError(f"{goal.name!r} or its robot has no finite position, rotation and scale")
    if data.kind == "MASS":
        axes = (True, True, data.use_height)
        return CenterOfMassGoal(seen[:3, 3], axes=axes, weight=data.weight, priority=data.priority)
    if not data.link:
        raise RigError(f"{goal.name!r} names no link")
    return _MAKERS[data.kind](data, (data.link, tool_pose(data.tool_xyz, data.tool_rpy)), seen)


def core_swivel(goal: bpy.types.Object, angle: float) -> SwivelGoal:
    """Return what the solver is asked for of the elbow of the arm that ends at the goal, behind the goal itself.

    Args:
        goal: The object, of a kind that is about a link.
        angle: The swivel angle [rad].
    """
    data = goal_data(goal)
    return SwivelGoal((data.link, tool_pose(data.tool_xyz, data.tool_rpy)), angle, priority=data.priority + 1)


def _turned(goal: URDF_RIG_PG_ik_goal, seen: Array) -> Array:
    """Return the pose (4, 4) without its scale.

    Raises:
        RigError: If the scale leaves no orientation.
    """
    sizes = np.linalg.svd(seen[:3, :3], compute_uv=False)
    if sizes[2] <= _FLAT * max(sizes[0], _FLAT):
        raise RigError(f"{goal.id_data.name!r} has a scale of zero, and so no orientation")
    return nearest_rigid(seen)


def _pose(goal: URDF_RIG_PG_ik_goal, frame: Frame, seen: Array) -> Goal:
    rotation_weight = goal.rotation_weight
    return PoseGoal(
        frame, _turned(goal, seen), rotation_weight=rotation_weight, weight=goal.weight, priority=goal.priority
    )


def _position(goal: URDF_RIG_PG_ik_goal, frame: Frame, seen: Array) -> Goal:
    return PositionGoal(frame, seen[:3, 3], weight=goal.weight, priority=goal.priority)


def _orientation(goal: URDF_RIG_PG_ik_goal, frame: Frame, seen: Array) -> Goal:
    return OrientationGoal(frame, _turned(goal, seen)[:3, :3], weight=goal.weight, priority=goal.priority)


def _axis(goal: URDF_RIG_PG_ik_goal, frame: Frame, seen: Array) -> Goal:
    z = _turned(goal, seen)[:3, 2]
    return AxisGoal(frame, AXES[goal.tool_axis], z, weight=goal.weight, priority=goal.priority)


def _look_at(goal: URDF_RIG_PG_ik_goal, frame: Frame, seen: Array) -> Goal:
    return LookAtGoal(frame, AXES[goal.tool_axis], seen[:3, 3], weight=goal.weight, priority=goal.priority)


def _line(goal: URDF_RIG_PG_ik_goal, frame: Frame, seen: Array) -> Goal:
    z = _turned(goal, seen)[:3, 2]
    return LineGoal(frame, seen[:3, 3], z, weight=goal.weight, priority=goal.priority)


def _plane(goal: URDF_RIG_PG_ik_goal, frame: Frame, seen: Array) -> Goal:
    z = _turned(goal, seen)[:3, 2]
    return PlaneGoal(frame, seen[:3, 3], z, weight=goal.weight, priority=goal.priority)


_MAKERS: dict[str, Callable[[URDF_RIG_PG_ik_goal, Frame, Array], Goal]] = {
    "POSE": _pose,
    "POSITION": _position,
    "ORIENTATION": _orientation,
    "AXIS": _axis,
    "LOOK_AT": _look_at,
    "LINE": _line,
    "PLANE": _plane,
}


@lru_cache(maxsize=256)
def _on_path(robot: Robot, link: str, base: str) -> frozenset[str]:
    return frozenset(robot.dofs[column] for column in path_of(robot, link, base).columns)


def joints_of_goal(rig: bpy.types.Object, goal: bpy.types.Object) -> frozenset[str]:
    """Return the free joints that a goal depends on, pinned ones too.

    Raises:
        UnknownNameError: If the robot has no such link.
    """
    data, robot = goal_data(goal), robot_of(rig)
    if KINDS[data.kind].frame:
        return _on_path(robot, data.link, base_of(rig))
    return frozenset(robot.dofs) if data.kind == "MASS" else frozenset(remembered_values(data.posture))


def may_swivel(rig: bpy.types.Object, goal: bpy.types.Object) -> bool:
    """Whether the goal leaves the elbow of its arm a choice."""
    rows = {"POSE": 6, "POSITION": 3, "ORIENTATION": 3}.get(goal_data(goal).kind)
    try:
        return rows is not None and len(joints_of_goal(rig, goal)) > max(rows, 3)
    except UrdfRigError:  # there is no such link, as the goal's status says
        return False
