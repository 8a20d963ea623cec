# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits from descriptions, and files of joint limits as MoveIt, ros2_control and Universal Robots write them."""

from __future__ import annotations

import math

import pytest

from urdf_rig.core.motion import MotionError
from urdf_rig.core.motion.limits import Override, motion_limits
from urdf_rig.core.motion.limits_file import parse_joint_limits, read_joint_limits
from urdf_rig.core.urdf import parse_urdf

ROBOT = parse_urdf("""<robot name="r"><link name="base"/><link name="a"/><link name="b"/><link name="c"/>
  <joint name="shoulder_joint" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="2" effort="1" velocity="3" acceleration="7"/></joint>
  <joint name="slide" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="0"/></joint>
  <joint name="spin" type="continuous"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/></joint></robot>""")
NAMES = ("shoulder_joint", "slide", "spin")


def parse(text):
    return parse_joint_limits(text, ROBOT, file="joint_limits.yaml")


def test_limits_of_the_description_and_what_silence_means():
    limits = motion_limits(ROBOT, NAMES)
    assert limits.lower.tolist() == [-1.0, -1.0, -math.inf]
    assert limits.upper.tolist() == [2.0, 1.0, math.inf]
    assert limits.velocity.tolist() == [3.0, math.inf, math.inf]
    assert limits.acceleration.tolist() == [7.0, math.inf, math.inf]
    assert limits.turns.tolist() == [True, False, True]
    (remark,) = limits.diagnostics
    assert "'slide', 'spin'" in remark.message


def test_a_file_of_moveit_wins_over_the_description():
    overrides = parse("""
default_velocity_scaling_factor: 0.1
joint_limits:
  shoulder_joint:
    has_velocity_limits: true
    max_velocity: 2.175
    has_acceleration_limits: true
    max_acceleration: 3.75
    has_jerk_limits: false
  slide:
    has_position_limits: yes
    min_position: -0.5
    max_position: 5e-1
    max_velocity: 1
""").overrides
    limits = motion_limits(ROBOT, NAMES, overrides)
    assert limits.velocity.tolist() == [2.175, 1.0, math.inf]
    assert limits.acceleration.tolist() == [3.75, math.inf, math.inf]
    assert limits.lower.tolist()[:2] == [-1.0, -0.5]
    assert limits.upper.tolist()[:2] == [2.0, 0.5]


def test_false_takes_a_limit_away():
    override = parse("joint_limits: {shoulder_joint: {has_velocity_limits: false, max_velocity: 1.0}}").overrides
    assert override == {"shoulder_joint": Override(velocity=math.inf)}
    assert motion_limits(ROBOT, NAMES, override).velocity[0] == math.inf


def test_the_parameters_of_a_ros_2_node():
    text = """
/**:
  ros__parameters:
    robot_description_planning:
      joint_limits:
        spin: {has_velocity_limits: true, max_velocity: 4.0}
"""
    assert parse(text).overrides == {"spin": Override(velocity=4.0)}


def test_degrees_and_short_names_of_universal_robots():
    text = """
joint_limits:
  shoulder:
    has_velocity_limits: true
    max_velocity: !degrees  180.0
    has_position_limits: true
    min_position: !degrees -90.0
    max_position: !radians 1.5
    has_effort_limits: true
    max_effort: 150.0
"""
    result = parse(text)
    assert result.overrides == {"shoulder_joint": Override(-math.pi / 2.0, 1.5, math.pi)}
    assert [item.message for item in result.diagnostics] == ["limits of effort are not checked"]


def test_joints_that_the_robot_lacks_are_noted_once():
    result = parse("joint_limits: {elbow: {max_velocity: 1}, wrist: {max_velocity: 1}}")
    assert result.overrides == {}
    assert [item.message for item in result.diagnostics] == ["r has no joint 'elbow', 'wrist' that moves: left out"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\n", 0, "no table 'joint_limits'"),
        ("- 1\n", 0, "no table 'joint_limits'"),
        ("joint_limits:\n  slide: 3\n", 2, "are a table"),
        ("joint_limits:\n  slide:\n    max_velocity: fast\n", 3, "max_velocity must be a number above 0, not 'fast'"),
        ("joint_limits:\n  slide:\n    max_velocity: -1\n", 3, "above 0, not '-1'"),
        ("joint_limits:\n  slide:\n    max_velocity: !degrees x\n", 3, "not 'x'"),
        ("joint_limits:\n  slide:\n    max_velocity: !python/name:os.system 1\n", 3, "a number above 0"),
        ("joint_limits:\n  slide:\n    max_velocity: true\n", 3, "above 0"),
        ("joint_limits:\n  slide:\n    max_velocity: .nan\n", 3, "above 0"),
        ("joint_limits:\n  slide:\n    has_velocity_limits: 3\n", 3, "neither true nor false"),
        ("joint_limits:\n  slide:\n    has_velocity_limits: true\n", 3, "but no max_velocity"),
        ("joint_limits:\n  slide:\n    min_position: 2\n    max_position: 1\n", 3, "above max_position"),
        ("joint_limits: [\n", 2, "not valid YAML"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text, line, words):
    with pytest.raises(MotionError) as caught:
        parse(text)
    assert words in caught.value.message
    assert caught.value.line == line
    assert str(caught.value).startswith("joint_limits.yaml")


def test_a_file_is_read_and_a_missing_one_refused(tmp_path):
    path = tmp_path / "joint_limits.yaml"
    path.write_bytes("\ufeffjoint_limits: {spin: {max_velocity: 2}}".encode())
    assert read_joint_limits(path, ROBOT).overrides == {"spin": Override(velocity=2.0)}
    with pytest.raises(MotionError, match="cannot be read"):
        read_joint_limits(tmp_path / "none.yaml", ROBOT)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MotionError, match="no UTF-8"):
        read_joint_limits(path, ROBOT)
    path.write_bytes(b"#" * ((1 << 20) + 1))
    with pytest.raises(MotionError, match="larger than 1 MiB"):
        read_joint_limits(path, ROBOT)
