# SPDX-License-Identifier: GPL-3.0-or-later
"""Arms of two and three joints recognised from the model, and all their solutions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from urdf_rig.core.errors import ModelError
from urdf_rig.core.ik import solve_ik_all
from urdf_rig.core.kinematics import frame_pose
from urdf_rig.core.spatial import rotation_about_axis, transform

OBLIQUE = np.array([0.3, -0.5, 0.8])
ACROSS = np.array([0.8, 0.48, 0.0])


def planar(make_arm, signs, lengths=(0.5, 0.4, 0.3), limits=(-3.1, 3.1)):
    """Return an arm whose axes are parallel and oblique, its links at right angles to each other at q = 0."""
    h = OBLIQUE / np.linalg.norm(OBLIQUE)
    x = np.cross(h, ACROSS) / np.linalg.norm(np.cross(h, ACROSS))
    y = np.cross(h, x)
    points = np.cumsum([[0.1, 0.2, 0.3], *[n * d for n, d in zip(lengths, (x, y, -x), strict=True)]], axis=0)
    count = len(signs)
    points += np.outer([0.0, 0.1, -0.2, 0.3], h)  # the links need not lie in one plane
    tip = transform(rotation_about_axis(x, 0.7), points[count])
    return make_arm([s * h for s in signs], points[:count], tip, limits=limits)


@pytest.mark.parametrize("signs", [(1, 1, 1), (1, -1, 1), (-1, 1, -1)])
def test_three_parallel_joints_to_a_pose(make_arm, signs):
    robot = planar(make_arm, signs)
    for q in np.random.default_rng(1).uniform(-3.0, 3.0, (30, 3)):
        pose = frame_pose(robot, q, "tip")
        found = solve_ik_all(robot, "tip", pose)
        assert found.complete and "planar arm of three links" in found.note
        assert np.abs(found.q - q).max(axis=1).min() < 1e-8 and len(found) <= 2
        assert np.abs(frame_pose(robot, found.q, "tip") - pose).max() < 1e-9


def test_both_elbows_of_a_planar_arm(make_arm):
    robot = planar(make_arm, (1, 1, 1))
    pose = frame_pose(robot, [0.1, -0.4, 0.3], "tip")
    assert len(solve_ik_all(robot, "tip", pose)) == 2
    beside = pose.copy()
    beside[:3, 3] += 0.01 * OBLIQUE
    found = solve_ik_all(robot, "tip", beside)
    assert found.complete and len(found) == 0
    tilted = pose @ transform(rotation_about_axis([1, 0, 0], 0.1), np.zeros(3))
    assert len(solve_ik_all(robot, "tip", tilted)) == 0


@pytest.mark.parametrize("signs", [(1, 1), (1, -1), (-1, -1)])
def test_two_parallel_joints(make_arm, signs):
    robot = planar(make_arm, signs)
    for q in np.random.default_rng(2).uniform(-3.0, 3.0, (30, 2)):
        pose = frame_pose(robot, q, "tip")
        exact = solve_ik_all(robot, "tip", pose)
        assert exact.complete and exact.q == pytest.approx(q[None], abs=1e-8)
        both = solve_ik_all(robot, "tip", pose[:3, 3])
        assert both.complete and "two links" in both.note and len(both) <= 2
        assert np.abs(both.q - q).max(axis=1).min() < 1e-7
        assert np.abs(frame_pose(robot, both.q, "tip")[:, :3, 3] - pose[:3, 3]).max() < 1e-9
    assert len(solve_ik_all(robot, "tip", frame_pose(robot, [0.3, 0.9], "tip")[:3, 3])) == 2


def test_equal_links_folded_onto_the_shoulder_name_the_free_joint(make_arm):
    robot = planar(make_arm, (1, 1), lengths=(0.5, 0.5, 0.3), limits=(-6.0, 6.0))
    # the links are at right angles at q = 0, so a quarter turn more folds them
    folded = next(q2 for q2 in (0.5 * math.pi, -0.5 * math.pi) if _distance(robot, q2) < 0.2)
    found = solve_ik_all(robot, "tip", frame_pose(robot, [0.3, folded], "tip")[:3, 3], copies=False)
    assert found.free_joints == (("j1",),) and not found.complete
    assert "j1 may have any value" in found.note


def _distance(robot, q2):
    tip = frame_pose(robot, [0.0, q2], "tip")[:3, 3] - [0.1, 0.2, 0.3]
    return np.linalg.norm(np.cross(tip, OBLIQUE / np.linalg.norm(OBLIQUE)))


def test_three_joints_of_any_geometry_to_a_position(make_arm):
    rng = np.random.default_rng(3)
    most = 0
    for seed in range(5):
        robot = make_arm(rng.normal(size=(3, 3)), rng.uniform(-0.4, 0.4, (3, 3)), seed=seed)
        for q in rng.uniform(-3.0, 3.0, (20, 3)):
            target = frame_pose(robot, q, "tip")[:3, 3]
            found = solve_ik_all(robot, "tip", target)
            assert found.complete and "three joints to a position" in found.note
            assert np.abs(found.q - q).max(axis=1).min() < 1e-6
            assert np.abs(frame_pose(robot, found.q, "tip")[:, :3, 3] - target).max() < 1e-9
            most = max(most, len(found))
    assert most == 4


def test_more_joints_than_a_position_needs_are_a_family(make_arm):
    robot = planar(make_arm, (1, 1, 1))
    q = np.array([0.3, 0.4, -0.5])
    found = solve_ik_all(robot, "tip", frame_pose(robot, q, "tip")[:3, 3])
    assert not found.complete and "lower bound" in found.note and len(found) > 1
    given = solve_ik_all(robot, "tip", frame_pose(robot, q, "tip")[:3, 3], given={"j3": -0.5})
    assert given.complete and np.abs(given.q - q).max(axis=1).min() < 1e-8


@pytest.mark.parametrize("position", [[math.nan, 0, 0], [0, math.inf, 0], [1e12, 0, 0]])
def test_a_position_that_is_none_is_refused(make_arm, position):
    with pytest.raises(ModelError, match="position"):
        solve_ik_all(planar(make_arm, (1, 1)), "tip", position)


def test_a_tolerance_says_how_nearly(make_arm):
    axes = [[0, 0, 1], [0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0]]
    points = [[0, 0, 0.3], [0.1, 0, 0.3], [0.1, 0, 0.8], *[[0.4, 0.001 * i, 0.8] for i in range(3)]]
    robot = make_arm(axes, points)
    pose = frame_pose(robot, [0.3, 0.2, -0.4, 0.5, 0.9, 0.1], "tip")
    assert "nearly so" in solve_ik_all(robot, "tip", pose, starts=1).note
    assert "searched" in solve_ik_all(robot, "tip", pose, tolerance=1e-6, starts=1).note
    with pytest.raises(ModelError, match="tolerance"):
        solve_ik_all(robot, "tip", pose, tolerance=math.nan)
