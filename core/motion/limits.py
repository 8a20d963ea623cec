# SPDX-License-Identifier: GPL-3.0-or-later
"""What a robot's joints allow: by its description, and by a file of joint limits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..diagnostics import Diagnostic, Level
from ..model import Joint, Robot
from ..urdf.remarks import listed
from .joint_motion import Array


@dataclass(frozen=True, slots=True)
class Override:
    """What a file says of one joint, in rad or m and per second; None where it is silent, infinite for *no limit*."""

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    acceleration: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MotionLimits:
    """Limits of n joints as arrays of shape (n,), infinite where there is none.

    Attributes:
        joints: Names.
        turns: Which of the values are angles.
        lower, upper: Range [rad or m].
        velocity, acceleration: Greatest magnitudes [rad/s or m/s, and /s²].
        diagnostics: Remarks.
    """

    joints: tuple[str, ...]
    turns: NDArray[np.bool_]
    lower: Array
    upper: Array
    velocity: Array
    acceleration: Array
    diagnostics: tuple[Diagnostic, ...] = ()


def motion_limits(robot: Robot, joints: Sequence[str], overrides: Mapping[str, Override] | None = None) -> MotionLimits:
    """Return the limits of some of a robot's scalar joints.

    A velocity or acceleration of 0 in a description is what many exporters write for *not known*, and no limit, as in
    MoveIt (``JointModel`` bounds a velocity only above 0). An override wins over the description.

    Args:
        robot: The robot.
        joints: Names of scalar joints; followers too.
        overrides: What a file of joint limits says, by joint.

    Raises:
        UnknownNameError: If the robot has no such joint.
    """
    rows = [_limits(robot.joint(name), (overrides or {}).get(name, Override())) for name in joints]
    lower, upper, velocity, acceleration = np.array(rows, dtype=np.float64).reshape(-1, 4).T
    turns = np.array([robot.joint(name).type.turns for name in joints], dtype=bool)
    remarks = []
    unlimited = [name for name, rate in zip(joints, velocity, strict=True) if not math.isfinite(rate)]
    if unlimited:
        text = f"no velocity limit is known for {listed(unlimited, 8)}: only their jumps are looked for"
        remarks.append(Diagnostic(Level.INFO, text, str(robot.source or "")))
    return MotionLimits(tuple(joints), turns, lower, upper, velocity, acceleration, tuple(remarks))


def _limits(joint: Joint, override: Override) -> tuple[float, float, float, float]:
    given = joint.limit
    lower, upper = joint.range or (-math.inf, math.inf)
    velocity = (given and given.velocity) or math.inf
    acceleration = (given and given.acceleration) or math.inf
    return (
        lower if override.lower is None else override.lower,
        upper if override.upper is None else override.upper,
        velocity if override.velocity is None else override.velocity,
        acceleration if override.acceleration is None else override.acceleration,
    )
