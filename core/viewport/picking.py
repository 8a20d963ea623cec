# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of many lines on the screen is under the pointer."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .labels import project

Array = NDArray[np.float64]


class Targets:
    """Lines in the world, each of an owner, as they are seen in a view.

    Args:
        points: Pairs of points, shape (2 k, 3).
        owners: The owner of each point, shape (2 k,).
        view: World to clip coordinates, shape (4, 4).
        size: Width and height of the region [px].
    """

    def __init__(self, points: ArrayLike, owners: ArrayLike, view: ArrayLike, size: tuple[float, float]) -> None:
        places, depths = project(points, view, size)
        before = np.isfinite(depths).reshape(-1, 2).all(axis=1)
        self._ends = places.reshape(-1, 2, 2)[before]
        self._owners = np.asarray(owners, dtype=np.intp)[::2][before]

    def hit(self, place: ArrayLike, within: float) -> int | None:
        """Return the owner of the line that is nearest to a place [px], if one is within a distance [px]."""
        if not len(self._ends):
            return None
        starts = self._ends[:, 0] - np.asarray(place, dtype=np.float64)
        along = self._ends[:, 1] - self._ends[:, 0]
        length = np.einsum("ki,ki->k", along, along)
        share = np.clip(-np.einsum("ki,ki->k", starts, along) / np.where(length > 0.0, length, 1.0), 0.0, 1.0)
        distances = np.linalg.norm(starts + share[:, None] * along, axis=1)
        nearest = int(np.argmin(distances))
        return int(self._owners[nearest]) if distances[nearest] <= within else None
