# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed forms: arms of every class that is solved, in frames that follow no convention.

The oracle is forward kinematics, which shares no code with the closed forms: the configuration that a pose was made
with has to be among the solutions, and all of them have to reach the pose.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from urdf_rig.core.errors import JointValueError, ModelError
from urdf_rig.core.ik import solve_ik_all
from urdf_rig.core.kinematics import frame_pose
from urdf_rig.core.model import JointType
from urdf_rig.core.spatial import rotation_angle, transform

Z, Y, X = [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]
SPHERICAL_LAST = ([Z, Y, Y, X, Y, X], [[0, 0, 0.4], [0.1, 0, 0.4], [0.1, 0, 0.9], *[[0.6, 0, 0.95]] * 3])
UR_LIKE = (
    [Z, Y, Y, Y, [0, 0, -1.0], Y],
    [[0, 0, 0.1], [0, 0.1, 0.1], [0.4, 0.1, 0.1], [0.8, 0.1, 0.1], [0.8, 0.2, 0.1], [0.8, 0.2, 0.0]],
)
STRAIGHT_WRIST = ([Z, Y, Y, Z, Y, Z], [[0, 0, 0], [0, 0, 0.3], [0, 0, 0.7], *[[0.0, 0, 1.1]] * 3])


def oblique(kind, first, seed):
    """Return six random axes of which three neighbours, from ``first``, meet or are parallel."""
    rng = np.random.default_rng(seed)
    axes, points = rng.normal(size=(6, 3)), rng.uniform(-0.5, 0.5, (6, 3))
    if kind == "meet":
        points[first : first + 3] = points[first]
    else:
        axes[first + 1], axes[first + 2] = axes[first], -2.0 * axes[first]
    return axes, points


def special(seed, what):
    rng = np.random.default_rng(seed)
    axes, points = rng.normal(size=(6, 3)), rng.uniform(-0.5, 0.5, (6, 3))
    points[3:] = points[3]
    if "1 and 2 meet" in what:
        points[1] = points[0]
    if "1 and 2 are parallel" in what:
        axes[1] = -axes[0]
    if "2 and 3 are parallel" in what:
        axes[2] = axes[1]
    return axes, points


ARMS = {
    **{f"three axes meet, from {i}": oblique("meet", i, i) for i in range(4)},
    **{f"three axes parallel, from {i}": oblique("parallel", i, 10 + i) for i in range(4)},
    **{
        what: special(20, what)
        for what in (
            "1 and 2 meet",
            "1 and 2 are parallel",
            "2 and 3 are parallel",
            "1 and 2 meet, 2 and 3 are parallel",
        )
    },
    "industrial": SPHERICAL_LAST,
    "straight wrist": STRAIGHT_WRIST,
    "three parallel axes as in a UR": UR_LIKE,
}


def check(robot, found, pose, made_with=None, free=()):
    """Check that all rows reach the pose, are within limits and differ, and that one is the one wanted."""
    reached = frame_pose(robot, found.q, "tip")
    assert np.abs(reached[:, :3, 3] - pose[:3, 3]).max() < 1e-9
    assert rotation_angle(np.swapaxes(reached[:, :3, :3], 1, 2) @ pose[:3, :3]).max() < 1e-9
    for column, name in enumerate(robot.dofs):
        low, high = robot.joint(name).range or (-np.inf, np.inf)
        assert (found.q[:, column] >= low).all() and (found.q[:, column] <= high).all()
    apart = np.abs(found.q[:, None] - found.q[None]).max(axis=2) + np.eye(len(found))
    assert apart.min() > 1e-6
    if made_with is not None:
        assert np.abs(found.q - made_with).max(axis=1).min() < 1e-6


