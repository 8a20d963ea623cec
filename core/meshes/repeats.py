# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles that a file holds more than once. They shade badly, as each lies in the other's shadow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .equal_rows import first_equal


def repeated_triangles(triangles: NDArray[np.int32]) -> NDArray[np.bool_] | None:
    """Return which triangles join the same vertices as an earlier one, in any order; None if there are none.

    Args:
        triangles: Vertex indices, shape (T, 3), none negative.

    Returns:
        Shape (T,), or None.
    """
    a, b, c = (np.ascontiguousarray(column).view(np.uint32) for column in triangles.T)
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    first = first_equal([low, a ^ b ^ c ^ low ^ high, high])
    repeated = first != np.arange(len(first), dtype=np.int32)
    return repeated if repeated.any() else None
