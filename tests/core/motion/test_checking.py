# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions at, just above and far beyond limits; jumps; what is named. Velocities are hand-made straight lines."""

from __future__ import annotations

import math

import numpy as np
import pytest

from urdf_rig.core.motion import JointMotion
from urdf_rig.core.motion.checking import MAX_FINDINGS, Kind, check_motion
from urdf_rig.core.motion.limits import MotionLimits

RATE = 60.0


def limits(count=1, *, velocity=2.0, acceleration=math.inf, lower=-math.inf, upper=math.inf, turns=True):
    arrays = (np.full(count, value) for value in (lower, upper, velocity, acceleration))
    return MotionLimits(tuple(f"j{i}" for i in range(count)), np.full(count, turns), *arrays)


def motion(columns, rate=RATE):
    q = np.column_stack(columns)
    return JointMotion(tuple(f"j{i}" for i in range(q.shape[1])), np.arange(len(q)) / rate, q)


def found(columns, bounds, rate=RATE, clock=0.0):
    return check_motion(motion(columns, rate), bounds, clock).items


def ramp(speed, count=100, start=-1.5, rate=RATE):
    return start + speed * np.arange(count) / rate


@pytest.mark.parametrize("rate", [24.0, 30.0, 60.0, 100.0])
def test_exactly_at_its_velocity_limit_in_float32_passes(rate):
    assert found([ramp(2.0, rate=rate).astype(np.float32)], limits(), rate) == ()


@pytest.mark.parametrize("rate", [24.0, 30.0, 60.0, 100.0])
@pytest.mark.parametrize("frame", [0, 41, 97])
def test_a_thousandth_above_its_velocity_limit_fails_at_that_frame_and_joint(rate, frame):
    speeds = np.full(98, 2.0)
    speeds[frame] = 2.002
    q = -1.5 + np.concatenate([[0.0], np.cumsum(speeds / rate)])
    (item,) = found([ramp(2.0, 99, rate=rate).astype(np.float32), q.astype(np.float32)], limits(2), rate)
    assert (item.kind, item.joint, item.index, item.first, item.last) == (Kind.VELOCITY, "j1", frame, frame, frame + 1)
    assert item.value == pytest.approx(2.002, abs=2e-4)
    assert item.limit == 2.0


def test_velocity_is_that_of_uneven_steps():
    times = np.array([0.0, 0.1, 0.4, 0.5])
    uneven = JointMotion(("j0",), times, np.array([[0.0], [0.2], [0.8], [1.01]]))
    (item,) = check_motion(uneven, limits()).items
    assert (item.index, item.kind) == (2, Kind.VELOCITY)
    assert item.value == pytest.approx(2.1)


@pytest.mark.parametrize(("share", "count"), [(1.0, 0), (1.001, 1)])
def test_acceleration_at_and_above_its_limit(share, count):
    # q = a t² / 2 has second differences a dt² exactly
    times = np.arange(60) / RATE
    items = found([0.5 * 3.0 * share * times**2], limits(velocity=9.0, acceleration=3.0))
    assert len(items) == count
    assert all(item.kind is Kind.ACCELERATION and (item.first, item.last) == (1, 58) for item in items)


def test_a_corner_is_the_change_of_velocity_in_one_step():
    q = np.concatenate([np.zeros(10), np.arange(1, 11) / RATE])
    (item,) = found([q], limits(acceleration=30.0))
    assert (item.kind, item.index) == (Kind.ACCELERATION, 9)
    assert item.value == pytest.approx(1.0 * RATE)


def test_positions_beyond_each_end_are_a_stretch_with_its_worst_sample():
    q = np.array([0.0, 0.9, 1.0, 1.1, 1.2, 1.1, 1.0, 0.0, -0.6])
    items = found([q], limits(velocity=99.0, lower=-0.5, upper=1.0))
    assert [(item.kind, item.index, item.first, item.last, item.value, item.limit) for item in items] == [
        (Kind.POSITION, 4, 3, 5, 1.2, 1.0),
        (Kind.POSITION, 8, 8, 8, -0.6, -0.5),
    ]


def test_a_float32_copy_of_a_limit_is_within_it():
    q = np.full(3, np.float32(2.8973)).astype(float)
    assert found([q], limits(upper=2.8973, lower=-1.0)) == ()
    assert len(found([q + 1e-5], limits(upper=2.8973, lower=-1.0))) == 1


def test_a_step_that_stands_out_is_a_jump_and_not_an_acceleration():
    q = ramp(1.0, 40)
    q[20:] += 0.7
    (item,) = found([q], limits(acceleration=50.0))
    assert (item.kind, item.index, item.last) == (Kind.JUMP, 19, 20)
    assert item.value == pytest.approx(0.7 + 1.0 / RATE)
    assert item.limit == pytest.approx(2.0 / RATE)


def test_joints_that_jump_together_are_a_flip():
    q = np.zeros((30, 3))
    q[10:, :2] = 1.2, -2.0
    items = found(q.T, limits(3))
    assert [(item.kind, item.joint, item.index, item.note) for item in items] == [
        (Kind.FLIP, "j0", 9, "2 joints jump together"),
        (Kind.FLIP, "j1", 9, "2 joints jump together"),
    ]


def test_a_wrapped_angle_is_named_even_without_a_velocity_limit():
    turning = ramp(2.0, 200, start=0.0)
    wrapped = (turning + math.pi) % (2.0 * math.pi) - math.pi
    (item,) = found([wrapped], limits(velocity=math.inf))
    assert item.kind is Kind.JUMP
    assert "whole turn" in item.note
    assert found([turning], limits(velocity=math.inf)) == ()


def test_too_fast_all_along_is_no_jump():
    (item,) = found([ramp(9.0, 30)], limits())
    assert (item.kind, item.first, item.last) == (Kind.VELOCITY, 0, 29)


def test_keys_between_frames_may_be_a_float32_late():
    clock = float(np.spacing(np.float32(9000.0))) / 24.0
    q = ramp(2.0, 100, rate=24.0)
    q[50] += 0.9 * 2.0 * clock  # as when a key at 9050.3 were a hair early
    assert len(found([q], limits(), 24.0)) == 1
    assert found([q], limits(), 24.0, clock) == ()


def test_findings_are_bounded_and_the_rest_is_counted():
    q = np.zeros(10_000)
    q[::4] = 1.0  # up and down every other step: too fast 5000 times
    q[1::4] = 1.0
    result = check_motion(motion([q]), limits(velocity=0.5))
    assert len(result.items) == MAX_FINDINGS
    assert len(result.items) + result.left_out == 2499 + 2500


def test_one_sample_is_a_motion():
    assert found([np.zeros(1)], limits()) == ()
