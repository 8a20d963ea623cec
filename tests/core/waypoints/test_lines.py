# SPDX-License-Identifier: GPL-3.0-or-later
"""Straight-line moves: the tool's distance from the line, taught configurations, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from urdf_rig.core import load, solve_ik, solve_ik_all
from urdf_rig.core.ik import PoseGoal
from urdf_rig.core.kinematics import frame_pose
from urdf_rig.core.urdf import parse_urdf
from urdf_rig.core.waypoints import Move, Waypoint, WaypointError, plan_waypoints

ARM = load(Path(__file__).parents[3] / "examples/arm6/arm6.urdf")
TIP = np.eye(4)
TIP[:3, 3] = 0.02, 0.01, 0.1
TOOL = ("tool0", TIP)
READY = {"joint_1": 0.3, "joint_2": 0.2, "joint_3": -0.5, "joint_4": 0.5, "joint_5": 0.9, "joint_6": -0.3}

# two links of 1 m in a plane: every expectation can be worked out by hand
TWO_LINKS = """<robot name="r"><link name="base"/><link name="a"/><link name="b"/><link name="tip"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="1" velocity="2"/></joint>
  <joint name="elbow" type="revolute"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-2.5" upper="2.5" effort="1" velocity="9"/></joint>
  <joint name="hand" type="fixed"><parent link="b"/><child link="tip"/><origin xyz="1 0 0"/></joint></robot>"""


def moved(robot, q, tool, offset):
    """Return the joint values near q with the tool moved by an offset, its orientation kept."""
    goal = np.array(frame_pose(robot, q, tool))
    goal[:3, 3] += offset
    found = solve_ik(robot, PoseGoal(tool, goal), q, restarts=0, tolerance=1e-9)
    assert found.reached
    return dict(zip(robot.dofs, found.q.tolist(), strict=True))


def planar(x, y, elbow_up=True):
    """Return the two joints' values with the tip at (x, y), by the law of cosines."""
    elbow = math.acos((x * x + y * y - 2.0) / 2.0) * (1.0 if elbow_up else -1.0)
    shoulder = math.atan2(y, x) - math.atan2(math.sin(elbow), 1.0 + math.cos(elbow))
    return {"shoulder": shoulder, "elbow": elbow}


def distances(robot, plan, tool, start, end, frames):
    """Return how far the tool is from the line through two points [m], joints linear between their keys."""
    values = {name: np.interp(frames, item.frames, item.values) for name, item in plan.keys.items()}
    apart = frame_pose(robot, values, tool)[:, :3, 3] - start
    along = (end - start) / np.linalg.norm(end - start)
    return np.linalg.norm(apart - np.outer(apart @ along, along), axis=1)


@pytest.mark.parametrize("smooth", [True, False])
@pytest.mark.parametrize("length", [3.0, 24.5, 300.0])
def test_the_tool_stays_on_the_line_between_keys_and_arrives_as_taught(length, smooth):
    end = moved(ARM, READY, TOOL, [0.15, -0.25, -0.1])
    points = Waypoint("a", 10.25, READY), Waypoint("b", 10.25 + length, end, Move.LINE, smooth, TOOL)
    plan = plan_waypoints(ARM, points)
    first, last = (np.asarray(frame_pose(ARM, q, TOOL)) for q in (READY, end))
    frames = np.linspace(10.25, 10.25 + length, 5003)
    assert distances(ARM, plan, TOOL, first[:3, 3], last[:3, 3], frames).max() < 1e-4
    for name, item in plan.keys.items():
        assert (np.diff(item.frames) > 0.01).all() and not any(item.smooth[:-1])
        assert item.values[[0, -1]] == pytest.approx([READY[name], end[name]], abs=1e-12)
    # halfway in time is halfway along the line, at constant speed and, by symmetry, smoothly too
    middle = {name: np.interp(10.25 + length / 2, item.frames, item.values) for name, item in plan.keys.items()}
    assert frame_pose(ARM, middle, TOOL)[:3, 3] == pytest.approx((first + last)[:3, 3] / 2, abs=6e-4)


