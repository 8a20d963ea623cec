# SPDX-License-Identifier: GPL-3.0-or-later
"""How well a frame can be moved, from its Jacobian: measure, ellipsoid, condition number, singular directions.

All functions take any rows of a Jacobian: ``J[..., :3, :]`` for the linear part, ``J[..., 3:, :]`` for the angular one.
All six together mix metres and radians.

Source: Yoshikawa, "Manipulability of robotic mechanisms", International Journal of Robotics Research 4(2), 1985.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..spatial import Array

_SINGULAR = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Ellipsoid:
    """The velocities that joint velocities of unit norm can reach.

    Attributes:
        axes: Unit vectors along its axes as columns, shape (..., m, m), the longest first.
        lengths: Half the length of each axis, shape (..., m).
    """

    axes: Array
    lengths: Array


def manipulability(jacobian: ArrayLike) -> Array:
    """Return ``sqrt(det(J J^T))``, the product of the m singular values, shape (...), for J of shape (..., m, n).

    It is 0 where the frame can't be moved in some direction: always, when there are fewer joints than rows.
    """
    j = np.asarray(jacobian, dtype=np.float64)
    return np.asarray(np.prod(_lengths(j), axis=-1))


def manipulability_ellipsoid(jacobian: ArrayLike) -> Ellipsoid:
    """Return the ellipsoid of the velocities ``J v`` with ``|v| <= 1``, for J of shape (..., m, n)."""
    j = np.asarray(jacobian, dtype=np.float64)
    axes, lengths, _ = np.linalg.svd(j)
    return Ellipsoid(np.asarray(axes), _padded(np.asarray(lengths), j.shape[-2]))


def condition_number(jacobian: ArrayLike) -> Array:
    """Return the longest axis of the ellipsoid over the shortest, shape (...); infinite where that is 0."""
    j = np.asarray(jacobian, dtype=np.float64)
    lengths = _lengths(j)
    longest, shortest = lengths[..., 0], lengths[..., -1]
    singular = shortest <= _SINGULAR * longest
    return np.where(singular, np.inf, longest / np.where(singular, 1.0, shortest))


def singular_directions(jacobian: ArrayLike, tolerance: float = 1e-6) -> Array:
    """Return unit vectors along which the frame can't be moved, as columns, shape (m, k).

    Args:
        jacobian: One J, shape (m, n).
        tolerance: Axes of the ellipsoid up to this share of the longest count as 0.
    """
    ellipsoid = manipulability_ellipsoid(jacobian)
    return ellipsoid.axes[:, ellipsoid.lengths <= tolerance * ellipsoid.lengths[0]]


def _lengths(jacobian: Array) -> Array:
    return _padded(np.asarray(np.linalg.svd(jacobian, compute_uv=False)), jacobian.shape[-2])


def _padded(lengths: Array, count: int) -> Array:
    """Return singular values filled up with zeros to one for each row."""
    missing = count - lengths.shape[-1]
    return np.concatenate([lengths, np.zeros((*lengths.shape[:-1], max(missing, 0)))], axis=-1)
