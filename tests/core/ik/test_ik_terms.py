# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kind of goal: its residual by hand, its derivatives by differences."""

from __future__ import annotations

import math

import numpy as np
import pytest

from urdf_rig.core.errors import ModelError
from urdf_rig.core.ik import (
    AxisGoal,
    CenterOfMassGoal,
    LineGoal,
    LookAtGoal,
    OrientationGoal,
    PlaneGoal,
    PoseGoal,
    PositionGoal,
    PostureGoal,
    SwivelGoal,
)
from urdf_rig.core.ik.preparation import make_problem
from urdf_rig.core.ik.rotation_error import inverse_right_jacobian, rotation_vector
from urdf_rig.core.ik.terms import State
from urdf_rig.core.kinematics import center_of_mass, frame_pose
from urdf_rig.core.model import Inertial, Joint, JointType, Limits, Link, Mimic, Origin, Robot
from urdf_rig.core.spatial import rotation_about_axis, rotation_from_rpy, transform


def origin(xyz=(0.0, 0.0, 0.0), rpy=(0.0, 0.0, 0.0)):
    return Origin(xyz, rpy, transform(rotation_from_rpy(rpy), xyz))


def tree():
    """A tree with joints of all kinds: two branches, slides, followers, oblique axes, planar and floating."""
    oblique = tuple(np.array([1.0, 2.0, -0.5]) / np.linalg.norm([1.0, 2.0, -0.5]))
    turn, slide = JointType.REVOLUTE, JointType.PRISMATIC
    joints = (
        Joint("a", turn, "l0", "l1", origin((0.1, 0, 0.2), (0.3, 0, 0.1)), oblique, Limits(-2.0, 2.0)),
        Joint("b", slide, "l1", "l2", origin((0, 0.3, 0), (0, 0.4, 0)), (0.0, -1.0, 0.0), Limits(-0.5, 0.5)),
        Joint("c", turn, "l2", "l3", origin((0.2, 0, 0.1)), (0.0, 0.0, 1.0), Limits(-2.0, 2.0), Mimic("a", -0.7, 0.2)),
        Joint("p", JointType.PLANAR, "l3", "l4", origin((0, 0, 0.3), (0.2, 0.1, 0)), (0.0, 0.0, 1.0)),
        Joint("d", JointType.CONTINUOUS, "l4", "l5", origin((0.1, 0.1, 0), (1, 0, 0)), (1.0, 0.0, 0.0)),
        Joint("e", turn, "l1", "l6", origin((-0.2, 0, 0.3), (0, 0, 1)), oblique, Limits(-2.0, 2.0)),
        Joint("f", JointType.FLOATING, "l6", "l7", origin((0, 0.1, 0))),
        Joint("g", slide, "l7", "l8", origin((0, 0, 0.2), (0, 1, 0)), oblique, Limits(-1.0, 1.0), Mimic("b", 2.0, 0.1)),
    )
    rng = np.random.default_rng(0)
    links = tuple(
        Link(f"l{i}", inertial=Inertial(float(m), origin(tuple(rng.uniform(-0.2, 0.2, 3))), np.eye(3)))
        for i, m in enumerate(rng.uniform(0.5, 2.0, 9))
    )
    return Robot("tree", links, joints, "l0")


SPATIAL = {
    "p": np.array([0.1, -0.2, 0.5]),
    "f": np.array([0.1, 0.2, 0.3, *np.array([1.0, 0.2, -0.3, 0.4]) / np.linalg.norm([1.0, 0.2, -0.3, 0.4])]),
}
TOOL = ("l5", transform(rotation_from_rpy([0.1, 0.2, 0.3]), [0.05, 0.1, -0.1]))
TARGET = transform(rotation_from_rpy([0.5, -0.4, 1.0]), [0.3, 0.2, 0.6])
GOALS = {
    "pose": PoseGoal(TOOL, TARGET, rotation_weight=0.3),
    "pose of another branch": PoseGoal("l8", TARGET, weight=2.0),
    "position": PositionGoal(TOOL, TARGET[:3, 3]),
    "orientation": OrientationGoal(TOOL, TARGET[:3, :3]),
    "axis": AxisGoal(TOOL, [0.0, 1.0, 1.0], [1.0, 0.0, 0.3]),
    "look-at": LookAtGoal(TOOL, [0.0, 0.0, 2.0], [1.0, 2.0, 0.5]),
    "line": LineGoal(TOOL, [0.0, 0.1, 0.2], [1.0, 1.0, 0.0]),
    "plane": PlaneGoal("l8", [0.0, 0.1, 0.2], [0.0, 1.0, 3.0]),
    "mass": CenterOfMassGoal([0.1, 0.2, 0.3], axes=(True, False, True)),
    "posture": PostureGoal(q={"d": 0.3, "a": -0.2}, weight=0.5, priority=0),
}


