# SPDX-License-Identifier: GPL-3.0-or-later
"""The columns of a frame Jacobian and of its derivative: the velocity that each joint, and the base, gives the frame.

Columns are computed in the axes of the world, with the linear part at the point that the output representation asks
for: the world's origin (inertial) or the frame's (mixed, body). There a joint's column is ``s = (a x (p - o), a)`` or
``(a, 0)``, and all of the formalism's nine derivatives become one,

    d/dt s = (V - V_O) x s

with V the velocity of the body that carries the joint's axis, and V_O that of the frame in which the output is written:
0 (inertial), the frame's (body), or its linear part alone (mixed). The base's six columns are carried, in the same
way, by the frame in which the input is written. Body output is turned into the frame's axes at the end.

Source: formalism, sections 7 and 8; ``O_X_W (V - V_O) x s`` is ``d/dt (O_X_W s)`` with its second formula put in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..spatial import Array
from .chain import Chain, Part
from .compiled import CompiledTree
from .representations import Representation, VelocityRepresentation

_INERTIAL, _BODY, _MIXED = VelocityRepresentation


@dataclass(frozen=True, slots=True)
class Form:
    """What a Jacobian maps from and to.

    Attributes:
        output: How the frame's velocity is written.
        input: How the base's velocity is written.
        floating: Whether the base's velocity is among the input.
    """

    output: VelocityRepresentation
    input: VelocityRepresentation
    floating: bool

    @classmethod
    def of(cls, output: Representation, base: Representation, floating: bool) -> Form:
        """Return the form; representations may be given by their names.

        Raises:
            ValueError: If one is not known.
        """
        return cls(VelocityRepresentation(output), VelocityRepresentation(base), bool(floating))


@dataclass(frozen=True, slots=True, eq=False)
class Screws:
    """Columns for some configurations: the base's six, where it floats, and one for each of ``tree.scalar``.

    Attributes:
        columns: Shape (K, 6, T); body output is not yet turned into the frame's axes.
        start: ``W_H_B`` as columns, shape (4, 3, T).
        frame: ``W_H_F`` as columns, shape (4, 3, T).
        point: The point at which linear parts are taken, shape (3, T).
    """

    columns: Array
    start: Array
    frame: Array
    point: Array


def screws(chain: Chain, part: Part, form: Form) -> Screws:
    """Return the columns of the Jacobian for one of the chain's parts."""
    poses, start = part.poses(), part.start
    frame = frame_columns(chain, poses)
    point = np.zeros_like(frame[3]) if form.output is _INERTIAL else frame[3]
    first = 6 * form.floating
    columns = np.empty((first + len(chain.tree.scalar), 6, point.shape[-1]))
    if form.floating:
        write_base_screws(columns[:6], start, point, form.input)
    _write_joint_screws(columns[first:], chain.tree, poses, point)
    return Screws(columns, start, frame, point)


def frame_columns(chain: Chain, poses: Array) -> Array:
    """Return ``W_H_F`` as columns, shape (4, 3, T)."""
    pose = poses[chain.node]
    # a copy, so that the poses can go
    return pose.copy() if chain.at_link else np.asarray(np.tensordot(chain.offset.T, pose, axes=1))


def _write_joint_screws(out: Array, tree: CompiledTree, poses: Array, point: Array) -> None:
    """Write the velocity of what hangs from each of ``tree.scalar``, for each unit of its value.

    Args:
        out: Where to write, shape (k, 6, T).
        tree: The tree.
        poses: ``W_H_n`` of all nodes as columns, shape (N, 4, 3, T).
        point: Where linear parts are taken, shape (3, T).
    """
    linear, angular = out[:, :3], out[:, 3:]
    np.multiply(poses[tree.scalar, tree.axes], tree.signs, out=angular)
    cross(angular, point - poses[tree.scalar, 3], out=linear)
    if tree.slides.any():
        linear[tree.slides] = angular[tree.slides]
        angular[tree.slides] = 0.0


