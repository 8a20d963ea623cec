# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a joint moves when its handle is dragged from under one ray of sight to under another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_EDGE_ON = 0.2  # sine of the angle between sight and dial below which it is rolled rather than turned
_END_ON = 0.1  # sine of the angle between sight and slide below which it is moved along the view


@dataclass(frozen=True, slots=True, eq=False)
class Ray:
    """A line of sight: a point on it, shape (3,), and its unit direction away from the eye, shape (3,)."""

    origin: Array
    direction: Array

    def meets(self, point: Array, normal: Array) -> Array:
        """Return where it meets the plane through ``point``; not to be asked for a ray in the plane."""
        along = (point - self.origin) @ normal / (self.direction @ normal)
        return np.asarray(self.origin + along * self.direction)


def turned(frame: Array, radius: float, before: Ray, after: Ray) -> float:
    """Return by how much [rad] a dial turns: less than half a turn either way.

    Seen from the edge, it is rolled under the pointer as a wheel is.

    Args:
        frame: The dial's frame, shape (4, 4): it turns about Z, right-handed; the axes have length 1.
        radius: The dial's radius, in the frame's unit of length.
        before: Through the pointer before.
        after: Through the pointer after.
    """
    origin, z = frame[:3, 3], frame[:3, 2]
    if min(abs(before.direction @ z), abs(after.direction @ z)) < _EDGE_ON:
        rim = np.cross(z, -before.direction)  # how the near side moves
        moved = after.meets(origin, before.direction) - before.meets(origin, before.direction)
        return float(np.clip(moved @ rim / (np.linalg.norm(rim) * radius), -np.pi, np.pi))
    start, end = ((ray.meets(origin, z) - origin) @ frame[:3, :2] for ray in (before, after))
    if not np.any(start) or not np.any(end):
        return 0.0
    return float(np.arctan2(start[0] * end[1] - start[1] * end[0], start @ end))


def slid(frame: Array, up: Array, before: Ray, after: Ray) -> float:
    """Return how far a slide moves along its Z axis, in the frame's unit of length.

    Seen from the end, it is moved by the pointer's way up and down the view.

    Args:
        frame: The slide's frame, shape (4, 4); the axes have length 1.
        up: Upwards in the view, shape (3,), of length 1.
        before: Through the pointer before.
        after: Through the pointer after.
    """
    origin, z = frame[:3, 3], frame[:3, 2]
    ends = []
    for ray in (before, after):
        if np.linalg.norm(np.cross(ray.direction, z)) < _END_ON:
            moved = after.meets(origin, before.direction) - before.meets(origin, before.direction)
            return float(moved @ up)
        # the point of the axis that is nearest to the ray lies in the plane of the ray and the common normal
        normal = np.cross(np.cross(z, ray.direction), ray.direction)
        ends.append((ray.origin - origin) @ normal / (z @ normal))
    return float(ends[1] - ends[0])
