# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotations, rigid transforms and 6D velocity transforms, batched over leading axes, float64.

Letters used everywhere: W world, A armature object, B base link, L link, F frame fixed to a link,
P and C parent and child link of a joint, b a bone. ``A_H_B`` maps coordinates in B to coordinates in A, so
that inner letters cancel: ``A_H_C = A_H_B @ B_H_C``. ``A_R_B`` is its rotation and ``A_o_B`` its origin.
Quaternions are ``w x y z``. A 6D velocity stacks linear over angular.

Source: Traversaro and Saccon, "Multibody dynamics notation (version 2)", Eindhoven University of Technology.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def skew(w: ArrayLike) -> Array:
    """Return ``[w]x``, shape (..., 3, 3), with ``[w]x v = w x v``, for vectors of shape (..., 3)."""
    w = np.asarray(w, dtype=np.float64)
    out = np.zeros((*w.shape, 3))
    out[..., 0, 1], out[..., 0, 2] = -w[..., 2], w[..., 1]
    out[..., 1, 0], out[..., 1, 2] = w[..., 2], -w[..., 0]
    out[..., 2, 0], out[..., 2, 1] = -w[..., 1], w[..., 0]
    return out


def rotation_from_rpy(rpy: ArrayLike) -> Array:
    """Return ``Rz(y) Ry(p) Rx(r)``, shape (..., 3, 3), for fixed-axis angles (..., 3) [rad].

    Source: wiki.ros.org/urdf/XML/joint; sdformat.org, "Specifying pose".
    """
    rpy = np.asarray(rpy, dtype=np.float64)
    (sr, sp, sy), (cr, cp, cy) = np.moveaxis(np.sin(rpy), -1, 0), np.moveaxis(np.cos(rpy), -1, 0)
    out = np.empty((*rpy.shape, 3))
    out[..., 0, 0], out[..., 0, 1], out[..., 0, 2] = cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr
    out[..., 1, 0], out[..., 1, 1], out[..., 1, 2] = sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr
    out[..., 2, 0], out[..., 2, 1], out[..., 2, 2] = -sp, cp * sr, cp * cr
    return out


def rpy_from_rotation(rotation: ArrayLike) -> Array:
    """Return fixed-axis angles (..., 3) [rad] of rotations (..., 3, 3); pitch in -pi/2..pi/2.

    At pitch +-pi/2, where only one combination of roll and yaw is defined, roll is 0.
    """
    m = np.asarray(rotation, dtype=np.float64)
    level = np.hypot(m[..., 0, 0], m[..., 1, 0])
    pitch = np.arctan2(-m[..., 2, 0], level)
    roll = np.where(level > 1e-12, np.arctan2(m[..., 2, 1], m[..., 2, 2]), 0.0)
    # yaw is what is left once the roll is taken off: next to +-pi/2 it makes good for whatever the roll is off by
    s, c = np.sin(roll), np.cos(roll)
    yaw = np.arctan2(s * m[..., 0, 2] - c * m[..., 0, 1], c * m[..., 1, 1] - s * m[..., 1, 2])
    return np.stack([roll, pitch, yaw], axis=-1)


