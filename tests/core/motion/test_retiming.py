# SPDX-License-Identifier: GPL-3.0-or-later
"""The smallest stretch of a motion, and times after it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.motion import JointMotion
from urdf_rig.core.motion.checking import check_motion
from urdf_rig.core.motion.limits import MotionLimits
from urdf_rig.core.motion.retiming import needed_stretch

NAMES = ("a", "b")


def limits(velocity=math.inf, acceleration=math.inf):
    ends = np.full(2, np.inf)
    return MotionLimits(NAMES, np.ones(2, bool), -ends, ends, np.full(2, velocity), np.full(2, acceleration))


def test_velocity_goes_with_the_factor_and_acceleration_with_its_square():
    times = np.arange(50) / 25.0
    motion = JointMotion(NAMES, times, np.column_stack([0.5 * 8.0 * times**2, np.zeros(50)]))
    by_acceleration = needed_stretch(motion, limits(acceleration=2.0))
    assert by_acceleration.factor == pytest.approx(2.0)
    assert (by_acceleration.joint, by_acceleration.by) == ("a", "acceleration")
    by_velocity = needed_stretch(motion, limits(velocity=2.0))
    assert by_velocity.factor == pytest.approx(8.0 * (times[-2] + times[-1]) / 2.0 / 2.0)
    assert (by_velocity.index, by_velocity.by) == (48, "velocity")


def test_a_motion_within_its_limits_is_not_stretched():
    motion = JointMotion(NAMES, np.arange(3.0), np.zeros((3, 2)))
    assert needed_stretch(motion, limits(1.0, 1.0)).factor == 1.0
    assert needed_stretch(JointMotion(NAMES, np.zeros(1), np.zeros((1, 2))), limits(1.0)).factor == 1.0


def test_only_the_range_counts():
    q = np.array([0.0, 5.0, 5.5, 6.0, 6.0, 6.0, 6.0, 9.0])
    motion = JointMotion(NAMES, np.arange(8.0), np.column_stack([np.zeros(8), q]))
    stretch = needed_stretch(motion, limits(0.25), 1, 5)
    assert (stretch.factor, stretch.joint, stretch.index) == (2.0, "b", 1)


@given(st.lists(st.floats(-3.0, 3.0), min_size=3, max_size=30), st.floats(0.05, 5.0), st.floats(0.05, 20.0))
def test_the_stretched_samples_pass_and_nothing_less_does(values, velocity, acceleration):
    q = np.column_stack([values, np.zeros(len(values))])
    motion = JointMotion(NAMES, np.arange(len(values)) / 24.0, q)
    bounds = limits(velocity, acceleration)
    factor = needed_stretch(motion, bounds).factor
    slow = JointMotion(NAMES, motion.times * factor, q)
    assert check_motion(slow, bounds).items == ()
    if factor > 1.01:
        fast = JointMotion(NAMES, motion.times * factor * 0.995, q)
        assert needed_stretch(fast, bounds).factor == pytest.approx(1.0 / 0.995)
