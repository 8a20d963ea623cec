# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from urdf_rig.core.bones import (
    axis_roll_from_matrix,
    bone_from_frame,
    bone_length,
    bone_rotation,
    frame_from_bone,
    matrix_from_axis_roll,
    tail_for_float32,
)
from urdf_rig.core.spatial import rotation_about_axis, rotation_angle, rotation_from_quaternion, transform, why_not_so3

ROLLS = st.floats(-math.pi, math.pi)
VECTORS = st.tuples(*[st.floats(-5.0, 5.0)] * 3).map(np.array)
UNIT = (
    st.tuples(*[st.floats(-1.0, 1.0)] * 3)
    .filter(lambda v: math.hypot(*v) > 0.1)
    .map(lambda v: np.array(v) / math.hypot(*v))
)
AXES = st.one_of(UNIT, st.sampled_from([*np.eye(3), *-np.eye(3)]))
ROTATIONS = (
    st.tuples(*[st.floats(-1.0, 1.0)] * 4)
    .filter(lambda q: math.hypot(*q) > 0.1)
    .map(lambda q: rotation_from_quaternion(np.array(q)))
)
POLE = np.array([0.0, -1.0, 0.0])
# where Blender's approximation near the pole begins; beyond it matrices are rotations to rounding
OFF_POLE = UNIT.filter(lambda y: y[1] > -0.99)


def near_pole(distance: float, azimuth: float) -> np.ndarray:
    sine = math.sin(distance)
    return np.array([sine * math.cos(azimuth), -math.cos(distance), sine * math.sin(azimuth)])


@given(OFF_POLE, ROLLS, st.floats(1e-3, 1e3))
def test_the_rest_matrix_is_a_rotation_with_the_bone_as_its_y(y: np.ndarray, roll: float, length: float) -> None:
    rest = matrix_from_axis_roll(length * y, roll)
    assert why_not_so3(rest, 1e-11) is None
    assert np.allclose(rest[:, 1], y, atol=1e-12)


@given(OFF_POLE)
def test_without_roll_it_is_the_smallest_turn_from_y(y: np.ndarray) -> None:
    rest = matrix_from_axis_roll(y, 0.0)
    assert rotation_angle(rest) == pytest.approx(math.atan2(math.hypot(y[0], y[2]), y[1]), abs=1e-11)


@given(OFF_POLE, ROLLS, ROLLS)
def test_roll_turns_about_the_bone_by_the_right_hand(y: np.ndarray, roll: float, more: float) -> None:
    turned = rotation_about_axis(y, more) @ matrix_from_axis_roll(y, roll)
    assert np.allclose(matrix_from_axis_roll(y, roll + more), turned, atol=1e-12)


