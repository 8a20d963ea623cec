# SPDX-License-Identifier: GPL-3.0-or-later
"""Names beside points on the screen, none over another."""

from __future__ import annotations

import math
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
    room = _Room(float(sizes[:, 1].max(initial=1.0)))
    for index, ((x, y), (width, height)) in enumerate(zip(anchors.tolist(), sizes.tolist(), strict=True)):
        for row in _ROWS:
            if room.take(x, y + row * height, width, height):
                corners[index, 1], placed[index] = y + row * height, True
                break
    return corners, placed


class _Room:
    """Rectangles that do not overlap, kept by the rows that they reach into, in plain numbers: there are few a row."""

    def __init__(self, row: float) -> None:
        self._row = row
        self._rows: dict[int, list[tuple[float, float, float, float]]] = {}

    def take(self, x: float, y: float, width: float, height: float) -> bool:
        """Put a rectangle there if there is room."""
        right, top = x + width, y + height
        rows = range(math.floor(y / self._row), math.floor(top / self._row) + 1)
        for row in rows:
            for left, bottom, end, above in self._rows.get(row, ()):
                if x < end and left < right and y < above and bottom < top:
                    return False
        for row in rows:
            self._rows.setdefault(row, []).append((x, y, right, top))
        return True
