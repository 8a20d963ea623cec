# SPDX-License-Identifier: GPL-3.0-or-later
"""Planar arms of two and three links, in closed form.

Source: formalism, section 4.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Self

import numpy as np

from ..errors import ModelError

_BOUNDARY = 1e-12
_MEETS = 1e-9
_FREE = "{joint} is free: the two lengths are equal and the target is at the shoulder"


class PlanarSolutions(np.ndarray[tuple[int, int], np.dtype[np.float64]]):
    """Solutions as rows [rad], shape (k, n), angles in (-pi, pi].

    Attributes:
        free_joint: The joint that may have any value here, such as ``q1``; empty where all are determined.
            The rows hold one choice of it.
        note: What there is to say: out of reach, on the boundary, a joint free; empty otherwise.
    """

    free_joint: str
    note: str

    def __new__(cls, rows: Iterable[tuple[float, ...]], joints: int, free_joint: str = "", note: str = "") -> Self:
        """Return the rows as an array with remarks."""
        made = np.array(list(rows), dtype=np.float64).reshape(-1, joints).view(cls)
        made.free_joint, made.note = free_joint, note
        return made

    def __array_finalize__(self, source: object) -> None:
        self.free_joint = getattr(source, "free_joint", "")
        self.note = getattr(source, "note", "")


def planar_two_link(l1: float, l2: float, px: float, py: float, phi: float | None = None) -> PlanarSolutions:
    """Return all ``(q1, q2)``, shape (k, 2), that put the end of a planar two-link arm at ``(px, py)``.

    Two rows in general, one where the arm is stretched or folded, none out of reach. Where a joint can have any value
    (equal lengths and the target at the shoulder), ``free_joint`` of the result names it and there is one row.

    >>> from urdf_rig import core
    >>> np.round(np.degrees(core.planar_two_link(1.0, 1.0, 1.0, 1.0))) + 0.0
    PlanarSolutions([[  0.,  90.],
                     [ 90., -90.]])

    Args:
        l1: Length of the first link [m].
        l2: Length of the second link [m].
        px: Target [m].
        py: Target [m].
        phi: Direction ``q1 + q2`` of the second link [rad]; only rows that meet it (to 1e-9 rad) are returned.

    Raises:
        ModelError: If a length is negative, both are 0, or a number is not finite.
    """
    _check((l1, l2), (px, py, 0.0 if phi is None else phi))
    distance, total = math.hypot(px, py), l1 + l2
    edge = _BOUNDARY * total
    if abs(l1 - l2) <= edge and distance <= edge:
        if phi is None:
            return PlanarSolutions([(0.0, math.pi)], 2, "q1", _FREE.format(joint="q1"))
        return PlanarSolutions([(wrapped(phi - math.pi), math.pi)], 2, note="folded onto the shoulder")
    if distance > total + edge or distance < abs(l1 - l2) - edge:
        return PlanarSolutions([], 2, note="out of reach")
    if min(l1, l2) <= edge:
        return _one_length(l2 > l1, px, py, phi)
    rows, note = _elbows(l1, l2, px, py, edge)
    if phi is not None:
        rows = [row for row in rows if abs(wrapped(row[0] + row[1] - phi)) <= _MEETS]
        note = note if rows else "the target is in reach, but not with this direction"
    return PlanarSolutions(rows, 2, note=note)


def planar_three_link(l1: float, l2: float, l3: float, px: float, py: float, phi: float) -> PlanarSolutions:
    """Return all ``(q1, q2, q3)``, shape (k, 3), that put the end at ``(px, py)`` in the direction ``phi``.

    Args:
        l1: Length of the first link [m].
        l2: Length of the second link [m].
        l3: Length of the third link [m].
        px: Target [m].
        py: Target [m].
        phi: Direction ``q1 + q2 + q3`` of the third link [rad].

    Raises:
        ModelError: If a length is negative, the first two are both 0, or a number is not finite.
    """
    _check((l1, l2, l3), (px, py, phi))
    two = planar_two_link(l1, l2, px - l3 * math.cos(phi), py - l3 * math.sin(phi))
    rows = [(float(q1), float(q2), wrapped(phi - float(q1) - float(q2))) for q1, q2 in two]
    return PlanarSolutions(rows, 3, two.free_joint, two.note)


def wrapped(angle: float) -> float:
    """Return the angle [rad] less whole turns, in (-pi, pi]."""
    inside = math.remainder(angle, math.tau)
    return math.pi if inside <= -math.pi else inside


def _check(lengths: tuple[float, ...], others: tuple[float, ...]) -> None:
    if not all(map(math.isfinite, (*lengths, *others))):
        raise ModelError("lengths, target and direction have to be finite numbers")
    if min(lengths) < 0.0 or max(lengths[:2]) == 0.0:
        raise ModelError(f"lengths {lengths} can't be those of an arm")


def _one_length(second: bool, px: float, py: float, phi: float | None) -> PlanarSolutions:
    """Return the solutions of an arm of which one link has no length: a circle, and a joint that moves nothing."""
    toward = math.atan2(py, px)
    if not second:  # the end is the elbow
        q2 = 0.0 if phi is None else wrapped(phi - toward)
        free = "q2" if phi is None else ""
        return PlanarSolutions([(toward, q2)], 2, free, "the second link has no length")
    if phi is None:
        return PlanarSolutions([(0.0, toward)], 2, "q1", "the first link has no length: only q1 + q2 matters")
    meets = abs(wrapped(toward - phi)) <= _MEETS
    return PlanarSolutions([(0.0, toward)] if meets else [], 2, "q1" if meets else "", "the first link has no length")


def _elbows(l1: float, l2: float, px: float, py: float, edge: float) -> tuple[list[tuple[float, float]], str]:
    distance = math.hypot(px, py)
    if abs(distance - (l1 + l2)) <= edge:
        angles, note = [0.0], "on the boundary: the arm is stretched"
    elif abs(distance - abs(l1 - l2)) <= edge:
        angles, note = [math.pi], "on the boundary: the arm is folded"
    else:
        # tan(q2/2), which unlike the arc cosine loses no digits near the boundary
        outer = (l1 + l2 - distance) * (l1 + l2 + distance)
        inner = (distance - l1 + l2) * (distance + l1 - l2)
        angle = 2.0 * math.atan2(math.sqrt(outer), math.sqrt(inner))
        angles, note = [angle, -angle], ""
    rows = []
    for q2 in angles:
        sine = 0.0 if q2 == math.pi else math.sin(q2)
        rows.append((wrapped(math.atan2(py, px) - math.atan2(l2 * sine, l1 + l2 * math.cos(q2))), q2))
    return rows, note
