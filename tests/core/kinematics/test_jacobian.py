# SPDX-License-Identifier: GPL-3.0-or-later
"""Jacobians against derivatives of forward kinematics: by a complex step, by differences, and by hand."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urdf_rig.core.errors import JointValueError, ModelError, UnknownNameError
from urdf_rig.core.kinematics import (
    VelocityRepresentation,
    forward_kinematics,
    frame_pose,
    jacobian,
    jacobian_derivative,
    relative_jacobian,
    relative_pose,
)
from urdf_rig.core.kinematics.compiled import compiled_tree
from urdf_rig.core.kinematics.configuration import Configuration
from urdf_rig.core.kinematics.forward import link_poses
from urdf_rig.core.model import JointType, Mimic, Robot
from urdf_rig.core.spatial import inverse
from urdf_rig.core.urdf import read_urdf

CASE = Path(__file__).parents[2] / "data" / "cases" / "39-jacobian-representations"
REPRESENTATIONS = ("inertial", "body", "mixed")
PAIRS = list(product(REPRESENTATIONS, REPRESENTATIONS))
X, Y, Z, NONE = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)


def wedge(velocity: np.ndarray) -> np.ndarray:
    """Return the 4x4 matrix of a 6D velocity, so that it times a pose is the pose's derivative."""
    out = np.zeros((4, 4))
    out[:3, :3] = np.cross(np.eye(3), velocity[3:])
    out[:3, 3] = velocity[:3]
    return out


def vee(matrix: np.ndarray) -> np.ndarray:
    return np.array([*matrix[:3, 3], matrix[2, 1], matrix[0, 2], matrix[1, 0]])


def velocity(pose: np.ndarray, rate: np.ndarray, representation: str) -> np.ndarray:
    """Return the 6D velocity of a frame from its pose (4, 4) and the pose's derivative, by what each form means."""
    if representation == "body":
        return vee(inverse(pose) @ rate)
    spatial = vee(rate @ inverse(pose))
    return spatial if representation == "inertial" else np.array([*rate[:3, 3], *spatial[3:]])


def exponential(twist: np.ndarray) -> np.ndarray:
    total, term = np.eye(4), np.eye(4)
    for order in range(1, 12):
        term = term @ twist / order
        total = total + term
    return total


def moved(world_h_base: np.ndarray, rates: np.ndarray, step: float, representation: str) -> np.ndarray:
    """Return the base's pose after a short time at a velocity that is written in the given way at the start."""
    if representation == "body":
        return world_h_base @ exponential(step * wedge(rates))
    if representation == "inertial":
        return exponential(step * wedge(rates)) @ world_h_base
    out = exponential(step * wedge(np.array([0.0, 0.0, 0.0, *rates[3:]]))) @ world_h_base
    out[:3, 3] = world_h_base[:3, 3] + step * rates[:3]
    return out


def complex_step_jacobian(
    robot: Robot, values: dict[str, np.ndarray], link: str, base: str, world_h_base: np.ndarray, offset: np.ndarray
) -> dict[str, np.ndarray]:
    """Return the Jacobian of the joints in each representation, exact to rounding: FK at ``q + i h`` for each joint."""
    count, step = len(robot.dofs), 1e-30
    free = np.array([values[name] for name in robot.dofs], dtype=complex).reshape(-1, 1)
    spatial = {n: np.tile(v, (count, 1)) for n, v in values.items() if np.ndim(v)}
    tree = compiled_tree(robot, base)
    poses = link_poses(tree, Configuration(free + 1j * step * np.eye(count), spatial, batched=True))
    poses = poses[tree.node_of[link]].transpose(2, 1, 0)
    pose = world_h_base @ frame_pose(robot, values, (link, offset), base)
    rates = world_h_base @ (poses.imag / step) @ offset
    columns = {r: [velocity(pose, rate, r) for rate in rates] for r in REPRESENTATIONS}
    return {r: np.array(column).reshape(count, 6).T for r, column in columns.items()}


@settings(max_examples=60)
@given(st.data())
def test_columns_are_what_a_complex_step_gives(robots, values_for, poses, data: st.DataObject) -> None:
    robot = data.draw(robots())
    values = data.draw(values_for(robot))
    link, base = (data.draw(st.sampled_from(robot.links)).name for _ in range(2))
    world_h_base, offset = data.draw(poses), data.draw(poses)
    expected = complex_step_jacobian(robot, values, link, base, world_h_base, offset)
    for output in REPRESENTATIONS:
        ours = jacobian(robot, values, (link, offset), base, world_h_base, output)
        assert ours.shape == (6, len(robot.dofs))
        assert np.allclose(ours, expected[output], rtol=0.0, atol=1e-11)


