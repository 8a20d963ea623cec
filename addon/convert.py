# SPDX-License-Identifier: GPL-3.0-or-later
"""Between numpy and mathutils. Assigning an array to a matrix property would read it transposed: go through here."""

from __future__ import annotations

from typing import Any

import numpy as np
from mathutils import Matrix
from numpy.typing import ArrayLike, NDArray


def to_matrix(h: ArrayLike) -> Matrix:
    """Return a transform (4, 4) as a ``Matrix``."""
    return Matrix(np.asarray(h, dtype=np.float64).tolist())


def to_array(matrix: Matrix) -> NDArray[np.float64]:
    """Return a ``Matrix`` as an array (4, 4), float64."""
    return np.array(matrix, dtype=np.float64)


def read_matrices(owners: Any, name: str) -> NDArray[np.float64]:  # noqa: ANN401  # each collection has its own type
    """Return a matrix property of all members of one of Blender's collections at once, shape (n, 4, 4), float64."""
    numbers = np.empty(16 * len(owners), dtype=np.float32)
    owners.foreach_get(name, numbers)
    return numbers.reshape(-1, 4, 4).transpose(0, 2, 1).astype(np.float64)  # Blender keeps them by columns
