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
from .representations import VelocityRepresentation
from .screws import Form, Screws, derivatives, screws, written_in

Representation = VelocityRepresentation | str


def jacobian(
    robot: Robot,
    q: JointValue | None,
    frame: Frame,
    base: str | None = None,
    W_H_B: ArrayLike | None = None,
    output: Representation = "mixed",
    input: Representation = "mixed",  # noqa: A002 - the formalism's word
    floating: bool = False,
) -> Array:
    """Return ``O_J_{W,F/I}``, shape (6, n), or (T, 6, n) for T configurations.

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
    form = _form(output, input, floating)
    chain = chain_to(robot, frame, q, base, W_H_B)
    out = np.zeros((chain.dofs + 6 * floating, 6, chain.count))
    for part, configuration, start in chain.parts():
        at = screws(chain, configuration, start, form)
        _write(out[..., part], chain, at, at, form)
    return _handed_out(out, chain)


def jacobian_derivative(
    robot: Robot,
    q: JointValue | None,
    v: JointValue,
    frame: Frame,
    base: str | None = None,
    W_H_B: ArrayLike | None = None,
    output: Representation = "mixed",
    input: Representation = "mixed",  # noqa: A002 - the formalism's word
    floating: bool = False,
) -> Array:
    """Return the time derivative of ``jacobian``, shape (6, n), or (T, 6, n) for T configurations.

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
    form = _form(output, input, floating)
    velocities = resolve_rates(robot, v, floating)
    chain = chain_to(robot, frame, q, base, W_H_B, velocities)
    rows = chain.spread(velocities)
    out = np.zeros((chain.dofs + 6 * floating, 6, chain.count))
    for part, configuration, start in chain.parts():
        at = screws(chain, configuration, start, form)
        base_rates, rates = split_rates(chain, rows[:, part], floating)
        _write(out[..., part], chain, derivatives(chain, at, start, form, base_rates, rates), at, form)
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


def _form(output: Representation, base: Representation, floating: bool) -> Form:
    return Form(VelocityRepresentation(output), VelocityRepresentation(base), bool(floating))


def split_rates(chain: Chain, rows: Array, floating: bool) -> tuple[Array, Array]:
    """Return the base's part (6, T) or (0, T) of rates (n, T), and the rates (k, T) of ``tree.scalar``."""
    first = 6 * floating
    return rows[:first], rows[first:][chain.leaders] * chain.multipliers


def _write(out: Array, chain: Chain, columns: Screws, at: Screws, form: Form) -> None:
    """Write columns to their places in ``out``, shape (n, 6, T)."""
    base, joints = columns.base, columns.joints * chain.multipliers[:, None]
    if form.output is VelocityRepresentation.BODY:
        base, joints = written_in(at.frame, base), written_in(at.frame, joints)
    first = len(base)
    out[:first] = base
    for leader, column in zip(chain.leaders, joints, strict=True):
        out[first + leader] += column


def _handed_out(out: Array, chain: Chain) -> Array:
    """Return what was computed with the configurations last in the shape that callers get."""
    return out.transpose(2, 1, 0) if chain.batched else out[..., 0].T
