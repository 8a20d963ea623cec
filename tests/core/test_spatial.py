# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.spatial import (
    change_of_frame,
    inverse,
    is_so3,
    planar_change_of_frame,
    pose_error,
    quaternion_from_rotation,
    rotation_about_axis,
    rotation_angle,
    rotation_between,
    rotation_from_quaternion,
    rotation_from_rpy,
    rpy_from_rotation,
    skew,
    transform,
    why_not_so3,
)

ANGLES = st.floats(-10.0, 10.0)
VECTORS = st.tuples(*[st.floats(-5.0, 5.0)] * 3).map(np.array)
UNIT = (
    st.tuples(*[st.floats(-1.0, 1.0)] * 3)
    .filter(lambda v: math.hypot(*v) > 0.1)
    .map(lambda v: np.array(v) / math.hypot(*v))
)
QUATERNIONS = st.tuples(*[st.floats(-1.0, 1.0)] * 4).filter(lambda q: math.hypot(*q) > 0.1).map(np.array)
# by the quaternion, which reaches all of SO(3), half turns and no turn included
ROTATIONS = QUATERNIONS.map(rotation_from_quaternion)
POSES = st.builds(transform, ROTATIONS, VECTORS)
CLOSE = {"rtol": 0.0, "atol": 1e-12}


