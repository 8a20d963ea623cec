# SPDX-License-Identifier: GPL-3.0-or-later
"""Planar arms, against their forward kinematics written out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from urdf_rig.core.errors import ModelError
from urdf_rig.core.ik import planar_three_link, planar_two_link

LENGTHS = st.floats(0.05, 3.0)
ANGLES = st.floats(-3.1, 3.1)


def end(lengths, angles):
    at, direction = np.zeros(2), 0.0
    for length, angle in zip(lengths, angles, strict=True):
        direction += angle
        at += length * np.array([math.cos(direction), math.sin(direction)])
    return at, direction


def apart(a, b):
    return abs(math.remainder(a - b, math.tau))


@given(LENGTHS, LENGTHS, ANGLES, ANGLES)
def test_both_elbows_reach_the_target_and_one_is_the_arm_it_was_made_with(l1, l2, q1, q2):
    assume(0.01 < abs(q2) < 3.1)
    target, _ = end((l1, l2), (q1, q2))
    found = planar_two_link(l1, l2, *target)
    assert found.shape == (2, 2)
    for row in found:
        assert end((l1, l2), row)[0] == pytest.approx(target, abs=1e-12)
    assert min(max(apart(row[0], q1), apart(row[1], q2)) for row in found) < 1e-9
    assert found[0, 1] == pytest.approx(-found[1, 1])
    assert found.free_joint == "" and found.note == ""


def test_the_right_angle_by_hand():
    found = planar_two_link(1.0, 1.0, 1.0, 1.0)
    assert sorted(found.tolist()) == [pytest.approx([0.0, math.pi / 2]), pytest.approx([math.pi / 2, -math.pi / 2])]


@given(LENGTHS, LENGTHS, ANGLES, ANGLES)
def test_a_direction_picks_the_elbow_that_meets_it(l1, l2, q1, q2):
    assume(0.01 < abs(q2) < 3.1)
    target, direction = end((l1, l2), (q1, q2))
    # the other elbow has another direction, but for equal lengths at just one distance
    found = planar_two_link(l1, l2, *target, phi=direction)
    assert any(max(apart(row[0], q1), apart(row[1], q2)) < 1e-8 for row in found)
    assert all(apart(row[0] + row[1], direction) < 1e-8 for row in found)
    assert len(planar_two_link(l1, l2, *target, phi=direction + 0.1)) == 0


@pytest.mark.parametrize(("px", "q2"), [(1.5, 0.0), (0.5, math.pi)])
def test_one_solution_on_the_boundary(px, q2):
    found = planar_two_link(1.0, 0.5, px, 0.0)
    assert found.tolist() == [pytest.approx([0.0, q2])]
    assert "boundary" in found.note


def test_the_inner_boundary_of_an_arm_with_a_longer_second_link():
    (row,) = planar_two_link(0.5, 1.0, 0.0, 0.5)
    assert end((0.5, 1.0), row)[0] == pytest.approx([0.0, 0.5])


@pytest.mark.parametrize("target", [(1.6, 0.0), (0.0, 0.4), (1e6, 1e6)])
def test_none_out_of_reach(target):
    found = planar_two_link(1.0, 0.5, *target)
    assert found.shape == (0, 2)
    assert found.note == "out of reach"


@pytest.mark.parametrize("distance", [1.5 - 1e-9, 0.5 + 1e-9])
def test_next_to_the_boundary_no_digits_are_lost(distance):
    found = planar_two_link(1.0, 0.5, distance, 0.0)
    assert len(found) == 2
    for row in found:
        assert end((1.0, 0.5), row)[0] == pytest.approx([distance, 0.0], abs=1e-15)


def test_equal_lengths_with_the_target_at_the_shoulder_leave_q1_free():
    found = planar_two_link(0.7, 0.7, 0.0, 0.0)
    assert found.free_joint == "q1"
    assert found[:, 1].tolist() == [math.pi]
    assert np.isfinite(found).all()
    for q1 in (-2.0, 0.0, 1.0):
        assert end((0.7, 0.7), (q1, found[0, 1]))[0] == pytest.approx([0.0, 0.0], abs=1e-15)


def test_a_direction_determines_the_arm_folded_onto_its_shoulder():
    found = planar_two_link(0.7, 0.7, 0.0, 0.0, phi=0.3)
    assert found.free_joint == ""
    assert apart(found[0].sum(), 0.3) < 1e-12


def test_links_without_length():
    (row,) = planar_two_link(1.0, 0.0, 0.0, 1.0, phi=0.25)
    assert row.tolist() == pytest.approx([math.pi / 2, 0.25 - math.pi / 2])
    assert planar_two_link(1.0, 0.0, 0.0, 1.0).free_joint == "q2"
    assert planar_two_link(0.0, 1.0, 0.0, 1.0).free_joint == "q1"
    assert len(planar_two_link(0.0, 1.0, 0.0, 1.0, phi=0.0)) == 0


@pytest.mark.parametrize("bad", [(-1.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0), (1.0, 1.0, math.nan, 0.0)])
def test_what_is_no_arm_or_no_target_is_refused(bad):
    with pytest.raises(ModelError):
        planar_two_link(*bad)


@given(LENGTHS, LENGTHS, LENGTHS, ANGLES, ANGLES, ANGLES)
def test_three_links(l1, l2, l3, q1, q2, q3):
    assume(0.01 < abs(q2) < 3.1)
    lengths = (l1, l2, l3)
    target, direction = end(lengths, (q1, q2, q3))
    found = planar_three_link(*lengths, *target, direction)
    assert found.shape == (2, 3)
    for row in found:
        reached, at = end(lengths, row)
        assert reached == pytest.approx(target, abs=1e-11)
        assert apart(at, direction) < 1e-11
    assert min(max(map(apart, row, (q1, q2, q3))) for row in found) < 1e-8


def test_three_links_with_the_wrist_at_the_shoulder():
    found = planar_three_link(1.0, 1.0, 0.5, 0.5, 0.0, 0.0)
    assert found.free_joint == "q1"
    reached, direction = end((1.0, 1.0, 0.5), found[0])
    assert reached == pytest.approx([0.5, 0.0], abs=1e-12) and apart(direction, 0.0) < 1e-12
