# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.errors import UnknownNameError
from urdf_rig.core.kinematics import forward_kinematics, jacobian, joint_motion, joint_positions, rest_poses
from urdf_rig.core.model import JointType, Link, Robot

CLOSE = {"rtol": 0.0, "atol": 1e-11}
X, Y, Z, NONE = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)


@given(st.data())
def test_neighbours_differ_by_origin_and_motion_of_their_joint(robots, values_for, data: st.DataObject) -> None:
    robot = data.draw(robots())
    values = data.draw(values_for(robot))
    poses = forward_kinematics(robot, values)
    moved = {**values, **joint_positions(robot, values)}
    assert np.array_equal(poses[robot.root], np.eye(4))
    for joint in robot.joints:
        step = joint.origin.matrix @ joint_motion(joint, moved.get(joint.name, 0.0))
        assert np.allclose(poses[joint.child], poses[joint.parent] @ step, **CLOSE)


@given(st.data())
def test_from_any_base_it_is_the_same_robot(robots, values_for, data: st.DataObject) -> None:
    robot = data.draw(robots())
    values = data.draw(values_for(robot))
    from_root = forward_kinematics(robot, values)
    for base in from_root:
        from_base = forward_kinematics(robot, values, base)
        assert np.array_equal(from_base[base], np.eye(4))
        for name, pose in from_base.items():
            assert np.allclose(from_root[base] @ pose, from_root[name], **CLOSE)


@given(st.data())
def test_many_configurations_are_as_many_single_ones(robots, values_for, data: st.DataObject) -> None:
    robot = data.draw(robots())
    count = data.draw(st.integers(1, 4))
    values = data.draw(values_for(robot, count))
    base = data.draw(st.sampled_from(robot.links)).name
    poses = forward_kinematics(robot, values, base)
    for t in range(count):
        single = forward_kinematics(robot, {name: value[t] for name, value in values.items()}, base)
        for name, pose in single.items():
            assert pose.shape == (4, 4)
            # without a joint that is given many values there is but one configuration
            assert np.allclose(poses[name][t] if values else poses[name], pose, rtol=0.0, atol=1e-14)


@given(st.data())
def test_an_array_is_read_in_the_order_of_the_free_joints(robots, values_for, data: st.DataObject) -> None:
    robot = data.draw(robots((JointType.FIXED, JointType.REVOLUTE, JointType.CONTINUOUS, JointType.PRISMATIC)))
    values = data.draw(values_for(robot, 3))
    rows = np.stack([values[name] for name in robot.dofs], axis=1) if values else np.zeros((3, 0))
    named = forward_kinematics(robot, values)
    for name, pose in forward_kinematics(robot, rows).items():
        assert pose.shape == (3, 4, 4)
        assert np.array_equal(pose, np.broadcast_to(named[name], (3, 4, 4)))


@given(st.data())
def test_rest_poses_have_every_joint_at_zero_followers_too(robots, data: st.DataObject) -> None:
    robot = data.draw(robots())
    poses = rest_poses(robot)
    for joint in robot.joints:
        assert np.allclose(poses[joint.child], poses[joint.parent] @ joint.origin.matrix, **CLOSE)


def test_a_planar_arm_by_hand(chain) -> None:
    robot = chain(
        (JointType.REVOLUTE, Z, NONE, NONE),
        (JointType.REVOLUTE, Z, (2.0, 0.0, 0.0), NONE),
        (JointType.FIXED, None, (1.0, 0.0, 0.0), NONE),
    )
    tip = forward_kinematics(robot, {"j0": math.pi / 2, "j1": -math.pi / 2})["l3"]
    assert np.allclose(tip, [[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 0], [0, 0, 0, 1]], atol=1e-15)
    shoulder = forward_kinematics(robot, {"j0": math.pi / 2, "j1": -math.pi / 2}, "l3")["l1"]
    assert np.allclose(shoulder, [[0, -1, 0, -1], [1, 0, 0, -2], [0, 0, 1, 0], [0, 0, 0, 1]], atol=1e-15)


def test_a_slider_moves_along_the_axis_in_the_turned_joint_frame(chain) -> None:
    # rpy turns y to z, so that the axis y points along the parent's z
    robot = chain((JointType.PRISMATIC, Y, (1.0, 0.0, 0.0), (math.pi / 2, 0.0, 0.0)))
    assert np.allclose(forward_kinematics(robot, {"j0": 0.5})["l1"][:3, 3], [1.0, 0.0, 0.5], atol=1e-15)


def test_poses_do_not_depend_on_how_many_are_asked_for_at_once(chain) -> None:
    robot = chain((JointType.REVOLUTE, X, X, Y), (JointType.PLANAR, Z, Y, X), (JointType.FLOATING, None, X, Z))
    rng = np.random.default_rng(1)
    count = 3000  # more than is computed at a time
    values = {"j0": rng.normal(size=count), "j1": rng.normal(size=(count, 3)), "j2": rng.normal(size=(count, 7))}
    poses = forward_kinematics(robot, values, "l2")
    for t in (0, 1, 511, 512, 513, 1500, count - 1):
        single = forward_kinematics(robot, {name: value[t] for name, value in values.items()}, "l2")
        for name, pose in single.items():
            assert np.allclose(poses[name][t], pose, rtol=0.0, atol=1e-14)


def test_what_is_needed_besides_the_result_does_not_grow_with_the_configurations(chain) -> None:
    robot = chain(*[(JointType.REVOLUTE, axis, X, Y) for axis in (X, Y, Z)])
    besides = []
    for count in (4_000, 40_000):
        q = np.zeros((count, 3))
        forward_kinematics(robot, q[:1])
        tracemalloc.start()
        poses = forward_kinematics(robot, q)
        columns = jacobian(robot, q, "l3")
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        besides.append(peak - 8 * count * 16 * len(poses) - columns.nbytes)
    assert besides[1] < besides[0] + 8 * 40_000  # room for a few bytes a configuration, such as the check for NaN


def test_no_configurations_give_no_poses(chain) -> None:
    robot = chain((JointType.REVOLUTE, X, X, Y))
    assert forward_kinematics(robot, np.zeros((0, 1)))["l1"].shape == (0, 4, 4)


def test_a_single_link_is_at_home() -> None:
    robot = Robot("one", (Link("only"),), (), "only")
    assert np.array_equal(forward_kinematics(robot)["only"], np.eye(4))
    assert np.array_equal(forward_kinematics(robot, [])["only"], np.eye(4))


def test_links_come_in_document_order_from_any_base(chain) -> None:
    robot = chain((JointType.REVOLUTE, X, X, Y), (JointType.REVOLUTE, X, X, Y))
    assert list(forward_kinematics(robot, base="l2")) == ["l0", "l1", "l2"]


def test_an_unknown_base_is_refused_with_the_names_that_exist(chain) -> None:
    robot = chain((JointType.REVOLUTE, X, X, Y))
    for ask in (forward_kinematics, rest_poses):
        with pytest.raises(UnknownNameError, match="no link 'tool'; known: l0, l1"):
            ask(robot, base="tool")


def test_poses_that_were_handed_out_are_the_callers_own(chain) -> None:
    robot = chain((JointType.REVOLUTE, X, X, Y))
    first = forward_kinematics(robot, {"j0": 0.3})
    kept = {name: pose.copy() for name, pose in first.items()}
    forward_kinematics(robot, {"j0": 0.3})["l1"][:] = 7.0
    for name, pose in forward_kinematics(robot, {"j0": 0.3}).items():
        assert np.array_equal(pose, kept[name])
        assert np.array_equal(first[name], kept[name])
