# SPDX-License-Identifier: GPL-3.0-or-later
"""Bags and moving bases on a rig: what is keyed, what Blender shows, and round trips in every format."""

from __future__ import annotations

import itertools
import math
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from mathutils import Vector
from other_processes import urdf_rig
from ros_bags import KINDS, BagWriter, write_motion_bag

ROBOT = """<robot name="walker">
  <link name="root"/><link name="body"/><link name="leg"/><link name="foot"/><link name="toe"/>
  <joint name="mount" type="fixed"><parent link="root"/><child link="body"/>
    <origin xyz="0 0 0.5" rpy="0 0 1.5"/></joint>
  <joint name="hip" type="continuous"><parent link="body"/><child link="leg"/><axis xyz="0 1 0"/></joint>
  <joint name="knee" type="prismatic"><parent link="leg"/><child link="foot"/><axis xyz="0 0.6 -0.8"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="tip" type="revolute"><parent link="foot"/><child link="toe"/><axis xyz="1 0 0"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/><mimic joint="knee" multiplier="2"/></joint>
</robot>"""
JOINTS = ("hip", "knee")


@pytest.fixture
def rig(rig_of, tmp_path):
    bpy.context.scene.render.fps = 25
    return rig_of(ROBOT, tmp_path).rig


def turns(count):
    """Quaternions that turn about a tilted axis, three times around, with signs that jump."""
    angle = np.linspace(0.0, 6 * math.pi, count)
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    found = np.column_stack([np.cos(angle / 2), np.sin(angle / 2)[:, None] * axis])
    return found * np.where(np.arange(count) % 3 == 0, -1.0, 1.0)[:, None]


def motion_of(count=51, rate=25.0, link="root"):
    from urdf_rig.core.motion import BaseMotion, JointMotion

    dice = np.random.default_rng(2)
    times = np.arange(count) / rate
    positions = np.column_stack([np.linspace(0, 30, count), dice.uniform(-1, 1, count)])
    return JointMotion(
        JOINTS, times, positions, base=BaseMotion(times, dice.normal(size=(count, 3)), turns(count), "map", link)
    )


def world_poses(rig, frames):
    from urdf_rig.addon.world import world_pose

    found = []
    for frame in frames:
        bpy.context.scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))
        found.append(world_pose(rig.evaluated_get(bpy.context.evaluated_depsgraph_get()), bpy.context.scene))
    return np.array(found)


def play(rig, motion, **options):
    from urdf_rig.addon.motion.playback import play_motion

    return play_motion(bpy.context, rig, motion, **options)


@pytest.mark.parametrize("unit", [1.0, 0.01])
def test_the_base_is_where_it_was_recorded_and_turns_without_flips(rig_of, tmp_path, unit):
    from urdf_rig.addon.fcurves import action_curves

    bpy.context.scene.render.fps = 25
    bpy.context.scene.unit_settings.scale_length = unit
    rig = rig_of(ROBOT, tmp_path).rig
    rig.delta_location = (1.0, 2.0, 3.0)
    motion = motion_of()
    played = play(rig, motion, start=3.0)
    assert played.base and played.joints == 2 and rig.rotation_mode == "QUATERNION"
    frames = 3.0 + 25.0 * motion.times
    assert world_poses(rig, frames) == pytest.approx(motion.base.poses, abs=3e-6)
    quaternions = {curve.array_index: curve for curve in action_curves(rig) if curve.data_path == "rotation_quaternion"}
    keys = np.array([[key.co.y for key in quaternions[index].keyframe_points] for index in range(4)]).T
    assert np.linalg.norm(np.diff(keys, axis=0), axis=1).max() < 0.4 and len(keys) == 51
    between = world_poses(rig, frames[:-1] + 0.5)
    want = motion.base.at(motion.times[:-1] + 0.02).poses
    assert between == pytest.approx(want, abs=1e-3)  # Blender goes along the chord


def test_a_parent_that_stands_somewhere_is_allowed_for(rig):
    parent = bpy.data.objects.new("parent", None)
    bpy.context.collection.objects.link(parent)
    parent.location, parent.rotation_euler, parent.scale = (1, 2, 3), (0.3, 0.2, 0.1), (2, 2, 2)
    rig.parent = parent
    motion = motion_of()
    play(rig, motion)
    assert world_poses(rig, 1.0 + 25.0 * motion.times) == pytest.approx(motion.base.poses, abs=3e-6)


def test_the_pose_of_another_link_puts_the_base_by_forward_kinematics(rig, link_poses):
    """A recorded foot: its link must be where the record has it, while the leg moves."""
    motion = motion_of(link="foot")
    play(rig, motion)
    for index in (0, 7, 50):
        (world_H_base,) = world_poses(rig, [1 + index])
        assert world_H_base @ link_poses(rig)["foot"] == pytest.approx(motion.base.poses[index], abs=1e-5)


def test_what_the_base_is_called_is_said_where_the_robot_has_no_such_link(rig):
    played = play(rig, motion_of(link="base_footprint"))
    assert "put where the recorded frame 'base_footprint' is" in str(played.diagnostics[0])


