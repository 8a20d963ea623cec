# SPDX-License-Identifier: GPL-3.0-or-later
"""Equal points become one vertex, as formats without shared vertices need."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)
_FINAL_FACTOR = 0xFF51AFD7ED558CCD


def weld(points: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Return the distinct points in order of first use, and for each point the index of its vertex.

    Args:
        points: Shape (N, 3). Only points with the same numbers are equal; -0.0 equals 0.0.

    Returns:
        The vertices, shape (V, 3), and indices, shape (N,), so that ``vertices[indices] == points``.
    """
    points = np.ascontiguousarray(points, dtype=np.float32) + np.float32(0.0)  # makes -0.0 to 0.0
    if not len(points):
        return points, np.zeros(0, dtype=np.int32)
    bits = points.view(np.uint32)
    first = _first_equal_hash(_hashes(bits))
    if not np.array_equal(bits[first], bits):  # two points share a hash, which is next to impossible
        first = _first_equal(bits.view(np.dtype([("x", "u4"), ("y", "u4"), ("z", "u4")])).ravel())
    used = np.zeros(len(points), dtype=np.bool_)
    used[first] = True
    rank = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return points[used], rank[first].astype(np.int32, copy=False)


def _hashes(bits: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Return a well-mixed 64-bit number for each row of three."""
    result = bits[:, 0] * np.uint64(_FACTORS[0])
    for column in (1, 2):
        result += bits[:, column] * np.uint64(_FACTORS[column])
    result ^= result >> np.uint64(29)
    result *= np.uint64(_FINAL_FACTOR)
    result ^= result >> np.uint64(32)
    return result


def _first_equal_hash(hashes: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Return for each hash the position of the first one whose upper bits are equal.

    The lower bits give way to the position, so that sorting the numbers sorts the positions with them.
    """
    width = np.uint64(max(len(hashes) - 1, 1).bit_length())
    keys = (hashes >> width) << width
    keys |= np.arange(len(hashes), dtype=np.uint64)
    keys.sort()
    order = (keys & ((np.uint64(1) << width) - np.uint64(1))).astype(np.intp)
    keys >>= width
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    result = np.empty(len(keys), dtype=np.intp)
    result[order] = np.repeat(order[starts], np.diff(np.append(starts, len(keys))))
    return result


def _first_equal(keys: NDArray[np.void]) -> NDArray[np.intp]:
    """Return for each key the position of the first key equal to it."""
    order = np.argsort(keys)
    ordered = keys[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    firsts = np.minimum.reduceat(order, starts)
    result = np.empty(len(keys), dtype=np.intp)
    result[order] = np.repeat(firsts, np.diff(np.append(starts, len(keys))))
    return result
