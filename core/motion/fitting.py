# SPDX-License-Identifier: GPL-3.0-or-later
"""From the joints of a recording to those of a robot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..diagnostics import Diagnostic, Level
from ..kinematics.configuration import coupling
from ..model import Robot
from ..urdf.remarks import listed
from .errors import MotionError
from .joint_motion import Array, JointMotion


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """The motion of a robot's free joints, with remarks on what was left out."""

    motion: JointMotion
    diagnostics: tuple[Diagnostic, ...] = ()


def fit_to_robot(motion: JointMotion, robot: Robot, *, degrees: bool = False, file: str = "") -> Fitted:
    """Return the part of a motion that moves a robot's free joints, in radians and metres.

    Joints that the robot does not have are noted once, all together; so are those that follow another one, since
    that one says where they are.

    Args:
        motion: Any motion.
        robot: The robot.
        degrees: Whether angles are in degrees; distances are in metres either way.
        file: Name for messages.

    Raises:
        MotionError: If the motion has none of the robot's free joints.
    """
    free = set(robot.dofs)
    followers = {joint.name: joint.mimic.joint for joint in robot.joints if joint.mimic is not None}
    chosen = [name for name in motion.joints if name in free]
    following = [name for name in motion.joints if name in followers]
    unknown = [name for name in motion.joints if name not in free and name not in followers]
    if not chosen:
        raise MotionError(f"it moves none of {robot.name}'s joints: {listed(list(robot.dofs), 12)}", file=file)
    remarks = []
    if unknown:
        text = f"{robot.name} has no free joint {listed(unknown, 12)}: left out"
        remarks.append(Diagnostic(Level.WARNING, text, file))
    if following:
        text = f"{listed(following, 12)}: ignored, since the joint that they follow says where they are"
        remarks.append(Diagnostic(Level.INFO, text, file))
    fitted = motion.of_joints(chosen)
    if degrees:
        fitted = fitted.scaled(_by_unit(robot, chosen, math.pi / 180.0))
    return Fitted(fitted, tuple(remarks))


def _by_unit(robot: Robot, names: Sequence[str], angle: float) -> Array:
    return np.array([angle if robot.joint(name).type.turns else 1.0 for name in names])


def in_degrees(motion: JointMotion, robot: Robot) -> JointMotion:
    """Return a robot's motion with angles in degrees instead of radians; distances stay in metres.

    Raises:
        UnknownNameError: If the robot has no such joint.
    """
    return motion.scaled(_by_unit(robot, motion.joints, 180.0 / math.pi))


def with_followers(motion: JointMotion, robot: Robot) -> JointMotion:
    """Return a motion of free joints, then of all joints that follow one of these."""
    rule = coupling(robot)
    column = {name: index for index, name in enumerate(motion.joints)}
    rows = [
        row for row, name in enumerate(rule.names) if name not in rule.column and rule.dofs[rule.leader[row]] in column
    ]
    leaders = [column[rule.dofs[rule.leader[row]]] for row in rows]
    names = motion.joints + tuple(rule.names[row] for row in rows)

    def extended(values: Array | None, offset: Array) -> Array | None:
        if values is None:
            return None
        return np.hstack([values, values[:, leaders] * rule.multiplier[rows] + offset])

    positions = extended(motion.positions, rule.offset[rows])
    assert positions is not None
    still = np.zeros(len(rows))
    rates = extended(motion.velocities, still), extended(motion.accelerations, still)
    return JointMotion(names, motion.times, positions, *rates)