def state(count=1, seed=1):
    rng = np.random.default_rng(seed)
    poses = transform(rotation_from_rpy(rng.uniform(-1, 1, (count, 3))), rng.uniform(-1, 1, (count, 3)))
    return State(rng.uniform(-0.4, 0.4, (count, 4)), poses)


def problem_of(goal, base=None, floating=True, locked=()):
    return make_problem(tree(), (goal,), base, SPATIAL, floating, locked, {})


@pytest.mark.parametrize("base", [None, "l5", "l8"])
@pytest.mark.parametrize("name", GOALS)
def test_the_derivatives_are_those_of_the_residual(name, base):
    problem, at = problem_of(GOALS[name], base), state()
    residual, jacobian = problem.evaluate(at, problem.terms)
    for variable in range(problem.variables.count):
        step = np.zeros((1, problem.variables.count))
        step[0, variable] = 1e-6
        ahead, behind = (problem.evaluate(problem.moved(at, s * step), problem.terms)[0] for s in (1.0, -1.0))
        assert jacobian[0, variable] == pytest.approx((ahead - behind)[0] / 2e-6, abs=1e-8)
    assert residual.shape == (1, jacobian.shape[2])


@pytest.mark.parametrize("name", GOALS)
def test_many_states_at_once_are_each_of_them(name):
    problem, many = problem_of(GOALS[name]), state(6)
    residual, jacobian = problem.evaluate(many, problem.terms)
    for index in range(6):
        one, slope = problem.evaluate(many.part(slice(index, index + 1)), problem.terms)
        assert one[0] == pytest.approx(residual[index], abs=1e-12)
        assert slope[0] == pytest.approx(jacobian[index], abs=1e-12)


def test_the_residuals_against_forward_kinematics():
    at, robot = state(), tree()
    q = {**dict(zip(robot.dofs, at.q[0], strict=True)), **SPATIAL}
    h = frame_pose(robot, q, TOOL, W_H_B=at.W_H_B[0])
    found = {name: problem_of(goal).evaluate(at, problem_of(goal).terms)[0][0] for name, goal in GOALS.items()}
    position = h[:3, 3] - TARGET[:3, 3]
    angle = math.acos((np.trace(TARGET[:3, :3].T @ h[:3, :3]) - 1.0) / 2.0)
    assert np.linalg.norm(found["pose"][:3]) == pytest.approx(np.linalg.norm(position))
    assert np.linalg.norm(found["pose"][3:]) == pytest.approx(0.3 * angle)
    assert found["position"] == pytest.approx(position)
    assert np.linalg.norm(found["orientation"]) == pytest.approx(angle)
    axis = h[:3, :3] @ [0.0, math.sqrt(0.5), math.sqrt(0.5)]
    assert found["axis"] == pytest.approx(axis - np.array([1.0, 0.0, 0.3]) / np.linalg.norm([1.0, 0.0, 0.3]))
    view = np.array([1.0, 2.0, 0.5]) - h[:3, 3]
    assert found["look-at"] == pytest.approx(h[:3, 2] - view / np.linalg.norm(view))
    off_line = np.cross(h[:3, 3] - [0.0, 0.1, 0.2], np.array([1.0, 1.0, 0.0]) / math.sqrt(2.0))
    assert np.linalg.norm(found["line"]) == pytest.approx(np.linalg.norm(off_line))
    other = frame_pose(robot, q, "l8", W_H_B=at.W_H_B[0])[:3, 3]
    assert found["plane"] == pytest.approx([(other - [0.0, 0.1, 0.2]) @ [0.0, 1.0, 3.0] / math.sqrt(10.0)])
    mass = center_of_mass(robot, q, W_H_B=at.W_H_B[0]) - [0.1, 0.2, 0.3]
    assert found["mass"] == pytest.approx(mass[[0, 2]])
    assert found["posture"] == pytest.approx(0.5 * (at.q[0, [2, 0]] - [0.3, -0.2]))


