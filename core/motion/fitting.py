# SPDX-License-Identifier: GPL-3.0-or-later
"""From the joints of a recording to those of a robot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..diagnostics import Diagnostic, Level
from ..kinematics import forward_kinematics
from ..kinematics.configuration import coupling
from ..model import Robot
from ..spatial import inverse
from ..urdf.remarks import listed
from .base_motion import BaseMotion
from .errors import MotionError
from .joint_motion import Array, JointMotion


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """The motion of a robot's free joints, with remarks on what was left out."""

    motion: JointMotion
    diagnostics: tuple[Diagnostic, ...] = ()


def fit_to_robot(
    motion: JointMotion, robot: Robot, *, degrees: bool = False, file: str = "", base: str | None = None
) -> Fitted:
    """Return the part of a motion that moves a robot's free joints and its base, in radians and metres.

    Joints that the robot does not have are noted once, all together; so are those that follow another one, since
    that one says where they are.

    Args:
        motion: Any motion.
        robot: The robot.
        degrees: Whether angles are in degrees; distances are in metres either way.
        file: Name for messages.
        base: The link whose pose the motion's base is to have; the root where None.

    Raises:
        MotionError: If the motion has none of the robot's free joints, and no base.
    """
    free = set(robot.dofs)
    followers = {joint.name: joint.mimic.joint for joint in robot.joints if joint.mimic is not None}
    chosen = [name for name in motion.joints if name in free]
    following = [name for name in motion.joints if name in followers]
    unknown = [name for name in motion.joints if name not in free and name not in followers]
    if not chosen and motion.base is None:
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
    if fitted.base is not None:
        fitted, remark = _with_base(fitted, fitted.base, robot, base or robot.root, file)
        remarks += remark
    return Fitted(fitted, tuple(remarks))


def _with_base(
    motion: JointMotion, pose: BaseMotion, robot: Robot, base: str, file: str
) -> tuple[JointMotion, list[Diagnostic]]:
    """Return the motion with the pose of the link that is to be the base, computed where another link's is known."""
    if pose.link == base or pose.link not in {link.name for link in robot.links}:
        remarks = []
        if pose.link and pose.link != base:
            text = f"the base {base!r} is put where the recorded frame {pose.link!r} is"
            remarks.append(Diagnostic(Level.INFO, text, file))
        return replace(motion, base=replace(pose, link=base)), remarks
    joints = motion.at(pose.times)
    values = dict(zip(joints.joints, joints.positions.T, strict=True))
    base_H_link = forward_kinematics(robot, values, base)[pose.link]
    moved = BaseMotion.from_poses(pose.times, pose.poses @ inverse(base_H_link), frame=pose.frame, link=base)
    return replace(motion, base=moved), []


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
    return JointMotion(names, motion.times, positions, *rates, motion.base)
