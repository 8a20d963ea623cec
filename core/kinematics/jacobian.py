# SPDX-License-Identifier: GPL-3.0-or-later
"""Frame Jacobians and their time derivatives, in all pairs of representations.

Columns are the free joints in document order, mimic joints folded into the joint that they follow, and the base's six
before them where it floats. Planar and floating joints have no columns: they are taken as standing still.

Source: formalism, sections 7 and 8.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..model import Robot
from ..spatial import Array, inverse
from .chain import Chain, Frame, chain_to, frame_parts
from .configuration import JointValue, resolve_rates
from .representations import Representation, VelocityRepresentation
from .screws import Form, column_rates, derivatives, screws, written_in


def jacobian(
    robot: Robot,
    q: JointValue | None,
    frame: Frame,
    base: str | None = None,
    W_H_B: ArrayLike | None = None,
    output: Representation = "mixed",
    input: Representation = "mixed",
    floating: bool = False,
) -> Array:
    """Return ``O_J_{W,F/I}``, shape (6, n), or (T, 6, n) for T configurations.

    >>> from urdf_rig import core
    >>> robot = core.load("examples/arm6/arm6.urdf")
    >>> core.jacobian(robot, {"joint_2": 0.5}, "tool0", output="body").shape
    (6, 6)
    >>> core.jacobian(robot, np.zeros((100, 6)), "tool0", floating=True).shape
    (100, 6, 12)

    Args:
        robot: Any robot.
        q: Joint values, as ``forward_kinematics`` takes them.
        frame: The frame F: a link's name, or a link's name and ``L_H_F``, shape (4, 4).
        base: The base link B; the root where None.
        W_H_B: Pose of the base in the world, shape (4, 4) or (T, 4, 4); the world is the base where None.
        output: How the frame's velocity is written.
        input: How the base's velocity is written; without effect for a fixed base.
        floating: Whether the base's six columns (linear, angular) come before those of the joints.

    Raises:
        UnknownNameError: If a link or joint does not exist.
        JointValueError: If a value has the wrong shape or is not finite, or the numbers of configurations differ.
        ModelError: If a pose is no rigid transform.
        ValueError: If a representation is not known.

    Source: formalism, section 7.
    """
    form = Form.of(output, input, floating)
    chain = chain_to(robot, frame, q, base, W_H_B)
    out = np.zeros((chain.dofs + 6 * floating, 6, chain.count))
    for part in chain.parts():
        at = screws(chain, part, form)
        _write(out[..., part.which], chain, at.columns, at.frame, form)
    return _handed_out(out, chain)


def jacobian_derivative(
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
    """Return the time derivative of ``jacobian``, shape (6, n), or (T, 6, n) for T configurations.

    >>> from urdf_rig import core
    >>> robot = core.load("examples/arm6/arm6.urdf")
    >>> standing = core.jacobian_derivative(robot, np.ones(6), np.zeros(6), "tool0")
    >>> standing.shape, bool(standing.any())
    ((6, 6), False)

    Args:
        robot: Any robot.
        q: As for ``jacobian``.
        v: Joint velocities (n,) or (T, n), or by name; with a floating base (6 + n,) or (T, 6 + n), the base's written
            as ``input`` says.
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

    Source: formalism, section 8.
    """
    form = Form.of(output, input, floating)
    velocities = resolve_rates(robot, v, floating)
    chain = chain_to(robot, frame, q, base, W_H_B, velocities)
    rows = chain.spread(velocities)
    out = np.zeros((chain.dofs + 6 * floating, 6, chain.count))
    for part in chain.parts():
        at = screws(chain, part, form)
        columns = derivatives(at, form, column_rates(chain, rows[:, part.which], form))
        _write(out[..., part.which], chain, columns, at.frame, form)
    return _handed_out(out, chain)


def relative_jacobian(
    robot: Robot, q: JointValue | None, frame: Frame, reference: Frame, output: Representation = "mixed"
) -> Array:
    """Return the Jacobian of a frame F as seen from another, R, both on the robot: (6, n) or (T, 6, n).

    It is that of F with R for the world; joints that move both alike have zero columns.

    Args:
        robot: Any robot.
        q: As for ``jacobian``.
        frame: The frame F.
        reference: The frame R.
        output: How F's velocity in R is written: inertial and mixed in the axes of R, body in those of F.

    Raises:
        UnknownNameError: If a link or joint does not exist.
        JointValueError: If a value has the wrong shape or is not finite.
        ModelError: If an offset is no rigid transform.
        ValueError: If the representation is not known.
    """
    link, offset = frame_parts(robot, reference)
    return jacobian(robot, q, frame, base=link, W_H_B=inverse(offset), output=output)


def _write(out: Array, chain: Chain, columns: Array, frame: Array, form: Form) -> None:
    """Write columns to their places in ``out``, shape (n, 6, T), which is zero."""
    if form.output is VelocityRepresentation.BODY:
        columns = written_in(frame, columns)
    first = 6 * form.floating
    out[:first] = columns[:first]
    for leader, multiplier, column in zip(chain.leaders, chain.multipliers[:, 0], columns[first:], strict=True):
        out[first + leader] += column if multiplier == 1.0 else column * multiplier


def _handed_out(out: Array, chain: Chain) -> Array:
    """Return what was computed with the configurations last in the shape that callers get."""
    return out.transpose(2, 1, 0) if chain.batched else out[..., 0].T
