# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.errors import JointValueError
from urdf_rig.core.kinematics import joint_motion, planar_basis, spatial_value
from urdf_rig.core.model import Joint, JointType
from urdf_rig.core.spatial import why_not_so3

UNIT = st.tuples(*[st.floats(-1.0, 1.0)] * 3).filter(lambda v: math.hypot(*v) > 0.1)
AXES = UNIT.map(lambda v: tuple((np.array(v) / np.linalg.norm(v)).tolist()))
NUMBERS = st.floats(-10.0, 10.0)
SCALAR = [JointType.REVOLUTE, JointType.CONTINUOUS, JointType.PRISMATIC]


@pytest.fixture(scope="session")
def joint(origin):
    def build(kind: JointType, axis: tuple[float, ...] | None = None) -> Joint:
        return Joint("j", kind, "p", "c", origin((0, 0, 0), (0, 0, 0)), axis)

    return build


def exponential(twist: np.ndarray) -> np.ndarray:
    """Return exp of a 4x4 matrix by its power series, halved until it converges at once."""
    halvings = 6
    small, total, term = twist / 2.0**halvings, np.eye(4), np.eye(4)
    for order in range(1, 16):
        term = term @ small / order
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total


def twist_of(linear: object, angular: object) -> np.ndarray:
    w = np.asarray(angular, dtype=float)
    out = np.zeros((4, 4))
    out[:3, :3] = np.cross(np.eye(3), w)  # column j is w x e_j
    out[:3, 3] = linear
    return out


@given(AXES, NUMBERS)
def test_scalar_joints_move_along_the_exponential_of_their_axis(joint, axis, q: float) -> None:
    turn, shift = twist_of((0, 0, 0), axis), twist_of(axis, (0, 0, 0))
    for kind in (JointType.REVOLUTE, JointType.CONTINUOUS):
        assert np.allclose(joint_motion(joint(kind, axis), q), exponential(q * turn), atol=1e-11)
    assert np.allclose(joint_motion(joint(JointType.PRISMATIC, axis), q), exponential(q * shift), atol=1e-11)


def test_a_positive_angle_turns_by_the_right_hand(joint) -> None:
    h = joint_motion(joint(JointType.REVOLUTE, (0.0, 0.0, 1.0)), math.pi / 2)
    assert np.allclose(h @ [1, 0, 0, 1], [0, 1, 0, 1], atol=1e-15)


@given(AXES, NUMBERS, NUMBERS, NUMBERS)
def test_a_planar_joint_stays_in_its_plane(joint, axis, x: float, y: float, angle: float) -> None:
    h = joint_motion(joint(JointType.PLANAR, axis), [x, y, angle])
    assert why_not_so3(h[:3, :3]) is None
    assert abs(h[:3, 3] @ axis) < 1e-9
    assert math.isclose(np.linalg.norm(h[:3, 3]), math.hypot(x, y), abs_tol=1e-12)
    assert np.allclose(h[:3, :3], exponential(angle * twist_of((0, 0, 0), axis))[:3, :3], atol=1e-11)


@pytest.mark.parametrize("z", [1.0, -1.0])
def test_the_plane_of_a_vertical_normal_keeps_the_joint_frames_own_x(joint, z: float) -> None:
    # for -z it is seen from below: y and the sense of rotation are turned over, x is kept
    h = joint_motion(joint(JointType.PLANAR, (0.0, 0.0, z)), [0.25, 0.5, math.pi / 2])
    assert np.allclose(h[:3, 3], [0.25, 0.5 * z, 0.0], atol=1e-15)
    assert np.allclose(h[:3, 0], [0.0, z, 0.0], atol=1e-15)


@given(AXES)
def test_the_planes_frame_is_right_handed_with_the_normal_third(axis) -> None:
    basis = planar_basis(axis)
    assert why_not_so3(basis, 1e-8) is None
    assert np.allclose(basis[:, 2], axis, atol=1e-8)


@pytest.mark.parametrize("tilt", [1e-3, 1e-5, 1e-6, 1e-7, 1e-9, 0.0])
def test_the_planes_frame_is_exact_for_normals_next_to_minus_z(tilt: float) -> None:
    axis = np.array([math.sin(tilt) * 0.6, math.sin(tilt) * 0.8, -math.cos(tilt)])
    basis = planar_basis(axis)
    assert why_not_so3(basis, 1e-9) is None
    assert np.allclose(basis[:, 2], axis, atol=1e-9)


def test_a_floating_joint_takes_position_and_quaternion(joint) -> None:
    half = math.sqrt(0.5)
    h = joint_motion(joint(JointType.FLOATING), [1, 2, 3, half, 0, 0, half])
    assert np.allclose(h, [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]], atol=1e-15)


def test_a_fixed_joint_does_not_move(joint) -> None:
    assert np.array_equal(joint_motion(joint(JointType.FIXED), np.ones(4)), np.broadcast_to(np.eye(4), (4, 4, 4)))


@given(st.tuples(NUMBERS, NUMBERS, NUMBERS), st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: math.hypot(*q) > 0.1))
def test_floating_values_come_back(joint, position, quaternion) -> None:
    quaternion = np.array(quaternion) / np.linalg.norm(quaternion)
    value = spatial_value(joint(JointType.FLOATING), joint_motion(joint(JointType.FLOATING), [*position, *quaternion]))
    assert np.allclose(value[:3], position, atol=1e-15)
    assert abs(value[3:] @ quaternion) == pytest.approx(1.0, abs=1e-12)


@given(AXES, NUMBERS, NUMBERS, NUMBERS)
def test_planar_values_come_back_but_for_whole_turns(joint, axis, x: float, y: float, angle: float) -> None:
    planar = joint(JointType.PLANAR, axis)
    value = spatial_value(planar, joint_motion(planar, [x, y, angle]))
    assert np.allclose(value[:2], [x, y], atol=1e-9)
    assert math.remainder(value[2] - angle, 2 * math.pi) == pytest.approx(0.0, abs=1e-9)


def test_what_a_planar_joint_cannot_do_is_left_out_of_its_value(joint) -> None:
    lifted = joint_motion(joint(JointType.PLANAR, (0.0, 0.0, 1.0)), [1.0, 2.0, 0.5])
    lifted[2, 3] = 7.0
    assert np.allclose(spatial_value(joint(JointType.PLANAR, (0.0, 0.0, 1.0)), lifted), [1.0, 2.0, 0.5])


@pytest.mark.parametrize("kind", SCALAR)
def test_a_scalar_joint_has_no_spatial_value(joint, kind: JointType) -> None:
    with pytest.raises(JointValueError, match=f"{kind.value}, not planar or floating"):
        spatial_value(joint(kind, (1.0, 0.0, 0.0)), np.eye(4))


@pytest.mark.parametrize(("kind", "size"), [(JointType.PLANAR, 3), (JointType.FLOATING, 7)])
def test_the_wrong_number_of_numbers_is_refused(joint, kind: JointType, size: int) -> None:
    for value in (0.0, np.zeros(size - 1), np.zeros((2, size + 1))):
        with pytest.raises(JointValueError, match=f"takes {size} numbers"):
            joint_motion(joint(kind, (0.0, 0.0, 1.0)), value)
