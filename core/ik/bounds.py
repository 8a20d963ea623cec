# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds of the free joints, with those that the joints which follow them imply."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from ..errors import ModelError
from ..kinematics.configuration import coupling
from ..model import Robot
from ..spatial import Array

_BOUNDS: WeakKeyDictionary[Robot, tuple[Array, Array]] = WeakKeyDictionary()


def joint_bounds(robot: Robot) -> tuple[Array, Array]:
    """Return the bounds of ``robot.dofs``, shapes (n,), infinite where there are none; read-only.

    Raises:
        ModelError: If the limits of a joint and of those that follow it leave it no value at all.
    """
    if robot not in _BOUNDS:
        _BOUNDS[robot] = _bounds(robot)
    return _BOUNDS[robot]


def _bounds(robot: Robot) -> tuple[Array, Array]:
    rule = coupling(robot)
    lower, upper = np.full(len(rule.dofs), -np.inf), np.full(len(rule.dofs), np.inf)
    for row, name in enumerate(rule.names):
        limits = robot.joint(name).range
        factor = float(rule.multiplier[row])
        if limits is None or factor == 0.0:
            continue
        ends = sorted((limit - float(rule.offset[row])) / factor for limit in limits)
        leader = rule.leader[row]
        lower[leader], upper[leader] = max(lower[leader], ends[0]), min(upper[leader], ends[1])
    for name, low, high in zip(rule.dofs, lower, upper, strict=True):
        if low > high:
            raise ModelError(f"the limits of joint {name!r} and of its followers leave it no value")
    lower.setflags(write=False)
    upper.setflags(write=False)
    return lower, upper
