# SPDX-License-Identifier: GPL-3.0-or-later
"""The motion of rigs as files: round trips, whatever animates the joints, and the command."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from other_processes import urdf_rig

from urdf_rig.core.errors import ModelError

GRIPPER = Path(__file__).parents[2] / "examples" / "gripper" / "gripper.urdf"
RANGES = [
    *((-2.8973, 2.8973), (-1.7628, 1.7628), (-2.8973, 2.8973), (-3.0718, -0.0698)),
    *((-2.8973, 2.8973), (-0.0175, 3.7525), (-2.8973, 2.8973)),
]


def arm_with_hand():
    """A robot of seven turning joints and a hand of two fingers, one of which follows."""
    parts = ['<link name="l0"/>']
    for index, (low, high) in enumerate(RANGES, 1):
        parts.append(
            f'<link name="l{index}"/><joint name="joint{index}" type="revolute"><parent link="l{index - 1}"/>'
            f'<child link="l{index}"/><origin xyz="0 0.1 0.2" rpy="{1.5708 * (-1) ** index} 0 0"/><axis xyz="0 0 1"/>'
            f'<limit lower="{low}" upper="{high}" effort="1" velocity="2"/></joint>'
        )
    for name, sign, mimic in (("left", 1, ""), ("right", -1, '<mimic joint="left"/>')):
        parts.append(
            f'<link name="{name}"/><joint name="{name}" type="prismatic"><parent link="l7"/><child link="{name}"/>'
            f'<axis xyz="0 {sign} 0"/><limit lower="0" upper="0.04" effort="1" velocity="1"/>{mimic}</joint>'
        )
    return f'<robot name="arm">{"".join(parts)}</robot>'


def recorded(rig, **options):
    from urdf_rig.addon.motion.sampling import recorded_motion

    return recorded_motion(bpy.context, rig, **{"start": 1.0, "end": 49.0, **options})


def played(rig, motion, **options):
    from urdf_rig.addon.motion.playback import play_motion

    return play_motion(bpy.context, rig, motion, **options)


def random_motion(rig, rate=50.0, seconds=2.0):
    """Return a motion of all free joints within their limits."""
    from urdf_rig.addon.rig import joint_bones
    from urdf_rig.core.motion import JointMotion

    dice = np.random.default_rng(5)
    free = [joint.data for joint in joint_bones(rig) if not joint.data.leader]
    times = np.arange(int(rate * seconds) + 1) / rate
    columns = [
        dice.uniform(data.lower, data.upper, len(times)) if data.limited else dice.uniform(-20, 20, len(times))
        for data in free
    ]
    return JointMotion(tuple(data.joint for data in free), times, np.column_stack(columns))


@pytest.fixture(params=["gripper", "arm"])
def rig(request, rig_of, tmp_path):
    bpy.context.scene.render.fps = 24
    return rig_of(GRIPPER).rig if request.param == "gripper" else rig_of(arm_with_hand(), tmp_path).rig


@pytest.fixture
def arm(rig_of, tmp_path):
    bpy.context.scene.render.fps = 24
    return rig_of(arm_with_hand(), tmp_path).rig


@pytest.mark.parametrize("suffix", [".csv", ".json", ".yaml"])
def test_import_export_import_is_the_same_motion(rig, tmp_path, suffix):
    from urdf_rig.core.motion import read_motion, write_motion

    motion = random_motion(rig)
    given, path, again = tmp_path / f"given{suffix}", tmp_path / f"m{suffix}", tmp_path / f"again{suffix}"
    write_motion(given, motion)
    options = {"start": 1.0, "end": 49.0, "rate": 50.0}
    assert bpy.ops.urdf_rig.play_joint_states(filepath=str(given)) == {"FINISHED"}
    assert bpy.ops.urdf_rig.export_joint_states(filepath=str(path), **options) == {"FINISHED"}
    got = read_motion(path).motion.of_joints(motion.joints)
    assert got.times == pytest.approx(motion.times, abs=1e-9)
    assert np.abs(got.positions - motion.positions).max() < 2e-6  # float32 of some turns
    assert bpy.ops.urdf_rig.play_joint_states(filepath=str(path)) == {"FINISHED"}
    assert bpy.ops.urdf_rig.export_joint_states(filepath=str(again), **options) == {"FINISHED"}
    last = read_motion(again).motion.of_joints(motion.joints)
    assert np.abs(last.positions - got.positions).max() < 1e-6


def test_followers_degrees_and_a_rate_of_its_own(rig):
    from urdf_rig.addon.rig import robot_of
    from urdf_rig.core.kinematics import joint_positions

    robot = robot_of(rig)
    motion = random_motion(rig, rate=10.0)
    played(rig, motion)
    got = recorded(rig, rate=40.0, followers=True, degrees=True)
    assert len(got.times) == 81 and got.times[-1] == pytest.approx(2.0)
    want = motion.at(got.times)
    values = joint_positions(robot, dict(zip(want.joints, want.positions.T, strict=True)))
    assert set(got.joints) == set(values) and len(values) > len(motion.joints)
    for name, column in zip(got.joints, got.positions.T, strict=True):
        factor = math.degrees(1.0) if robot.joint(name).type.turns else 1.0
        assert column == pytest.approx(factor * values[name], abs=3e-3 * factor)
    frame = bpy.context.scene.frame_current
    assert recorded(rig).times == pytest.approx(np.arange(49) / 24) and bpy.context.scene.frame_current == frame


def test_velocities_and_accelerations_are_those_of_the_motion(arm, tmp_path):
    from urdf_rig.core.motion import JointMotion, read_motion

    times = np.array([0.0, 2.0])
    played(arm, JointMotion(("joint1", "left"), times, [[-1.0, 0.0], [2.0, 0.04]]))
    path = tmp_path / "m.csv"
    assert bpy.ops.urdf_rig.export_joint_states(filepath=str(path), start=5, end=45, rates=True, followers=True) == {
        "FINISHED"
    }
    got = read_motion(path).motion.of_joints(["joint1", "left", "right", "joint2"])
    assert got.velocities == pytest.approx(np.tile([1.5, 0.02, 0.02, 0.0], (41, 1)), abs=1e-5)
    assert got.accelerations == pytest.approx(np.zeros((41, 4)), abs=1e-4)


def test_what_else_animates_the_channels_counts(arm):
    """Keys with easing, the NLA and a driver, against what Blender shows when the frames are played."""
    from urdf_rig.addon.fcurves import action_curves
    from urdf_rig.addon.rig import joint_bones_by_name

    action = played(arm, random_motion(arm, rate=2.0)).action
    curve = action_curves(arm)[0]
    for point in curve.keyframe_points:
        point.interpolation = "BEZIER"
        point.handle_left_type = point.handle_right_type = "AUTO"
    curve.update()
    eased = recorded(arm).positions
    assert recorded(arm, rates=True).positions == pytest.approx(eased, abs=1e-5)
    bones = joint_bones_by_name(arm)
    names = recorded(arm).joints

    def shown(frame):
        bpy.context.scene.frame_set(frame)
        return [bones[name].value for name in names]

    assert eased == pytest.approx(np.array([shown(frame) for frame in range(1, 50)]), abs=1e-5)
    data = arm.animation_data
    strip = data.nla_tracks.new().strips.new("s", 1, action)
    if hasattr(strip, "action_slot"):
        strip.action_slot = action.slots[0]
    data.action = None
    assert recorded(arm).positions == pytest.approx(eased, abs=1e-5)
    driver = arm.driver_add(f"{bones['joint2'].bone.path_from_id()}.rotation_euler", 1).driver
    driver.expression = "frame / 100"
    got = recorded(arm).of_joints(["joint2"]).positions[:, 0]
    assert got == pytest.approx(bones["joint2"].data.sign * np.arange(1, 50) / 100, abs=1e-5)


@pytest.mark.parametrize("options", [{"rate": -1.0}, {"rate": math.nan}, {"end": 0.0}, {"rate": 1e9}])
def test_ranges_and_rates_that_are_refused(arm, options):
    with pytest.raises(ModelError):
        recorded(arm, **options)


def test_a_robot_without_joints(rig_of, tmp_path):
    rig = rig_of('<robot name="stone"><link name="l"/></robot>', tmp_path).rig
    with pytest.raises(ModelError, match="no joints that move"):
        recorded(rig)


@pytest.fixture
def blend(arm, tmp_path):
    from urdf_rig.core.motion import JointMotion

    played(arm, JointMotion(("joint1", "left"), [0.0, 2.0], [[-1.0, 0.0], [1.0, 0.04]]))
    bpy.context.scene.frame_end = 49
    path = tmp_path / "animated.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    return path


def test_the_command_writes_the_scenes_range(blend, tmp_path):
    out = tmp_path / "motion.csv"
    run = urdf_rig("export-motion", blend, "--out", out, "--rate", 10, "--degrees", "--followers")
    assert (run.returncode, run.stdout) == (0, ""), run.stderr
    with out.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["time", *(f"joint{index}" for index in range(1, 8)), "left", "right"]
    assert [float(row["time"]) for row in rows] == pytest.approx(np.arange(21) / 10)
    assert [float(row["joint1"]) for row in rows] == pytest.approx(np.degrees(np.linspace(-1, 1, 21)), abs=1e-4)
    assert [float(row["right"]) for row in rows] == pytest.approx(np.linspace(0, 0.04, 21), abs=1e-7)


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["{blend}", "--out", "{dir}/m.txt"], 2, "one of .csv"),
        (["{blend}", "--out", "{dir}/no/m.csv"], 2, "does not exist"),
        (["{blend}", "--out", "{dir}/m.csv", "--rate", "-1"], 2, "above 0"),
        (["{blend}", "--out", "{dir}/m.csv", "--rig", "x"], 2, "no rig 'x'"),
        (["{blend}", "--out", "{dir}/m.csv", "--start", "9", "--end", "1"], 2, "no range"),
        (["{dir}/missing.blend", "--out", "{dir}/m.csv"], 1, "cannot be opened"),
    ],
)
def test_what_the_command_refuses(blend, tmp_path, arguments, status, words, capfd):
    from urdf_rig.cli.main import main

    places = {"blend": blend, "dir": tmp_path}
    assert main(["export-motion", *(argument.format(**places) for argument in arguments)]) == status
    stderr = capfd.readouterr().err
    assert words in stderr and "Traceback" not in stderr
    assert not list(tmp_path.glob("m.*"))


def test_of_several_robots_one_is_chosen_by_name(blend, tmp_path, rig_of, capfd):
    from urdf_rig.cli.main import main

    names = [obj.name for obj in bpy.data.objects if obj.type == "ARMATURE"]
    names.append(rig_of(GRIPPER).rig.name)
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    out = tmp_path / "m.yaml"
    assert main(["export-motion", str(blend), "--out", str(out)]) == 2
    assert all(name in capfd.readouterr().err.replace("\n", " ") for name in names[:1])
    assert main(["export-motion", str(blend), "--out", str(out), "--rig", names[1]]) == 0
    assert "rail_joint" in out.read_text()


def test_menu_and_panel_show_the_buttons(arm):
    entries = []

    class Notes:
        def operator(self, name, **_):
            entries.append(name)

        def column(self, **_):
            return self

    assert bpy.types.URDF_RIG_PT_motion.poll(bpy.context)
    bpy.types.URDF_RIG_PT_motion.draw(SimpleNamespace(layout=Notes()), bpy.context)
    assert entries == ["urdf_rig.play_joint_states", "urdf_rig.export_joint_states"]
    ours = [draw for draw in bpy.types.TOPBAR_MT_file_export.draw._draw_funcs if "motion_export" in draw.__module__]
    (draw,) = ours
    draw(SimpleNamespace(layout=Notes()), bpy.context)
    assert entries[-1] == "urdf_rig.export_joint_states"


def test_rates_read_from_keys_are_those_that_are_sampled(arm):
    from urdf_rig.addon.motion_rates import sample_motion

    motion = random_motion(arm, rate=6.0)  # a key at every fourth frame
    played(arm, motion)
    got = recorded(arm, start=-3.0, end=60.0, rate=48.0, rates=True)
    want = sample_motion(bpy.context, arm, (-3.0 + 24 * got.times).tolist())
    assert got.positions == pytest.approx(np.column_stack([want.q[name] for name in got.joints]), abs=1e-6)
    assert got.velocities == pytest.approx(want.v, abs=1e-4)
    assert not got.accelerations.any() and not want.a.any()
    slopes = np.diff(motion.positions, axis=0) * 6.0
    # in the middle of the second segment; the range starts four frames before the first key
    inside = got.at([4 / 24 + 0.25])
    assert inside.velocities[0] == pytest.approx(slopes[1], abs=1e-4)


PLANAR = """<robot name="planar"><link name="base"/><link name="upper"/><link name="lower"/><link name="tip"/>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="0.5 0 0"/>
    <axis xyz="0 0 -1"/></joint>
  <joint name="tool" type="fixed"><parent link="lower"/><child link="tip"/><origin xyz="0.4 0 0"/></joint></robot>"""


def test_what_constraints_do_is_exported_and_whole_turns_are_counted(rig_of, tmp_path):
    """A constraint that turns the shoulder with an empty, twice around, while the elbow is keyed over three turns."""
    from urdf_rig.addon.rig import joint_bones_by_name
    from urdf_rig.core.motion import JointMotion

    bpy.context.scene.render.fps = 24
    rig = rig_of(PLANAR, tmp_path).rig
    played(rig, JointMotion(("elbow",), [0.0, 2.0], [[0.0], [6 * math.pi]]))
    shoulder = joint_bones_by_name(rig)["shoulder"]
    goal = bpy.data.objects.new("goal", None)
    bpy.context.collection.objects.link(goal)
    driver = goal.driver_add("rotation_euler", 1).driver
    driver.expression = "(frame - 1) * 0.25"
    copied = shoulder.bone.constraints.new("COPY_ROTATION")
    copied.target, copied.target_space, copied.owner_space = goal, "WORLD", "LOCAL"
    got = recorded(rig, rates=True)
    turned = shoulder.data.sign * 0.25 * np.arange(49)
    assert got.joints == ("shoulder", "elbow") and turned[-1] / (2 * math.pi) > 1.9
    assert got.positions[:, 0] == pytest.approx(turned, abs=1e-4)
    assert got.positions[:, 1] == pytest.approx(np.linspace(0, 6 * math.pi, 49), abs=1e-4)
    assert got.velocities[5:-5] == pytest.approx(np.tile([turned[1] * 24, 3 * math.pi], (39, 1)), abs=2e-2)
    assert recorded(rig).positions == pytest.approx(got.positions, abs=1e-5)
    copied.mute = True
    assert not recorded(rig).positions[:, 0].any()


def test_what_no_joint_can_do_is_refused(rig_of, tmp_path):
    from urdf_rig.addon.rig import joint_bones_by_name
    from urdf_rig.core.errors import RigError

    rig = rig_of(PLANAR, tmp_path).rig
    goal = bpy.data.objects.new("goal", None)
    bpy.context.collection.objects.link(goal)
    goal.rotation_euler.x = 0.3
    copied = joint_bones_by_name(rig)["elbow"].bone.constraints.new("COPY_ROTATION")
    copied.target, copied.target_space, copied.owner_space = goal, "WORLD", "LOCAL"
    with pytest.raises(RigError, match="'elbow' off its axis"):
        recorded(rig, end=3.0)


def test_blenders_own_inverse_kinematics_is_exported(rig_of, link_poses, tmp_path):
    """The exported angles put the tip where Blender has it, by the trigonometry of a planar arm."""
    from urdf_rig.addon.rig import set_joint_values

    bpy.context.scene.render.fps = 24
    rig = rig_of(PLANAR, tmp_path).rig
    set_joint_values(rig, {"shoulder": 0.4, "elbow": -0.6})
    goal = bpy.data.objects.new("goal", None)
    bpy.context.collection.objects.link(goal)
    for index, (start, slope) in enumerate(((0.3, 0.01), (0.2, 0.005))):
        goal.driver_add("location", index).driver.expression = f"{start} + {slope} * frame"
    solver = rig.pose.bones["tip"].constraints.new("IK")
    solver.target, solver.iterations = goal, 500
    got = recorded(rig, end=10.0)
    assert (got.positions[0] != got.positions[-1]).all() and np.abs(np.diff(got.positions, axis=0)).max() < 0.3
    for frame, (shoulder, elbow) in zip(range(1, 11), got.positions, strict=True):
        bpy.context.scene.frame_set(frame)
        lower = link_poses(rig)["lower"]
        assert lower[:2, 3] == pytest.approx([0.5 * math.cos(shoulder), 0.5 * math.sin(shoulder)], abs=1e-5)
        assert lower[:2, 0] == pytest.approx([math.cos(shoulder - elbow), math.sin(shoulder - elbow)], abs=1e-5)


def test_modifiers_and_muted_channels_are_what_blender_shows(arm):
    from urdf_rig.addon.fcurves import action_curves
    from urdf_rig.addon.rig import joint_bones_by_name

    played(arm, random_motion(arm, rate=2.0))
    curves, bones = action_curves(arm), joint_bones_by_name(arm)
    curves[0].modifiers.new("CYCLES")
    arm.animation_data.action.update_tag()  # which new modifiers forget
    names = recorded(arm).joints
    wanted = {"start": -60.0, "end": 150.0}

    def shown(frames):
        rows = []
        for frame in frames:
            bpy.context.scene.frame_set(frame)
            rows.append([bones[name].value for name in names])
        return np.array(rows)

    got = recorded(arm, **wanted).positions
    assert got == pytest.approx(shown(range(-60, 151)), abs=1e-5)
    assert not np.array_equal(got[0], got[60])
    curves[1].mute = True
    bones["joint2"].value = 0.123
    got = recorded(arm, **wanted).of_joints(["joint2"]).positions
    assert got == pytest.approx(np.full((211, 1), 0.123), abs=1e-6)
