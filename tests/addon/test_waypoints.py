# SPDX-License-Identifier: GPL-3.0-or-later
"""Waypoints in Blender: taught, changed, made into keyframes, and made anew."""

from __future__ import annotations

import json
import math

import bpy
import numpy as np
import pytest
from ik_scene import READY, TIP, ready_arm, shown
from other_processes import played_alone
from panel_notes import Notes, notes

SHIFT = [0.05, 0.25, -0.1]
TOOL_XYZ = (0.02, 0.01, 0.1)


@pytest.fixture
def rig(rig_of):
    rig = ready_arm(rig_of)
    data = rig.data.urdf_rig_waypoints
    data.link, data.tool_xyz = TIP, TOOL_XYZ
    return rig


def put(rig, values):
    from urdf_rig.addon.rig import set_joint_values

    set_joint_values(rig, values)


def values(rig):
    from urdf_rig.addon.rig import joint_values

    return joint_values(rig)


def record(rig, frame, joints, **options):
    put(rig, joints)
    assert bpy.ops.urdf_rig.record_waypoint(use_frame=True, frame=frame, **options) == {"FINISHED"}


def moved(rig, joints, offset):
    """Return joint values with the tool moved by an offset in the armature, its orientation kept."""
    from urdf_rig.addon.rig import robot_of
    from urdf_rig.core import solve_ik
    from urdf_rig.core.ik import PoseGoal
    from urdf_rig.core.kinematics import frame_pose

    offset_of_tool = np.eye(4)
    offset_of_tool[:3, 3] = TOOL_XYZ
    robot, tool = robot_of(rig), (TIP, offset_of_tool)
    goal = np.array(frame_pose(robot, joints, tool))
    goal[:3, 3] += offset
    found = solve_ik(robot, PoseGoal(tool, goal), joints, restarts=0, tolerance=1e-9)
    assert found.reached
    return dict(zip(robot.dofs, found.q.tolist(), strict=True))


def tool_at(rig, frame):
    """Return the tool's point in the world as Blender shows it at a frame."""
    bpy.context.scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))
    pose = shown(rig)
    return pose[:3, :3] @ np.array(TOOL_XYZ) + pose[:3, 3]


def all_keys(rig):
    """Return every key with all that makes its shape, by channel."""
    from urdf_rig.addon.fcurves import action_curves

    return {
        (curve.data_path, curve.array_index): [
            (*point.co, *point.handle_left, *point.handle_right, point.interpolation) for point in curve.keyframe_points
        ]
        for curve in action_curves(rig)
    }


def three(rig):
    """Teach a joint move and a line, and return the joint values."""
    second = {**READY, "joint_1": -0.4, "joint_3": -0.7}
    third = moved(rig, second, SHIFT)
    record(rig, 1, READY, name="home")
    record(rig, 21, second, name="above")
    record(rig, 45, third, name="down", move="line")
    return READY, second, third


def test_the_motion_passes_all_waypoints_and_keeps_to_the_line(rig):
    taught = three(rig)
    assert bpy.ops.urdf_rig.generate_waypoint_motion() == {"FINISHED"}
    for frame, joints in zip((1, 21, 45), taught, strict=True):
        bpy.context.scene.frame_set(frame)
        assert values(rig) == pytest.approx(joints, abs=1e-6)
    start, end = tool_at(rig, 21), tool_at(rig, 45)
    along = (end - start) / np.linalg.norm(end - start)
    assert np.linalg.norm(end - start) == pytest.approx(np.linalg.norm(SHIFT), abs=1e-5)
    for frame in np.arange(21, 45.25, 0.25):
        apart = tool_at(rig, frame) - start
        assert np.linalg.norm(apart - (apart @ along) * along) < 1e-4, frame
    # a smooth joint move is a cubic: 3 u^2 - 2 u^3 is 5/32 after a quarter of the time
    bpy.context.scene.frame_set(6)
    assert values(rig)["joint_1"] == pytest.approx(0.3 - 0.7 * 5 / 32, abs=1e-5)


def test_making_it_anew_replaces_the_old_motion_and_touches_nothing_else(rig):
    from urdf_rig.addon.rig import joint_bones_by_name

    three(rig)
    bones = joint_bones_by_name(rig)
    for name, frame in (("joint_2", -20), ("joint_2", 70.5), ("joint_4", 100)):
        bones[name].bone.keyframe_insert("rotation_euler", index=1, frame=frame)
    rig.keyframe_insert("location", frame=10)
    bones["joint_5"].bone.keyframe_insert("location", frame=30)
    bpy.ops.urdf_rig.generate_waypoint_motion()
    first = all_keys(rig)
    bpy.ops.urdf_rig.generate_waypoint_motion()
    assert all_keys(rig) == first
    # shorter, and through other values
    bpy.ops.urdf_rig.remove_waypoint(index=2)
    put(rig, {"joint_2": 0.6})
    bpy.ops.urdf_rig.update_waypoint(index=1)
    bpy.ops.urdf_rig.generate_waypoint_motion()
    second = all_keys(rig)
    joint = f"{bones['joint_2'].bone.path_from_id()}.rotation_euler", 1
    assert [key[0] for key in second[joint]] == [-20, 1, 21, 70.5]
    for channel, keys in second.items():
        if channel[0] == "location" or channel[0].endswith(".location"):
            assert keys == first[channel]
    bpy.ops.urdf_rig.clear_waypoint_motion()
    assert not bpy.ops.urdf_rig.clear_waypoint_motion.poll()
    left = {channel: [key[0] for key in keys] for channel, keys in all_keys(rig).items()}
    assert left.pop(joint) == [-20, 70.5]
    assert sorted(frame for frames in left.values() for frame in frames) == [10, 10, 10, 30, 30, 30, 100]