def rotation_from_quaternion(quat_wxyz: ArrayLike) -> Array:
    """Return rotations (..., 3, 3) of quaternions (..., 4), which need not be of unit length (but not zero)."""
    q = np.asarray(quat_wxyz, dtype=np.float64)
    w, x, y, z = np.moveaxis(q / np.linalg.norm(q, axis=-1, keepdims=True), -1, 0)
    out = np.empty((*q.shape[:-1], 3, 3))
    out[..., 0, 0], out[..., 0, 1], out[..., 0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    out[..., 1, 0], out[..., 1, 1], out[..., 1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    out[..., 2, 0], out[..., 2, 1], out[..., 2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
    return out


def quaternion_from_rotation(rotation: ArrayLike) -> Array:
    """Return unit quaternions ``w x y z`` (..., 4), w >= 0, of rotations (..., 3, 3).

    The largest of the four components is found first and the others from it, so that no rotation is
    ill-conditioned (Shepperd, "Quaternion from rotation matrix", 1978).
    """
    m = np.asarray(rotation, dtype=np.float64)
    m00, m11, m22 = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    w, x = m[..., 2, 1] - m[..., 1, 2], m[..., 2, 1] + m[..., 1, 2]
    y, z = m[..., 0, 2] - m[..., 2, 0], m[..., 0, 2] + m[..., 2, 0]
    u, v = m[..., 1, 0] - m[..., 0, 1], m[..., 1, 0] + m[..., 0, 1]
    rows = np.stack(
        [
            np.stack([1 + m00 + m11 + m22, w, y, u], axis=-1),
            np.stack([w, 1 + m00 - m11 - m22, v, z], axis=-1),
            np.stack([y, v, 1 - m00 + m11 - m22, x], axis=-1),
            np.stack([u, z, x, 1 - m00 - m11 + m22], axis=-1),
        ],
        axis=-2,
    )
    best = np.argmax(np.diagonal(rows, axis1=-2, axis2=-1), axis=-1)
    q = np.take_along_axis(rows, best[..., None, None], axis=-2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return np.asarray(np.where(q[..., :1] < 0, -q, q))


def rotation_about_axis(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Return ``I + sin q [a]x + (1 - cos q) [a]x^2`` (Rodrigues), shape (..., 3, 3).

    Args:
        axis: Unit vectors, shape (..., 3).
        angle: Angles [rad] that broadcast against the axes' leading shape.
    """
    a = skew(axis)
    angle = np.asarray(angle, dtype=np.float64)[..., None, None]
    return np.eye(3) + np.sin(angle) * a + (1.0 - np.cos(angle)) * (a @ a)


def rotation_between(start: ArrayLike, end: ArrayLike) -> Array:
    """Return the smallest rotation (3, 3) that turns the unit vector ``start`` into the unit vector ``end``.

    Raises:
        ValueError: If the two are opposite, where the smallest rotation is not unique.
    """
    start, end = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    cosine, normal = float(start @ end), np.cross(start, end)
    sine_squared = float(normal @ normal)
    if cosine < 0.0 and sine_squared < 1e-24:
        raise ValueError("the directions are opposite: the rotation between them is not unique")
    # 1 + cos without cancellation where the two are nearly opposite
    rest = 1.0 + cosine if cosine >= 0.0 else sine_squared / (1.0 - cosine)
    v = skew(normal)
    return np.eye(3) + v + v @ v / rest


def rotation_angle(rotation: ArrayLike) -> Array:
    """Return the angle [rad], 0..pi, of rotations (..., 3, 3); accurate near 0 and near pi."""
    m = np.asarray(rotation, dtype=np.float64)
    twice_sine = np.stack(
        [m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]], axis=-1
    )
    return np.asarray(np.arctan2(np.linalg.norm(twice_sine, axis=-1), np.trace(m, axis1=-2, axis2=-1) - 1.0))


def planar_change_of_frame(alpha: ArrayLike) -> Array:
    """Return ``[[cos a, sin a], [-sin a, cos a]]``: coordinates of points in a frame turned by ``alpha`` [rad]."""
    alpha = np.asarray(alpha, dtype=np.float64)
    c, s = np.cos(alpha), np.sin(alpha)
    return np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=-2)


def why_not_so3(matrix: ArrayLike, tolerance: float = 1e-9) -> str | None:
    """Return which property of SO(3) the matrix fails, or None where it is a rotation.

    Args:
        matrix: Anything array-like.
        tolerance: Largest allowed deviation of ``R R^T`` from the identity, by entry.
    """
    m = np.asarray(matrix, dtype=np.float64)
    if m.shape != (3, 3):
        return f"its shape is {m.shape}, not (3, 3)"
    if not np.isfinite(m).all():
        return "it holds NaN or infinity"
    with np.errstate(over="ignore", invalid="ignore"):
        gap = np.nan_to_num(np.abs(m @ m.T - np.eye(3)), nan=np.inf)
    if np.diagonal(gap).max() > tolerance:
        return f"its rows are not of unit length (off by {np.diagonal(gap).max():.3g} in the square)"
    if gap.max() > tolerance:
        return f"its rows are not orthogonal (dot product {gap.max():.3g})"
    if np.linalg.det(m) < 0.0:
        return "its determinant is -1: it maps a right-handed frame to a left-handed one"
    return None


def is_so3(matrix: ArrayLike, tolerance: float = 1e-9) -> bool:
    """Whether ``matrix`` is a rotation within ``tolerance``; ``why_not_so3`` says which property fails."""
    return why_not_so3(matrix, tolerance) is None


def transform(rotation: ArrayLike, origin: ArrayLike) -> Array:
    """Return ``A_H_B = [A_R_B A_o_B; 0 1]``, shape (..., 4, 4)."""
    rotation, origin = np.asarray(rotation, dtype=np.float64), np.asarray(origin, dtype=np.float64)
    shape = np.broadcast_shapes(rotation.shape[:-2], origin.shape[:-1])
    out = np.zeros((*shape, 4, 4))
    out[..., :3, :3] = rotation
    out[..., :3, 3] = origin
    out[..., 3, 3] = 1.0
    return out


def inverse(a_h_b: ArrayLike) -> Array:
    """Return ``B_H_A = [R^T, -R^T o; 0 1]`` of rigid transforms (..., 4, 4)."""
    h = np.asarray(a_h_b, dtype=np.float64)
    rotation = np.swapaxes(h[..., :3, :3], -1, -2)
    return transform(rotation, -(rotation @ h[..., :3, 3:])[..., 0])


def change_of_frame(a_h_b: ArrayLike, b_points: ArrayLike) -> Array:
    """Return ``A_p = A_R_B B_p + A_o_B`` for points (..., 3)."""
    h, points = np.asarray(a_h_b, dtype=np.float64), np.asarray(b_points, dtype=np.float64)
    return points @ h[:3, :3].T + h[:3, 3]


def pose_error(a_h_b: ArrayLike, a_h_c: ArrayLike) -> tuple[Array, Array]:
    """Return the distance [m] of the origins of B and C and the angle [rad] between them, each of shape (...)."""
    b, c = np.asarray(a_h_b, dtype=np.float64), np.asarray(a_h_c, dtype=np.float64)
    distance = np.linalg.norm(b[..., :3, 3] - c[..., :3, 3], axis=-1)
    return np.asarray(distance), rotation_angle(np.swapaxes(b[..., :3, :3], -1, -2) @ c[..., :3, :3])