@settings(max_examples=40)
@given(st.data())
def test_a_floating_bases_columns_come_first_and_move_the_frame(robots, values_for, poses, data) -> None:
    robot = data.draw(robots(most=5))
    values = data.draw(values_for(robot))
    link = data.draw(st.sampled_from(robot.links)).name
    world_h_base, step = data.draw(poses), 1e-5
    pose = frame_pose(robot, values, link, None, world_h_base)
    for given_as in REPRESENTATIONS:
        ours = {o: jacobian(robot, values, link, None, world_h_base, o, given_as, True) for o in REPRESENTATIONS}
        for column, unit in enumerate(np.eye(6)):
            ahead, behind = (
                frame_pose(robot, values, link, None, moved(world_h_base, unit, s, given_as)) for s in (step, -step)
            )
            rate = (ahead - behind) / (2 * step)
            for output in REPRESENTATIONS:
                assert np.allclose(ours[output][:, column], velocity(pose, rate, output), rtol=0.0, atol=1e-8)
        for output in REPRESENTATIONS:
            fixed = jacobian(robot, values, link, None, world_h_base, output)
            assert np.allclose(ours[output][:, 6:], fixed, rtol=0.0, atol=1e-12)


@settings(max_examples=30)
@given(st.data())
def test_the_derivative_is_the_jacobians_difference(robots, values_for, poses, data: st.DataObject) -> None:
    robot = data.draw(robots(most=5))
    values = data.draw(values_for(robot))
    link, base = (data.draw(st.sampled_from(robot.links)).name for _ in range(2))
    world_h_base, frame = data.draw(poses), (link, data.draw(poses))
    count, step = len(robot.dofs), 1e-5
    rates = np.array(data.draw(st.lists(st.floats(-1, 1), min_size=6 + count, max_size=6 + count)))
    for output, given_as in PAIRS:
        ahead, behind = (
            jacobian(
                robot,
                {**values, **{n: values[n] + s * rate for n, rate in zip(robot.dofs, rates[6:], strict=True)}},
                frame,
                base,
                moved(world_h_base, rates[:6], s, given_as),
                output,
                given_as,
                True,
            )
            for s in (step, -step)
        )
        expected = (ahead - behind) / (2 * step)
        ours = jacobian_derivative(robot, values, rates, frame, base, world_h_base, output, given_as, True)
        # relative to the largest entry
        assert np.allclose(ours, expected, rtol=0.0, atol=1e-7 * max(1.0, np.abs(expected).max()))
        if not rates[:6].any():
            fixed = jacobian_derivative(robot, values, rates[6:], frame, base, world_h_base, output)
            assert np.allclose(ours[:, 6:], fixed, rtol=0.0, atol=1e-12)


@given(st.data())
def test_many_configurations_are_as_many_single_ones(robots, values_for, poses, data: st.DataObject) -> None:
    robot = data.draw(robots((JointType.FIXED, JointType.REVOLUTE, JointType.PRISMATIC), most=5))
    count = data.draw(st.integers(2, 4))
    rng = np.random.default_rng(data.draw(st.integers(0, 100)))
    q, v = rng.normal(size=(count, len(robot.dofs))), rng.normal(size=(count, len(robot.dofs) + 6))
    link = data.draw(st.sampled_from(robot.links)).name
    output, given_as = data.draw(st.sampled_from(PAIRS))
    bases = np.array([data.draw(poses) for _ in range(count)])
    form = {"output": output, "input": given_as, "floating": True}
    many = jacobian(robot, q, link, W_H_B=bases, **form)
    many_rates = jacobian_derivative(robot, q, v, link, W_H_B=bases, **form)
    assert many.shape == many_rates.shape == (count, 6, len(robot.dofs) + 6)
    for t in range(count):
        single = jacobian(robot, q[t], link, W_H_B=bases[t], **form)
        assert np.allclose(many[t], single, rtol=0.0, atol=1e-13)
        single = jacobian_derivative(robot, q[t], v[t], link, W_H_B=bases[t], **form)
        assert np.allclose(many_rates[t], single, rtol=0.0, atol=1e-12)