def test_other_joints_are_left_to_other_animation(rig):
    from urdf_rig.addon.rig import joint_bones_by_name

    bones = joint_bones_by_name(rig)
    bpy.ops.object.mode_set(mode="POSE")
    chosen = rig.pose.bones if hasattr(rig.pose.bones[0], "select") else rig.data.bones
    for bone in chosen:
        bone.select = bone.name == bones["joint_1"].bone.name
    bones["joint_2"].bone.keyframe_insert("rotation_euler", index=1, frame=5)
    record(rig, 1, READY, selected=True)
    record(rig, 11, {"joint_1": 1.0}, selected=True)
    before = all_keys(rig)
    bpy.ops.urdf_rig.generate_waypoint_motion()
    after = all_keys(rig)
    assert len(after) == 2 and all(after[channel] == keys for channel, keys in before.items())
    bpy.ops.urdf_rig.update_waypoint(index=1)
    assert set(json.loads(rig.data.urdf_rig_waypoints.waypoints[1].joints)) == {"joint_1"}


def test_a_line_to_another_configuration_is_refused_and_nothing_is_written(rig):
    from urdf_rig.addon.rig import robot_of
    from urdf_rig.core import solve_ik_all
    from urdf_rig.core.kinematics import frame_pose

    third = three(rig)[2]
    bpy.ops.urdf_rig.generate_waypoint_motion()
    before = all_keys(rig), rig.data.urdf_rig_waypoints.generated
    robot = robot_of(rig)
    others = solve_ik_all(robot, TIP, frame_pose(robot, third, TIP), third, copies=False)
    apart = [row for row in others.q if max(abs(row - np.array(list(third.values())))) > 0.1]
    assert apart
    put(rig, dict(zip(robot.dofs, apart[0].tolist(), strict=True)))
    bpy.ops.urdf_rig.update_waypoint(index=2)
    with pytest.raises(RuntimeError, match=r"waypoint 'down': .*'joint_\d'"):
        bpy.ops.urdf_rig.generate_waypoint_motion()
    assert (all_keys(rig), rig.data.urdf_rig_waypoints.generated) == before
    rig.data.urdf_rig_waypoints.waypoints[2].move = "joint"
    assert bpy.ops.urdf_rig.generate_waypoint_motion() == {"FINISHED"}


def test_waypoints_are_listed_applied_updated_reordered_and_removed(rig):
    data = rig.data.urdf_rig_waypoints
    record(rig, 30, READY, name="late")
    record(rig, 10, {"joint_1": 0.9}, name="early")
    record(rig, 20, {"joint_1": -0.9}, name="early")
    assert [(item.name, item.frame) for item in data.waypoints] == [("early", 10), ("early 2", 20), ("late", 30)]
    assert data.active == 1
    with pytest.raises(RuntimeError, match="'early' is at frame 10 already"):
        bpy.ops.urdf_rig.record_waypoint(use_frame=True, frame=10.0)
    bpy.ops.urdf_rig.apply_waypoint(index=0)
    assert values(rig)["joint_1"] == pytest.approx(0.9)
    bpy.ops.urdf_rig.move_waypoint(index=0, step=1)
    assert [(item.name, item.frame) for item in data.waypoints] == [("early 2", 10), ("early", 20), ("late", 30)]
    with pytest.raises(RuntimeError, match="no waypoint 3"):
        bpy.ops.urdf_rig.move_waypoint(index=2, step=1)
    put(rig, {"joint_1": 0.1})
    bpy.ops.urdf_rig.update_waypoint()
    assert json.loads(data.waypoints[1].joints)["joint_1"] == pytest.approx(0.1)
    bpy.ops.urdf_rig.remove_waypoint(index=0)
    assert [item.name for item in data.waypoints] == ["early", "late"]
    data.waypoints[0].frame = 40
    with pytest.raises(RuntimeError, match="'late': it is at frame 30, which is not after 'early' at frame 40"):
        bpy.ops.urdf_rig.generate_waypoint_motion()
    bpy.ops.urdf_rig.remove_waypoint()
    bpy.ops.urdf_rig.remove_waypoint(index=0)
    assert not bpy.ops.urdf_rig.generate_waypoint_motion.poll()