def same_motion(got, want, tolerance):
    assert got.joints == want.joints
    assert np.abs(got.times - want.times).max() < 1e-8
    assert np.abs(got.positions - want.positions).max() < tolerance
    assert np.abs(got.base.poses - want.base.poses).max() < tolerance


@pytest.mark.parametrize("kind", ["csv", "json", "yaml", "states.yaml", "mcap"])
def test_import_export_import_with_a_moving_base(rig, tmp_path, kind):
    from urdf_rig.core.motion import read_motion, write_motion

    motion = motion_of()
    paths = [tmp_path / f"{name}.{kind}" for name in ("given", "out", "again")]
    write_motion(paths[0], motion, states=kind == "states.yaml")
    seen = []
    for source, target in itertools.pairwise(paths):
        assert bpy.ops.urdf_rig.play_joint_states(filepath=str(source), start=1.0) == {"FINISHED"}
        options = {"start": 1.0, "end": 51.0, "rates": True, "format": f".{kind}" if "." not in kind else kind}
        assert bpy.ops.urdf_rig.export_joint_states(filepath=str(target), **options) == {"FINISHED"}
        link = {"base_link": "root"} if kind == "mcap" else {}
        seen.append(read_motion(target, **link).motion)
    same_motion(seen[0], motion, 3e-6)  # float32 of five turns
    same_motion(seen[1], seen[0], 1e-6)
    assert seen[1].velocities == pytest.approx(seen[0].velocities, abs=1e-4)
    assert seen[0].base.frame == ("" if kind == "csv" else "world")


@pytest.mark.parametrize("kind", KINDS)
def test_bags_are_played_by_the_operator(rig, tmp_path, kind):
    from urdf_rig.addon.motion.sampling import recorded_motion

    motion = motion_of()
    path = write_motion_bag(tmp_path, kind, motion)
    if kind != "bag":
        path = next(item for item in path.iterdir() if item.suffix == f".{kind}")
    assert bpy.ops.urdf_rig.play_joint_states(filepath=str(path)) == {"FINISHED"}
    assert bpy.context.scene.frame_end >= 51
    same_motion(recorded_motion(bpy.context, rig, start=1, end=51), motion, 3e-6)
    rig.animation_data_clear()
    assert bpy.ops.urdf_rig.play_joint_states(filepath=str(path), base=False) == {"FINISHED"}
    assert recorded_motion(bpy.context, rig, start=1, end=51).base is None


def test_joints_and_base_have_keys_of_their_own(rig, tmp_path):
    """Odometry at another rate than joint states, the base beginning later."""
    from urdf_rig.addon.fcurves import action_curves

    with BagWriter(tmp_path, "mcap") as bag:
        for index in range(10):
            bag.joint_state("/joint_states", index * 10**8, JOINTS, [index, 0])
        for index in range(2, 5):
            bag.odometry("/odom", index * 2 * 10**8, "map", "root", (index, 0, 0), (1, 0, 0, 0))
    assert bpy.ops.urdf_rig.play_joint_states(filepath=str(next(bag.file.glob("*.mcap")))) == {"FINISHED"}
    keys = {curve.data_path: [key.co.x for key in curve.keyframe_points] for curve in action_curves(rig)}
    assert keys["location"] == pytest.approx([11.0, 16.0, 21.0])
    assert keys['pose.bones["leg"].rotation_euler'] == pytest.approx(1 + 2.5 * np.arange(10))


def test_a_topic_is_chosen_and_topics_are_offered(rig, tmp_path):
    from urdf_rig.addon.motion.sampling import recorded_motion
    from urdf_rig.addon.operators import motion_play

    with BagWriter(tmp_path, "bag") as bag:
        for index in range(3):
            bag.joint_state("/measured", index * 10**9, JOINTS, [index, 0])
            bag.joint_state("/wanted", index * 10**9, JOINTS, [0, 0.1 * index])
            bag.transforms("/tf", index * 10**9, [("map", "trunk", (index, 0, 0), (1, 0, 0, 0))])
    here = SimpleNamespace(filepath=str(bag.file))
    assert motion_play._joint_topics(here, bpy.context, "") == ["/measured", "/wanted"]
    assert motion_play._base_topics(here, bpy.context, "") == ["/tf"]
    operator = bpy.ops.urdf_rig.play_joint_states
    assert operator(filepath=str(bag.file), topic="/wanted", base_frame="trunk") == {"FINISHED"}
    got = recorded_motion(bpy.context, rig, start=1, end=51, rate=1.0)
    assert got.positions == pytest.approx(np.array([[0, 0], [0, 0.1], [0, 0.2]]), abs=1e-6)
    assert got.base.positions[:, 0] == pytest.approx([0.0, 1.0, 2.0])
    with pytest.raises(RuntimeError, match=r"no topic '/x' with joint values.*'/measured.*'/wanted"):
        operator(filepath=str(bag.file), topic="/x")
    with pytest.raises(RuntimeError, match=r"no transform to the base 'root'.*'trunk'"):
        operator(filepath=str(bag.file), base_topic="/tf")


