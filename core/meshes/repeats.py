# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles that a file holds more than once. They shade badly, as each lies in the other's shadow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_PACKED_BITS = 21
"""Three vertex indices of so many bits fit into one number."""


def repeated_triangles(triangles: NDArray[np.int32], vertex_count: int) -> NDArray[np.bool_] | None:
    """Return which triangles join the same vertices as an earlier one, in any order; None if there are none.

    Args:
        triangles: Vertex indices, shape (T, 3), all of them in ``range(vertex_count)``.
        vertex_count: Number of vertices.

    Returns:
        Shape (T,), or None.
    """
    a, b, c = (column.astype(np.int64) for column in triangles.T)
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    middle = a + b + c - low - high
    if vertex_count <= 1 << _PACKED_BITS:
        key = (((low << _PACKED_BITS) | middle) << _PACKED_BITS) | high
        # sorting numbers is several times faster than finding their order, and most files have no repeats
        ordered = np.sort(key)
        if not (ordered[1:] == ordered[:-1]).any():
            return None
        order = np.argsort(key, kind="stable")
        same = key[order[1:]] == key[order[:-1]]
    else:
        key = (low << 32) | high
        order = np.lexsort((middle, key))  # stable too
        same = (key[order[1:]] == key[order[:-1]]) & (middle[order[1:]] == middle[order[:-1]])
        if not same.any():
            return None
    result = np.zeros(len(triangles), dtype=np.bool_)
    result[order[1:][same]] = True
    return result
