# SPDX-License-Identifier: GPL-3.0-or-later
"""How a frame moves while joints and base of the robot do, seen from the world or from another frame.

``frame_velocity`` takes planar and floating joints as standing still. Here they move: the link behind the last of them
on the way to the frame serves as the floating base of what comes after.

Source: formalism, sections 7 and 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..model import JointType, Robot
from ..spatial import Array, inverse
from ..tree import Step, path_to
from .chain import Frame, frame_parts
from .frame_motion import frame_acceleration, frame_pose, frame_velocity
from .joints import joint_motion
from .representations import Representation, velocity_cross, velocity_transform


@dataclass(frozen=True, slots=True, eq=False)
class RobotMotion:
    """Joints and base of a robot at T instants.

    Attributes:
        base: The link B whose pose in the world is known.
        q: Values of the free scalar joints (T,), of planar (T, 3) and floating (T, 7) ones, by name.
        v: Velocities of the free scalar joints, in the order of ``robot.dofs``, shape (T, n).
        a: Their time derivatives, shape (T, n).
        W_H_B: The base's pose, shape (T, 4, 4).
        base_velocity: ``W_v_{W,B}`` (inertial), shape (T, 6).
        base_acceleration: Its time derivative, shape (T, 6).
        spatial: Of each planar and floating joint that moves, the velocity of its child as seen from the joint frame,
            ``J_v_{J,C}`` (inertial), and its time derivative, shape (T, 6) each.
    """

    base: str
    q: Mapping[str, Array]
    v: Array
    a: Array
    W_H_B: Array
    base_velocity: Array
    base_acceleration: Array
    spatial: Mapping[str, tuple[Array, Array]]


@dataclass(frozen=True, slots=True, eq=False)
class FrameMotion:
    """A frame F at T instants, seen from R.

    Attributes:
        pose: ``R_H_F``, shape (T, 4, 4).
        velocity: ``O_v_{R,F}``, shape (T, 6).
        acceleration: The time derivative of these six numbers, shape (T, 6).
    """

    pose: Array
    velocity: Array
    acceleration: Array


def motion_of_frame(
    robot: Robot,
    motion: RobotMotion,
    frame: Frame,
    reference: Frame | None = None,
    output: Representation = "mixed",
) -> FrameMotion:
    """Return pose, velocity and acceleration of a frame F as seen from R.

    Args:
        robot: The robot.
        motion: How its joints and its base move.
        frame: The frame F: a link's name, or a link's name and ``L_H_F``, shape (4, 4).
        reference: The frame R, which is taken for the world; the world itself where None.
        output: How velocity and acceleration are written.

    Raises:
        UnknownNameError: If a link or joint does not exist.
        JointValueError: If a value has the wrong shape or is not finite.
        ModelError: If a pose is no rigid transform.
        ValueError: If the representation is not known.
    """
    link, _ = frame_parts(robot, frame)
    if reference is None:
        carrier = _Carrier(motion.base, motion.W_H_B, motion.base_velocity, motion.base_acceleration)
    else:
        start, offset = frame_parts(robot, reference)
        still = np.zeros((len(motion.v), 6))
        carrier = _Carrier(start, np.broadcast_to(inverse(offset), (len(still), 4, 4)), still, still)
    for step in path_to(robot, link, carrier.link):
        if step.joint.type in (JointType.PLANAR, JointType.FLOATING):
            carrier = _across(robot, motion, carrier, step)
    return _moved(robot, motion, carrier, frame, output)


@dataclass(frozen=True, slots=True, eq=False)
class _Carrier:
    """A link from which on only scalar joints follow: its pose, its inertial velocity and that one's derivative."""

    link: str
    pose: Array
    velocity: Array
    acceleration: Array


def _moved(robot: Robot, motion: RobotMotion, carrier: _Carrier, frame: Frame, output: Representation) -> FrameMotion:
    v = np.concatenate([carrier.velocity, motion.v], axis=1)
    a = np.concatenate([carrier.acceleration, motion.a], axis=1)
    pose = frame_pose(robot, motion.q, frame, carrier.link, carrier.pose)
    velocity = frame_velocity(
        robot, motion.q, v, frame, carrier.link, carrier.pose, output=output, input="inertial", floating=True
    )
    acceleration = frame_acceleration(
        robot, motion.q, v, a, frame, carrier.link, carrier.pose, output=output, input="inertial", floating=True
    )
    return FrameMotion(pose, velocity, acceleration)


def _across(robot: Robot, motion: RobotMotion, carrier: _Carrier, step: Step) -> _Carrier:
    """Return the link beyond a planar or floating joint as the next carrier."""
    near = _moved(robot, motion, carrier, step.parent, "inertial")
    joint, forwards = step.joint, step.direction > 0
    size = 3 if joint.type is JointType.PLANAR else 7
    rest = np.array([0.0] * 3 if size == 3 else [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    s_h = joint_motion(joint, np.broadcast_to(motion.q.get(joint.name, rest), (len(motion.v), size)))
    pose = near.pose @ (joint.origin.matrix @ s_h if forwards else inverse(joint.origin.matrix @ s_h))
    if joint.name not in motion.spatial:
        return _Carrier(step.link, pose, near.velocity, near.acceleration)
    # the joint frame is fixed to the parent: W_v_child = W_v_parent + W_X_J J_v_{J,C}
    to_world = velocity_transform((near.pose if forwards else pose) @ joint.origin.matrix)
    relative, change = ((to_world @ rate[..., None])[..., 0] for rate in motion.spatial[joint.name])
    sign = step.direction
    velocity = near.velocity + sign * relative
    parent = near.velocity if forwards else velocity
    change = change + (velocity_cross(parent) @ relative[..., None])[..., 0]
    return _Carrier(step.link, pose, velocity, near.acceleration + sign * change)