def test_locked_joints_are_no_variables():
    problem = problem_of(GOALS["pose"], floating=False, locked=("a", "d"))
    assert [tree().dofs[column] for column in problem.variables.columns] == ["b"]


def test_only_joints_on_the_path_are_variables():
    problem = problem_of(GOALS["plane"], floating=False)
    assert {tree().dofs[column] for column in problem.variables.columns} == {"a", "e", "b"}


def test_limits_of_followers_are_limits_of_their_leader():
    problem = problem_of(GOALS["pose"], floating=False)
    names = [tree().dofs[column] for column in problem.variables.columns]
    # c = -0.7 a + 0.2 within -2..2, g = 2 b + 0.1 within -1..1
    assert problem.lower[names.index("a")] == pytest.approx(max(-2.0, -1.8 / 0.7))
    assert problem.upper[names.index("b")] == pytest.approx(0.45)
    assert problem.lower[names.index("b")] == pytest.approx(-0.5)
    assert problem.upper[names.index("d")] == np.inf


@pytest.mark.parametrize("count", [1, 50])
def test_rotation_vectors(count):
    rng = np.random.default_rng(2)
    axes = rng.normal(size=(count, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    for angle in (0.0, 1e-12, 1e-5, 0.5, 2.0, math.pi - 1e-5, math.pi - 1e-11):
        found = rotation_vector(rotation_about_axis(axes, np.full(count, angle)))
        assert found == pytest.approx(angle * axes, abs=1e-7 if angle > 3.0 else 1e-12)
    half = rotation_vector(rotation_about_axis(axes, np.full(count, math.pi)))
    assert np.linalg.norm(half, axis=1) == pytest.approx(np.full(count, math.pi))
    assert np.abs(np.sum(half * axes, axis=1)) == pytest.approx(np.full(count, math.pi))


@pytest.mark.parametrize("angle", [0.0, 1e-4, 0.3, 2.5])
@pytest.mark.parametrize("count", [1, 9])
def test_how_rotation_vectors_change(angle, count):
    rng = np.random.default_rng(3)
    axes = rng.normal(size=(count, 3))
    axes *= angle / np.linalg.norm(axes, axis=1, keepdims=True)
    rotation = rotation_about_axis(axes / max(angle, 1e-300), np.full(count, angle)) if angle else np.eye(3)[None]
    rotation = np.broadcast_to(rotation, (count, 3, 3))
    slopes = inverse_right_jacobian(axes)
    for index, small in enumerate(np.eye(3)):
        ahead, behind = (rotation_vector(rotation @ rotation_about_axis(small, s * 1e-6)) for s in (1.0, -1.0))
        assert slopes[:, :, index] == pytest.approx((ahead - behind) / 2e-6, abs=1e-8)


NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    "make",
    [
        lambda: PositionGoal("l5", [NAN, 0, 0]),
        lambda: PositionGoal("l5", [INF, 0, 0]),
        lambda: PositionGoal("l5", [0, 0]),
        lambda: PositionGoal("l5", ["x", 0, 0]),
        lambda: PoseGoal("l5", np.full((4, 4), NAN)),
        lambda: PoseGoal("l5", 2.0 * np.eye(4)),
        lambda: PoseGoal("l5", np.diag([1.0, 1.0, -1.0, 1.0])),
        lambda: OrientationGoal("l5", np.zeros((3, 3))),
        lambda: AxisGoal("l5", [0, 0, 0], [1, 0, 0]),
        lambda: LookAtGoal("l5", [1, 0, 0], [NAN, 0, 0]),
        lambda: PlaneGoal("l5", [0, 0, 0], [0, INF, 0]),
        lambda: CenterOfMassGoal([0, 0, NAN]),
        lambda: CenterOfMassGoal([0, 0, 0], axes=(False, False, False)),
        lambda: PositionGoal("l5", [0, 0, 0], weight=NAN),
        lambda: PositionGoal("l5", [0, 0, 0], weight=0.0),
        lambda: PoseGoal("l5", np.eye(4), rotation_weight=NAN),
        lambda: PoseGoal("l5", np.eye(4), rotation_weight=0.0),
        lambda: SwivelGoal("l8", NAN),
        lambda: PostureGoal(q={"a": NAN}),
        lambda: PostureGoal(q={"c": 0.0}),
        lambda: PositionGoal("nowhere", [0, 0, 0]),
    ],
)
def test_goals_that_are_none_are_refused(make):
    with pytest.raises(ModelError):
        problem_of(make())
