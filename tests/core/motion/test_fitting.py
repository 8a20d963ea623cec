# SPDX-License-Identifier: GPL-3.0-or-later
"""From a recording's joints to a robot's."""

from __future__ import annotations

import math

import numpy as np
import pytest

from urdf_rig.core.diagnostics import Level
from urdf_rig.core.motion import JointMotion, MotionError, fit_to_robot, in_degrees, with_followers
from urdf_rig.core.urdf import parse_urdf

ROBOT = parse_urdf(
    """<robot name="r"><link name="l0"/><link name="l1"/><link name="l2"/><link name="l3"/><link name="l4"/>
  <joint name="turn" type="continuous"><parent link="l0"/><child link="l1"/><axis xyz="0 0 1"/></joint>
  <joint name="slide" type="prismatic"><parent link="l0"/><child link="l2"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
  <joint name="left" type="revolute"><parent link="l0"/><child link="l3"/><axis xyz="0 0 1"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/><mimic joint="slide" multiplier="3" offset="0.5"/></joint>
  <joint name="right" type="revolute"><parent link="l0"/><child link="l4"/><axis xyz="0 0 1"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/><mimic joint="left" multiplier="-2" offset="1"/></joint>
</robot>""",
    file="r.urdf",
)


def motion(*joints):
    count = len(joints)
    positions = np.arange(1.0, 2.0 * count + 1).reshape(2, count)
    return JointMotion(joints, [0.0, 1.0], positions, 10 * positions, 100 * positions)


def test_unknown_joints_and_followers_are_noted_once_each():
    fitted = fit_to_robot(motion("x", "left", "slide", "y", "right"), ROBOT, file="m.csv")
    assert fitted.motion.joints == ("slide",) and fitted.motion.positions[:, 0].tolist() == [3.0, 8.0]
    warning, remark = fitted.diagnostics
    assert warning.level is Level.WARNING and "'x', 'y'" in warning.message and warning.file == "m.csv"
    assert remark.level is Level.INFO and "'left', 'right'" in remark.message


def test_nothing_to_move():
    with pytest.raises(MotionError, match="none of r's joints: 'turn', 'slide'"):
        fit_to_robot(motion("x", "left"), ROBOT)


def test_degrees_are_for_angles_only_and_back():
    fitted = fit_to_robot(motion("turn", "slide"), ROBOT, degrees=True).motion
    assert fitted.positions == pytest.approx(np.array([[math.radians(1), 2], [math.radians(3), 4]]))
    assert fitted.accelerations[0] == pytest.approx([math.radians(100), 200])
    assert in_degrees(fitted, ROBOT).velocities == pytest.approx(np.array([[10.0, 20], [30, 40]]))


def test_followers_with_their_rates():
    got = with_followers(motion("turn", "slide"), ROBOT)
    assert got.joints == ("turn", "slide", "left", "right")
    slide = np.array([2.0, 4.0])
    assert got.positions[:, 2] == pytest.approx(3 * slide + 0.5)
    assert got.positions[:, 3] == pytest.approx(-2 * (3 * slide + 0.5) + 1)
    assert got.velocities[:, 3] == pytest.approx(-60 * slide)
    assert got.accelerations[:, 2] == pytest.approx(300 * slide)
    assert with_followers(motion("turn"), ROBOT).joints == ("turn",)