def test_one_of_the_arguments_may_be_for_many_configurations(chain) -> None:
    robot = chain((JointType.REVOLUTE, Z, X, NONE), (JointType.REVOLUTE, Y, X, NONE))
    v = np.array([[1.0, 2.0], [-1.0, 0.5], [0.0, 0.0]])
    rates = jacobian_derivative(robot, [0.3, 0.4], v, "l2")
    assert rates.shape == (3, 6, 2)
    assert np.allclose(rates[1], jacobian_derivative(robot, [0.3, 0.4], v[1], "l2"))
    bases = np.stack([np.eye(4)] * 3)
    assert jacobian(robot, [0.3, 0.4], "l2", W_H_B=bases).shape == (3, 6, 2)
    with pytest.raises(JointValueError, match=r"different numbers of configurations: \[2, 3\]"):
        jacobian_derivative(robot, np.zeros((2, 2)), v, "l2")


@pytest.mark.parametrize("count", [1, 5, 2500])
def test_batches_of_any_length_agree(chain, count: int) -> None:
    robot = chain(*[(JointType.REVOLUTE, axis, X, Y) for axis in (X, Y, Z, X)], mimics={2: Mimic("j0", -1.5, 0.1)})
    rng = np.random.default_rng(3)
    q, v = rng.normal(size=(count, 3)), rng.normal(size=(count, 3))
    many, rates = jacobian(robot, q, "l4"), jacobian_derivative(robot, q, v, "l4")
    for t in {0, count // 2, count - 1}:
        assert np.allclose(many[t], jacobian(robot, q[t], "l4"), rtol=0.0, atol=1e-13)
        assert np.allclose(rates[t], jacobian_derivative(robot, q[t], v[t], "l4"), rtol=0.0, atol=1e-13)


def test_case_39_numbers() -> None:
    text = (CASE / "expect.md").read_text(encoding="utf-8")
    case = json.loads(re.search(r"```json\n(.*?)\n```", text, re.DOTALL)[1])
    robot = read_urdf(CASE / case["input"])
    assert list(robot.dofs) == case["columns"]
    for representation in REPRESENTATIONS:
        ours = jacobian(robot, case["q"], case["frame"], output=representation)
        assert np.abs(ours - case[f"J_{representation}"]).max() < case["tol"]
        ours = jacobian_derivative(robot, case["q"], case["v"], case["frame"], output=representation)
        assert np.abs(ours - case[f"Jdot_{representation}"]).max() < case["tol"]


def test_a_planar_arm_by_hand(chain) -> None:
    # two links of 2 and 1 along x, both turning about z; at 0 and 90 degrees
    robot = chain(
        (JointType.REVOLUTE, Z, NONE, NONE),
        (JointType.REVOLUTE, Z, (2.0, 0.0, 0.0), NONE),
        (JointType.FIXED, None, (1.0, 0.0, 0.0), NONE),
    )
    q = {"j1": np.pi / 2}
    assert np.allclose(jacobian(robot, q, "l3").T, [[-1, 2, 0, 0, 0, 1], [-1, 0, 0, 0, 0, 1]], atol=1e-15)
    # the tip stands at (2, 1), its x axis along y: what passes the origin does not move with the first joint
    inertial = jacobian(robot, q, "l3", output="inertial")
    assert np.allclose(inertial.T, [[0, 0, 0, 0, 0, 1], [0, -2, 0, 0, 0, 1]], atol=1e-15)
    body = jacobian(robot, q, "l3", output=VelocityRepresentation.BODY)
    assert np.allclose(body.T, [[2, 1, 0, 0, 0, 1], [0, 1, 0, 0, 0, 1]], atol=1e-15)
    # turning at one radian a second about the shoulder, each column turns along
    rates = jacobian_derivative(robot, q, {"j0": 1.0}, "l3")
    assert np.allclose(rates.T, [[-2, -1, 0, 0, 0, 0], [0, -1, 0, 0, 0, 0]], atol=1e-15)


def test_followers_are_folded_into_their_leaders_column(chain) -> None:
    robot = chain(
        (JointType.REVOLUTE, Z, NONE, NONE),
        (JointType.PRISMATIC, X, NONE, NONE),
        (JointType.PRISMATIC, X, NONE, NONE),
        mimics={1: Mimic("j2", -0.5, 0.25), 2: Mimic("j0", 4.0)},
    )
    assert robot.dofs == ("j0",)
    # at 0 the followers stand at 0 and 0.25 and go at 4 and -2
    assert np.allclose(jacobian(robot, None, "l3")[:, 0], [2.0, 0.25, 0.0, 0.0, 0.0, 1.0])


def test_joints_that_do_not_carry_the_frame_have_zero_columns(chain) -> None:
    robot = chain((JointType.REVOLUTE, Z, X, NONE), (JointType.REVOLUTE, Z, X, NONE), (JointType.REVOLUTE, Z, X, NONE))
    ours = jacobian(robot, [0.1, 0.2, 0.3], "l1", base="l2")
    assert not ours[:, [0, 2]].any()
    assert np.allclose(ours[3:, 1], [0.0, 0.0, -1.0])


def test_the_base_frame_itself_does_not_move(chain) -> None:
    robot = chain((JointType.REVOLUTE, Z, X, NONE))
    assert not jacobian(robot, [0.5], "l0").any()
    assert np.allclose(jacobian(robot, [0.5], "l0", floating=True), np.eye(6, 7))
    assert not jacobian_derivative(robot, [0.5], np.ones(7), "l0", floating=True).any()


@settings(max_examples=30)
@given(st.data())
def test_the_relative_jacobian_moves_one_frame_in_the_other(robots, values_for, poses, data: st.DataObject) -> None:
    robot = data.draw(robots())
    values = data.draw(values_for(robot))
    frame, reference = ((data.draw(st.sampled_from(robot.links)).name, data.draw(poses)) for _ in range(2))
    all_poses = forward_kinematics(robot, values)
    expected = inverse(all_poses[reference[0]] @ reference[1]) @ all_poses[frame[0]] @ frame[1]
    pose = relative_pose(robot, values, frame, reference)
    assert np.allclose(pose, expected, rtol=0.0, atol=1e-11)
    step = 1e-6
    for output in REPRESENTATIONS:
        ours = relative_jacobian(robot, values, frame, reference, output)
        for column, name in enumerate(robot.dofs):
            ahead, behind = (
                relative_pose(robot, {**values, name: values[name] + s}, frame, reference) for s in (step, -step)
            )
            assert np.allclose(ours[:, column], velocity(pose, (ahead - behind) / (2 * step), output), atol=2e-8)


@pytest.fixture(scope="module")
def hinge(chain) -> Robot:
    return chain((JointType.REVOLUTE, Z, X, NONE), (JointType.PLANAR, Z, X, NONE))


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"frame": "tool"}, UnknownNameError, "no link 'tool'"),
        ({"frame": ("tool", np.eye(4))}, UnknownNameError, "no link 'tool'"),
        ({"base": "tool"}, UnknownNameError, "no link 'tool'"),
        ({"frame": ("l1", np.eye(3))}, ModelError, r"offset has shape \(3, 3\); expected \(4, 4\)$"),
        ({"frame": ("l1", 2.0 * np.eye(4))}, ModelError, "offset is no rigid transform"),
        ({"frame": ("l1", np.diag([1.0, 1.0, -1.0, 1.0]))}, ModelError, "offset is no rigid transform"),
        ({"frame": ("l1", "x")}, ModelError, "offset does not consist of numbers"),
        ({"W_H_B": np.full((4, 4), np.nan)}, ModelError, "W_H_B is not finite"),
        ({"W_H_B": np.zeros((2, 4))}, ModelError, r"W_H_B has shape \(2, 4\); expected \(4, 4\) or \(T, 4, 4\)"),
        ({"v": [1.0, 2.0]}, JointValueError, r"velocities have shape \(2,\); expected \(1,\)"),
        ({"v": [1.0], "floating": True}, JointValueError, r"expected \(7,\) or \(T, 7\)"),
        ({"v": [np.inf]}, JointValueError, "NaN or infinity"),
        ({"v": ["fast"]}, JointValueError, "not numbers"),
        ({"v": {"j1": [1.0, 0.0, 0.0]}}, JointValueError, "no velocity here: j1"),
        ({"v": {"j0": 1.0}, "floating": True}, JointValueError, "starts with the base's six"),
        ({"v": {"elbow": 1.0}}, UnknownNameError, "no joint 'elbow'"),
        ({"output": "spatial"}, ValueError, "'spatial' is not a valid VelocityRepresentation"),
    ],
)
def test_what_cannot_be_answered_is_refused(hinge: Robot, change: dict, error: type[Exception], words: str) -> None:
    arguments = {"q": [0.1], "v": [1.0], "frame": "l2", **change}
    with pytest.raises(error, match=words):
        jacobian_derivative(hinge, **arguments)
    if "v" not in change:
        arguments.pop("v")
        with pytest.raises(error, match=words):
            jacobian(hinge, **arguments)
