# SPDX-License-Identifier: GPL-3.0-or-later
"""Arms of two or three revolute joints that have a closed form: planar ones, and three joints to a position.

A planar arm's axes are parallel. Seen along them, with ``a`` the points where they pierce the plane and ``alpha`` the
directions of the links at q = 0,

    q1' = alpha1 + s1 q1      q2' = alpha2 - alpha1 + s2 q2      q3' = s3 q3

are the angles of the planar arm of formalism, section 4; s is -1 where an axis points the other way.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ..spatial import Array
from .arm import axes_of
from .loop import Axes, Candidate, Loop, angle_apart, same_way
from .path import Path
from .planar import PlanarSolutions, planar_three_link, planar_two_link
from .spherical import first_three
from .vectors import IDENTITY, V3, any_normal, cross, dot, minus

_PARALLEL = 1e-9
_SMALLEST = 1e-9


class FewFamily(StrEnum):
    """The arms of two and three joints that have a closed form."""

    TWO_LINKS = "planar arm of two links"
    THREE_LINKS = "planar arm of three links"
    POSITION = "three joints to a position"


@dataclass(frozen=True, slots=True, eq=False)
class FewJoints:
    """A path whose two or three moving joints have a closed form.

    Attributes:
        path: All the path's joints.
        moving: Places on the path of those that move, in order.
        given: Values on the path of the others, by place.
        axes: The axes.
        home: The frame's pose with the moving joints at 0, shape (4, 4).
        family: The closed form.
        position_only: Whether the target is a position.
    """

    path: Path
    moving: tuple[int, ...]
    given: Mapping[int, float]
    axes: Axes
    home: Array
    family: FewFamily
    position_only: bool
    start: int = 0
    deviation: float = 0.0

    def candidates(self, base_h_frame: Array, reference: tuple[float, ...]) -> list[Candidate]:
        """Return candidates for the angles, some perhaps wrong, and which of them may be anything."""
        if self.family is FewFamily.POSITION:
            return list(self._to_position(base_h_frame[:3, 3].tolist(), reference))
        return self._planar(base_h_frame)

    def _to_position(self, target: list[float], reference: tuple[float, ...]) -> Iterator[Candidate]:
        tip: V3 = tuple(self.home[:3, 3].tolist())
        shift = target[0] - tip[0], target[1] - tip[1], target[2] - tip[2]
        yield from first_three(Loop(self.axes.h, self.axes.p, IDENTITY, shift, tip, reference))

    def _planar(self, base_h_frame: Array) -> list[Candidate]:
        h, p = self.axes.h, self.axes.p
        x = any_normal(h[0])
        plane = np.array([x, cross(h[0], x)])
        moved = base_h_frame @ np.linalg.inv(self.home)
        turned = plane @ moved[:3, :3] @ plane.T
        angle = math.atan2(turned[1, 0], turned[0, 0])
        tip = self.home[:3, 3] if self.position_only else np.array(p[-1])
        gx, gy = (plane @ ((moved @ [*tip, 1.0])[:3] - p[0])).tolist()
        points = [plane @ point for point in (*p, tip)]
        links = [points[i + 1] - points[i] for i in (0, 1)]
        l1, l2 = (math.hypot(*link) for link in links)
        alpha = [math.atan2(link[1], link[0]) for link in links]
        if len(h) == 3:
            found = planar_three_link(l1, l2, 0.0, gx, gy, alpha[1] + angle)
        elif self.position_only:
            found = planar_two_link(l1, l2, gx, gy)
        else:  # the second axis is carried by the first joint only
            toward = math.atan2(gy, gx)
            found = PlanarSolutions([(toward, angle - toward + alpha[0])], 2)
            alpha[1] = alpha[0]
        return self._own(found, [alpha[0], alpha[1] - alpha[0], 0.0])

    def _own(self, found: PlanarSolutions, at_zero: list[float]) -> list[Candidate]:
        signs = [same_way(self.axes.h[0], axis) for axis in self.axes.h]
        free = (int(found.free_joint[1:]) - 1,) if found.free_joint else ()
        return [
            (tuple(s * (value - zero) for s, value, zero in zip(signs, row, at_zero, strict=False)), free)
            for row in found.tolist()
        ]


def few_joints_of(path: Path, given: Mapping[int, float], position_only: bool) -> FewJoints | None:
    """Return the path as an arm of two or three joints with a closed form, or None where it is none.

    Args:
        path: Any path.
        given: Values [rad or m] of joints of the path that are not to move, by their place on it.
        position_only: Whether targets are positions.
    """
    moving = tuple(place for place in range(len(path.joints)) if place not in given)
    if len(moving) not in (2, 3) or not path.is_plain() or not all(path.joints[place].type.turns for place in moving):
        return None
    axes, home = axes_of(path, given)
    planar = max(angle_apart(axes.h[0], axis) for axis in axes.h[1:]) <= _PARALLEL
    if position_only and len(moving) == 3:  # three parallel joints have one more than a position needs
        return None if planar else FewJoints(path, moving, dict(given), axes, home, FewFamily.POSITION, True)
    if not planar:
        return None
    end = (*home[:3, 3].tolist(),) if position_only else axes.p[-1]
    links = [minus(b, a) for a, b in zip(axes.p, (*axes.p[1:], end), strict=True)]
    across = [math.sqrt(max(0.0, dot(link, link) - dot(link, axes.h[0]) ** 2)) for link in links]
    if min(across[: len(moving) - (not position_only)]) < _SMALLEST:
        return None
    family = FewFamily.TWO_LINKS if len(moving) == 2 else FewFamily.THREE_LINKS
    return FewJoints(path, moving, dict(given), axes, home, family, position_only)
