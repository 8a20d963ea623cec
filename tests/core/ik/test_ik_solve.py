# SPDX-License-Identifier: GPL-3.0-or-later
"""The numeric solver: reaches what can be reached, within limits, and says how far it is from the rest."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from urdf_rig.core import load
from urdf_rig.core.errors import JointValueError, ModelError, UnknownNameError
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
    solve_ik,
)
from urdf_rig.core.kinematics import center_of_mass, frame_pose
from urdf_rig.core.model import Inertial, Joint, JointType, Limits, Link, Mimic, Origin, Robot
from urdf_rig.core.spatial import rotation_angle, rotation_from_rpy, transform

CASE = Path(__file__).parents[2] / "data" / "cases" / "38-ik-respects-limits"
Z, Y = [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]
SEVEN = ([Z, Y, Z, Y, Z, Y, Z], [[0, 0, 0.2]] * 3 + [[0.05, 0, 0.6]] + [[0.0, 0, 1.0]] * 3)
LIMITS = [(-2.8, 2.8), (-1.7, 1.7), (-2.8, 2.8), (-3.0, -0.1), (-2.8, 2.8), (0.0, 3.7), (-2.8, 2.8)]


def within_limits(robot, q):
    ranges = [robot.joint(name).range or (-np.inf, np.inf) for name in robot.dofs]
    return all(low <= value <= high for value, (low, high) in zip(q, ranges, strict=True))


@pytest.fixture
def arm(make_arm):
    return make_arm(*SEVEN, limits=LIMITS)


def random_configurations(robot, count, seed=0):
    ranges = np.array([robot.joint(name).range for name in robot.dofs])
    return np.random.default_rng(seed).uniform(ranges[:, 0], ranges[:, 1], (count, len(ranges)))


def test_every_reachable_pose_from_zero(arm):
    for q in random_configurations(arm, 60):
        pose = frame_pose(arm, q, "tip")
        found = solve_ik(arm, PoseGoal("tip", pose))
        reached = frame_pose(arm, found.q, "tip")
        assert found.reached and not found.note
        assert np.linalg.norm(reached[:3, 3] - pose[:3, 3]) < 1e-6
        assert rotation_angle(reached[:3, :3].T @ pose[:3, :3]) < 1e-6
        assert within_limits(arm, found.q)


def test_a_near_start_finds_the_near_solution_in_few_steps(arm):
    rng = np.random.default_rng(1)
    for q in random_configurations(arm, 40):
        step = rng.normal(size=7)
        start = np.clip(q + 0.1 * step / np.linalg.norm(step), *np.array(LIMITS).T)
        found = solve_ik(arm, PoseGoal("tip", frame_pose(arm, q, "tip")), start, restarts=0)
        assert found.reached and found.iterations <= 25
        assert np.abs(found.q - start).max() < 0.5


def test_the_same_call_gives_the_same_answer(arm):
    goal = PoseGoal("tip", frame_pose(arm, random_configurations(arm, 1)[0], "tip"))
    first, second, other = solve_ik(arm, goal), solve_ik(arm, goal), solve_ik(arm, goal, seed=5)
    assert first.q.tolist() == second.q.tolist() and first.iterations == second.iterations
    assert other.reached


def case_38():
    block = re.search(r"```json\n(.*?)\n```", (CASE / "expect.md").read_text(encoding="utf-8"), re.DOTALL)
    return json.loads(block.group(1))["ik"]


@pytest.mark.parametrize("case", case_38(), ids=lambda case: f"{case['expect']} {case['target_xyz']}")
def test_the_inputs_of_case_38(case):
    robot = load(CASE / "robot.urdf")
    goal = PositionGoal(case["frame"], [float(x) for x in case["target_xyz"]])
    if case["expect"] == "error":
        with pytest.raises(ModelError, match="NaN"):
            solve_ik(robot, goal)
        return
    found = solve_ik(robot, goal)
    distance = np.linalg.norm(frame_pose(robot, found.q, case["frame"])[:3, 3] - goal.W_p)
    assert within_limits(robot, found.q)
    assert found.reached == (case["expect"] == "reached")
    assert found.residuals[0].position == pytest.approx(distance, abs=1e-9)
    if found.reached:
        assert distance < case["tol_m"]
    else:
        assert "not reached, off by" in found.note
        assert distance >= case.get("residual_m_min", 0.0)
        assert distance <= nearest_on_a_grid(robot, case["frame"], goal.W_p) + 1e-9


def nearest_on_a_grid(robot, frame, target):
    axes = [np.linspace(*robot.joint(name).range, 41) for name in robot.dofs]
    q = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, len(axes))
    return np.linalg.norm(frame_pose(robot, q, frame)[:, :3, 3] - target, axis=1).min()


def test_out_of_reach_points_at_the_target_and_says_how_far(make_arm):
    robot = make_arm([Z, Y, Y], [[0, 0, 0], [0, 0, 0], [0.4, 0, 0]], transform(np.eye(3), [0.7, 0, 0]))
    found = solve_ik(robot, PositionGoal("tip", [0.0, 2.0, 0.0]))
    assert not found.reached
    assert found.residuals[0].position == pytest.approx(1.3, abs=1e-6)
    assert frame_pose(robot, found.q, "tip")[:3, 3] == pytest.approx([0.0, 0.7, 0.0], abs=1e-2)
    assert found.note == "position of tip: not reached, off by 1.3e+03 mm"
    assert found.active_limits == ()


def test_what_is_out_of_reach_is_given_up_early(arm):
    """All starts end stretched out: after some of them there is nothing left to hope for."""
    found = solve_ik(arm, PositionGoal("tip", [0.0, 3.0, 0.5]))
    assert not found.reached and found.iterations < 150


def test_active_limits_are_named(make_arm):
    robot = make_arm([Z], [[0, 0, 0]], transform(np.eye(3), [1.0, 0, 0]), limits=(-0.5, 0.5))
    found = solve_ik(robot, PositionGoal("tip", [0.0, 1.0, 0.0]))
    assert found.q.tolist() == [0.5]
    assert found.active_limits == ("j1",)
    assert not found.reached
    assert found.residuals[0].position == pytest.approx(2.0 * math.sin((math.pi / 2 - 0.5) / 2))


def test_a_start_beyond_the_limits_is_brought_within(arm):
    found = solve_ik(arm, PoseGoal("tip", np.eye(4)), np.full(7, 50.0), restarts=0)
    assert within_limits(arm, found.q)


def test_locked_joints_stay_and_weights_choose_who_moves(arm):
    start = random_configurations(arm, 1)[0] * 0.9
    target = frame_pose(arm, start, "tip")[:3, 3] + [0.03, -0.02, 0.02]
    found = solve_ik(arm, PositionGoal("tip", target), start, locked=["j1", "j4"])
    assert found.reached
    assert found.q[[0, 3]].tolist() == start[[0, 3]].tolist()
    lazy = solve_ik(arm, PositionGoal("tip", target), start, weights={"j2": 100.0}, restarts=0)
    free = solve_ik(arm, PositionGoal("tip", target), start, restarts=0)
    assert lazy.reached and free.reached
    assert abs(lazy.q[1] - start[1]) < 0.1 * abs(free.q[1] - start[1])


def test_everything_locked_is_judged_as_it_stands(arm):
    start = random_configurations(arm, 1)[0]
    here = frame_pose(arm, start, "tip")
    assert solve_ik(arm, PoseGoal("tip", here), start, locked=arm.dofs).reached
    there = here.copy()
    there[0, 3] += 0.5
    found = solve_ik(arm, PoseGoal("tip", there), start, locked=arm.dofs)
    assert not found.reached and found.residuals[0].position == pytest.approx(0.5)


def gripper():
    """A slide, a leader and a follower that turns twice as far the other way, limited more tightly."""
    origin = Origin((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), np.eye(4))
    ahead = Origin((1.0, 0.0, 0.0), (0.0, 0.0, 0.0), transform(np.eye(3), [1.0, 0.0, 0.0]))
    axis = (0.0, 0.0, 1.0)
    joints = (
        Joint("slide", JointType.PRISMATIC, "base", "cart", origin, (0.0, 1.0, 0.0), Limits(0.0, 0.5)),
        Joint("lead", JointType.REVOLUTE, "cart", "arm", origin, axis, Limits(-2.0, 2.0)),
        Joint("follow", JointType.REVOLUTE, "arm", "hand", ahead, axis, Limits(-1.0, 1.0), Mimic("lead", -2.0, 0.1)),
        Joint("end", JointType.FIXED, "hand", "tip", ahead),
    )
    links = tuple(Link(name) for name in ("base", "cart", "arm", "hand", "tip"))
    return Robot("gripper", links, joints, "base")


def test_slides_and_followers():
    robot = gripper()
    for q in ([0.2, 0.4], [0.5, -0.45], [0.0, 0.55]):
        target = frame_pose(robot, q, "tip")
        found = solve_ik(robot, PositionGoal("tip", target[:3, 3]))
        assert found.reached
        assert np.abs(frame_pose(robot, found.q, "tip")[:3, 3] - target[:3, 3]).max() < 1e-6
        assert -1.0 - 1e-9 <= -2.0 * found.q[1] + 0.1 <= 1.0 + 1e-9


def test_limits_of_a_follower_hold():
    found = solve_ik(gripper(), PositionGoal("tip", [0.0, 5.0, 0.0]))
    assert not found.reached
    assert -1.0 - 1e-9 <= -2.0 * found.q[1] + 0.1 <= 1.0 + 1e-9
    assert "lead" in found.active_limits and "slide" in found.active_limits


def test_unlimited_joints_stay_within_half_a_turn_of_the_start(make_arm):
    robot = make_arm(*SEVEN, types=[JointType.CONTINUOUS] * 7)
    start = np.full(7, 30.0)
    for q in np.random.default_rng(0).uniform(-3, 3, (10, 7)):
        found = solve_ik(robot, PoseGoal("tip", frame_pose(robot, q, "tip")), start)
        assert found.reached and np.abs(found.q - start).max() <= math.pi + 1e-9


@pytest.mark.parametrize(
    "goal",
    [
        OrientationGoal("tip", rotation_from_rpy([0.4, 0.5, -1.0])),
        AxisGoal("tip", [0, 0, 1], [1, 1, -1]),
        LookAtGoal("tip", [1, 0, 0], [1.5, 1.0, 0.5]),
        LineGoal("tip", [0.5, 0, 0.7], [0, 1, 0]),
        PlaneGoal("tip", [0.0, 0, 0.6], [0, 0, 1]),
    ],
    ids=lambda goal: type(goal).__name__,
)
def test_partial_goals(arm, goal):
    found = solve_ik(arm, goal)
    assert found.reached and within_limits(arm, found.q)
    h = frame_pose(arm, found.q, "tip")
    if isinstance(goal, OrientationGoal):
        assert rotation_angle(h[:3, :3].T @ goal.W_R_F) < 1e-6
    elif isinstance(goal, AxisGoal):
        assert h[:3, 2] == pytest.approx(np.array([1, 1, -1]) / math.sqrt(3.0), abs=1e-6)
    elif isinstance(goal, LookAtGoal):
        view = np.array([1.5, 1.0, 0.5]) - h[:3, 3]
        assert h[:3, 0] == pytest.approx(view / np.linalg.norm(view), abs=1e-6)
    elif isinstance(goal, LineGoal):
        assert h[[0, 2], 3] == pytest.approx([0.5, 0.7], abs=1e-6)
    else:
        assert h[2, 3] == pytest.approx(0.6, abs=1e-6)


def test_two_goals_of_one_rank(arm):
    q = random_configurations(arm, 1, seed=4)[0]
    h = frame_pose(arm, q, "tip")
    found = solve_ik(arm, [PositionGoal("tip", h[:3, 3]), AxisGoal("tip", [0, 0, 1], h[:3, 2])])
    assert found.reached and [item.reached for item in found.residuals] == [True, True]
    assert frame_pose(arm, found.q, "tip")[:3, 2:] == pytest.approx(h[:3, 2:], abs=1e-6)


def test_a_posture_uses_what_the_pose_leaves_free(arm):
    q = np.array([0.3, 0.6, -0.4, -1.5, 0.5, 1.8, 0.2])
    pose = frame_pose(arm, q, "tip")
    start = q + 0.3
    wish = PostureGoal(q=dict(zip(arm.dofs, q, strict=True)))
    plain = solve_ik(arm, PoseGoal("tip", pose), np.clip(start, *np.array(LIMITS).T))
    found = solve_ik(arm, [PoseGoal("tip", pose), wish], np.clip(start, *np.array(LIMITS).T))
    assert found.reached and found.residuals[0].position < 1e-6 and found.residuals[0].rotation < 1e-6
    assert np.abs(found.q - q).max() < 1e-3 < np.abs(plain.q - q).max()


def test_a_posture_that_the_pose_forbids_costs_the_pose_nothing(arm):
    q = random_configurations(arm, 1, seed=2)[0]
    pose = frame_pose(arm, q, "tip")
    found = solve_ik(arm, [PostureGoal(q=dict.fromkeys(arm.dofs, 0.0)), PoseGoal("tip", pose)])
    assert found.reached
    assert not found.residuals[0].reached and found.residuals[1].reached
    assert within_limits(arm, found.q)


def test_ranks_of_goals(arm):
    """Two positions that exclude each other: the first rank is met, the second as nearly as that allows."""
    target = np.array([0.5, 0.2, 0.7])
    away = np.array([0.5, 0.2, 1.0])
    found = solve_ik(arm, [PositionGoal("tip", away, priority=3), PositionGoal("tip", target)])
    assert found.reached
    assert found.residuals[1].position < 1e-6
    assert found.residuals[0].position == pytest.approx(0.3, abs=1e-5)


def walker(mass=(3.0, 1.0, 1.0, 1.0, 1.0)):
    """A body on two legs of two joints and a foot each."""
    joints, links = [], [Link("body", inertial=_inertial(mass[0], (0.1, 0.0, 0.2)))]
    for index, side in enumerate((0.1, -0.1)):
        parent = "body"
        for level, axis in enumerate(((0.0, 1.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))):
            name = f"{'LR'[index]}{level}"
            xyz = (0.0, side, -0.1) if level == 0 else (0.0, 0.0, -0.4)
            origin = Origin(xyz, (0.0, 0.0, 0.0), transform(np.eye(3), xyz))
            joints.append(Joint(f"j{name}", JointType.REVOLUTE, parent, name, origin, axis, Limits(-2.0, 2.0)))
            links.append(Link(name, inertial=_inertial(mass[1], (0.0, 0.0, -0.2))))
            parent = name
    return Robot("walker", tuple(links), tuple(joints), "body")


def _inertial(mass, com):
    return Inertial(mass, Origin(com, (0.0, 0.0, 0.0), transform(np.eye(3), com)), np.eye(3))


def test_a_floating_base_on_two_pinned_feet_with_its_mass_over_a_point():
    robot = walker()
    q = dict(zip(robot.dofs, [-0.5, 1.0, 0.0, -0.5, 1.0, 0.0], strict=True))
    base = transform(np.eye(3), [0.0, 0.0, 0.8])
    feet = [PoseGoal(name, frame_pose(robot, q, name, W_H_B=base)) for name in ("L2", "R2")]
    point = center_of_mass(robot, q, W_H_B=base)
    start = transform(rotation_from_rpy([0.1, -0.1, 0.1]), [0.05, 0.05, 0.75])
    found = solve_ik(robot, [*feet, CenterOfMassGoal(point)], q, W_H_B=start, floating=True)
    assert found.reached and len(found.residuals) == 3
    for goal in feet:
        reached = frame_pose(robot, found.q, goal.frame, W_H_B=found.W_H_B)
        assert np.abs(reached - goal.W_H_F).max() < 1e-6
    assert center_of_mass(robot, found.q, W_H_B=found.W_H_B)[:2] == pytest.approx(point[:2], abs=1e-6)
    assert found.W_H_B[:3, :3] @ found.W_H_B[:3, :3].T == pytest.approx(np.eye(3), abs=1e-12)


def test_a_base_that_stands_in_the_world(arm):
    base = transform(rotation_from_rpy([0.3, 0.2, 0.1]), [1.0, 2.0, 3.0])
    q = random_configurations(arm, 1)[0]
    found = solve_ik(arm, PoseGoal("tip", frame_pose(arm, q, "tip", W_H_B=base)), W_H_B=base)
    assert found.reached and np.abs(found.W_H_B - base).max() < 1e-12


def test_another_link_as_the_base(arm):
    q = random_configurations(arm, 1)[0]
    pose = frame_pose(arm, q, "l1", base="l6")
    found = solve_ik(arm, PoseGoal("l1", pose), base="l6")
    assert found.reached
    assert found.q[[0, 6]].tolist() == [0.0, 0.0]  # not on the path


def test_what_can_t_be_asked(arm):
    goal = PositionGoal("tip", [0.3, 0.0, 0.5])
    with pytest.raises(ModelError, match="no goal"):
        solve_ik(arm, [])
    with pytest.raises(UnknownNameError):
        solve_ik(arm, goal, locked=["elbow"])
    with pytest.raises(JointValueError):
        solve_ik(gripper(), PositionGoal("tip", [1, 0, 0]), locked=["follow"])
    with pytest.raises(ModelError):
        solve_ik(arm, goal, weights={"j1": 0.0})
    with pytest.raises(ModelError):
        solve_ik(arm, goal, tolerance=0.0)
    with pytest.raises(ModelError):
        solve_ik(arm, goal, np.zeros((2, 7)))
    with pytest.raises(JointValueError):
        solve_ik(arm, goal, np.full(7, np.nan))
    with pytest.raises(ModelError, match="mass"):
        solve_ik(arm, CenterOfMassGoal([0, 0, 0]))
    with pytest.raises(ModelError):
        solve_ik(arm, goal, W_H_B=np.full((4, 4), np.nan))


def test_limits_that_leave_no_value_are_an_error(make_arm):
    robot = gripper()
    joints = tuple(
        Joint(j.name, j.type, j.parent, j.child, j.origin, j.axis, Limits(5.0, 6.0) if j.mimic else j.limit, j.mimic)
        for j in robot.joints
    )
    with pytest.raises(ModelError, match="lead"):
        solve_ik(Robot("r", robot.links, joints, "base"), PositionGoal("tip", [1, 0, 0]))


def test_a_frame_that_no_joint_moves():
    robot = gripper()
    assert solve_ik(robot, PoseGoal("base", np.eye(4))).reached
    found = solve_ik(robot, PositionGoal("base", [1.0, 0.0, 0.0]))
    assert not found.reached and found.residuals[0].position == 1.0 and found.iterations == 0


def test_a_snake_of_very_many_joints(make_arm):
    count = 80
    points = [[0.01 * i, 0.0, 0.0] for i in range(count)]
    robot = make_arm([Z, Y] * (count // 2), points, transform(np.eye(3), [0.8, 0.0, 0.0]), limits=(-1.0, 1.0))
    assert solve_ik(robot, PositionGoal("tip", [0.2, 0.3, 0.3])).reached
    found = solve_ik(robot, PositionGoal("tip", [9.0, 0.0, 0.0]), restarts=2)
    assert not found.reached
    assert found.residuals[0].position == pytest.approx(8.2, abs=1e-3)
