# SPDX-License-Identifier: GPL-3.0-or-later
"""Polygons, strips and fans as triangles, many at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Corners = NDArray[np.intp]


def polygon_triangles(counts: NDArray[np.integer]) -> Corners:
    """Return the triangle fans of polygons whose corners are numbered through, shape (T, 3).

    Args:
        counts: Number of corners of each polygon, shape (P,); polygons with fewer than three give nothing.
    """
    counts = counts.astype(np.intp)
    if len(counts) and (counts == 3).all():
        return np.arange(3 * len(counts), dtype=np.intp).reshape(-1, 3)
    starts = np.cumsum(counts) - counts
    fans = np.maximum(counts - 2, 0)
    first = np.repeat(starts, fans)
    step = np.arange(len(first), dtype=np.intp) - np.repeat(np.cumsum(fans) - fans, fans)
    return np.stack([first, first + step + 1, first + step + 2], axis=1)


def strip_triangles(count: int) -> Corners:
    """Return the triangles of one strip of ``count`` corners, shape (T, 3); each second one is turned over."""
    first = np.arange(max(count - 2, 0), dtype=np.intp)
    odd = first % 2
    return np.stack([first, first + 1 + odd, first + 2 - odd], axis=1)