@pytest.mark.parametrize("name", ARMS)
def test_the_configuration_a_pose_was_made_with_is_among_the_solutions(make_arm, name):
    robot = make_arm(*ARMS[name])
    counts = set()
    for q in np.random.default_rng(7).uniform(-3.1, 3.1, (40, 6)):
        pose = frame_pose(robot, q, "tip")
        found = solve_ik_all(robot, "tip", pose)
        check(robot, found, pose, q)
        assert found.complete and found.note.startswith("closed form (three ")
        assert not any(found.free_joints)
        counts.add(len(found))
    assert max(counts) <= 8 and len(counts) > 1


def test_as_many_solutions_as_a_search_finds(make_arm):
    """Another way to count them: Newton's method from thousands of starts, with a Jacobian by differences."""
    robot = make_arm(*ARMS["three axes meet, from 3"], limits=(-math.pi, math.pi))
    pose = frame_pose(robot, [0.3, -0.8, 1.2, 0.4, -1.0, 0.6], "tip")
    q = np.random.default_rng(0).uniform(-math.pi, math.pi, (1500, 6))
    for _ in range(25):
        value = _error(robot, q, pose)
        slopes = [(_error(robot, q + 1e-6 * e, pose) - value) / 1e-6 for e in np.eye(6)]
        q = q - np.clip(np.linalg.pinv(np.stack(slopes, axis=2)) @ value[:, :, None], -0.5, 0.5)[:, :, 0]
    good = q[np.abs(_error(robot, q, pose)).max(axis=1) < 1e-8]
    unique = np.unique(np.round(np.angle(np.exp(1j * good)), 4), axis=0)
    assert len(solve_ik_all(robot, "tip", pose)) == len(unique)


def _error(robot, q, pose):
    reached = frame_pose(robot, q, "tip")
    turn = np.swapaxes(reached[:, :3, :3], 1, 2) @ pose[:3, :3]
    skew = [turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]]
    # the trace keeps half turns, which have no skew part either, from passing
    skew[0] = skew[0] + (3.0 - np.trace(turn, axis1=1, axis2=2)) * 10.0 * (np.trace(turn, axis1=1, axis2=2) < 0.0)
    return np.concatenate([reached[:, :3, 3] - pose[:3, 3], np.stack(skew, axis=1)], axis=1)


def test_whole_turns_within_limits_each_count(make_arm):
    two = 2.0 * math.pi
    robot = make_arm(*UR_LIKE, limits=(-two, two))
    q = np.array([1.0, -1.2, 0.9, -0.4, 1.1, 5.0])
    pose = frame_pose(robot, q, "tip")
    found = solve_ik_all(robot, "tip", pose)
    check(robot, found, pose, q)
    alone = solve_ik_all(robot, "tip", pose, copies=False)
    assert len(alone) == 8 and len(found) == 8 * 2**6
    assert found.complete
    few = solve_ik_all(robot, "tip", pose, most=100)
    assert len(few) <= 100 and not few.complete and "left out" in few.note


def test_without_copies_and_without_limits_the_nearest_to_the_start(make_arm):
    robot = make_arm(*UR_LIKE, types=[JointType.CONTINUOUS] * 6)
    q = np.array([20.0, -1.2, 0.9, -14.4, 1.1, 5.0])
    found = solve_ik_all(robot, "tip", frame_pose(robot, q, "tip"), q)
    assert np.abs(found.q[0] - q).max() < 1e-8
    assert np.abs(found.q - q).max() <= math.pi + 1e-9


def test_a_straight_wrist_names_the_free_joint_and_keeps_its_value(make_arm):
    robot = make_arm(*STRAIGHT_WRIST)
    q = np.array([0.4, 0.7, -0.9, 0.5, 0.0, 0.3])
    pose = frame_pose(robot, q, "tip")
    found = solve_ik_all(robot, "tip", pose, q)
    check(robot, found, pose, q)
    assert found.free_joints[0] == ("j4",)
    assert not found.complete and "j4 may have any value" in found.note
    turned = frame_pose(robot, found.q[0] + np.array([0, 0, 0, 0.7, 0, -0.7]), "tip")
    assert np.abs(turned - pose).max() < 1e-9