@pytest.mark.parametrize(
    ("y", "roll", "columns"),
    [
        ((0, 1, 0), 0.0, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ((0, 2, 0), math.pi / 2, [[0, 0, -1], [0, 1, 0], [1, 0, 0]]),
        ((1, 0, 0), 0.0, [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
        ((0, 0, 1), 0.0, [[1, 0, 0], [0, 0, 1], [0, -1, 0]]),
        # at the pole Blender turns by half about z
        ((0, -1, 0), 0.0, [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]),
    ],
)
def test_rest_matrices_by_hand(y: tuple[float, ...], roll: float, columns: list[list[int]]) -> None:
    assert np.allclose(matrix_from_axis_roll(y, roll).T, columns, atol=1e-15)


@given(OFF_POLE, ROLLS)
def test_axis_and_roll_come_back(y: np.ndarray, roll: float) -> None:
    axis, back = axis_roll_from_matrix(matrix_from_axis_roll(y, roll))
    assert np.allclose(axis, y, atol=1e-12)
    assert math.remainder(back - roll, 2 * math.pi) == pytest.approx(0.0, abs=1e-10)


@given(ROTATIONS)
def test_any_rotation_is_an_axis_and_a_roll(rotation: np.ndarray) -> None:
    assume(rotation[1, 1] > -0.99)
    assert np.allclose(matrix_from_axis_roll(*axis_roll_from_matrix(rotation)), rotation, atol=1e-11)


@given(VECTORS, OFF_POLE, st.floats(1e-3, 10.0), ROLLS)
def test_head_tail_and_roll_come_back(head: np.ndarray, y: np.ndarray, length: float, roll: float) -> None:
    bone = bone_from_frame(frame_from_bone(head, head + length * y, roll), length)
    assert np.allclose(bone.head, head, atol=1e-12)
    assert np.allclose(bone.tail, head + length * y, atol=1e-11)
    assert math.remainder(bone.roll - roll, 2 * math.pi) == pytest.approx(0.0, abs=1e-8)


@given(VECTORS, ROTATIONS, st.floats(1e-3, 10.0))
def test_a_frame_comes_back_from_its_bone(head: np.ndarray, rotation: np.ndarray, length: float) -> None:
    assume(rotation[1, 1] > -0.99)
    frame = transform(rotation, head)
    bone = bone_from_frame(frame, length)
    assert np.linalg.norm(bone.tail - bone.head) == pytest.approx(length, rel=1e-9)
    assert np.allclose(frame_from_bone(bone.head, bone.tail, bone.roll), frame, atol=1e-8)


@given(st.floats(2.6e-4, 0.11), ROLLS, ROLLS)
def test_beside_the_pole_it_is_still_a_rotation_for_the_roll(distance: float, azimuth: float, roll: float) -> None:
    y = near_pole(distance, azimuth)
    rest = matrix_from_axis_roll(y, roll)
    # Blender replaces 1 + y by its series, cut after two terms; what is left out is off_pole^2 / 8 of it
    assert why_not_so3(rest, 1e-4) is None
    assert np.allclose(rest[:, 1], y, atol=1e-12)
    axis, back = axis_roll_from_matrix(rest)
    assert np.allclose(axis, y, atol=1e-12)
    assert math.remainder(back - roll, 2 * math.pi) == pytest.approx(0.0, abs=1e-4)


@given(st.floats(0.0, 2.4e-4), ROLLS, ROLLS)
def test_at_the_pole_the_direction_is_rounded_to_it(distance: float, azimuth: float, roll: float) -> None:
    y = near_pole(distance, azimuth)
    expected = rotation_about_axis(y, roll) @ np.diag([-1.0, -1.0, 1.0])
    assert np.allclose(matrix_from_axis_roll(y, roll), expected, atol=1e-15)


@pytest.mark.parametrize("distance", [2.4e-4, 2.6e-4])
def test_the_rounding_ends_a_quarter_of_a_milliradian_from_the_pole(distance: float) -> None:
    rest = matrix_from_axis_roll(near_pole(distance, 0.3), 0.0)
    assert np.array_equal(rest[:, 1], POLE) == (distance < 2.5e-4)


@pytest.mark.parametrize("direction", [(0.0, 0.0, 0.0), (math.nan, 0.0, 1.0), (math.inf, 0.0, 0.0)])
def test_a_bone_without_direction_is_refused(direction: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="needs a direction"):
        matrix_from_axis_roll(direction, 0.0)


def test_a_bone_without_length_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a direction"):
        frame_from_bone([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 0.0)
    for length in (0.0, -1.0, math.nan):
        with pytest.raises(ValueError, match="positive length"):
            bone_from_frame(np.eye(4), length)


@given(ROTATIONS, AXES)
def test_a_joints_bone_lies_along_its_axis_on_the_side_away_from_the_pole(a_r_j: np.ndarray, axis: np.ndarray) -> None:
    rotation, sign = bone_rotation(a_r_j, axis)
    assert sign in (-1, 1)
    assert why_not_so3(rotation) is None
    assert np.allclose(rotation[:, 1], sign * a_r_j @ axis, atol=1e-12)
    assert rotation[1, 1] >= -0.05 - 1e-12


@given(ROTATIONS, AXES, UNIT)
def test_a_joints_bone_keeps_away_from_its_parents_pole_too(a_r_j, axis, parent_y: np.ndarray) -> None:
    rotation, sign = bone_rotation(a_r_j, axis, parent_y)
    y = rotation[:, 1]
    assert np.allclose(y, sign * a_r_j @ axis, atol=1e-12)
    worst, other = min(y[1], y @ parent_y), min(-y[1], -y @ parent_y)
    # either it is far from both, or the other sign would be no better
    assert worst >= -0.5 - 1e-12 or worst >= other - 1e-12


@settings(max_examples=50)
@given(st.lists(st.tuples(ROTATIONS, AXES), min_size=2, max_size=6))
def test_no_chain_of_joints_leads_into_a_pole(joints: list[tuple[np.ndarray, np.ndarray]]) -> None:
    parent_y = None
    for a_r_j, axis in joints:
        rotation, _ = bone_rotation(a_r_j, axis, parent_y)
        y = rotation[:, 1]
        # at worst, a joint whose axis halves the angle between its parent and the pole halves the distance to it
        assert -y[1] < math.cos(0.04)
        assert parent_y is None or -y @ parent_y < math.cos(0.04)
        parent_y = y


def test_a_chain_that_turns_back_on_itself_keeps_off_the_pole() -> None:
    # the second is turned over against the first and then points down; the third must not follow it
    first, _ = bone_rotation(np.eye(3), np.array([1.0, 0.0, 0.0]))
    second, sign = bone_rotation(np.eye(3), np.array([-0.8, 0.6, 0.0]), first[:, 1])
    assert sign == -1
    assert np.allclose(second[:, 1], [0.8, -0.6, 0.0])
    third, sign = bone_rotation(np.eye(3), np.array([0.0, 1.0, 0.0]), second[:, 1])
    assert sign == 1
    assert np.allclose(third, np.eye(3))


@settings(max_examples=50)
@given(ROTATIONS, AXES)
def test_x_and_z_lie_as_near_as_possible_to_the_joints_axes(a_r_j: np.ndarray, axis: np.ndarray) -> None:
    rotation, _ = bone_rotation(a_r_j, axis)
    j_r_b = a_r_j.T @ rotation
    # no right-handed frame made of the joint's own axes is nearer than the one that was chosen, whatever the roll
    frames = _axis_frames()
    rolled = rotation_about_axis(j_r_b[:, 1], np.linspace(0.0, 2 * math.pi, 25)) @ j_r_b
    chosen = rotation_angle(np.swapaxes(frames, 1, 2) @ j_r_b).min()
    assert chosen <= rotation_angle(np.swapaxes(frames, 1, 2)[:, None] @ rolled).min() + 1e-9
    if np.count_nonzero(axis) == 1:
        assert chosen == pytest.approx(0.0, abs=1e-12)


def _axis_frames() -> np.ndarray:
    signs, orders = product((-1.0, 1.0), repeat=3), list(permutations(range(3)))
    frames = np.array([np.diag(sign)[list(order)] for sign in signs for order in orders])
    return frames[np.linalg.det(frames) > 0.0]


@pytest.mark.parametrize("level", [0.0, 1e-3, -1e-3, 0.049, -0.049])
def test_noise_in_a_level_axis_does_not_turn_its_sign(level: float) -> None:
    axis = np.array([math.sqrt(1.0 - level * level), level, 0.0])
    assert bone_rotation(np.eye(3), axis)[1] == 1
    assert bone_rotation(np.eye(3), -axis)[1] == 1


def test_bones_grow_with_the_robot_and_never_vanish() -> None:
    assert bone_length(0.0) > 0.0
    assert bone_length(8.0) == 1.0
    # float32 keeps 24 bits: the direction of a bone at that distance is good to better than 1e-6
    for reach in (0.1, 1.0, 30.0):
        assert reach * 2.0**-24 / bone_length(reach) < 1e-6


def off_axis(head, tail, y):
    """Return the angle between ``y`` and the bone whose ends are rounded to float32."""
    along = np.float64(np.float32(tail)) - np.float64(np.float32(head))
    return np.linalg.norm(np.cross(along, y)) / np.linalg.norm(along)


def test_the_tail_lies_along_the_axis_after_rounding_better_than_at_a_fixed_length():
    rng = np.random.default_rng(5)
    fixed, chosen = [], []
    for _ in range(300):
        head, y = rng.uniform(-1, 1, 3), rng.normal(size=3)
        y /= np.linalg.norm(y)
        tail = tail_for_float32(head, y, 0.2)
        assert np.cross(tail - head, y) == pytest.approx(np.zeros(3), abs=1e-12)
        assert 0.2 <= np.linalg.norm(tail - head) <= 0.3 + 1e-12
        fixed.append(off_axis(head, head + 0.2 * y, y))
        chosen.append(off_axis(head, tail, y))
    assert max(chosen) < 0.5 * max(fixed)
    assert np.mean(chosen) < 0.25 * np.mean(fixed)
