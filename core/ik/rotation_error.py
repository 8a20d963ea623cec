# SPDX-License-Identifier: GPL-3.0-or-later
"""The rotation vector of a rotation, and what it does under small turns, for many at once.

Source: J. Solà, J. Deray, D. Atchuthan, "A micro Lie theory for state estimation in robotics", 2018 (SO(3)).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..spatial import Array, quaternion_from_rotation, skew

_EYE = np.eye(3)
_FEW = 4  # fewer than that are faster one by one, in Python's own numbers


def rotation_vector(rotation: Array) -> Array:
    """Return axis times angle [rad], shape (T, 3), of rotations (T, 3, 3); the angle is in 0..pi."""
    if len(rotation) < _FEW:
        return np.array([vector_of_one(row) for row in rotation.reshape(-1, 9).tolist()])
    out = np.empty((len(rotation), 3))
    out[:, 0] = rotation[:, 2, 1] - rotation[:, 1, 2]
    out[:, 1] = rotation[:, 0, 2] - rotation[:, 2, 0]
    out[:, 2] = rotation[:, 1, 0] - rotation[:, 0, 1]
    size = np.sqrt(np.einsum("ti,ti->t", out, out))
    angle = np.arctan2(size, np.einsum("tii->t", rotation) - 1.0)
    out *= np.where(size > 1e-9, angle / np.maximum(size, 1e-9), np.where(angle > 1.0, np.nan, 0.5))[:, None]
    for index in np.flatnonzero(np.isnan(out[:, 0])):
        out[index] = _half_turn(rotation[index])
    return out


def vector_of_one(r: Sequence[float]) -> tuple[float, float, float]:
    """Return the rotation vector of a rotation's nine numbers, row after row."""
    x, y, z = r[7] - r[5], r[2] - r[6], r[3] - r[1]
    size = math.sqrt(x * x + y * y + z * z)
    cosine = r[0] + r[4] + r[8] - 1.0
    if size < 1e-9:
        x, y, z = (0.5 * x, 0.5 * y, 0.5 * z) if cosine > 0.0 else _half_turn(np.array(r).reshape(3, 3)).tolist()
        return x, y, z
    factor = math.atan2(size, cosine) / size
    return x * factor, y * factor, z * factor


def _half_turn(rotation: Array) -> Array:
    """Return the vector of what is nearly a half turn, of which the skew part of the matrix says nothing."""
    w, *v = quaternion_from_rotation(rotation).tolist()
    return np.array(v) * (2.0 * math.acos(min(1.0, w)) / max(math.hypot(*v), 1e-300))


def inverse_right_jacobian(vectors: Array) -> Array:
    """Return how rotation vectors change with a small turn in the body's axes, shape (T, 3, 3)."""
    if len(vectors) < _FEW:
        return np.array([inverse_of_one(*row) for row in vectors.tolist()]).reshape(-1, 3, 3)
    angle = np.sqrt(np.einsum("ti,ti->t", vectors, vectors))
    small = angle < 1e-3
    safe = np.where(small, 1.0, angle)
    factor = np.where(small, 1.0 / 12.0, 1.0 / safe**2 - 0.5 / (safe * np.tan(0.5 * safe)))
    x = skew(vectors)
    return np.asarray(_EYE + 0.5 * x + factor[:, None, None] * (x @ x))


def inverse_of_one(x: float, y: float, z: float) -> tuple[float, ...]:
    """Return ``inverse_right_jacobian`` of one rotation vector, row after row."""
    xx, yy, zz = x * x, y * y, z * z
    angle = math.sqrt(xx + yy + zz)
    f = 1.0 / 12.0 if angle < 1e-3 else 1.0 / angle**2 - 0.5 / (angle * math.tan(0.5 * angle))
    fx, fy, fz = f * x * y, f * x * z, f * y * z
    x, y, z = 0.5 * x, 0.5 * y, 0.5 * z
    return 1.0 - f * (yy + zz), fx - z, fy + y, fx + z, 1.0 - f * (xx + zz), fz - x, fy - y, fz + x, 1.0 - f * (xx + yy)
