# SPDX-License-Identifier: GPL-3.0-or-later
"""The distance between two convex bodies in many poses at once, by the algorithm of Gilbert, Johnson and Keerthi.

Source: Gilbert, Johnson and Keerthi, *A fast procedure for computing the distance between complex objects in
three-dimensional space*, IEEE J. Robotics and Automation 4 (2), 1988; van den Bergen, *Collision Detection in
Interactive 3D Environments*, 2003, section 4.3. The nearest point of a simplex is sought on each of its 15 faces, which
needs no order of cases and so is the same for all poses.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_STEPS = 64
_NEAR = 1e-7  # of the distance squared: as near to the true one as that
_TOUCHING = 1e-9  # metres
_FACES = [face for size in (1, 2, 3, 4) for face in combinations(range(4), size)]
_CHUNK = 2048


def hull_distances(first: Array, second: Array, a_h_b: Array, enough: float = np.inf) -> Array:
    """Return the distance [m] between two hulls, 0 where they overlap, shape (T,).

    Args:
        first: Points of the first body in its frame A, shape (V, 3).
        second: Points of the second in its frame B, shape (U, 3).
        a_h_b: Poses of B in A, shape (T, 4, 4).
        enough: Where the distance is certainly more than that, a lower bound of it is returned instead.
    """
    result = np.empty(len(a_h_b))
    for start in range(0, len(a_h_b), _CHUNK):
        part = a_h_b[start : start + _CHUNK]
        result[start : start + _CHUNK] = _distances(first, second, part[:, :3, :3], part[:, :3, 3], enough)
    return result


def _distances(first: Array, second: Array, a_r_b: Array, a_p_b: Array, enough: float) -> Array:
    result = np.zeros(len(a_r_b))
    left = np.arange(len(a_r_b))  # the poses that are not decided
    nearest = first.mean(axis=0) - (a_r_b @ second.mean(axis=0) + a_p_b)
    corners = np.zeros((len(left), 4, 3))
    used = np.zeros((len(left), 4), dtype=bool)
    for _ in range(_STEPS):
        corner = _support(first, second, a_r_b, a_p_b, -nearest)
        size = np.einsum("ti,ti->t", nearest, nearest)
        along = np.einsum("ti,ti->t", nearest, corner)
        length = np.sqrt(size)
        bound = along / np.maximum(length, _TOUCHING)
        far = bound > enough
        done = far | ((size - along <= _NEAR * size) & used.any(axis=1)) | (length < _TOUCHING)
        result[left[done]] = np.where(far, bound, length)[done]
        go = ~done
        left, a_r_b, a_p_b, corners, used = left[go], a_r_b[go], a_p_b[go], corners[go], used[go]
        if not len(left):
            return np.where(result < _TOUCHING, 0.0, result)
        rows = np.arange(len(left))
        free = used.argmin(axis=1)  # never all four: those hold the origin, and are done
        corners[rows, free], used[rows, free] = corner[go], True
        nearest, used = _nearest_point(corners, used)
    result[left] = np.linalg.norm(nearest, axis=1)
    return np.where(result < _TOUCHING, 0.0, result)


def _support(first: Array, second: Array, a_r_b: Array, a_p_b: Array, way: Array) -> Array:
    """Return the point of the Minkowski difference farthest along ``way``, shape (T, 3)."""
    on_first = first[(way @ first.T).argmax(axis=1)]
    back = np.einsum("tji,tj->ti", a_r_b, -way)
    on_second = second[(back @ second.T).argmax(axis=1)]
    return np.asarray(on_first - (np.einsum("tij,tj->ti", a_r_b, on_second) + a_p_b))


def _nearest_point(corners: Array, used: NDArray[np.bool_]) -> tuple[Array, NDArray[np.bool_]]:
    """Return the point of each simplex nearest to the origin, (T, 3), and the corners that it lies between, (T, 4)."""
    best = np.full(len(corners), np.inf)
    nearest = np.zeros((len(corners), 3))
    kept = np.zeros_like(used)
    with np.errstate(divide="ignore", invalid="ignore"):
        for face in _FACES:
            rows = np.flatnonzero(used[:, face].all(axis=1))
            if not len(rows):
                continue
            points = corners[rows][:, face]
            weights = _weights(points)
            point = np.einsum("tk,tki->ti", weights, points)
            size = np.einsum("ti,ti->t", point, point)
            inside = (weights > 0.0).all(axis=1) & (size < best[rows])
            chosen = rows[inside]
            best[chosen], nearest[chosen] = size[inside], point[inside]
            kept[chosen] = False
            kept[np.ix_(chosen, face)] = True
    return nearest, kept


def _weights(points: Array) -> Array:
    """Return the affine weights (T, k) of the point nearest to the origin in the span of k points, (T, k, 3)."""
    count = points.shape[1]
    origin = points[:, 0]
    edges = points[:, 1:] - origin[:, None]
    if count == 1:
        return np.ones((len(points), 1))
    if count == 4:
        crossed = np.stack([np.cross(edges[:, (k + 1) % 3], edges[:, (k + 2) % 3]) for k in range(3)], axis=1)
        volume = np.einsum("ti,ti->t", edges[:, 0], crossed[:, 0])
        others = -np.einsum("tki,ti->tk", crossed, origin) / volume[:, None]
    else:
        gram = np.einsum("tki,tli->tkl", edges, edges)
        along = -np.einsum("tki,ti->tk", edges, origin)
        if count == 2:
            others = along / gram[:, 0]
        else:
            determinant = gram[:, 0, 0] * gram[:, 1, 1] - gram[:, 0, 1] ** 2
            u = gram[:, 1, 1] * along[:, 0] - gram[:, 0, 1] * along[:, 1]
            v = gram[:, 0, 0] * along[:, 1] - gram[:, 0, 1] * along[:, 0]
            others = np.stack([u, v], axis=1) / determinant[:, None]
    return np.concatenate([1.0 - others.sum(axis=1, keepdims=True), others], axis=1)
