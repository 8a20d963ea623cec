# SPDX-License-Identifier: GPL-3.0-or-later
"""The tool on a link: the point and the axes that go to the goal."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import RigError
from ...core.model import Robot
from ...core.spatial import inverse, rotation_from_rpy, rpy_from_rotation, transform
from ..convert import to_array
from ..world import armature_pose, nearest_rigid, seen_from

Array = NDArray[np.float64]

_FARTHEST = 1e8  # metres


def tool_pose(xyz: Sequence[float], rpy: Sequence[float]) -> Array:
    """Return ``L_H_T``, shape (4, 4) [m], of a tool in its link."""
    return transform(rotation_from_rpy(np.array(rpy, dtype=np.float64)), np.array(xyz, dtype=np.float64))


def is_finite(seen: Array) -> bool:
    """Whether a matrix consists of numbers that a pose can be made of."""
    return bool((np.abs(seen) < _FARTHEST).all())  # NaN too


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
    seen = seen_from(to_array(rig.matrix_world), world_h_tool)
    if not is_finite(seen):
        raise RigError(f"the tool, or {rig.name!r}, has no finite position, rotation and scale")
    pose = inverse(armature_pose(rig, robot, link)) @ nearest_rigid(seen)
    return tuple(pose[:3, 3].tolist()), tuple(rpy_from_rotation(pose[:3, :3]).tolist())