def test_a_slow_line_has_fewer_keys_than_half_frames():
    end = moved(ARM, READY, TOOL, [0.05, 0.0, 0.0])
    plan = plan_waypoints(ARM, [Waypoint("a", 1, READY), Waypoint("b", 1001, end, Move.LINE, False, TOOL)])
    frames = plan.keys["joint_2"].frames
    assert len(frames) < 40 and (frames == np.round(frames)).all()


def test_the_orientation_turns_evenly_about_one_axis():
    goal = np.array(frame_pose(ARM, READY, TOOL))
    angle = 0.8
    turn = np.array([[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]])
    start = goal[:3, :3].copy()
    goal[:3, :3] = turn @ start
    found = solve_ik(ARM, PoseGoal(TOOL, goal), READY, restarts=0)
    assert found.reached
    end = dict(zip(ARM.dofs, found.q.tolist(), strict=True))
    plan = plan_waypoints(ARM, [Waypoint("a", 0, READY), Waypoint("b", 40, end, Move.LINE, False, TOOL)])
    for frame in np.linspace(0, 40, 33):
        values = {name: float(np.interp(frame, item.frames, item.values)) for name, item in plan.keys.items()}
        pose = frame_pose(ARM, values, TOOL)
        c, s = math.cos(angle * frame / 40), math.sin(angle * frame / 40)
        assert pose[:3, :3] == pytest.approx(np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ start, abs=1.5e-3)
        assert pose[:3, 3] == pytest.approx(goal[:3, 3], abs=1e-4)


def test_every_other_configuration_at_the_end_is_refused_with_a_joint_that_differs():
    end = moved(ARM, READY, TOOL, [0.05, -0.1, 0.0])
    others = solve_ik_all(ARM, TOOL, frame_pose(ARM, end, TOOL), end, copies=False)
    assert len(others) >= 4
    refused = 0
    for row in others.q:
        differs = {name for name, value in zip(ARM.dofs, row, strict=True) if abs(value - end[name]) > 1e-3}
        points = [
            Waypoint("a", 1, READY),
            Waypoint("there", 25, dict(zip(ARM.dofs, row.tolist(), strict=True)), Move.LINE, True, TOOL),
        ]
        if not differs:
            plan_waypoints(ARM, points)
            continue
        with pytest.raises(WaypointError) as refusal:
            plan_waypoints(ARM, points)
        refused += 1
        assert refusal.value.joint in differs and repr(refusal.value.joint) in str(refusal.value)
        assert refusal.value.waypoint == "there"
    assert refused == len(others) - 1


def test_a_whole_turn_is_another_configuration():
    text = TWO_LINKS.replace('lower="-3" upper="3"', 'lower="-9" upper="9"')
    robot = parse_urdf(text)
    start, end = planar(1.2, 0.4), planar(1.2, 0.9)
    end["shoulder"] += 2 * math.pi
    with pytest.raises(WaypointError, match="'shoulder'"):
        plan_waypoints(robot, [Waypoint("a", 1, start), Waypoint("b", 9, end, Move.LINE, tool="tip")])
    assert plan_waypoints(robot, [Waypoint("a", 1, start), Waypoint("b", 9, end)]).keys["shoulder"].values[-1] > 6.0


def test_points_alone_need_no_orientation_to_match():
    # the hand of two links turns as it must, so that the full pose can't be held
    robot = parse_urdf(TWO_LINKS)
    start, end = planar(1.5, -0.5), planar(1.1, 0.8)
    points = [Waypoint("a", 0, start), Waypoint("b", 20, end, Move.LINE, False, "tip", None, False)]
    plan = plan_waypoints(robot, points)
    assert (
        distances(robot, plan, "tip", np.array([1.5, -0.5, 0]), np.array([1.1, 0.8, 0]), np.linspace(0, 20, 999)).max()
        < 1e-4
    )
    whole = [points[0], Waypoint("b", 20, end, Move.LINE, False, "tip")]
    with pytest.raises(WaypointError, match=r"waypoint 'b': .*straight line"):
        plan_waypoints(robot, whole)


