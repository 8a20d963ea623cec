# SPDX-License-Identifier: GPL-3.0-or-later
"""How a goal is made, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import RigError
from ...core.kinematics import center_of_mass
from ...core.model import Robot
from ...core.spatial import rotation_between, transform
from ..convert import to_array, to_matrix
from ..rig import armature_of
from ..world import armature_pose, base_of, nearest_rigid
from .kinds import AXES, KINDS
from .settings import goal_data
from .solving import configuration
from .tool import tool_pose

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Wish:
    """What a new goal is for.

    Attributes:
        kind: Its kind, a key of ``KINDS``.
        link: The link; empty for kinds that are about the whole robot.
        xyz: The tool's point in the link [m].
        rpy: How the tool is turned in the link [rad].
        axis: The tool's axis that is directed, a key of ``AXES``.
    """

    kind: str
    link: str
    xyz: Sequence[float] = (0.0, 0.0, 0.0)
    rpy: Sequence[float] = (0.0, 0.0, 0.0)
    axis: str = "Z"


def add_goal(context: bpy.types.Context, rig: bpy.types.Object, robot: Robot, wish: Wish) -> bpy.types.Object:
    """Return a new goal that is met now, in the collection of the rig.

    Raises:
        UrdfRigError: If there is no such link, it can't move, or the robot has no mass to have a centre.
    """
    kind = KINDS[wish.kind]
    size = 0.5 * max(bone.length for bone in armature_of(rig).bones)
    pose = _pose(rig, robot, wish, 4.0 * size)
    world = to_array(rig.matrix_world)
    goal = bpy.data.objects.new(f"IK {wish.link if kind.frame else kind.label}", None)
    goal.empty_display_type = kind.display
    goal.empty_display_size = size * float(abs(np.linalg.det(world[:3, :3]))) ** (1.0 / 3.0)
    goal.matrix_world = to_matrix(nearest_rigid(world @ pose))
    _place(context, rig, goal)
    data = goal_data(goal)
    data.rig, data.kind = rig, wish.kind
    data.tool_xyz, data.tool_rpy, data.tool_axis = wish.xyz, wish.rpy, wish.axis
    data.link = wish.link if kind.frame else ""
    return goal


def _pose(rig: bpy.types.Object, robot: Robot, wish: Wish, distance: float) -> Array:
    """Return where in the armature the goal is met, shape (4, 4) [m]."""
    if wish.kind == "POSTURE":
        return np.eye(4)
    if wish.kind == "MASS":
        return transform(np.eye(3), center_of_mass(robot, configuration(robot, rig), base_of(rig)))
    if robot.link(wish.link).name == base_of(rig):
        raise RigError(f"link {wish.link!r} is the base: move the armature itself")
    pose = armature_pose(rig, robot, wish.link) @ tool_pose(wish.xyz, wish.rpy)
    axis = np.array(AXES[wish.axis])
    if wish.kind == "LOOK_AT":
        pose = pose @ transform(np.eye(3), distance * axis)
    elif wish.kind == "AXIS":
        pose = pose @ transform(rotation_between(np.array(AXES["Z"]), axis), np.zeros(3))
    return np.asarray(pose)


def _place(context: bpy.types.Context, rig: bpy.types.Object, goal: bpy.types.Object) -> None:
    """Link the goal where the rig is, or where else the view layer sees it."""
    for collection in (*rig.users_collection, context.scene.collection):
        if collection.library is not None or collection.override_library is not None:
            continue  # what is from another file takes no objects
        collection.objects.link(goal)
        context.view_layer.update()
        if any(obj == goal for obj in context.view_layer.objects):
            return
        collection.objects.unlink(goal)  # it is excluded from the view layer: the rig is seen through another
    bpy.data.objects.remove(goal)
    raise RigError("the robot's collections are excluded from the view layer")
