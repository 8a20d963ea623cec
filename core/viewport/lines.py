# SPDX-License-Identifier: GPL-3.0-or-later
"""Points of what is drawn over a robot: axes of frames, arcs and sectors of dials."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

_FINE = math.radians(5.0)


def axes_lines(poses: ArrayLike, length: float) -> Array:
    """Return the axes of n frames as pairs of points, shape (6 n, 3): x, y and z of the first, then of the next.

    Args:
        poses: The frames, shape (n, 4, 4); their axes may be scaled.
        length: Of the axes, in units of the frames' own.
    """
    poses = np.asarray(poses, dtype=np.float64).reshape(-1, 4, 4)
    origins = np.repeat(poses[:, None, :3, 3], 3, axis=1)
    tips = origins + length * poses[:, :3, :3].transpose(0, 2, 1)
    return np.stack([origins, tips], axis=2).reshape(-1, 3)


def arc(start: float, end: float, radius: float = 1.0, step: float = _FINE) -> Array:
    """Return the points of an arc in the plane z = 0, shape (k, 3), at most one turn long.

    Args:
        start: Angle from X [rad].
        end: Angle at its end; the arc is cut where it has gone round once.
        radius: Its radius.
        step: How far apart the points may be [rad].
    """
    way = float(np.clip(end - start, -2.0 * math.pi, 2.0 * math.pi))
    angles = start + np.linspace(0.0, way, max(2, math.ceil(abs(way) / step) + 1))
    return radius * np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)


def sector(start: float, end: float, inner: float, outer: float, step: float = _FINE) -> Array:
    """Return the triangles that fill the part of a ring between two angles, shape (3 k, 3), in the plane z = 0.

    Args:
        start: Angle from X [rad].
        end: Angle at its end; the part is cut where it has gone round once.
        inner: Inner radius, may be 0.
        outer: Outer radius.
        step: How far apart its corners may be [rad].
    """
    near, far = (arc(start, end, radius, step) for radius in (inner, outer))
    corners = [near[:-1], far[:-1], far[1:], near[:-1], far[1:], near[1:]]
    return np.stack(corners, axis=1).reshape(-1, 3)