def test_a_target_on_the_first_axis_names_the_first_joint(make_arm):
    robot = make_arm(*STRAIGHT_WRIST)
    q = np.array([0.4, 0.7, -2.0 * 0.7, 0.5, 0.6, 0.3])
    pose = frame_pose(robot, q, "tip")
    q[2] = -0.7 - math.asin(math.sin(0.7))  # equal links: the wrist's centre is above the shoulder
    pose = frame_pose(robot, q, "tip")
    found = solve_ik_all(robot, "tip", pose, q)
    check(robot, found, pose, q)
    assert any("j1" in joints for joints in found.free_joints)


def test_parallel_axes_at_their_singularity(make_arm):
    robot = make_arm(*UR_LIKE)
    q = np.array([0.3, -0.8, 1.1, 0.2, 0.0, 0.6])  # axes 2, 3, 4 and 6 all parallel
    pose = frame_pose(robot, q, "tip")
    found = solve_ik_all(robot, "tip", pose, q)
    check(robot, found, pose, q)
    assert any("j6" in joints for joints in found.free_joints)


def test_a_stretched_arm_has_its_two_elbows_in_one(make_arm):
    robot = make_arm(*STRAIGHT_WRIST)
    q = np.array([0.4, 0.7, 0.0, 0.5, 0.6, 0.3])
    pose = frame_pose(robot, q, "tip")
    found = solve_ik_all(robot, "tip", pose)
    check(robot, found, pose, q)
    assert len(found) == 4


def test_out_of_reach_and_out_of_limits_are_told_apart(make_arm):
    robot = make_arm(*SPHERICAL_LAST, limits=(-0.5, 0.5))
    far = frame_pose(robot, np.zeros(6), "tip")
    far[:3, 3] = [9.0, 0.0, 0.0]
    found = solve_ik_all(robot, "tip", far)
    assert len(found) == 0 and found.complete and "out of reach" in found.note
    wide = make_arm(*SPHERICAL_LAST)
    found = solve_ik_all(robot, "tip", frame_pose(wide, [2.0, 1.0, -1.0, 1.0, 1.0, 1.0], "tip"))
    assert len(found) == 0 and found.complete and "within limits" in found.note


@pytest.mark.parametrize("name", ["industrial", "three parallel axes as in a UR"])
def test_an_arm_nearly_of_its_class_is_polished_and_says_so(make_arm, name):
    rng = np.random.default_rng(3)
    axes, points = (np.array(part, dtype=float) for part in ARMS[name])
    robot = make_arm(axes + rng.uniform(-5e-4, 5e-4, (6, 3)), points + rng.uniform(-5e-4, 5e-4, (6, 3)))
    hits = 0
    for q in rng.uniform(-3.0, 3.0, (30, 6)):
        q[4] = math.copysign(max(abs(q[4]), 0.3), q[4])
        pose = frame_pose(robot, q, "tip")
        found = solve_ik_all(robot, "tip", pose)
        assert not found.complete and "nearly so" in found.note
        if len(found):
            check(robot, found, pose)
            hits += np.abs(found.q - q).max(axis=1).min() < 1e-6
    assert hits >= 29


@pytest.mark.parametrize("bend", [1e-4, 3e-4])
def test_an_arm_nearly_of_its_class_near_its_singularity(make_arm, bend):
    """Where the wrist is nearly straight, a tenth of a millimetre off moves solutions by radians."""
    rng = np.random.default_rng(4)
    axes, points = (np.array(part, dtype=float) for part in ARMS["industrial"])
    robot = make_arm(axes, points + rng.uniform(-1e-4, 1e-4, (6, 3)))
    hits = 0
    for q in rng.uniform(-3.0, 3.0, (40, 6)):
        q[4] = math.copysign(bend, q[4])
        found = solve_ik_all(robot, "tip", frame_pose(robot, q, "tip"))
        hits += bool(len(found)) and bool(np.abs(found.q - q).max(axis=1).min() < 1e-6)
    assert hits >= 39