@given(ROTATIONS, ROTATIONS, ROTATIONS)
def test_rotations_form_a_group(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    for element in (a, a @ b, a.T, np.eye(3)):
        assert why_not_so3(element) is None
        assert math.isclose(np.linalg.det(element), 1.0, abs_tol=1e-12)
    assert np.allclose((a @ b) @ c, a @ (b @ c), **CLOSE)
    assert np.allclose(a @ a.T, np.eye(3), **CLOSE)
    assert np.array_equal(a @ np.eye(3), a)


def test_rotations_do_not_commute() -> None:
    x, z = rotation_from_rpy([math.pi / 2, 0, 0]), rotation_from_rpy([0, 0, math.pi / 2])
    assert not np.allclose(x @ z, z @ x)


@given(VECTORS, VECTORS)
def test_skew_is_the_cross_product(w: np.ndarray, v: np.ndarray) -> None:
    assert np.allclose(skew(w) @ v, np.cross(w, v), **CLOSE)
    assert np.array_equal(skew(w), -skew(w).T)
    assert np.array_equal(skew(np.stack([w, v])), np.stack([skew(w), skew(v)]))


@pytest.mark.parametrize(
    ("rpy", "columns"),
    [
        ((math.pi / 2, 0, 0), [[1, 0, 0], [0, 0, 1], [0, -1, 0]]),
        ((0, math.pi / 2, 0), [[0, 0, -1], [0, 1, 0], [1, 0, 0]]),
        ((0, 0, math.pi / 2), [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]),
        # first roll, then pitch, then yaw, each about an axis that stays where it is
        ((math.pi / 2, math.pi / 2, 0), [[0, 0, -1], [1, 0, 0], [0, -1, 0]]),
        ((math.pi / 2, 0, math.pi / 2), [[0, 1, 0], [0, 0, 1], [1, 0, 0]]),
    ],
)
def test_roll_pitch_yaw_by_hand(rpy: tuple[float, ...], columns: list[list[int]]) -> None:
    assert np.allclose(rotation_from_rpy(rpy).T, columns, atol=1e-15)


@given(ANGLES, ANGLES, ANGLES)
def test_roll_pitch_yaw_turn_about_fixed_axes_in_that_order(r: float, p: float, y: float) -> None:
    about = [rotation_about_axis(axis, angle) for axis, angle in zip(np.eye(3), (r, p, y), strict=True)]
    assert np.allclose(rotation_from_rpy([r, p, y]), about[2] @ about[1] @ about[0], **CLOSE)


@given(ROTATIONS)
def test_roll_pitch_yaw_give_the_rotation_back(rotation: np.ndarray) -> None:
    rpy = rpy_from_rotation(rotation)
    assert abs(rpy[1]) <= math.pi / 2
    assert np.allclose(rotation_from_rpy(rpy), rotation, atol=1e-11)


@given(
    st.floats(-3.0, 3.0),
    st.sampled_from([-1.0, 1.0]),
    st.one_of(st.just(0.0), st.floats(-16.0, -1.0).map(lambda exponent: 10.0**exponent)),
    st.floats(-3.0, 3.0),
)
def test_roll_pitch_yaw_next_to_gimbal_lock(roll: float, side: float, gap: float, yaw: float) -> None:
    rotation = rotation_from_rpy([roll, side * (math.pi / 2 - gap), yaw])
    rpy = rpy_from_rotation(rotation)
    assert np.allclose(rotation_from_rpy(rpy), rotation, atol=2e-12)
    if gap == 0.0:
        assert rpy[0] == 0.0
        assert math.remainder(rpy[2] - (yaw - side * roll), 2 * math.pi) == pytest.approx(0.0, abs=1e-12)


@given(st.floats(-3.1, 3.1), st.floats(-1.5, 1.5), st.floats(-3.1, 3.1))
def test_angles_within_their_ranges_come_back(r: float, p: float, y: float) -> None:
    assert np.allclose(rpy_from_rotation(rotation_from_rpy([r, p, y])), [r, p, y], atol=1e-12)


@given(QUATERNIONS, VECTORS)
def test_a_quaternion_turns_as_the_product_q_v_q_conjugate(q: np.ndarray, v: np.ndarray) -> None:
    def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        scalar = a[0] * b[0] - a[1:] @ b[1:]
        return np.array([scalar, *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])

    turned = product(product(q, np.array([0.0, *v])), q * [1, -1, -1, -1]) / (q @ q)
    assert np.allclose(rotation_from_quaternion(q) @ v, turned[1:], **CLOSE)


@given(QUATERNIONS)
def test_quaternions_come_back_up_to_length_and_sign(q: np.ndarray) -> None:
    back = quaternion_from_rotation(rotation_from_quaternion(q))
    assert back[0] >= 0.0
    assert math.isclose(np.linalg.norm(back), 1.0, abs_tol=1e-15)
    unit = q / np.linalg.norm(q)
    assert np.allclose(back * np.sign(back @ unit), unit, atol=1e-14)


@pytest.mark.parametrize("axis", [*np.eye(3), *-np.eye(3)])
@pytest.mark.parametrize("angle", [0.0, 1e-9, math.pi - 1e-9, math.pi])
def test_quaternions_of_no_turn_and_half_turns(axis: np.ndarray, angle: float) -> None:
    q = quaternion_from_rotation(rotation_about_axis(axis, angle))
    expected = np.array([math.cos(angle / 2), *(math.sin(angle / 2) * axis)])
    assert min(np.abs(q - expected).max(), np.abs(q + expected).max()) < 1e-15


@given(UNIT, ANGLES, ANGLES)
def test_turns_about_one_axis_add_up(axis: np.ndarray, a: float, b: float) -> None:
    assert np.allclose(rotation_about_axis(axis, a) @ axis, axis, **CLOSE)
    both = rotation_about_axis(axis, a) @ rotation_about_axis(axis, b)
    assert np.allclose(both, rotation_about_axis(axis, a + b), **CLOSE)


@given(UNIT, st.floats(0.0, math.pi), ROTATIONS)
def test_the_angle_of_a_rotation_does_not_depend_on_the_axis(axis: np.ndarray, angle: float, base: np.ndarray) -> None:
    turned = base @ rotation_about_axis(axis, angle) @ base.T
    assert rotation_angle(turned) == pytest.approx(angle, abs=1e-12)


@pytest.mark.parametrize("angle", [1e-12, 1e-9, 1e-6, math.pi - 1e-6, math.pi - 1e-9])
def test_small_and_nearly_half_turns_are_measured_exactly(angle: float) -> None:
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    assert rotation_angle(rotation_about_axis(axis, angle)) == pytest.approx(angle, rel=1e-3, abs=1e-15)


@given(UNIT, UNIT)
def test_the_rotation_between_directions_is_the_smallest(start: np.ndarray, end: np.ndarray) -> None:
    angle = math.atan2(np.linalg.norm(np.cross(start, end)), start @ end)
    if angle > math.pi - 1e-4:
        return
    rotation = rotation_between(start, end)
    assert why_not_so3(rotation) is None
    assert np.allclose(rotation @ start, end, atol=1e-11)
    assert rotation_angle(rotation) == pytest.approx(angle, abs=1e-11)


@pytest.mark.parametrize("gap", [1e-2, 1e-4, 1e-6, 1e-8])
def test_the_rotation_between_nearly_opposite_directions_is_one(gap: float) -> None:
    end = np.array([math.sin(gap), 0.0, -math.cos(gap)])
    rotation = rotation_between([0.0, 0.0, 1.0], end)
    assert why_not_so3(rotation, 1e-12) is None
    assert np.allclose(rotation @ [0.0, 0.0, 1.0], end, atol=1e-14)


def test_no_single_rotation_is_between_opposite_directions() -> None:
    with pytest.raises(ValueError, match="opposite"):
        rotation_between([0.0, 1.0, 0.0], [0.0, -1.0, 0.0])


@given(ANGLES, st.floats(-5.0, 5.0), st.floats(-5.0, 5.0))
def test_coordinates_in_a_turned_plane(alpha: float, x: float, y: float) -> None:
    seen = planar_change_of_frame(alpha) @ [x, y]
    # the frame's own axes, written in the old one
    first, second = [math.cos(alpha), math.sin(alpha)], [-math.sin(alpha), math.cos(alpha)]
    assert np.allclose(seen[0] * np.array(first) + seen[1] * np.array(second), [x, y], **CLOSE)


def test_a_point_seen_from_a_frame_that_turned_left_moves_right() -> None:
    assert np.allclose(planar_change_of_frame(math.pi / 2) @ [1.0, 0.0], [0.0, -1.0], atol=1e-15)
    assert planar_change_of_frame(np.zeros(5)).shape == (5, 2, 2)


@given(POSES, POSES, VECTORS)
def test_changes_of_frame_cancel_inner_letters(a_h_b: np.ndarray, b_h_c: np.ndarray, c_point: np.ndarray) -> None:
    a_h_c = a_h_b @ b_h_c
    two_steps = change_of_frame(a_h_b, change_of_frame(b_h_c, c_point))
    assert np.allclose(change_of_frame(a_h_c, c_point), two_steps, atol=1e-11)
    # the columns of A_R_B are B's axes written in A
    assert np.allclose(change_of_frame(a_h_b, np.eye(3)) - a_h_b[:3, 3], a_h_b[:3, :3].T, **CLOSE)


@given(POSES)
def test_the_inverse_transform_undoes(pose: np.ndarray) -> None:
    assert np.allclose(inverse(pose) @ pose, np.eye(4), **CLOSE)
    assert np.allclose(pose @ inverse(pose), np.eye(4), **CLOSE)
    assert np.array_equal(inverse(np.stack([pose, np.eye(4)]))[0], inverse(pose))


@given(POSES, VECTORS, UNIT, st.floats(0.0, 3.0))
def test_the_error_of_a_pose_is_its_shift_and_turn(pose, shift, axis, angle: float) -> None:
    other = pose @ transform(rotation_about_axis(axis, angle), shift)
    distance, turn = pose_error(pose, other)
    assert distance == pytest.approx(math.hypot(*shift), abs=1e-11)
    assert turn == pytest.approx(angle, abs=1e-11)


@given(ROTATIONS, st.floats(1e-6, 2.0), st.integers(0, 2), st.integers(0, 2))
def test_a_changed_rotation_is_none(rotation: np.ndarray, size: float, row: int, column: int) -> None:
    changed = rotation.copy()
    changed[row, column] += math.copysign(size, rotation[row, column])
    assert not is_so3(changed)


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        (np.eye(4), r"shape is \(4, 4\)"),
        (np.eye(3)[0], r"shape is \(3,\)"),
        (np.diag([1.0, 1.0, float("nan")]), "NaN"),
        (np.diag([1.0, float("inf"), 1.0]), "infinity"),
        (np.diag([1.0, 2.0, 1.0]), "unit length .off by 3 in the square"),
        (np.diag([1e200, 1.0, 1.0]), "unit length"),
        (np.zeros((3, 3)), "unit length"),
        ([[1, 0, 0], [0.6, 0.8, 0], [0, 0, 1]], "not orthogonal .dot product 0.6"),
        (np.diag([1.0, 1.0, -1.0]), "determinant is -1"),
        (np.eye(3)[[1, 0, 2]], "determinant is -1"),
    ],
)
def test_it_is_said_which_property_of_so3_fails(matrix: object, words: str) -> None:
    reason = why_not_so3(matrix)
    assert reason is not None
    assert re.search(words, reason)
    assert not is_so3(matrix)


@given(ROTATIONS)
def test_the_tolerance_decides(rotation: np.ndarray) -> None:
    rounded = rotation.astype(np.float32)
    assert is_so3(rounded, 1e-6)
    assert is_so3(rotation, 1e-14)


@given(st.lists(st.tuples(ANGLES, ANGLES, ANGLES), min_size=1, max_size=4), st.booleans())
def test_batches_are_as_many_single_ones(rows: list[tuple[float, float, float]], nested: bool) -> None:
    rpy = np.array(rows)
    rotations = rotation_from_rpy(rpy[None] if nested else rpy)
    assert rotations.shape == ((1,) if nested else ()) + (len(rows), 3, 3)
    rotations = rotations.reshape(-1, 3, 3)
    for index, row in enumerate(rows):
        single = rotation_from_rpy(row)
        assert np.array_equal(rotations[index], single)
        assert np.allclose(rpy_from_rotation(rotations)[index], rpy_from_rotation(single), atol=1e-12)
        assert np.array_equal(quaternion_from_rotation(rotations)[index], quaternion_from_rotation(single))
        assert np.array_equal(rotation_angle(rotations)[index], rotation_angle(single))
