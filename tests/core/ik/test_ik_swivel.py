# SPDX-License-Identifier: GPL-3.0-or-later
"""The swivel angle: by hand, by differences, and as a goal beside a pose."""

from __future__ import annotations

import math

import numpy as np
import pytest

from urdf_rig.core.errors import ModelError
from urdf_rig.core.ik import PoseGoal, SwivelGoal, solve_ik, swivel_angle, swivel_arm
from urdf_rig.core.ik.preparation import make_problem
from urdf_rig.core.ik.terms import State
from urdf_rig.core.kinematics import frame_pose
from urdf_rig.core.spatial import pose_error, rotation_about_axis, transform

X, Y, Z = np.eye(3)
# iiwa-like: shoulder, elbow and wrist are points; panda-like and xarm-like: offsets at elbow and wrist
IIWA = ([Z, Y, Z, -Y, Z, Y, Z], [[0, 0, z] for z in (0.2, 0.34, 0.5, 0.74, 0.9, 1.14, 1.2)])
PANDA = (
    [Z, Y, Z, -Y, Z, -Y, -Z],
    [[0, 0, 0.2], [0, 0, 0.333], [0, 0, 0.5], [0.0825, 0, 0.649], [0, 0, 0.8], [0, 0, 1.033], [0.088, 0, 1.0]],
)
XARM = (
    [Z, Y, Z, -Y, -Z, -Y, -Z],
    [[0, 0, 0.1], [0, 0, 0.267], [0, 0, 0.4], [0.0525, 0, 0.56], [0.13, 0, 0.3], [0.13, 0, 0.217], [0.206, 0, 0.1]],
)
ARMS = {"iiwa": IIWA, "panda": PANDA, "xarm": XARM}
TIP = transform(rotation_about_axis([1, 0, 0], 0.3), [0.1, 0.05, 1.3])
BENT = np.array([0.3, 0.5, 0.2, 1.0, 0.4, 0.7, -0.2])


@pytest.fixture(params=ARMS)
def arm(request, make_arm):
    return make_arm(*ARMS[request.param], tip=TIP, limits=(-2.9, 2.9))


def points_with_elbow_turned(robot, q, angle):
    """Return the shoulder, elbow and wrist of an arm with point joints, by forward kinematics of its axes."""
    iiwa_points = {"l2": [0, 0, 0.34], "l4": [0, 0, 0.74], "l6": [0, 0, 1.14]}
    home = np.zeros(7)
    moved = []
    for link, point in iiwa_points.items():
        local = np.linalg.inv(frame_pose(robot, home, link)) @ [*point, 1.0]
        moved.append((frame_pose(robot, q, link) @ local)[:3])
    shoulder, elbow, wrist = moved
    axis = (wrist - shoulder) / np.linalg.norm(wrist - shoulder)
    return shoulder, shoulder + rotation_about_axis(axis, angle) @ (elbow - shoulder), wrist


def test_the_angle_by_hand(make_arm):
    robot = make_arm(*IIWA, tip=TIP, limits=(-2.9, 2.9))
    # in the plane y = 0, the elbow to the front: an arm that stands measures from x
    assert swivel_angle(robot, [0, 0.5, 0, 1.0, 0, 0, 0], "tip") == pytest.approx(0.0, abs=1e-9)
    # the whole arm turned about the vertical, the wrist above the shoulder
    for q1 in (0.4, -1.0, 2.5):
        assert swivel_angle(robot, [q1, 0.5, 0, 1.0, 0, 0, 0], "tip") == pytest.approx(q1, abs=1e-9)
    # straight: no elbow
    assert swivel_angle(robot, np.zeros(7), "tip") == 0.0


def test_the_angle_is_that_of_a_turn_about_the_line_from_shoulder_to_wrist(make_arm):
    robot = make_arm(*IIWA, tip=TIP, limits=(-2.9, 2.9))
    start = swivel_angle(robot, BENT, "tip")
    for angle in (0.3, -0.4):
        found = solve_ik(
            robot, [PoseGoal("tip", frame_pose(robot, BENT, "tip")), SwivelGoal("tip", start + angle)], BENT
        )
        expected = points_with_elbow_turned(robot, BENT, angle)
        assert np.stack(points_with_elbow_turned(robot, found.q, 0.0)) == pytest.approx(np.stack(expected), abs=3e-6)