def test_a_base_that_curves_do_not_say_is_played(rig):
    """Euler angles by a driver, a parent that is animated: against what Blender shows, and counted once."""
    from urdf_rig.addon.motion.sampling import recorded_motion

    rig.rotation_mode = "XYZ"
    rig.driver_add("rotation_euler", 2).driver.expression = "frame / 10"
    parent = bpy.data.objects.new("parent", None)
    bpy.context.collection.objects.link(parent)
    for frame in (1, 50):
        parent.location.x = frame
        parent.keyframe_insert("location", frame=frame)
    rig.parent = parent
    got = recorded_motion(bpy.context, rig, start=1, end=50)
    assert got.base.poses == pytest.approx(world_poses(rig, range(1, 51)), abs=1e-6)
    assert (np.diff(got.base.quaternions, axis=0) ** 2).sum(axis=1).max() < 0.01


def test_files_can_be_dropped_and_menus_have_entries(rig):
    handler = bpy.types.URDF_RIG_FH_motion
    assert handler.bl_import_operator == "urdf_rig.play_joint_states"
    assert handler.bl_file_extensions.split(";") == [".mcap", ".db3", ".bag", ".csv"]
    entries = []
    notes = SimpleNamespace(layout=SimpleNamespace(operator=lambda name, text: entries.append((name, text))))
    ours = [draw for draw in bpy.types.TOPBAR_MT_file_import.draw._draw_funcs if "motion_play" in draw.__module__]
    (draw,) = ours
    draw(notes, bpy.context)
    assert entries == [("urdf_rig.play_joint_states", "Joint Motion (.csv, .json, .yaml, .mcap, .db3, .bag)")]


def test_the_commands_play_a_bag_and_export_it_again(rig, tmp_path):
    from urdf_rig.core.motion import read_motion

    motion = motion_of()
    bag = write_motion_bag(tmp_path, "db3", motion)
    blend, moving, out = tmp_path / "robot.blend", tmp_path / "moving.blend", tmp_path / "out.mcap"
    bpy.context.scene.frame_end = 30
    bpy.ops.wm.save_as_mainfile(filepath=str(blend), copy=True)
    run = urdf_rig("play-motion", blend, bag, "--topic", "/joint_states", "--out", moving)
    assert (run.returncode, run.stdout) == (0, ""), run.stderr
    run = urdf_rig("export-motion", moving, "--out", out)
    assert run.returncode == 0, run.stderr
    same_motion(read_motion(out, base_link="root").motion, motion, 3e-6)
    run = urdf_rig("play-motion", blend, bag, "--topic", "/nothing", "--out", tmp_path / "no.blend")
    assert run.returncode == 1 and "there are '/joint_states (sensor_msgs/JointState)'" in run.stderr
    assert "Traceback" not in run.stderr and not (tmp_path / "no.blend").exists()


def test_what_ik_goals_make_a_live_rig_do_is_exported(rig_of):
    """The exported joints put the tip where the moving goal is, by forward kinematics."""
    from ik_scene import TIP, add, live, ready_arm

    from urdf_rig.addon.motion.sampling import recorded_motion
    from urdf_rig.addon.rig import robot_of
    from urdf_rig.core import forward_kinematics

    bpy.context.scene.render.fps = 24
    rig = ready_arm(rig_of)
    goal = add()
    start = goal.location.copy()
    for frame, step in ((1, 0.0), (20, 0.1)):
        goal.location = start + Vector((0.0, step, -step))
        goal.keyframe_insert("location", frame=frame)
    live(rig)
    got = recorded_motion(bpy.context, rig, start=1, end=20, rates=True)
    assert got.base is None and np.abs(np.diff(got.positions, axis=0)).max() > 1e-3
    world_H_base = np.array(rig.matrix_world)
    poses = forward_kinematics(robot_of(rig), dict(zip(got.joints, got.positions.T, strict=True)))[TIP]
    for frame, pose in zip(range(1, 21), world_H_base @ poses, strict=True):
        bpy.context.scene.frame_set(frame)
        assert pose[:3, 3] == pytest.approx(np.array(goal.matrix_world)[:3, 3], abs=1e-4)
    slope = np.gradient(got.positions, 1 / 24, axis=0)
    assert got.velocities[4:-4] == pytest.approx(slope[4:-4], abs=2e-2)


def test_a_long_export_can_be_cancelled_and_leaves_all_as_it_was(rig):
    from urdf_rig.addon.motion.sampling import record_stepwise
    from urdf_rig.addon.rig import joint_values, set_joint_values

    motion = motion_of()
    play(rig, motion)
    driver = rig.driver_add(f"{rig.pose.bones['leg'].path_from_id()}.rotation_euler", 1).driver
    driver.expression = "frame"
    bpy.context.scene.frame_set(7)
    set_joint_values(rig, {"knee": 0.25})
    before = joint_values(rig)
    steps = record_stepwise(bpy.context, rig, start=1, end=40)
    shares = [next(steps)[0] for _ in range(10)]
    assert shares == sorted(shares) and 0.0 <= shares[0] < shares[-1] < 1.0
    assert bpy.context.scene.frame_current != 7
    steps.close()
    assert bpy.context.scene.frame_current == 7
    assert joint_values(rig)["knee"] == before["knee"]
