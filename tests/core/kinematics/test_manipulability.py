# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.kinematics import (
    condition_number,
    jacobian,
    manipulability,
    manipulability_ellipsoid,
    singular_directions,
)
from urdf_rig.core.model import JointType

Z, NONE = (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
ENTRIES = st.floats(-2.0, 2.0)


def matrices(rows: int, columns: int) -> st.SearchStrategy[np.ndarray]:
    size = rows * columns
    return st.lists(ENTRIES, min_size=size, max_size=size).map(lambda row: np.array(row).reshape(rows, columns))


@pytest.fixture(scope="module")
def arm(chain):
    """Two links of 2 and 1 in the plane."""
    return chain(
        (JointType.REVOLUTE, Z, NONE, NONE),
        (JointType.REVOLUTE, Z, (2.0, 0.0, 0.0), NONE),
        (JointType.FIXED, None, (1.0, 0.0, 0.0), NONE),
    )


@given(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0))
def test_a_planar_arm_is_as_manipulable_as_its_elbow_is_bent(arm, q1: float, q2: float) -> None:
    in_plane = jacobian(arm, [q1, q2], "l3")[:2]
    assert manipulability(in_plane) == pytest.approx(2.0 * 1.0 * abs(math.sin(q2)), abs=1e-12)


def test_a_stretched_arm_cannot_move_along_itself(arm) -> None:
    in_plane = jacobian(arm, [math.pi / 6, 0.0], "l3")[:2]
    assert manipulability(in_plane) == pytest.approx(0.0, abs=1e-15)
    assert condition_number(in_plane) == math.inf
    (along,) = singular_directions(in_plane).T
    assert abs(along @ [math.cos(math.pi / 6), math.sin(math.pi / 6)]) == pytest.approx(1.0)
    ellipsoid = manipulability_ellipsoid(in_plane)
    assert ellipsoid.lengths == pytest.approx([math.hypot(3.0, 1.0), 0.0], abs=1e-15)


def test_a_bent_arm_has_no_singular_direction_in_its_plane_and_one_out_of_it(arm) -> None:
    linear = jacobian(arm, [0.3, 1.0], "l3")[:3]
    assert singular_directions(linear[:2]).shape == (2, 0)
    assert np.allclose(np.abs(singular_directions(linear)), [[0.0], [0.0], [1.0]], atol=1e-15)
    # three rows, but two joints only
    assert manipulability(linear) == 0.0
    assert condition_number(linear) == math.inf


@given(matrices(3, 5), matrices(5, 1))
def test_the_ellipsoid_holds_all_that_unit_joint_velocities_reach(j: np.ndarray, v: np.ndarray) -> None:
    ellipsoid = manipulability_ellipsoid(j)
    assert np.allclose(ellipsoid.axes.T @ ellipsoid.axes, np.eye(3), atol=1e-12)
    assert np.allclose(ellipsoid.axes * ellipsoid.lengths**2 @ ellipsoid.axes.T, j @ j.T, atol=1e-11)
    assert (np.diff(ellipsoid.lengths) <= 0.0).all()
    reached = ellipsoid.axes.T @ j @ v / max(1.0, float(np.linalg.norm(v)))
    assert (np.abs(reached[:, 0]) <= ellipsoid.lengths + 1e-12).all()


@given(matrices(3, 4))
def test_measure_and_condition_by_other_means(j: np.ndarray) -> None:
    square = max(0.0, float(np.linalg.det(j @ j.T)))
    assert manipulability(j) ** 2 == pytest.approx(square, rel=1e-6, abs=1e-9)
    if square > 1e-6:
        assert condition_number(j) == pytest.approx(
            np.linalg.norm(j, 2) * np.linalg.norm(np.linalg.pinv(j), 2), rel=1e-6
        )


def test_a_robot_that_cannot_move_is_singular_everywhere() -> None:
    for j in (np.zeros((3, 2)), np.zeros((3, 0))):
        assert manipulability(j) == 0.0
        assert condition_number(j) == math.inf
        assert np.allclose(np.abs(singular_directions(j)), np.eye(3))
        assert np.array_equal(manipulability_ellipsoid(j).lengths, np.zeros(3))


def test_batches_are_as_many_single_ones(arm) -> None:
    q = np.random.default_rng(0).normal(size=(7, 2))
    many = jacobian(arm, q, "l3")[:, :2]
    ellipsoids = manipulability_ellipsoid(many)
    for t in range(7):
        single = jacobian(arm, q[t], "l3")[:2]
        assert manipulability(many)[t] == pytest.approx(manipulability(single))
        assert condition_number(many)[t] == pytest.approx(condition_number(single))
        assert ellipsoids.lengths[t] == pytest.approx(manipulability_ellipsoid(single).lengths)
