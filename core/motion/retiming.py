# SPDX-License-Identifier: GPL-3.0-or-later
"""How much slower a motion must be for a robot to follow it.

With time stretched by s the path stays, a velocity becomes 1/s and an acceleration 1/s² of what it was. The smallest s
that respects all limits is therefore ``max(1, max |v| / v_limit, max sqrt(|a| / a_limit))``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .checking import motion_rates
from .joint_motion import JointMotion
from .limits import MotionLimits


@dataclass(frozen=True, slots=True)
class Stretch:
    """By what a motion must be stretched, and what demands it.

    Attributes:
        factor: At least 1.
        joint: The joint that demands it; empty where none does.
        index: The sample where it does.
        by: ``velocity`` or ``acceleration``.
    """

    factor: float = 1.0
    joint: str = ""
    index: int = 0
    by: str = ""


def needed_stretch(motion: JointMotion, limits: MotionLimits, first: int = 0, last: int | None = None) -> Stretch:
    """Return the smallest stretch after which the samples keep all velocity and acceleration limits.

    Args:
        motion: The motion.
        limits: For its joints, in its order.
        first: The first sample that is stretched.
        last: The last one; the motion's where None.
    """
    if len(motion.times) < 2:
        return Stretch()
    rates = motion_rates(motion)
    end = len(motion.times) - 1 if last is None else last
    best = Stretch()
    velocity = np.abs(rates.velocity[first:end]) / limits.velocity
    # at a sample i the acceleration is row i - 1
    inner = slice(max(first - 1, 0), max(end, 0))
    acceleration = np.sqrt(np.abs(rates.acceleration[inner]) / limits.acceleration)
    for factors, shift, by in ((velocity, first, "velocity"), (acceleration, inner.start + 1, "acceleration")):
        if factors.size and factors.max() > best.factor:
            row, column = np.unravel_index(int(factors.argmax()), factors.shape)
            best = Stretch(float(factors[row, column]), motion.joints[int(column)], int(row) + shift, by)
    return best