def test_the_derivatives_are_those_of_the_angle(arm):
    rng = np.random.default_rng(1)
    q = rng.uniform(-2.0, 2.0, (20, 7))
    problem = make_problem(arm, (SwivelGoal("tip", 0.0),), None, {}, False, (), {})
    for at in (q, q[:1]):
        state = State(at, np.eye(4)[None], False)
        _, jacobian = problem.evaluate(state, problem.terms)
        for joint in range(7):
            step = np.zeros((len(at), 7))
            step[:, joint] = 1e-6
            ahead, behind = (problem.evaluate(problem.moved(state, s * step), problem.terms)[0] for s in (1.0, -1.0))
            scale = 1.0 + np.abs(jacobian[:, joint])
            assert jacobian[:, joint] / scale == pytest.approx((ahead - behind) / 2e-6 / scale, abs=1e-7)


def test_many_angles_at_once_are_each_of_them(arm):
    q = np.random.default_rng(2).uniform(-2.0, 2.0, (9, 7))
    found = swivel_angle(arm, q, "tip")
    assert found == pytest.approx([swivel_angle(arm, row, "tip") for row in q], abs=1e-12)


def test_pose_and_angle_are_reached_together(arm):
    rng = np.random.default_rng(3)
    for q in rng.uniform(-2.0, 2.0, (20, 7)):
        target, angle = frame_pose(arm, q, "tip"), swivel_angle(arm, q, "tip")
        start = np.clip(q + rng.normal(size=7) * 0.05, -2.9, 2.9)
        found = solve_ik(arm, [PoseGoal("tip", target), SwivelGoal("tip", angle)], start, restarts=0)
        assert all(residual.reached for residual in found.residuals)
        assert max(pose_error(frame_pose(arm, found.q, "tip"), target)) <= 1e-6
        assert math.remainder(swivel_angle(arm, found.q, "tip") - angle, math.tau) == pytest.approx(0.0, abs=1e-6)


def test_random_starts_reach_angles_that_are_not_reached_from_here(arm):
    """Far from a solution, pose and elbow together are found from other starts only."""
    rng = np.random.default_rng(5)
    reached = {restarts: 0 for restarts in (0, 64)}
    for q, other in rng.uniform(-2.0, 2.0, (10, 2, 7)):
        goals = [PoseGoal("tip", frame_pose(arm, q, "tip")), SwivelGoal("tip", swivel_angle(arm, q, "tip"))]
        for restarts in reached:
            found = solve_ik(arm, goals, other, restarts=restarts)
            reached[restarts] += all(residual.reached for residual in found.residuals)
    assert reached[64] == 10 > reached[0]


def test_limits_stop_the_elbow_and_the_pose_holds(make_arm):
    limits = [(-2.9, 2.9), (0.2, 0.8), *[(-2.9, 2.9)] * 5]
    robot = make_arm(*IIWA, tip=TIP, limits=limits)
    target, angle = frame_pose(robot, BENT, "tip"), swivel_angle(robot, BENT, "tip")
    found = solve_ik(robot, [PoseGoal("tip", target), SwivelGoal("tip", angle + math.pi)], BENT, restarts=0)
    pose, swivel = found.residuals
    assert found.reached and pose.reached and not swivel.reached
    assert swivel.rotation < math.pi - 0.1
    assert (
        found.active_limits and (found.q >= np.array(limits)[:, 0]).all() and (found.q <= np.array(limits)[:, 1]).all()
    )


def test_joints_before_the_arm_do_not_turn_the_elbow(make_arm):
    axes, points = IIWA
    robot = make_arm([Z, X, *axes], [[0, 0, -0.5], [0, 0, -0.3], *points], tip=TIP, limits=(-2.9, 2.9))
    assert swivel_arm(robot, "tip").joints == tuple(f"j{index}" for index in range(3, 10))
    angles = swivel_angle(robot, [[a, b, *BENT] for a, b in ((0.0, 0.0), (0.5, -0.3), (-1.0, 0.7))], "tip")
    assert angles == pytest.approx(np.full(3, angles[0]), abs=1e-12)
    alone = make_arm(axes, points, tip=TIP, limits=(-2.9, 2.9))
    assert swivel_angle(robot, [0, 0, *BENT], "tip", base="l2") == pytest.approx(angles[0])
    assert swivel_arm(alone, "tip").heights == pytest.approx(swivel_arm(alone, "l7").heights)


def test_a_short_chain_has_no_elbow(make_arm):
    robot = make_arm([Z, Y, X], [[0, 0, 0], [0, 0, 1], [0, 0, 2]])
    with pytest.raises(ModelError, match="3 turning joints lead to 'tip'"):
        swivel_angle(robot, None, "tip")
    with pytest.raises(ModelError, match="swivel"):
        solve_ik(make_arm(*IIWA), SwivelGoal("tip", math.nan))
