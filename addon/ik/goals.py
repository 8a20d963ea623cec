# SPDX-License-Identifier: GPL-3.0-or-later
"""Goals in the scene: which there are, where they are, and how one is made."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import RigError
from ...core.ik import Goal, OrientationGoal, PoseGoal, PositionGoal
from ...core.model import Robot
from ...core.spatial import inverse, rotation_from_rpy, rpy_from_rotation, transform
from ..convert import to_array, to_matrix
from ..rig import active_rig, armature_of
from ..world import armature_pose, base_of, nearest_rigid
from .settings import goal_data, ik_data

Array = NDArray[np.float64]

_FARTHEST = 1e8  # metres
_FLAT = 1e-9  # of the largest axis


def is_goal(obj: bpy.types.Object | None) -> bool:
    """Whether an object is a goal of some robot."""
    return obj is not None and obj.type == "EMPTY" and goal_data(obj).rig is not None


def ik_rig(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the rig that the user works on: that of the active goal, else the active one."""
    obj = context.object
    return goal_data(obj).rig if is_goal(obj) else active_rig(context)


def goals_by_rig(view_layer: bpy.types.ViewLayer) -> dict[bpy.types.Object, list[bpy.types.Object]]:
    """Return the goals of each robot of a view layer, by name; what was deleted from it counts no more."""
    present = view_layer.objects
    found: dict[bpy.types.Object, list[bpy.types.Object]] = {}
    for obj in bpy.data.objects:
        if is_goal(obj) and present.get(obj.name) == obj:
            rig = goal_data(obj).rig
            if present.get(rig.name) == rig:
                found.setdefault(rig, []).append(obj)
    return found


def goals_of(rig: bpy.types.Object, view_layer: bpy.types.ViewLayer) -> list[bpy.types.Object]:
    """Return the goals of one robot."""
    return goals_by_rig(view_layer).get(rig, [])


def pose_seen(rig: bpy.types.Object, goal: bpy.types.Object, graph: bpy.types.Depsgraph) -> Array:
    """Return the goal's matrix in the armature as Blender has evaluated both, shape (4, 4) [m], scale and all.

    It holds NaN where the armature has no inverse.
    """
    world_h_armature = to_array(rig.evaluated_get(graph).matrix_world)
    world_h_goal = to_array(goal.evaluated_get(graph).matrix_world)
    try:
        return np.asarray(np.linalg.solve(world_h_armature, world_h_goal))
    except np.linalg.LinAlgError:
        return np.full((4, 4), np.nan)


def place_seen(rig: bpy.types.Object, goal: bpy.types.Object, graph: bpy.types.Depsgraph) -> Array:
    """Return the matrix (4, 4) that changes when the goal has to be solved for again."""
    if ik_data(rig).base_free:  # solving moves the armature
        return to_array(goal.evaluated_get(graph).matrix_world)
    return pose_seen(rig, goal, graph)


def tool_pose(xyz: Sequence[float], rpy: Sequence[float]) -> Array:
    """Return ``L_H_T``, shape (4, 4) [m], of a tool in its link."""
    return transform(rotation_from_rpy(np.array(rpy, dtype=np.float64)), np.array(xyz, dtype=np.float64))


def tool_at(
    rig: bpy.types.Object, robot: Robot, link: str, world_h_tool: Array
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return xyz [m] and rpy [rad] in a link of a tool that is somewhere in the world now.

    Args:
        rig: The armature object.
        robot: Its robot.
        link: The link that carries the tool.
        world_h_tool: The tool's matrix, shape (4, 4), in Blender's units.

    Raises:
        RigError: If no bone carries the link, or the matrix or the armature's is not finite or flat.
        UnknownNameError: If the robot has no such link.
    """
    try:
        seen = np.linalg.solve(to_array(rig.matrix_world), world_h_tool)
    except np.linalg.LinAlgError:
        raise RigError(f"{rig.name!r} has a scale of zero") from None
    if not (np.abs(seen) < _FARTHEST).all():
        raise RigError("the tool has no finite position and rotation")
    pose = inverse(armature_pose(rig, robot, link)) @ nearest_rigid(np.asarray(seen, dtype=np.float64))
    return tuple(pose[:3, 3].tolist()), tuple(rpy_from_rotation(pose[:3, :3]).tolist())


def core_goal(goal: bpy.types.Object, seen: Array) -> Goal | None:
    """Return what the solver is asked for, seen from the armature; None where the goal asks for nothing.

    Args:
        goal: The object.
        seen: Its matrix, of ``pose_seen``.

    Raises:
        RigError: If the object, or its armature, has no pose that a link could take.
    """
    data = goal_data(goal)
    if not (data.use_position or data.use_orientation):
        return None
    if not (np.abs(seen) < _FARTHEST).all():  # NaN too
        raise RigError(f"{goal.name!r} or its robot has no finite position, rotation and scale")
    frame = data.link, tool_pose(data.tool_xyz, data.tool_rpy)
    if not data.use_orientation:
        return PositionGoal(frame, seen[:3, 3], weight=data.weight)
    sizes = np.linalg.svd(seen[:3, :3], compute_uv=False)
    if sizes[2] <= _FLAT * max(sizes[0], _FLAT):
        raise RigError(f"{goal.name!r} has a scale of zero, and so no orientation")
    pose = nearest_rigid(seen)
    if not data.use_position:
        return OrientationGoal(frame, pose[:3, :3], weight=data.weight)
    return PoseGoal(frame, pose, weight=data.weight)


def add_goal(
    context: bpy.types.Context,
    rig: bpy.types.Object,
    robot: Robot,
    link: str,
    xyz: Sequence[float],
    rpy: Sequence[float],
) -> bpy.types.Object:
    """Return a new goal where the link's tool is now, in the collection of the rig.

    Raises:
        RigError: If no bone carries the link, or nothing can move it.
        UnknownNameError: If the robot has no such link.
    """
    if robot.link(link).name == base_of(rig):
        raise RigError(f"link {link!r} is the base: move the armature itself")
    pose = armature_pose(rig, robot, link) @ tool_pose(xyz, rpy)
    goal = bpy.data.objects.new(f"IK {link}", None)
    goal.empty_display_type = "ARROWS"
    goal.empty_display_size = 0.5 * max(bone.length for bone in armature_of(rig).bones)
    world = to_array(rig.matrix_world) @ pose
    goal.matrix_world = to_matrix(nearest_rigid(world))
    data = goal_data(goal)
    data.link, data.tool_xyz, data.tool_rpy, data.rig = link, xyz, rpy, rig
    for collection in (*rig.users_collection, context.scene.collection):
        collection.objects.link(goal)
        context.view_layer.update()
        if context.view_layer.objects.get(goal.name) == goal:
            return goal
        collection.objects.unlink(goal)  # it is excluded from the view layer: the rig is seen through another
    bpy.data.objects.remove(goal)
    raise RigError("the robot's collections are excluded from the view layer")
