# SPDX-License-Identifier: GPL-3.0-or-later
"""Goals in the scene: which there are, and where they are."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ..convert import to_array
from ..rig import is_rig
from ..world import seen_from
from .kinds import KINDS
from .settings import goal_data, ik_data

Array = NDArray[np.float64]


def is_goal(obj: bpy.types.Object | None) -> bool:
    """Whether an object is a goal of some robot."""
    return obj is not None and obj.type == "EMPTY" and goal_data(obj).rig is not None


def goals_by_rig(view_layer: bpy.types.ViewLayer) -> dict[bpy.types.Object, list[bpy.types.Object]]:
    """Return the goals of each robot of a view layer, by name; what was deleted from it counts no more."""
    rigs: set[bpy.types.Object] = set()
    goals: list[bpy.types.Object] = []
    for obj in view_layer.objects:
        kind = obj.type
        if kind == "ARMATURE":
            rigs.add(obj)
        elif kind == "EMPTY" and obj.urdf_rig_ik.rig is not None:  # type: ignore[attr-defined]
            goals.append(obj)
    found: dict[bpy.types.Object, list[bpy.types.Object]] = {}
    for goal in sorted(goals, key=lambda obj: obj.name):
        rig = goal_data(goal).rig
        if rig in rigs and is_rig(rig):
            found.setdefault(rig, []).append(goal)
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
    return seen_from(world_h_armature, world_h_goal)


def place_seen(rig: bpy.types.Object, goal: bpy.types.Object, graph: bpy.types.Depsgraph) -> Array:
    """Return the numbers (17,) that change when the goal has to be solved for again."""
    evaluated = goal.evaluated_get(graph)
    # solving moves an armature whose base is free
    matrix = to_array(evaluated.matrix_world) if ik_data(rig).base_free else pose_seen(rig, goal, graph)
    return np.append(matrix.ravel(), swivel_seen(goal, graph) or 0.0)


def swivel_seen(goal: bpy.types.Object, graph: bpy.types.Depsgraph) -> float | None:
    """Return the elbow's swivel angle [rad], keys and drivers evaluated; None where it does not matter."""
    data = goal_data(goal.evaluated_get(graph))
    return data.swivel if data.use_swivel and KINDS[data.kind].frame else None
