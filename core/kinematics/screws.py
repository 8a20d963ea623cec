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
from .chain import Chain
from .configuration import Configuration
from .forward import node_poses
from .representations import VelocityRepresentation

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


@dataclass(frozen=True, slots=True, eq=False)
class Screws:
    """Columns for some configurations.

    Attributes:
        base: The base's columns, shape (6, 6, T), or (0, 6, T) where it does not float.
        joints: The columns of ``tree.scalar``, shape (k, 6, T).
        frame: ``W_H_F`` as columns, shape (4, 3, T).
        poses: ``W_H_n`` of all nodes as columns, shape (N, 4, 3, T).
        point: The point at which linear parts are taken, shape (3, T).
    """

    base: Array
    joints: Array
    frame: Array
    poses: Array
    point: Array


def cross(a: Array, b: Array) -> Array:
    """Return ``a x b`` for vectors (..., 3, T)."""
    a, b = np.broadcast_arrays(a, b)
    out = np.empty(a.shape)
    for x, y, z in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        np.multiply(a[..., y, :], b[..., z, :], out=out[..., x, :])
        out[..., x, :] -= a[..., z, :] * b[..., y, :]
    return out


def frame_columns(chain: Chain, poses: Array) -> Array:
    """Return ``W_H_F`` as columns, shape (4, 3, T)."""
    columns = np.tensordot(chain.offset.T, poses[chain.node], axes=1)
    return np.asarray(columns)


def screws(chain: Chain, configuration: Configuration, start: Array, form: Form) -> Screws:
    """Return the columns of the Jacobian, body output not yet turned into the frame's axes.

    Args:
        chain: The chain.
        configuration: Few configurations of it.
        start: ``W_H_B`` of those, as columns, shape (4, 3, T).
        form: What is mapped to what.
    """
    poses = node_poses(chain.tree, configuration, start)
    frame = frame_columns(chain, poses)
    point = np.zeros_like(frame[3]) if form.output is _INERTIAL else frame[3]
    joints = joint_screws(chain, poses, point)
    return Screws(base_screws(start, point, form), joints, frame, poses, point)


def joint_screws(chain: Chain, poses: Array, point: Array) -> Array:
    """Return the velocity (k, 6, T) of what hangs from each of ``tree.scalar``, per unit of that joint's own rate."""
    tree = chain.tree
    moved = [tree.nodes[index] for index in tree.scalar]
    sign = np.array([float(node.sign) for node in moved]).reshape(-1, 1, 1)
    axes = poses[tree.scalar, [node.axis for node in moved]] * sign
    out = np.zeros((len(moved), 6, point.shape[-1]))
    turns = np.array([node.turns for node in moved], dtype=bool)
    out[turns, 3:] = axes[turns]
    out[turns, :3] = cross(axes[turns], point - poses[tree.scalar[turns], 3])
    out[~turns, :3] = axes[~turns]
    return out


def base_screws(start: Array, point: Array, form: Form) -> Array:
    """Return the velocity (6, 6, T) for each unit of the base's velocity as the input is written."""
    if not form.floating:
        return np.zeros((0, 6, point.shape[-1]))
    out = np.zeros((6, 6, point.shape[-1]))
    axes = start[:3] if form.input is _BODY else np.eye(3)[..., None]
    out[:3, :3] = out[3:, 3:] = axes
    arm = point if form.input is _INERTIAL else point - start[3]
    out[3:, :3] = cross(np.broadcast_to(axes, (3, *arm.shape)), arm)
    return out


def derivatives(chain: Chain, at: Screws, start: Array, form: Form, base_rates: Array, rates: Array) -> Screws:
    """Return the time derivatives of columns, body output not yet turned into the frame's axes.

    Args:
        chain: The chain.
        at: The columns.
        start: ``W_H_B`` as columns, shape (4, 3, T).
        form: What is mapped to what.
        base_rates: The base's velocity, shape (6, T), or (0, T).
        rates: Velocity of each of ``tree.scalar``, shape (k, T).
    """
    base = np.einsum("krt,kt->rt", at.base, base_rates)
    carriers = base + np.cumsum(at.joints * rates[:, None], axis=0)
    frame = carriers[-1] if len(carriers) else base
    written = {_INERTIAL: np.zeros_like(frame), _BODY: frame, _MIXED: _linear_only(frame)}[form.output]
    carrier = base_carrier(base, start, at.point, form)
    return Screws(
        _motion_cross(carrier - written, at.base), _motion_cross(carriers - written, at.joints), at.frame, at.poses, at.point
    )


def base_carrier(base: Array, start: Array, point: Array, form: Form) -> Array:
    """Return the velocity (6, T) of the frame in which the base's velocity is written."""
    if form.input is _INERTIAL:
        return np.zeros_like(base)
    if form.input is _BODY:
        return base
    of_origin = base.copy()
    of_origin[:3] += cross(base[3:], start[3] - point)
    return _linear_only(of_origin)


def _linear_only(velocity: Array) -> Array:
    out = velocity.copy()
    out[3:] = 0.0
    return out


def _motion_cross(velocity: Array, columns: Array) -> Array:
    """Return ``v x s`` of velocities (6, T) or (k, 6, T) and columns (k, 6, T)."""
    v, w = velocity[..., :3, :], velocity[..., 3:, :]
    out = np.empty(columns.shape)
    out[:, :3] = cross(w, columns[:, :3])
    out[:, :3] += cross(v, columns[:, 3:])
    out[:, 3:] = cross(w, columns[:, 3:])
    return out


def written_in(frame: Array, columns: Array) -> Array:
    """Return columns (..., 6, T) in the axes of a frame, given as columns (4, 3, T)."""
    out = np.empty(columns.shape)
    for row in range(3):
        np.einsum("at,...at->...t", frame[row], columns[..., :3, :], out=out[..., row, :])
        np.einsum("at,...at->...t", frame[row], columns[..., 3:, :], out=out[..., 3 + row, :])
    return out
