# SPDX-License-Identifier: GPL-3.0-or-later
"""Waypoints on a seven- and a six-joint arm: five of each, with joint moves and lines, measured in Blender."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import bpy
import numpy as np
import pytest
from other_processes import played_alone


@dataclass(frozen=True)
class Arm:
    """A robot's file below the folder of robots, the tool, and its first taught configuration."""

    file: str
    link: str
    tool_xyz: tuple[float, float, float]
    home: dict[str, float]


PANDA = Arm(
    "panda_description/urdf/panda.urdf",
    "panda_hand",
    (0.0, 0.0, 0.1034),
    {
        "panda_joint1": 0.6,
        "panda_joint2": -0.4,
        "panda_joint3": -0.5,
        "panda_joint4": -2.2,
        "panda_joint5": 0.1,
        "panda_joint6": 1.9,
        "panda_joint7": 0.8,
        "panda_finger_joint1": 0.02,
    },
)
UR5 = Arm(
    "ur_description/urdf/ur5_robot.urdf",
    "tool0",
    (0.01, 0.02, 0.15),
    {
        "shoulder_pan_joint": 0.3,
        "shoulder_lift_joint": -1.2,
        "elbow_joint": 1.4,
        "wrist_1_joint": -1.7,
        "wrist_2_joint": -1.5,
        "wrist_3_joint": 0.2,
    },
)
# frame, move, whether smooth, and where the tool is from where it was before [m]
PROGRAM = (
    (25, "joint", True, (0.10, 0.15, -0.10)),
    (41, "line", True, (0.0, -0.05, -0.12)),
    (66, "line", False, (-0.05, -0.30, 0.02)),
    (90.5, "joint", False, (0.05, 0.10, 0.15)),
)


@pytest.fixture(params=[PANDA, UR5], ids=["panda", "ur5"])
def arm(request):
    return request.param


@pytest.fixture
def rig(arm, corpus_file):
    from urdf_rig.addon.importer import ImportOptions, import_robot

    robots = next(folder for folder in corpus_file("panda").parents if folder.name == "robots")
    rig = import_robot(bpy.context, robots / arm.file, ImportOptions(visuals=False)).rig
    bpy.context.view_layer.objects.active = rig
    data = rig.data.urdf_rig_waypoints
    data.link, data.tool_xyz = arm.link, arm.tool_xyz
    return rig


def frame_of(arm):
    offset = np.eye(4)
    offset[:3, 3] = arm.tool_xyz
    return arm.link, offset


def moved(robot, arm, joints, offset):
    from urdf_rig.core import solve_ik
    from urdf_rig.core.ik import PoseGoal
    from urdf_rig.core.kinematics import frame_pose

    goal = np.array(frame_pose(robot, joints, frame_of(arm)))
    goal[:3, 3] += offset
    found = solve_ik(robot, PoseGoal(frame_of(arm), goal), joints, restarts=0)
    assert found.reached
    return dict(zip(robot.dofs, found.q.tolist(), strict=True))


def record(rig, joints, frame, move="joint", smooth=True):
    from urdf_rig.addon.rig import set_joint_values

    set_joint_values(rig, joints)
    bpy.ops.urdf_rig.record_waypoint(use_frame=True, frame=frame, move=move, smooth=smooth)


def teach(rig, arm):
    """Teach five waypoints and return their joint values."""
    from urdf_rig.addon.rig import robot_of

    robot = robot_of(rig)
    taught = [arm.home]
    record(rig, arm.home, 1)
    for frame, move, smooth, offset in PROGRAM:
        taught.append(moved(robot, arm, taught[-1], offset))
        record(rig, taught[-1], frame, move, smooth)
    return taught


def bone_at(rig, arm, frame):
    """Return the tool's link's bone as Blender shows it at a frame, and the link in it."""
    bpy.context.scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))
    evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    bone = next(item for item in evaluated.pose.bones if item.bone.urdf_rig.link == arm.link)
    return bone, np.reshape(bone.bone.urdf_rig.bone_h_link, (4, 4)).astype(float)


def tool_at(rig, arm, frame):
    bone, b_h_l = bone_at(rig, arm, frame)
    pose = np.array(bone.matrix, dtype=float) @ b_h_l
    return pose[:3, :3] @ np.array(arm.tool_xyz) + pose[:3, 3]


def keys(rig):
    from urdf_rig.addon.fcurves import action_curves

    return {
        (curve.data_path, curve.array_index): [
            (*key.co, *key.handle_left, *key.handle_right) for key in curve.keyframe_points
        ]
        for curve in action_curves(rig)
    }


