# SPDX-License-Identifier: GPL-3.0-or-later
"""Vectors and rotations as tuples of Python floats.

For three numbers at a time a tuple is several times faster than an array, and the closed forms handle nothing larger.
"""

from __future__ import annotations

import math

V3 = tuple[float, float, float]
R9 = tuple[float, float, float, float, float, float, float, float, float]
"""A 3x3 matrix, row after row."""

IDENTITY: R9 = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def dot(a: V3, b: V3) -> float:
    """Return ``a . b``."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: V3, b: V3) -> V3:
    """Return ``a x b``."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def add(a: V3, b: V3) -> V3:
    """Return ``a + b``."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: V3, b: V3) -> V3:
    """Return ``a - b``."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def along(a: V3, t: float, b: V3) -> V3:
    """Return ``a + t b``."""
    return a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]


def norm(a: V3) -> float:
    """Return the length of ``a``."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


def any_normal(a: V3) -> V3:
    """Return a unit vector at right angles to the unit vector ``a``."""
    other = (1.0, 0.0, 0.0) if abs(a[0]) < 0.6 else (0.0, 1.0, 0.0)
    n = cross(a, other)
    size = norm(n)
    return n[0] / size, n[1] / size, n[2] / size


def turn(k: V3, angle: float, v: V3) -> V3:
    """Return ``v`` turned by ``angle`` about the unit vector ``k``."""
    s, c = math.sin(angle), math.cos(angle)
    kx, ky, kz = k
    x, y, z = v
    t = (1.0 - c) * (kx * x + ky * y + kz * z)
    return (
        c * x + s * (ky * z - kz * y) + t * kx,
        c * y + s * (kz * x - kx * z) + t * ky,
        c * z + s * (kx * y - ky * x) + t * kz,
    )


def turn_about(k: V3, through: V3, angle: float, point: V3) -> V3:
    """Return ``point`` turned by ``angle`` about the line along ``k`` through ``through``."""
    return add(through, turn(k, angle, minus(point, through)))


def times(r: R9, v: V3) -> V3:
    """Return ``R v``."""
    x, y, z = v
    return r[0] * x + r[1] * y + r[2] * z, r[3] * x + r[4] * y + r[5] * z, r[6] * x + r[7] * y + r[8] * z


def times_transposed(r: R9, v: V3) -> V3:
    """Return ``R^T v``."""
    x, y, z = v
    return r[0] * x + r[3] * y + r[6] * z, r[1] * x + r[4] * y + r[7] * z, r[2] * x + r[5] * y + r[8] * z


def common_normal(h1: V3, p1: V3, h2: V3, p2: V3) -> tuple[V3, V3]:
    """Return the points where two lines, along unit vectors, are nearest to each other.

    For lines that are parallel to within 1e-9 rad, the first point is ``p1``.
    """
    n = cross(h1, h2)
    size = dot(n, n)
    apart = minus(p2, p1)
    if size < 1e-18:
        return p1, along(p2, -dot(h2, apart), h2)
    first = dot(cross(apart, h2), n) / size
    second = dot(cross(apart, h1), n) / size
    return along(p1, first, h1), along(p2, second, h2)
