# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kinematics section says of a frame at the pose that is shown: cheap enough for every redraw."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.kinematics import condition_number, frame_pose, jacobian, manipulability
from ..core.model import JointType, Robot
from ..core.spatial import pose_error
from ..core.tree import reach
from .kinematics_settings import Chosen, chosen_frame
from .rig import joint_values, robot_of
from .spatial_joints import spatial_joints
from .world import armature_pose, base_of, link_pose

Array = NDArray[np.float64]

_Values = tuple[tuple[str, tuple[float, ...]], ...]

_STRAY = 1e-4  # of the robot's reach, or radians


@dataclass(frozen=True, slots=True, eq=False)
class Dexterity:
    """How well joints move a frame's origin, and how well they turn it, as seen from the reference.

    Attributes:
        linear: Manipulability and condition number of the three linear rows of the Jacobian.
        angular: Those of the three angular ones.
    """

    linear: tuple[float, float]
    angular: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Readout:
    """A frame at the pose that is shown.

    Attributes:
        chosen: Which frame, seen from where.
        pose: Its pose there, shape (4, 4) [m].
        dexterity: How well it can be moved from there; from the base where it is seen from the world.
        strayed: Whether the frame's bone is not where the joints' channels say.
    """

    chosen: Chosen
    pose: Array
    dexterity: Dexterity
    strayed: bool


def read_frame(context: bpy.types.Context, rig: bpy.types.Object) -> Readout:
    """Return what there is to say of the frame that the user looks at.

    Raises:
        UrdfRigError: If there is no such frame, or the rig is damaged.
    """
    robot = robot_of(rig)
    chosen = chosen_frame(context, rig, robot)
    base, values = base_of(rig), _values(robot, rig)
    far, wide = pose_error(armature_pose(rig, robot, chosen.link), _pose(robot, chosen.link, base, values))
    return Readout(
        chosen,
        link_pose(rig, context.scene, robot, chosen.link, chosen.reference),
        _dexterity(robot, chosen.link, chosen.reference or base, values),
        bool(far > _STRAY * _reach(robot, base) or wide > 10.0 * _STRAY),
    )


def linear_jacobian(rig: bpy.types.Object, link: str) -> Array:
    """Return how joint velocities move a link's origin in the armature, shape (3, n), at the pose that is shown."""
    robot = robot_of(rig)
    return _jacobian(robot, link, base_of(rig), _values(robot, rig))[:3]


def size_of(rig: bpy.types.Object) -> float:
    """Return how far [m] the robot reaches."""
    return _reach(robot_of(rig), base_of(rig))


def _values(robot: Robot, rig: bpy.types.Object) -> _Values:
    values = [(name, (value,)) for name, value in joint_values(rig).items()]
    if any(joint.type in (JointType.PLANAR, JointType.FLOATING) for joint in robot.joints):
        values += [(name, tuple(joint.value.tolist())) for name, joint in spatial_joints(robot, rig).items()]
    return tuple(values)


def _configuration(values: _Values) -> dict[str, Array]:
    return {name: np.array(value if len(value) > 1 else value[0]) for name, value in values}


@lru_cache(maxsize=8)
def _pose(robot: Robot, link: str, base: str, values: _Values) -> Array:
    return frame_pose(robot, _configuration(values), link, base)


@lru_cache(maxsize=8)
def _jacobian(robot: Robot, link: str, base: str, values: _Values) -> Array:
    return jacobian(robot, _configuration(values), link, base)


@lru_cache(maxsize=8)
def _dexterity(robot: Robot, link: str, reference: str, values: _Values) -> Dexterity:
    j = _jacobian(robot, link, reference, values)
    linear, angular = ((float(manipulability(rows)), float(condition_number(rows))) for rows in (j[:3], j[3:]))
    return Dexterity(linear, angular)


@lru_cache(maxsize=8)
def _reach(robot: Robot, base: str) -> float:
    return max(reach(robot, base), 1e-3)
