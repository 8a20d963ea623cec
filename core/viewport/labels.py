# SPDX-License-Identifier: GPL-3.0-or-later
"""Names beside points on the screen, none over another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

_ROWS = (0, -1, 1, -2, 2, -3, 3)  # where a name may go, in its own heights


@dataclass(frozen=True, slots=True, eq=False)
class ScreenPoints:
    """Points of the world on the screen.

    Attributes:
        places: From the lower left corner of the region, shape (n, 2) [px].
        depths: How far away they are, shape (n,); grows away from the eye.
        seen: Which of them are in the region and before the eye, shape (n,).
    """

    places: Array
    depths: Array
    seen: NDArray[np.bool_]


def on_screen(points: ArrayLike, perspective: ArrayLike, size: tuple[float, float]) -> ScreenPoints:
    """Return where points are seen.

    Args:
        points: Points in the world, shape (n, 3).
        perspective: World to clip coordinates, shape (4, 4).
        size: Width and height of the region [px].
    """
    places, depths = project(points, perspective, size)
    inside = ((places >= 0.0) & (places <= np.array(size))).all(axis=1)
    return ScreenPoints(places, depths, inside & np.isfinite(depths))


def project(points: ArrayLike, perspective: ArrayLike, size: tuple[float, float]) -> tuple[Array, Array]:
    """Return places (n, 2) [px] and depths (n,) of points (n, 3); behind the eye the depth is infinite."""
    points, perspective = np.asarray(points, dtype=np.float64).reshape(-1, 3), np.asarray(perspective, dtype=np.float64)
    clip = points @ perspective[:, :3].T + perspective[:, 3]
    before = clip[:, 3] > 1e-9
    flat = clip[:, :3] / np.where(before, clip[:, 3], 1.0)[:, None]
    return (flat[:, :2] + 1.0) * 0.5 * np.array(size), np.where(before, flat[:, 2], np.inf)


def place_labels(anchors: ArrayLike, sizes: ArrayLike) -> tuple[Array, NDArray[np.bool_]]:
    """Return the lower left corners (n, 2) of n names [px], and which of them have room, shape (n,).

    A name is put where it is wanted, or a few rows lower or higher; what then still lies over another is left out.

    Args:
        anchors: The lower left corners that are wanted, those that matter most first, shape (n, 2) [px].
        sizes: Widths and heights, shape (n, 2) [px].
    """
    anchors, sizes = np.asarray(anchors, dtype=np.float64).reshape(-1, 2), np.asarray(sizes, dtype=np.float64)
    corners, placed = anchors.copy(), np.zeros(len(anchors), dtype=bool)
    for index, (anchor, size) in enumerate(zip(anchors, sizes, strict=True)):
        others, ends = corners[:index][placed[:index]], (corners + sizes)[:index][placed[:index]]
        for row in _ROWS:
            corner = anchor + np.array([0.0, row * size[1]])
            if not ((corner < ends) & (corner + size > others)).all(axis=1).any():
                corners[index], placed[index] = corner, True
                break
    return corners, placed