def test_the_tools_pose_is_recorded_as_the_bones_show_it(rig):
    record(rig, 1, READY)
    item = rig.data.urdf_rig_waypoints.waypoints[0]
    assert (item.link, item.reference) == (TIP, "base_link")
    pose = np.linalg.inv(np.array(rig.matrix_world)) @ shown(rig)
    wanted = pose[:3, :3] @ np.array(TOOL_XYZ) + pose[:3, 3]
    assert np.reshape(item.pose, (4, 4))[:3, 3] == pytest.approx(wanted, abs=1e-5)


def test_they_survive_save_and_load_renamed_bones_and_renamed_joints(rig, tmp_path):
    from urdf_rig.addon.new_names import NewNames
    from urdf_rig.addon.rig import joint_bones_by_name
    from urdf_rig.addon.waypoints.ranges import generated_keys
    from urdf_rig.addon.waypoints.teaching import follow_new_names

    taught = three(rig)
    bpy.ops.urdf_rig.generate_waypoint_motion()
    blend = tmp_path / "r.blend"
    name = rig.name
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    rig = bpy.data.objects[name]
    rig.data.bones[TIP].name = "renamed"
    joint_bones_by_name(rig)["joint_2"].bone.name = "too"
    before = all_keys(rig)
    assert bpy.ops.urdf_rig.generate_waypoint_motion() == {"FINISHED"}
    assert all_keys(rig) == before
    bpy.context.scene.frame_set(45)
    assert values(rig) == pytest.approx(taught[2], abs=1e-6)
    names = NewNames({TIP: "flange", "base_link": "foot"}, {"joint_1": "turn"})
    assert follow_new_names(bpy.context, rig, names) == []
    item = rig.data.urdf_rig_waypoints.waypoints[0]
    assert "turn" in json.loads(item.joints) and (item.link, item.reference) == ("flange", "foot")
    assert set(generated_keys(rig)) == {"turn", *(f"joint_{n}" for n in range(2, 7))}


def test_a_tool_that_is_elsewhere_since_the_robot_changed_is_said(rig, capfd):
    three(rig)
    bpy.ops.urdf_rig.generate_waypoint_motion()
    assert "where it was taught" not in "".join(capfd.readouterr())
    data = rig.data.urdf_rig
    assert data.urdf.count('xyz="0 0 0" rpy="0 1.570796326795 0"') == 1
    data.urdf = data.urdf.replace('xyz="0 0 0" rpy="0 1.57', 'xyz="0.005 0 0" rpy="0 1.57')
    bpy.ops.urdf_rig.generate_waypoint_motion()
    assert "the tool is 5 mm from where it was taught" in "".join(capfd.readouterr())


def test_undo_takes_the_motion_back(rig):
    three(rig)
    name = rig.name
    bpy.ops.ed.undo_push(message="taught")
    bpy.ops.urdf_rig.generate_waypoint_motion()
    bpy.ops.ed.undo_push(message="made")
    bpy.ops.ed.undo()
    rig = bpy.data.objects[name]
    assert all_keys(rig) == {} and rig.data.urdf_rig_waypoints.generated == ""
    assert len(rig.data.urdf_rig_waypoints.waypoints) == 3


def test_it_plays_without_the_extension(rig, tmp_path):
    three(rig)
    bpy.ops.urdf_rig.generate_waypoint_motion()
    frames = np.arange(21, 45.5, 0.5).tolist()
    expected = [tool_at(rig, frame) for frame in frames]
    b_h_l = np.reshape(rig.data.bones[TIP].urdf_rig.bone_h_link, (4, 4))
    for matrix, point in zip(played_alone(tmp_path / "r.blend", rig, TIP, frames), expected, strict=True):
        pose = matrix @ b_h_l
        assert pose[:3, :3] @ np.array(TOOL_XYZ) + pose[:3, 3] == pytest.approx(point, abs=1e-6)


def test_damaged_waypoints_are_errors_and_no_more(rig):
    three(rig)
    data = rig.data.urdf_rig_waypoints
    data.generated = '{"joint_1": [1, "x"]}'
    assert bpy.ops.urdf_rig.generate_waypoint_motion() == {"FINISHED"}
    data.waypoints[1].joints = '{"joint_1": null}'
    with pytest.raises(RuntimeError, match="'joint_1' is no number"):
        bpy.ops.urdf_rig.generate_waypoint_motion()
    data.waypoints[1].joints = data.waypoints[0].joints
    data.waypoints[2].link = "nowhere"
    with pytest.raises(RuntimeError, match="no link 'nowhere'"):
        bpy.ops.urdf_rig.generate_waypoint_motion()


def test_the_panel_offers_what_makes_sense(rig):
    log = notes("URDF_RIG_PT_waypoints")
    assert "urdf_rig.record_waypoint" in log and "urdf_rig.generate_waypoint_motion" not in log
    three(rig)
    log = notes("URDF_RIG_PT_waypoints")
    assert "urdf_rig.generate_waypoint_motion" in log and "keep_orientation" in log and "waypoints" in log
    rig.data.urdf_rig_waypoints.active = 0
    assert "The motion starts here" in notes("URDF_RIG_PT_waypoints")
    bpy.types.URDF_RIG_UL_waypoints.draw_item(
        None, bpy.context, Notes(log), None, rig.data.urdf_rig_waypoints.waypoints[0], 0, None, ""
    )