def write_base_screws(out: Array, start: Array, point: Array, written: VelocityRepresentation) -> None:
    """Write to ``out``, shape (6, 6, T), the velocity at a point for each unit of the base's velocity as written."""
    axes = start[:3] if written is _BODY else np.eye(3)[..., None]
    out[:3, :3] = out[3:, 3:] = axes
    out[:3, 3:] = 0.0
    cross(out[3:, 3:], point if written is _INERTIAL else point - start[3], out=out[3:, :3])


def derivatives(at: Screws, form: Form, rates: Array) -> Array:
    """Return the time derivatives of columns, shape (K, 6, T), body output not yet turned into the frame's axes.

    Args:
        at: The columns.
        form: What is mapped to what.
        rates: What the columns are multiplied with, shape (K, T).
    """
    first = 6 * form.floating
    base = weighed(at.columns[:first], rates[:first])
    # the velocity of what carries each column, as seen from the frame in which the output is written
    carriers = at.columns[first:] * rates[first:, None]
    if len(carriers):
        carriers[0] += base
        np.cumsum(carriers, axis=0, out=carriers)
    written = _output_frame(carriers[-1] if len(carriers) else base, form.output)
    carriers -= written
    out = np.empty(at.columns.shape)
    _write_motion_cross(out[first:], carriers, at.columns[first:])
    if form.floating:
        carrier = _input_frame(base, at, form.input) - written
        if _BODY in (form.output, form.input):
            _write_motion_cross(out[:6], carrier[None], at.columns[:6])
        else:  # neither frame turns
            out[:6] = 0.0
            cross(carrier[:3], at.columns[3:6, 3:], out=out[3:6, :3])
    return out


def weighed(columns: Array, rates: Array) -> Array:
    """Return the sum (6, T) of columns (K, 6, T) times rates (K, T)."""
    return np.asarray(np.einsum("krt,kt->rt", columns, rates))


def _output_frame(frame: Array, written: VelocityRepresentation) -> Array:
    """Return the velocity (6, T) of the frame in which the output is written, from that of F."""
    out = np.zeros_like(frame)
    if written is not _INERTIAL:
        out[:3] = frame[:3]
    if written is _BODY:
        out[3:] = frame[3:]
    return out


def _input_frame(base: Array, at: Screws, written: VelocityRepresentation) -> Array:
    """Return the velocity (6, T) of the frame in which the base's velocity is written."""
    if written is _BODY:
        return base
    out = np.zeros_like(base)
    if written is _MIXED:
        cross(base[3:], at.start[3] - at.point, out=out[:3])
        out[:3] += base[:3]
    return out


def _write_motion_cross(out: Array, velocities: Array, columns: Array) -> None:
    """Write ``v x s`` of velocities and columns to ``out``, all of shape (K, 6, T)."""
    count = columns.shape[-1]
    v, w = velocities[:, :3], velocities[:, 3:]
    # w x s for the linear and the angular part at once
    cross(w[:, None], columns.reshape(-1, 2, 3, count), out=out.reshape(-1, 2, 3, count))
    out[:, :3] += cross(v, columns[:, 3:], out=np.empty((len(columns), 3, count)))


def cross(a: Array, b: Array, out: Array) -> Array:
    """Write ``a x b`` to ``out``, which is neither of them, and return it; vectors (..., 3, T)."""
    for x, y, z in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        here = out[..., x, :]
        np.multiply(a[..., y, :], b[..., z, :], out=here)
        here -= a[..., z, :] * b[..., y, :]
    return out


def written_in(frame: Array, columns: Array) -> Array:
    """Return columns (..., 6, T) in the axes of a frame, given as columns (4, 3, T)."""
    out = np.empty(columns.shape)
    for part in (slice(0, 3), slice(3, 6)):
        here, there = out[..., part, :], columns[..., part, :]
        for row in range(3):
            np.multiply(there[..., 0, :], frame[row, 0], out=here[..., row, :])
            here[..., row, :] += there[..., 1, :] * frame[row, 1]
            here[..., row, :] += there[..., 2, :] * frame[row, 2]
    return out


def column_rates(chain: Chain, rows: Array, form: Form) -> Array:
    """Return what columns are multiplied with, shape (K, T), from rates of the base and the free joints, (n, T)."""
    first = 6 * form.floating
    joints = rows[first:][chain.leaders] * chain.multipliers
    return np.concatenate([rows[:first], joints]) if form.floating else joints