def test_a_line_through_the_workspaces_hole_or_a_limit_names_the_joint():
    robot = parse_urdf(TWO_LINKS)
    # the elbow bends to 2.5 rad at most: no nearer to the shoulder than 2 cos(1.25) = 0.63 m
    start, end = planar(1.0, 0.9), planar(-1.0, 0.9)
    clear = [Waypoint("a", 0, start), Waypoint("b", 20, end, Move.LINE, True, "tip", None, False)]
    assert len(plan_waypoints(robot, clear).keys) == 2
    through = [
        Waypoint("a", 0, planar(1.0, 0.3)),
        Waypoint("b", 20, planar(-1.0, 0.3), Move.LINE, True, "tip", None, False),
    ]
    with pytest.raises(WaypointError, match="'elbow' would pass its limit") as refusal:
        plan_waypoints(robot, through)
    assert refusal.value.joint == "elbow"
    # the other bend of the elbow is the other side of a singularity
    flipped = [Waypoint("a", 0, start), Waypoint("b", 20, planar(1.2, 0.9, False), Move.LINE, True, "tip", None, False)]
    with pytest.raises(WaypointError) as refusal:
        plan_waypoints(robot, flipped)
    assert refusal.value.joint == "elbow"


def test_joint_moves_have_keys_at_waypoints_alone_and_lines_leave_other_joints_so():
    text = TWO_LINKS.replace(
        "</robot>",
        """<link name="finger"/><joint name="grip" type="prismatic"><parent link="tip"/><child link="finger"/>
        <axis xyz="1 0 0"/><limit lower="0" upper="0.04" effort="1" velocity="1"/></joint></robot>""",
    )
    robot = parse_urdf(text)
    points = [
        Waypoint("a", 1, {**planar(1.2, 0.4), "grip": 0.0}),
        Waypoint("b", 21, {**planar(1.2, 0.9), "grip": 0.03}, Move.LINE, False, "tip", None, False),
        Waypoint("c", 31, {**planar(0.5, 0.9), "grip": 0.9}),
    ]
    plan = plan_waypoints(robot, points)
    assert plan.keys["grip"].frames.tolist() == [1, 21, 31] and plan.keys["grip"].values.tolist() == [0, 0.03, 0.04]
    assert plan.keys["grip"].smooth[:2] == (False, True)
    elbow = plan.keys["elbow"]
    assert len(elbow.frames) > 4 and [frame for frame in elbow.frames if frame > 21] == [31]
    assert elbow.smooth[list(elbow.frames).index(21)]
    (remark,) = plan.diagnostics
    assert "'grip'" in str(remark) and "'c'" in str(remark)


def test_speeds_beyond_the_limit_are_said():
    robot = parse_urdf(TWO_LINKS)
    points = [
        Waypoint("a", 0, {"shoulder": 0.0, "elbow": 0.0}),
        Waypoint("b", 24, {"shoulder": 1.9, "elbow": 1.9}, smooth=False),
    ]
    assert plan_waypoints(robot, points, frames_a_second=24).diagnostics == ()
    # a smooth move is half as fast again in its middle: 2.85 rad/s
    smooth = [points[0], Waypoint("b", 24, points[1].q)]
    (remark,) = plan_waypoints(robot, smooth, frames_a_second=24).diagnostics
    assert "'shoulder'" in remark.message and "2.85 rad/s" in remark.message


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([Waypoint("a", 1, {})], "two waypoints"),
        ([Waypoint("a", 5, {}), Waypoint("b", 5, {})], "not after 'a'"),
        ([Waypoint("a", 1, {"shoulder": 1.0}), Waypoint("b", 5, {"shoulder": 1.0}, Move.LINE, tool="tip")], "'elbow'"),
        ([Waypoint("a", 1, {"shoulder": math.nan}), Waypoint("b", 5, {})], "not finite"),
    ],
)
def test_waypoints_that_make_no_motion(points, words):
    with pytest.raises(WaypointError, match=words):
        plan_waypoints(parse_urdf(TWO_LINKS), points)


def test_a_joint_that_the_robot_no_longer_has_is_said_and_left_out():
    points = [Waypoint("a", 1, {"shoulder": 0.0, "gone": 1.0}), Waypoint("b", 5, {"shoulder": 1.0})]
    plan = plan_waypoints(parse_urdf(TWO_LINKS), points)
    assert list(plan.keys) == ["shoulder"]
    assert "'gone'" in plan.diagnostics[0].message
