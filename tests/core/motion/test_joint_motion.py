# SPDX-License-Identifier: GPL-3.0-or-later
"""Interpolation, resampling and choice of joints, against values known by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.motion import JointMotion, MotionError


def wheel():
    """Three whole turns and back, with a second joint that stands still."""
    return JointMotion(("wheel", "still"), [0.0, 1.0, 3.0], [[0.0, 2.0], [6 * math.pi, 2.0], [0.0, 2.0]])


def test_between_samples_a_value_is_linear_and_turns_are_kept():
    got = wheel().at([0.25, 1.0, 2.0, 2.5])
    assert got.positions[:, 0] == pytest.approx(np.array([1.5, 6.0, 3.0, 1.5]) * math.pi)
    assert got.positions[:, 1].tolist() == [2.0] * 4


def test_outside_the_samples_the_value_stays():
    assert wheel().at([-5.0, 9.0]).positions[:, 0].tolist() == [0.0, 0.0]


def test_resampling_keeps_both_ends():
    got = wheel().resampled(2.0)
    assert got.times.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]
    assert got.positions[:, 0] == pytest.approx(np.array([0, 3, 6, 4.5, 3, 1.5, 0]) * math.pi)
    assert wheel().resampled(0.5).times.tolist() == [0.0, 2.0, 3.0]
    # a rate that does not meet the end only by rounding adds no second sample there
    tenths = JointMotion(("a",), np.arange(11) * 0.1 + 0.7, np.arange(11.0)[:, None]).resampled(10.0)
    assert len(tenths.times) == 11 and tenths.positions[:, 0] == pytest.approx(np.arange(11.0))


@pytest.mark.parametrize("rate", [0.0, -1.0, math.nan, math.inf, 1e12])
def test_rates_that_make_no_motion_are_refused(rate):
    with pytest.raises(MotionError):
        wheel().resampled(rate)


def test_shift_scale_and_choice():
    motion = JointMotion(("a", "b"), [0.0, 1.0], [[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]])
    assert motion.shifted(-2.5).times.tolist() == [-2.5, -1.5]
    swapped = motion.of_joints(["b", "a"]).scaled([10.0, 1.0])
    assert swapped.positions.tolist() == [[20.0, 1.0], [40.0, 3.0]]
    assert swapped.velocities.tolist() == [[60.0, 5.0], [80.0, 7.0]] and swapped.accelerations is None
    with pytest.raises(MotionError, match="no joint 'c'"):
        motion.of_joints(["c"])


@pytest.mark.parametrize(
    ("joints", "times", "positions", "words"),
    [
        (("a",), [], np.zeros((0, 1)), "no samples"),
        (("a",), [0.0, 0.0], [[1.0], [2.0]], "time must go on"),
        (("a",), [0.0, math.nan], [[1.0], [2.0]], "time must go on"),
        (("a",), [0.0], [[math.inf]], "finite"),
        (("a",), [0.0], [[1.0, 2.0]], "shape"),
        (("a", "a"), [0.0], [[1.0, 2.0]], "twice"),
    ],
)
def test_what_is_no_motion(joints, times, positions, words):
    with pytest.raises(MotionError, match=words):
        JointMotion(joints, times, positions)


def test_a_motion_cannot_be_changed_by_who_gave_its_arrays():
    times, positions = np.array([0.0, 1.0]), np.array([[1.0], [2.0]])
    motion = JointMotion(("a",), times, positions)
    positions[:] = 9.0
    assert motion.positions.tolist() == [[1.0], [2.0]]
    with pytest.raises(ValueError, match="read-only"):
        motion.positions[0, 0] = 3.0


@given(
    st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=8),
    st.floats(0.0, 1.0),
    st.integers(0, 6),
)
def test_no_value_lies_beyond_its_neighbours(values, share, segment):
    times = np.arange(len(values), dtype=float)
    index = min(segment, len(values) - 2)
    got = JointMotion(("a",), times, np.array(values)[:, None]).at([index + share]).positions[0, 0]
    low, high = sorted(values[index : index + 2])
    assert low - 1e-9 <= got <= high + 1e-9
    assert got == pytest.approx(values[index] * (1 - share) + values[index + 1] * share, abs=1e-9)
