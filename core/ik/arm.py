# SPDX-License-Identifier: GPL-3.0-or-later
"""Six revolute joints recognised as an arm that has a closed form.

The class is read off the axes at q = 0, whatever convention the model was written in: three neighbouring axes that meet
in a point, or three neighbouring axes that are parallel. A joint that is given a value is part of the links.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np

from ..spatial import Array, inverse
from .loop import Axes, Loop, angle_apart, entered_at, meeting_point
from .path import Path
from .subproblems import SLACK
from .vectors import R9, V3, cross, minus, norm

EXACT = 1e-9
NEARLY = 0.02


class Family(StrEnum):
    """The arms that have a closed form."""

    SPHERICAL = "three axes that meet in a point"
    PARALLEL = "three parallel axes"


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """A path whose six moving joints have a closed form.

    Attributes:
        path: All the path's joints.
        moving: Places on the path of the six, in order.
        given: Values on the path of the others, by place.
        axes: The six axes.
        home: Inverse of the frame's pose with the six at 0, shape (4, 4).
        family: The closed form.
        start: Which of the six axes the loop is entered at.
        center: Where the three axes meet; the origin for parallel ones.
        deviation: How far the three axes are from meeting, as a part of the arm's size, or from being parallel [rad].
        position_only: Whether the target is a position, which for six joints it is not.
    """

    path: Path
    moving: tuple[int, ...]
    given: Mapping[int, float]
    axes: Axes
    home: Array
    family: Family
    start: int
    center: V3
    deviation: float
    position_only: bool = False

    def loop(self, base_h_frame: Array, reference: tuple[float, ...]) -> Loop:
        """Return the equations for a target, shape (4, 4); the reference is one value for each of the six."""
        goal = base_h_frame @ self.home
        a, b, c, x, d, e, f, y, g, h, i, z = goal[:3].ravel().tolist()
        rotation: R9 = (a, b, c, d, e, f, g, h, i)
        slack = max(SLACK, 20.0 * self.deviation) if self.deviation > EXACT else SLACK
        return entered_at(self.axes, self.start, rotation, (x, y, z), self.center, reference, slack)


def arm_of(path: Path, given: Mapping[int, float], tolerance: float = NEARLY) -> Arm | None:
    """Return the path as an arm with a closed form, or None where it is none.

    Args:
        path: Any path.
        given: Values [rad or m] of joints of the path that are not to move, by their place on it.
        tolerance: Largest deviation, as ``Arm.deviation``.
    """
    moving = tuple(place for place in range(len(path.joints)) if place not in given)
    if len(moving) != 6 or not path.is_plain() or not all(path.joints[place].type.turns for place in moving):
        return None
    axes, home = axes_of(path, given)
    found = _family(axes)
    if found is None or found[3] > tolerance:
        return None
    family, start, center, deviation = found
    return Arm(path, moving, dict(given), axes, inverse(home), family, start, center, deviation)


def axes_of(path: Path, given: Mapping[int, float]) -> tuple[Axes, Array]:
    """Return the axes of the joints that are not given, and the frame's pose, with those at 0."""
    at = path.first
    h: list[V3] = []
    p: list[V3] = []
    for place, constant in enumerate(path.constants):
        if place in given:
            at = at @ _motion(path.joints[place].type.turns, given[place]) @ constant
            continue
        x, y, z = at[:3, 2].tolist()
        size = math.sqrt(x * x + y * y + z * z)
        h.append((x / size, y / size, z / size))
        x, y, z = at[:3, 3].tolist()
        p.append((x, y, z))
        at = at @ constant
    return Axes(tuple(h), tuple(p)), at


def _motion(turns: bool, value: float) -> Array:
    out = np.eye(4)
    if turns:
        out[0, 0] = out[1, 1] = math.cos(value)
        out[1, 0] = math.sin(value)
        out[0, 1] = -out[1, 0]
    else:
        out[2, 3] = value
    return out


@lru_cache(maxsize=256)
def _family(axes: Axes) -> tuple[Family, int, V3, float] | None:
    """Return the closed form that the axes come nearest to: family, start of the loop, centre, deviation."""
    h, p = axes.h, axes.p
    size = sum(norm(cross(h[i], minus(p[i + 1], p[i]))) for i in range(5)) or 1.0
    found: list[tuple[float, Family, int, V3]] = []
    for first in (3, 0, 1, 2):  # a wrist at the end needs no detour around the loop
        three, points = h[first : first + 3], p[first : first + 3]
        apart = (angle_apart(three[0], three[1]), angle_apart(three[1], three[2]))
        if min(apart) > 0.1:
            center, distance = meeting_point(three, points)
            if distance <= EXACT * size:
                return Family.SPHERICAL, (first + 3) % 6, center, distance / size
            found.append((distance / size, Family.SPHERICAL, (first + 3) % 6, center))
        elif max(apart) < 0.1:
            found.append((max(apart), Family.PARALLEL, (first + 5) % 6, (0.0, 0.0, 0.0)))
    if not found:
        return None
    deviation, family, start, center = min(found, key=lambda item: (max(item[0], EXACT), item[1].value, item[2]))
    return family, start, center, deviation
