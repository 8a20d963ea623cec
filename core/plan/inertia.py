# SPDX-License-Identifier: GPL-3.0-or-later
"""What shows the links' masses: a ball at each centre of mass, and the box that has the link's inertia."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kinematics.inertia_box import inertia_box
from ..model import Link, Robot

Array = NDArray[np.float64]

_STEEL = 7850.0
_SMALLEST_BALL, _LARGEST_BALL = 1e-3, 1.0
_THINNEST = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class InertiaPlan:
    """What is drawn for one link's ``<inertial>``.

    Attributes:
        link: The link.
        radius: Radius [m] of the ball at the centre of mass: as large as its mass in steel.
        link_h_box: Pose ``L_H_K`` of the box in the link's frame, (4, 4): centre of mass and principal axes.
        size: Full side lengths [m] of the box, (3,), thick enough to be seen; None where there is no box.
        remark: Why the box has not exactly the inertia; empty where it has.
    """

    link: str
    radius: float
    link_h_box: Array
    size: Array | None
    remark: str


def plan_inertia(robot: Robot) -> tuple[InertiaPlan, ...]:
    """Return the plans of all links that have an ``<inertial>``, in document order."""
    plans = (_planned(link) for link in robot.links)
    return tuple(plan for plan in plans if plan is not None)


def _planned(link: Link) -> InertiaPlan | None:
    if link.inertial is None:
        return None
    box = inertia_box(link.inertial)
    radius = math.cbrt(3.0 * max(link.inertial.mass, 0.0) / (4.0 * math.pi * _STEEL))
    return InertiaPlan(
        link=link.name,
        radius=min(max(radius, _SMALLEST_BALL), _LARGEST_BALL),
        link_h_box=box.link_h_box,
        size=np.maximum(box.size, _THINNEST) if box.size.any() else None,
        remark=box.remark,
    )
