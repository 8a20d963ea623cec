# SPDX-License-Identifier: GPL-3.0-or-later
"""Six revolute axes and the displacement that they have to make: ``E1 E2 E3 E4 E5 E6 = G``.

``Ei`` turns about axis i by qi; with M the frame's pose at q = 0, ``G = B_H_F* M^-1`` (product of exponentials). A loop
may be entered anywhere: ``E2 … E6 (G^-1 E1 G) = G``, so that one solver for a wrist at the end serves arms that have
their spherical wrist, or their three parallel axes, anywhere.

Source: R. W. Brockett, "Robotic manipulators and the product of exponentials formula", 1984.
"""

from __future__ import annotations

from dataclasses import dataclass

from .subproblems import SLACK
from .vectors import R9, V3, common_normal, cross, dot, minus, norm, times_transposed

Candidate = tuple[tuple[float, ...], tuple[int, ...]]
"""Angles, and the places of those that may be anything."""


@dataclass(frozen=True, slots=True)
class Axes:
    """The six axes at q = 0 in the base's frame: unit directions and a point on each."""

    h: tuple[V3, ...]
    p: tuple[V3, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """What a closed form solves.

    Attributes:
        h: Directions of the axes, unit vectors.
        p: A point on each.
        rotation: Rotation of G.
        shift: Translation of G [m].
        center: The wrist's centre, where the last three axes meet; of no use for parallel axes.
        reference: The angle to take for a joint that may have any.
        slack: How far an equation may be from having a root, relative to its size.
    """

    h: tuple[V3, ...]
    p: tuple[V3, ...]
    rotation: R9
    shift: V3
    center: V3
    reference: tuple[float, ...]
    slack: float = SLACK


def entered_at(
    axes: Axes, start: int, rotation: R9, shift: V3, center: V3, reference: tuple[float, ...], slack: float
) -> Loop:
    """Return the loop that begins with the axis ``start``; the centre is that of the axes at q = 0."""
    if start == 0:
        return Loop(axes.h, axes.p, rotation, shift, center, reference, slack)

    def carried(point: V3) -> V3:
        return times_transposed(rotation, minus(point, shift))

    h = axes.h[start:] + tuple(times_transposed(rotation, axis) for axis in axes.h[:start])
    p = axes.p[start:] + tuple(carried(point) for point in axes.p[:start])
    # the spherical wrist, which ends the loop, is among the axes that were carried
    return Loop(h, p, rotation, shift, carried(center), reference[start:] + reference[:start], slack)


def meeting_point(h: tuple[V3, ...], p: tuple[V3, ...]) -> tuple[V3, float]:
    """Return the point nearest to three lines, of which the first two are not parallel, and how far it is from one.

    It is the middle of where the pairs of neighbours come nearest.
    """
    near = [*common_normal(h[0], p[0], h[1], p[1]), *common_normal(h[1], p[1], h[2], p[2])]
    center = tuple(sum(point[i] for point in near) / 4.0 for i in range(3))
    at: V3 = (center[0], center[1], center[2])
    return at, max(norm(cross(axis, minus(at, through))) for axis, through in zip(h, p, strict=True))


def angle_apart(h1: V3, h2: V3) -> float:
    """Return the sine of the angle between two lines."""
    return norm(cross(h1, h2))


def same_way(h1: V3, h2: V3) -> float:
    """Return +1 where two parallel directions agree, -1 where they are opposite."""
    return 1.0 if dot(h1, h2) >= 0.0 else -1.0
