# SPDX-License-Identifier: GPL-3.0-or-later
"""Equal points become one vertex, as formats without shared vertices need."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .equal_rows import first_equal


def weld(points: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Return the distinct points in order of first use, and for each point the index of its vertex.

    Args:
        points: Shape (N, 3). Only points with the same numbers are equal; -0.0 equals 0.0.

    Returns:
        The vertices, shape (V, 3), and indices, shape (N,), so that ``vertices[indices] == points``.
    """
    columns = [points[:, axis] + np.float32(0.0) for axis in range(3)]  # makes -0.0 to 0.0
    if not len(points):
        return np.zeros((0, 3), dtype=np.float32), np.zeros(0, dtype=np.int32)
    first = first_equal([column.view(np.uint32) for column in columns])
    new = first == np.arange(len(first), dtype=np.int32)
    rank = np.cumsum(new, dtype=np.int32) - np.int32(1)
    return np.stack([column[new] for column in columns], axis=1), rank.take(first)