@pytest.mark.parametrize("given", ["j1", "j3", "j7"])
def test_seven_joints_with_one_given(make_arm, given):
    axes = [Z, Y, Z, Y, Z, Y, Z]
    points = [[0, 0, 0.2], [0, 0, 0.2], [0, 0, 0.5], [0, 0, 0.6], *[[0.0, 0, 1.0]] * 3]
    robot = make_arm(axes, points)
    for q in np.random.default_rng(1).uniform(-3.0, 3.0, (20, 7)):
        pose = frame_pose(robot, q, "tip")
        found = solve_ik_all(robot, "tip", pose, given={given: q[robot.dofs.index(given)]})
        check(robot, found, pose, q)
        assert found.complete
        assert np.ptp(found.q[:, robot.dofs.index(given)]) == 0.0


def test_seven_joints_with_none_given_are_swept(make_arm):
    robot = make_arm([Z, Y, Z, Y, Z, Y, Z], [[0, 0, 0.2]] * 3 + [[0, 0, 0.6]] + [[0.0, 0, 1.0]] * 3)
    q = np.array([0.3, 0.5, -0.4, 1.2, 0.8, -0.7, 0.2])
    pose = frame_pose(robot, q, "tip")
    found = solve_ik_all(robot, "tip", pose, q)
    check(robot, found, pose, q)
    assert not found.complete and "family" in found.note and len(found) > 20


def test_the_path_from_another_base_link(make_arm):
    """Seen from the tip, the arm is its own mirror image in time: joints met backwards."""
    robot = make_arm(*SPHERICAL_LAST)
    q = np.array([0.4, 0.7, -0.9, 0.5, 0.8, 0.3])
    pose = frame_pose(robot, q, "l0", base="tip")
    found = solve_ik_all(robot, "l0", pose, base="tip")
    assert found.complete and np.abs(found.q - q).max(axis=1).min() < 1e-8
    assert np.abs(frame_pose(robot, found.q, "l0", base="tip") - pose).max() < 1e-9


def test_a_tool_on_the_flange(make_arm):
    robot = make_arm(*SPHERICAL_LAST)
    tool = ("tip", transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], [0.1, 0.2, 0.3]))
    q = np.array([0.4, 0.7, -0.9, 0.5, 0.8, 0.3])
    found = solve_ik_all(robot, tool, frame_pose(robot, q, tool))
    assert np.abs(found.q - q).max(axis=1).min() < 1e-8


def test_other_arms_are_searched_and_the_result_is_called_a_lower_bound(make_arm):
    rng = np.random.default_rng(4)
    robot = make_arm(rng.normal(size=(6, 3)), rng.uniform(-0.5, 0.5, (6, 3)))
    q = np.array([0.4, 0.7, -0.9, 0.5, 0.8, 0.3])
    pose = frame_pose(robot, q, "tip")
    found = solve_ik_all(robot, "tip", pose)
    check(robot, found, pose, q)
    assert not found.complete and "lower bound" in found.note


@pytest.mark.parametrize("value", [math.nan, math.inf, 4.0])
def test_a_given_value_that_the_joint_can_t_have_is_refused(make_arm, value):
    with pytest.raises(JointValueError):
        solve_ik_all(make_arm(*SPHERICAL_LAST), "tip", np.eye(4), given={"j1": value})


def test_a_pose_that_is_none_is_refused(make_arm):
    robot = make_arm(*SPHERICAL_LAST)
    bad = np.eye(4)
    bad[0, 3] = math.nan
    for pose in (bad, np.diag([1.0, 1.0, -1.0, 1.0]), np.eye(3)):
        with pytest.raises(ModelError):
            solve_ik_all(robot, "tip", pose)
