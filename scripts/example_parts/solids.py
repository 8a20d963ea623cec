# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed triangle meshes: turned on a lathe, or extruded with rounded edges. Faces are wound outwards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .outlines import Outline, Point2, circle, inset, rectangle, rounded, triangulate

Vec3 = tuple[float, float, float]

DECIMALS = 6  # micrometres: the same numbers on every machine, whatever its sine


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A closed surface: ``vertices`` (V, 3) [m], ``triangles`` (T, 3), and the name of a colour of the palette."""

    vertices: NDArray[np.float64]
    triangles: NDArray[np.int64]
    material: str

    def placed(self, matrix: NDArray[np.float64]) -> Solid:
        """Return the solid after a (4, 4) transform; a mirroring one turns the faces outwards again."""
        vertices = self.vertices @ matrix[:3, :3].T + matrix[:3, 3]
        flip = np.linalg.det(matrix[:3, :3]) < 0.0
        return Solid(vertices, self.triangles[:, ::-1] if flip else self.triangles, self.material)

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Solid:
        """Return the solid shifted."""
        return _solid(self.vertices + np.array((x, y, z)), self.triangles, self.material)

    def scaled(self, factor: float) -> Solid:
        """Return the solid ``factor`` times as large, seen from the origin."""
        return _solid(self.vertices * factor, self.triangles, self.material)

    def mirrored(self, axis: int) -> Solid:
        """Return the mirror image across the plane through the origin that is normal to ``axis``."""
        factors = np.ones(3)
        factors[axis] = -1.0
        return _solid(self.vertices * factors, self.triangles[:, ::-1], self.material)


def _solid(vertices: NDArray[np.float64], triangles: NDArray[np.int64], material: str) -> Solid:
    return Solid(np.round(vertices, DECIMALS) + 0.0, triangles, material)


def _strips(rings: int, count: int, closed: bool = False) -> NDArray[np.int64]:
    """Return the triangles between ``rings`` loops of ``count`` points, each loop numbered after the one before."""
    ring, point = np.meshgrid(np.arange(rings if closed else rings - 1), np.arange(count), indexing="ij")
    following, upper = (point + 1) % count, (ring + 1) % rings
    a, b = ring * count + point, ring * count + following
    c, d = upper * count + following, upper * count + point
    return np.stack((np.stack((a, b, c), -1), np.stack((a, c, d), -1)), 2).reshape(-1, 3)


def _along(points: NDArray[np.float64], axis: str) -> NDArray[np.float64]:
    """Turn solids that were built along z to another axis, by a rotation and not a reflection."""
    return np.roll(points, {"z": 0, "x": 1, "y": 2}[axis], axis=1)


def lathe(profile: Outline, material: str, axis: str = "z", segments: int = 48) -> Solid:
    """Turn a profile about an axis.

    Args:
        profile: Points (radius, height): from the axis outwards and back to the axis counter-clockwise, or a
            closed loop that stays clear of the axis, which gives a ring.
        material: Name of a colour.
        axis: ``x``, ``y`` or ``z``.
        segments: Number of flat pieces around.
    """
    ring = bool(profile[0, 0] > 0.0)
    inner = profile if ring else profile[1:-1]
    angles = 2.0 * math.pi * np.arange(segments) / segments
    vertices = np.stack(
        (
            np.outer(inner[:, 0], np.cos(angles)),
            np.outer(inner[:, 0], np.sin(angles)),
            np.repeat(inner[:, 1:], segments, axis=1),
        ),
        -1,
    ).reshape(-1, 3)
    triangles = _strips(len(inner), segments, closed=ring)
    if not ring:
        low, high = len(vertices), len(vertices) + 1
        poles = np.array([(0.0, 0.0, profile[0, 1]), (0.0, 0.0, profile[-1, 1])])
        here = np.arange(segments)
        after, top = (here + 1) % segments, (len(inner) - 1) * segments
        bottom_fan = np.column_stack((np.full(segments, low), after, here))
        top_fan = np.column_stack((np.full(segments, high), top + here, top + after))
        vertices = np.concatenate((vertices, poles))
        triangles = np.concatenate((triangles, bottom_fan, top_fan))
    return _solid(_along(vertices, axis), triangles, material)


def drum(
    radius: float,
    span: Point2,
    material: str,
    axis: str = "z",
    bevel: float = 0.0,
    steps: int = 3,
    segments: int = 48,
    hold: float = 0.0,
) -> Solid:
    """Return a cylinder over ``span`` with rounded rims.

    ``hold`` adds narrow bands beside the rims, so that faces stay evenly shaded in programs that smooth normals.
    """
    low, high = span
    if bevel == 0.0:
        return lathe(np.array([(0, low), (radius, low), (radius, high), (0, high)]), material, axis, segments)
    corners = [(0.0, low), (radius, low), (radius, high), (0.0, high)]
    profile = rounded(corners, bevel, steps, closed=False)
    if hold > 0.0:
        flat, wall = radius - bevel - hold, bevel + hold
        rims = np.split(profile[1:-1], 2)
        profile = np.concatenate(
            (
                [(0.0, low), (flat, low)],
                rims[0],
                [(radius, low + wall), (radius, high - wall)],
                rims[1],
                [(flat, high), (0.0, high)],
            )
        )
    return lathe(profile, material, axis, segments)


def ring(inner: float, outer: float, span: Point2, material: str, axis: str = "z", segments: int = 48) -> Solid:
    """Return a flat ring with a small chamfer on its outer rim."""
    low, high = span
    cut = min(0.2 * (high - low), 0.25 * (outer - inner))
    profile = [(inner, low), (outer - cut, low), (outer, low + cut), (outer, high - cut), (outer - cut, high)]
    return lathe(np.array([*profile, (inner, high)]), material, axis, segments)


def extrude(
    outline: Outline,
    span: Point2,
    material: str,
    axis: str = "z",
    bevel: float = 0.0,
    steps: int = 3,
    hold: float = 0.0,
) -> Solid:
    """Extrude an outline over ``span`` of an axis, with rounded rims.

    Args:
        outline: In (x, y) for axis z, (y, z) for axis x, (x, z) for axis y.
        span: Lower and upper end on the axis.
        material: Name of a colour.
        axis: ``x``, ``y`` or ``z``.
        bevel: Radius of the rims; less than any radius of the outline's convex corners.
        steps: Straight pieces of each rim.
        hold: As in ``drum``.
    """
    if axis == "y":
        outline = outline[::-1, ::-1]
    low, high = span
    insets, depths = [0.0], [0.0]
    if bevel > 0.0:
        turn = np.linspace(0.0, math.pi / 2.0, steps + 1)
        insets, depths = list(bevel * (1.0 - np.sin(turn))), list(bevel * (1.0 - np.cos(turn)))
        if hold > 0.0:
            insets, depths = [bevel + hold, *insets, 0.0], [0.0, *depths, bevel + hold]
    heights = [low + d for d in depths] + [high - d for d in reversed(depths)]
    loops = [np.round(inset(outline, d), DECIMALS) for d in [*insets, *reversed(insets)]]
    count = len(outline)
    vertices = np.concatenate(
        [np.column_stack((loop, np.full(count, h))) for loop, h in zip(loops, heights, strict=True)]
    )
    cap = np.array(triangulate(loops[0]))
    triangles = np.concatenate((_strips(len(loops), count), cap[:, ::-1], cap + count * (len(loops) - 1)))
    return _solid(_along(vertices, axis), triangles, material)


def block(
    x: Point2,
    y: Point2,
    z: Point2,
    material: str,
    axis: str = "z",
    corner: float = 0.006,
    bevel: float = 0.003,
    steps: int = 3,
    hold: float = 0.0,
) -> Solid:
    """Return a box with rounded corners about ``axis`` and rounded rims."""
    u, v, span = {"z": (x, y, z), "x": (y, z, x), "y": (x, z, y)}[axis]
    return extrude(rectangle(u, v, corner, steps + 1), span, material, axis, bevel, steps, hold)


def screw(radius: float, span: Point2, material: str, axis: str = "z", flip: bool = False) -> Solid:
    """Return a cap screw with a socket in its upper end, or in its lower end where ``flip``."""
    low, high = span
    depth, rim = 0.5 * (high - low), 0.15 * radius
    profile = np.array(
        [
            (0.0, low),
            (radius, low),
            (radius, high - rim),
            (radius - rim, high),
            (0.55 * radius, high),
            (0.5 * radius, high - depth),
            (0.0, high - depth),
        ]
    )
    if flip:
        profile = profile[::-1] * (1.0, -1.0) + (0.0, low + high)
    return lathe(profile, material, axis, segments=12)


def hexagon_bolt(radius: float, span: Point2, material: str) -> Solid:
    """Return a hexagonal bolt head along z."""
    return extrude(circle(radius, 6), span, material, bevel=0.12 * radius, steps=1)


def repeated(solid: Solid, places: Sequence[Vec3]) -> list[Solid]:
    """Return copies of a solid, one moved to each place."""
    return [solid.moved(*place) for place in places]
