# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.errors import JointValueError, UnknownNameError
from urdf_rig.core.kinematics import forward_kinematics, joint_positions
from urdf_rig.core.model import Joint, JointType, Mimic, Robot

X, NONE = (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)
TURN = (JointType.REVOLUTE, X, NONE, NONE)


@given(st.data())
def test_followers_follow_through_chains(robots, values_for, data: st.DataObject) -> None:
    robot = data.draw(robots())
    values = data.draw(values_for(robot))
    positions = joint_positions(robot, values)
    assert list(positions) == [joint.name for joint in robot.joints if joint.type.is_scalar]
    for name, position in positions.items():
        mimic = robot.joint(name).mimic
        if mimic is None:
            assert position == values[name]
        else:
            expected = mimic.multiplier * positions[mimic.joint] + mimic.offset
            assert position == pytest.approx(expected, rel=1e-12, abs=1e-12)


@given(st.data())
def test_a_robot_with_followers_moves_as_one_whose_joints_are_all_set(robots, values_for, data: st.DataObject) -> None:
    robot = data.draw(robots())
    values = data.draw(values_for(robot))
    joints = tuple(Joint(j.name, j.type, j.parent, j.child, j.origin, j.axis) for j in robot.joints)
    independent = Robot(robot.name, robot.links, joints, robot.root)
    expected = forward_kinematics(independent, {**values, **joint_positions(robot, values)})
    for name, pose in forward_kinematics(robot, values).items():
        assert np.array_equal(pose, expected[name])


def test_a_chain_of_followers_by_hand(chain) -> None:
    # declared before its leader, and followed itself
    robot = chain(TURN, TURN, TURN, mimics={0: Mimic("j2", -2.0, 0.25), 1: Mimic("j0", 0.1, 0.01)})
    assert robot.dofs == ("j2",)
    at = joint_positions(robot, {"j2": 0.5})
    assert at == {"j0": -0.75, "j1": pytest.approx(-0.065), "j2": 0.5}
    assert joint_positions(robot) == {"j0": 0.25, "j1": pytest.approx(0.035), "j2": 0.0}


def test_joints_that_are_not_named_stay_at_zero(chain) -> None:
    assert joint_positions(chain(TURN, TURN), {"j1": 0.5}) == {"j0": 0.0, "j1": 0.5}


def test_one_joint_may_be_batched_and_the_other_not(chain) -> None:
    at = joint_positions(chain(TURN, TURN), {"j0": 2.0, "j1": [1.0, 2.0, 3.0]})
    assert np.array_equal(at["j0"], [2.0, 2.0, 2.0])
    assert np.array_equal(at["j1"], [1.0, 2.0, 3.0])


@pytest.fixture(scope="module")
def mixed(chain) -> Robot:
    return chain(
        TURN,
        TURN,
        (JointType.FIXED, None, NONE, NONE),
        (JointType.PLANAR, X, NONE, NONE),
        (JointType.FLOATING, None, NONE, NONE),
        mimics={1: Mimic("j0")},
    )


@pytest.mark.parametrize(
    ("q", "words"),
    [
        ({"j1": 0.0}, "'j1' follows 'j0': set that one"),
        ({"j2": 0.0}, "'j2' is fixed"),
        ({"j0": [[1.0]]}, r"'j0' has shape \(1, 1\)"),
        ({"j3": 1.0}, r"'j3' has shape \(\); expected \(3,\)"),
        ({"j3": [1.0, 2.0]}, r"'j3' has shape \(2,\)"),
        ({"j4": [1.0] * 6}, r"'j4' has shape \(6,\); expected \(7,\)"),
        ({"j0": float("nan")}, "'j0' is not finite"),
        ({"j4": [0, 0, float("inf"), 1, 0, 0, 0]}, "'j4' is not finite"),
        ({"j4": [0.0] * 7}, "'j4' has a quaternion of length 0"),
        ({"j0": "much"}, "'j0' is not a number"),
        ({"j0": [1.0, 2.0], "j3": np.zeros((3, 3))}, r"different numbers of configurations: \[2, 3\]"),
        ([1.0, 2.0], r"shape \(2,\); expected \(1,\) or \(T, 1\)"),
        (3.0, r"shape \(\)"),
        (np.zeros((2, 2, 1)), r"shape \(2, 2, 1\)"),
        ([float("inf")], "NaN or infinity"),
        (["much"], "not numbers"),
    ],
)
def test_values_that_no_joint_can_have_are_refused(mixed: Robot, q: object, words: str) -> None:
    for ask in (joint_positions, forward_kinematics):
        with pytest.raises(JointValueError, match=words):
            ask(mixed, q)


def test_an_unknown_joint_is_refused_with_the_names_that_exist(mixed: Robot) -> None:
    with pytest.raises(UnknownNameError, match="no joint 'elbow'; known: j0, j1"):
        joint_positions(mixed, {"elbow": 0.0})