def off_line(points, start, end):
    along = (end - start) / np.linalg.norm(end - start)
    apart = points - start
    return np.linalg.norm(apart - np.outer(apart @ along, along), axis=1)


def lines(frames):
    return [(a, b) for a, b, (_, move, _, _) in zip(frames[:-1], frames[1:], PROGRAM, strict=True) if move == "line"]


def test_five_waypoints_keep_to_their_lines_and_to_what_was_taught(rig, arm):
    from urdf_rig.addon.rig import joint_values

    taught = teach(rig, arm)
    assert bpy.ops.urdf_rig.generate_waypoint_motion() == {"FINISHED"}
    frames = [1.0, *(step[0] for step in PROGRAM)]
    for frame, joints in zip(frames, taught, strict=True):
        bone_at(rig, arm, frame)
        assert joint_values(rig) == pytest.approx({**joint_values(rig), **joints}, abs=1e-6)
    assert len(lines(frames)) == 2
    for first, last in lines(frames):
        halves = np.arange(2 * first, 2 * last + 1) / 2
        points = np.array([tool_at(rig, arm, frame) for frame in halves])
        assert off_line(points, points[0], points[-1]).max() < 1e-4
    before = keys(rig)
    rig.keyframe_insert("location", frame=3)
    bpy.ops.urdf_rig.generate_waypoint_motion()
    after = keys(rig)
    assert {channel: after[channel] for channel in before} == before
    assert {channel[0] for channel in set(after) - set(before)} == {"location"}


def test_the_motion_plays_without_the_extension(rig, arm, tmp_path):
    teach(rig, arm)
    bpy.ops.urdf_rig.generate_waypoint_motion()
    first, last = PROGRAM[1][0], PROGRAM[2][0]
    bone, b_h_l = bone_at(rig, arm, first)
    halves = (np.arange(2 * first, 2 * last + 1) / 2).tolist()
    played = played_alone(tmp_path / "r.blend", rig, bone.name, halves)
    poses = np.linalg.inv(np.array(rig.matrix_world)) @ played @ b_h_l
    points = poses[:, :3, :3] @ np.array(arm.tool_xyz) + poses[:, :3, 3]
    assert off_line(points, points[0], points[-1]).max() < 1e-4
    assert points[-1] == pytest.approx(tool_at(rig, arm, last), abs=1e-6)


def flipped(arm, joints):
    """Return another configuration with the tool where it is, by hand, and the joints that are elsewhere in it."""
    names = list(joints)
    q = dict(joints)
    if arm is PANDA:
        # Rz(a) Ry(b) Rz(c) = Rz(a + pi) Ry(-b) Rz(c + pi): the shoulder's three axes meet in a point
        for name in (names[0], names[2]):
            q[name] -= math.copysign(math.pi, q[name])
        q[names[1]] *= -1.0
        return q, set(names[:3])
    # three parallel axes: the elbow on the other side of the line from shoulder to wrist
    lift, elbow, wrist = (joints[name] for name in names[1:4])
    reach = 0.425 * cmath.exp(1j * lift) + 0.39225 * cmath.exp(1j * (lift + elbow))
    q[names[1]], q[names[2]] = 2.0 * cmath.phase(reach) - lift, -elbow
    q[names[3]] = lift + elbow + wrist - q[names[1]] - q[names[2]]
    return q, set(names[1:4])


def test_a_line_through_a_change_of_configuration_is_refused_with_a_joint_that_changes(rig, arm):
    from urdf_rig.addon.rig import robot_of
    from urdf_rig.core.kinematics import frame_pose

    robot = robot_of(rig)
    end = moved(robot, arm, arm.home, (0.05, 0.10, -0.10))
    other, changing = flipped(arm, end)
    apart = frame_pose(robot, end, frame_of(arm)) - frame_pose(robot, other, frame_of(arm))
    assert np.abs(apart).max() < 1e-6
    record(rig, arm.home, 1)
    record(rig, other, 25, "line")
    with pytest.raises(RuntimeError) as refusal:
        bpy.ops.urdf_rig.generate_waypoint_motion()
    assert any(f"joint {name!r}" in str(refusal.value) for name in changing)
    assert keys(rig) == {}
    # in the configuration that the line leads to it is possible, and by a joint move to the other one too
    record(rig, end, 13, "line")
    rig.data.urdf_rig_waypoints.waypoints[2].move = "joint"
    assert bpy.ops.urdf_rig.generate_waypoint_motion() == {"FINISHED"}
