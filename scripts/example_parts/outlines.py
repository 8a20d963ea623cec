# SPDX-License-Identifier: GPL-3.0-or-later
"""Plane curves as (N, 2) arrays. Closed outlines run counter-clockwise and do not repeat their first point."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Outline = NDArray[np.float64]
Point2 = tuple[float, float]


def arc(centre: Point2, radius: float, start: float, stop: float, steps: int) -> Outline:
    """Return ``steps + 1`` points of an arc, angles in radians."""
    angles = np.linspace(start, stop, steps + 1)
    return np.column_stack((centre[0] + radius * np.cos(angles), centre[1] + radius * np.sin(angles)))


def circle(radius: float, count: int, centre: Point2 = (0.0, 0.0)) -> Outline:
    """Return a regular polygon with ``count`` corners on a circle."""
    return arc(centre, radius, 0.0, 2.0 * math.pi, count)[:-1]


def _rounded_corner(before: Outline, corner: Outline, after: Outline, radius: float, steps: int) -> Outline:
    """Return the points of an arc that is tangent to both sides of a corner."""
    a = (before - corner) / math.dist(before, corner)
    b = (after - corner) / math.dist(after, corner)
    opening = math.acos(max(-1.0, min(1.0, float(a @ b))))
    reach = radius / math.tan(opening / 2.0)
    bisector = (a + b) / np.linalg.norm(a + b)
    centre = corner + bisector * radius / math.sin(opening / 2.0)
    first = corner + a * reach - centre
    turn = math.pi - opening
    if first[0] * (b[1] - a[1]) - first[1] * (b[0] - a[0]) < 0.0:
        turn = -turn
    start = math.atan2(first[1], first[0])
    return arc((centre[0], centre[1]), radius, start, start + turn, steps)


def rounded(points: Sequence[Point2], radii: float | Sequence[float], steps: int = 3, closed: bool = True) -> Outline:
    """Return a polygon or polyline with its corners rounded.

    Args:
        points: The corners.
        radii: One radius for all corners, or one each; 0 keeps a corner sharp.
        steps: Straight pieces of each rounding.
        closed: Whether the last point is joined to the first; if not, the two end points stay as they are.
    """
    corners = np.asarray(points, dtype=np.float64)
    count = len(corners)
    each = [float(radii)] * count if isinstance(radii, int | float) else [float(r) for r in radii]
    if not closed:
        each[0] = each[-1] = 0.0
    pieces = []
    for i, radius in enumerate(each):
        if radius == 0.0:
            pieces.append(corners[i : i + 1])
        else:
            pieces.append(_rounded_corner(corners[i - 1], corners[i], corners[(i + 1) % count], radius, steps))
    return np.concatenate(pieces)


def rectangle(u: Point2, v: Point2, radius: float, steps: int = 4) -> Outline:
    """Return a rounded rectangle over the ranges ``u`` and ``v``."""
    return rounded([(u[0], v[0]), (u[1], v[0]), (u[1], v[1]), (u[0], v[1])], radius, steps)


def tapered(first: float, second: float, length: float, steps: int = 16, along: str = "v") -> Outline:
    """Return the outline around a circle at the origin and one ``length`` further along ``v`` or ``u``."""
    tilt = math.asin((first - second) / length)
    top = arc((0.0, length), second, tilt, math.pi - tilt, steps)
    bottom = arc((0.0, 0.0), first, math.pi - tilt, 2.0 * math.pi + tilt, steps)
    outline = np.concatenate((top, bottom))
    return outline if along == "v" else np.column_stack((outline[:, 1], -outline[:, 0]))


def waisted(first: float, second: float, length: float, angles: Point2, pull: float, steps: int = 16) -> Outline:
    """Return a bone-like outline: two circles along ``v``, joined by inward curves.

    Args:
        first: Radius at the origin.
        second: Radius at ``(0, length)``.
        length: Distance of the two centres.
        angles: Where the curves leave the first and the second circle [rad], measured from ``u`` towards the waist.
        pull: Length of the curves' handles.
        steps: Straight pieces of each arc and curve.
    """
    low, high = angles
    start = first * np.array((math.cos(low), math.sin(low)))
    end = np.array((second * math.cos(high), length - second * math.sin(high)))
    handle_low = start + pull * np.array((-math.sin(low), math.cos(low)))
    handle_high = end - pull * np.array((math.sin(high), math.cos(high)))
    t = np.linspace(0.0, 1.0, steps + 1)[1:-1, None]
    right = (1 - t) ** 3 * start + 3 * (1 - t) ** 2 * t * handle_low + 3 * (1 - t) * t**2 * handle_high + t**3 * end
    left = right[::-1] * (-1.0, 1.0)
    top = arc((0.0, length), second, -high, math.pi + high, steps)
    bottom = arc((0.0, 0.0), first, math.pi - low, 2.0 * math.pi + low, steps)
    return np.concatenate((right, top, left, bottom))


def shifted(outline: Outline, u: float, v: float) -> Outline:
    """Return the outline moved by (u, v)."""
    moved: Outline = outline + np.array((u, v))
    return moved


def inset(outline: Outline, distance: float) -> Outline:
    """Return the outline with every side moved inwards by ``distance``."""
    side = np.roll(outline, -1, axis=0) - outline
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    inwards = np.column_stack((-side[:, 1], side[:, 0]))
    before = np.roll(inwards, 1, axis=0)
    both = inwards + before
    moved: Outline = outline + distance * both / (1.0 + np.sum(inwards * before, axis=1, keepdims=True))
    return moved


def _turn(a: Point2, b: Point2, c: Point2) -> float:
    """Return twice the signed area of a triangle."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _is_ear(points: list[Point2], ring: list[int], k: int) -> bool:
    """Tell whether corner ``k`` of the remaining ring can be cut off."""
    a, b, c = ring[k - 1], ring[k], ring[(k + 1) % len(ring)]
    pa, pb, pc = points[a], points[b], points[c]
    if _turn(pa, pb, pc) <= 1e-12:
        return False
    return not any(
        _turn(pa, pb, points[i]) >= 0.0 and _turn(pb, pc, points[i]) >= 0.0 and _turn(pc, pa, points[i]) >= 0.0
        for i in ring
        if i not in (a, b, c)
    )


def triangulate(outline: Outline) -> list[tuple[int, int, int]]:
    """Return triangles that fill a simple outline: of all ears, the one with the shortest cut goes first."""
    points = [(float(u), float(v)) for u, v in outline]
    ring = list(range(len(points)))
    triangles = []
    while len(ring) > 3:
        ears = (k for k in range(len(ring)) if _is_ear(points, ring, k))
        best = min(ears, key=lambda k: round(math.dist(points[ring[k - 1]], points[ring[(k + 1) % len(ring)]]), 7))
        triangles.append((ring[best - 1], ring[best], ring[(best + 1) % len(ring)]))
        del ring[best]
    triangles.append((ring[0], ring[1], ring[2]))
    return triangles
