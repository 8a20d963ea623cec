# SPDX-License-Identifier: GPL-3.0-or-later
"""Pose, velocity and acceleration of a frame fixed to a link.

Source: formalism, sections 2, 7 and 8.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..model import Robot
from ..spatial import Array, inverse
from .chain import Chain, Frame, chain_to, frame_parts
from .configuration import JointValue, resolve_rates
from .representations import Representation, VelocityRepresentation
from .screws import Form, column_rates, derivatives, frame_columns, screws, weighed, written_in


def frame_pose(
    robot: Robot, q: JointValue | None, frame: Frame, base: str | None = None, W_H_B: ArrayLike | None = None
) -> Array:
    """Return ``W_H_F``, shape (4, 4), or (T, 4, 4) for T configurations.

    Args:
        robot: Any robot.
        q: Joint values, as ``forward_kinematics`` takes them.
        frame: The frame F: a link's name, or a link's name and ``L_H_F``, shape (4, 4).
        base: The base link B; the root where None.
        W_H_B: Pose of the base in the world, shape (4, 4) or (T, 4, 4); the world is the base where None.

    Raises:
        UnknownNameError: If a link or joint does not exist.
        JointValueError: If a value has the wrong shape or is not finite, or the numbers of configurations differ.
        ModelError: If a pose is no rigid transform.
    """
    chain = chain_to(robot, frame, q, base, W_H_B)
    out = np.zeros((4, 4, chain.count))
    out[3, 3] = 1.0
    for part in chain.parts():
        out[:, :3, part.which] = frame_columns(chain, part.poses())
    return out.transpose(2, 1, 0) if chain.batched else out[..., 0].T


def relative_pose(robot: Robot, q: JointValue | None, frame: Frame, reference: Frame) -> Array:
    """Return ``R_H_F``, the pose of one frame in another, shape (4, 4), or (T, 4, 4) for T configurations.

    Raises:
        UnknownNameError: If a link or joint does not exist.
        JointValueError: If a value has the wrong shape or is not finite.
        ModelError: If an offset is no rigid transform.
    """
    link, offset = frame_parts(robot, reference)
    return frame_pose(robot, q, frame, base=link, W_H_B=inverse(offset))


def frame_velocity(
    robot: Robot,
    q: JointValue | None,
    v: JointValue,
    frame: Frame,
    base: str | None = None,
    W_H_B: ArrayLike | None = None,
    output: Representation = "mixed",
    input: Representation = "mixed",
    floating: bool = False,
) -> Array:
    """Return ``O_v_{W,F} = O_J_{W,F/I} v``, shape (6,), or (T, 6) for T configurations.

    Arguments and errors are those of ``jacobian_derivative``.
    """
    form = Form.of(output, input, floating)
    velocities = resolve_rates(robot, v, floating)
    chain = chain_to(robot, frame, q, base, W_H_B, velocities)
    rows = chain.spread(velocities)
    out = np.empty((6, chain.count))
    for part in chain.parts():
        at = screws(chain, part, form)
        velocity = weighed(at.columns, column_rates(chain, rows[:, part.which], form))
        out[:, part.which] = _as_output(velocity, at.frame, form)
    return _handed_out(out, chain)


def frame_acceleration(
    robot: Robot,
    q: JointValue | None,
    v: JointValue,
    a: JointValue,
    frame: Frame,
    base: str | None = None,
    W_H_B: ArrayLike | None = None,
    output: Representation = "mixed",
    input: Representation = "mixed",
    floating: bool = False,
) -> Array:
    """Return ``d/dt O_v_{W,F} = O_J a + d/dt O_J v``, shape (6,), or (T, 6) for T configurations.

    It is the derivative of the six numbers that ``frame_velocity`` gives. In mixed representation its linear part is
    the acceleration of the frame's origin.

    Args:
        robot: Any robot.
        q: As for ``jacobian``.
        v: Velocities, as ``jacobian_derivative`` takes them.
        a: Their time derivatives, in the same form.
        frame: As for ``jacobian``.
        base: As for ``jacobian``.
        W_H_B: As for ``jacobian``.
        output: As for ``jacobian``.
        input: As for ``jacobian``.
        floating: As for ``jacobian``.

    Raises:
        UnknownNameError: If a link or joint does not exist.
        JointValueError: If a value has the wrong shape or is not finite, or the numbers of configurations differ.
        ModelError: If a pose is no rigid transform.
        ValueError: If a representation is not known.
    """
    form = Form.of(output, input, floating)
    velocities, accelerations = resolve_rates(robot, v, floating), resolve_rates(robot, a, floating)
    chain = chain_to(robot, frame, q, base, W_H_B, velocities, accelerations)
    rows, faster = chain.spread(velocities), chain.spread(accelerations)
    out = np.empty((6, chain.count))
    for part in chain.parts():
        at = screws(chain, part, form)
        rates = column_rates(chain, rows[:, part.which], form)
        acceleration = weighed(at.columns, column_rates(chain, faster[:, part.which], form))
        acceleration += weighed(derivatives(at, form, rates), rates)
        out[:, part.which] = _as_output(acceleration, at.frame, form)
    return _handed_out(out, chain)


def _as_output(velocity: Array, frame: Array, form: Form) -> Array:
    return written_in(frame, velocity) if form.output is VelocityRepresentation.BODY else velocity


def _handed_out(out: Array, chain: Chain) -> Array:
    return out.T if chain.batched else out[:, 0]
