# SPDX-License-Identifier: GPL-3.0-or-later
"""The section *Kinematics*: what it says of a frame, and its buttons."""

from __future__ import annotations

import json
import math
import time
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

PANELS = (
    "URDF_RIG_PT_kinematics",
    "URDF_RIG_PT_frame_motion",
    "URDF_RIG_PT_manipulability",
    "URDF_RIG_PT_overlay",
)

# a planar arm with links of 0.3 m and 0.4 m, standing 1 m above the ground
ARM = """<robot name="arm"><link name="base"/><link name="upper"/><link name="lower"/><link name="world"/>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><origin xyz="0 0 1"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="0.3 0 0"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="tool" type="fixed"><parent link="lower"/><child link="world"/><origin xyz="0.4 0 0" rpy="0 0 0.25"/>
  </joint></robot>"""


class Notes:
    """Stands in for the layout of a panel, as Blender makes a real one only when it draws a window."""

    def __init__(self, log):
        self.log = log

    def row(self, **_):
        return Notes(self.log)

    column = grid_flow = row

    def label(self, text="", **_):
        self.log.append(text)

    def operator(self, idname, depress=False, **_):
        category, name = idname.split(".")
        assert getattr(getattr(bpy.ops, category), name).get_rna_type()
        self.log.append((idname, depress))
        return SimpleNamespace()

    def prop(self, owner, name, **_):
        assert name in owner.bl_rna.properties, name
        self.log.append(("prop", name))


def draw(*panels):
    """Draw panels of the sidebar and return what they hold."""
    log = []
    for name in panels or PANELS:
        panel = getattr(bpy.types, name)
        assert panel.poll(bpy.context)
        panel.draw(SimpleNamespace(layout=Notes(log)), bpy.context)
    return log


def numbers_after(log, title):
    """Return the three or four numbers below a title."""
    found = []
    for item in log[log.index(title) + 1 :]:
        try:
            found.append(float(item))
        except (TypeError, ValueError):
            break
    return found


@pytest.fixture
def rig(rig_of, tmp_path):
    rig = rig_of(ARM, tmp_path).rig
    pose(rig, 0.0, math.pi / 2)
    return rig


@pytest.fixture
def state():
    return bpy.context.window_manager.urdf_rig_kinematics


def pose(rig, shoulder, elbow):
    from urdf_rig.addon.rig import set_joint_values

    set_joint_values(rig, {"shoulder": shoulder, "elbow": elbow})
    bpy.context.view_layer.update()


def test_without_a_robot_there_is_no_section():
    assert not any(getattr(bpy.types, name).poll(bpy.context) for name in PANELS)
    assert not bpy.ops.urdf_rig.copy_pose.poll() and not bpy.ops.urdf_rig.export_frame_motion.poll()


def test_it_shows_the_active_bones_link_in_the_world(rig):
    rig.location = (1.0, 2.0, 3.0)
    rig.data.bones.active = rig.data.bones["lower"]
    bpy.context.view_layer.update()
    log = draw()
    assert "lower in the world" in log
    assert numbers_after(log, "Position (m)") == [1.3, 2.0, 4.0]
    assert numbers_after(log, "Rotation (°)") == [0.0, 0.0, 90.0]


def test_a_chosen_frame_seen_from_base_and_from_another_link(rig, state):
    rig.location = (1.0, 2.0, 3.0)
    bpy.context.view_layer.update()
    # a link that is called world is a link, not the world
    state.frame, state.seen_from = "world", "BASE"
    log = draw()
    assert "world in base" in log and numbers_after(log, "Position (m)") == [0.3, 0.4, 1.0]
    state.frame, state.seen_from, state.reference = "upper", "LINK", "lower"
    assert numbers_after(draw(), "Position (m)") == [0.0, 0.3, 0.0]
    state.seen_from, state.reference, state.rotation = "LINK", "world", "QUATERNION"
    half = -(math.pi / 2 + 0.25) / 2
    assert numbers_after(draw(), "Rotation (w, x, y, z)") == pytest.approx(
        [math.cos(half), 0.0, 0.0, math.sin(half)], abs=1e-4
    )


def test_the_matrix_is_shown_in_metres(rig, state):
    state.frame, state.rotation = "lower", "MATRIX"
    assert numbers_after(draw(), "Matrix (m)") == [0, -1, 0, 0.3, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1]


def test_lengths_and_angles_in_the_scenes_units(rig, state, rig_of, tmp_path):
    settings = bpy.context.scene.unit_settings
    state.frame = "lower"
    settings.length_unit, settings.system_rotation = "MILLIMETERS", "RADIANS"
    log = draw()
    assert numbers_after(log, "Position (mm)") == [300.0, 0.0, 1000.0]
    assert numbers_after(log, "Rotation (rad)") == [0.0, 0.0, 1.5708]
    settings.system, settings.length_unit = "IMPERIAL", "INCHES"
    assert numbers_after(draw(), "Position (in)") == pytest.approx([11.811, 0.0, 39.37], abs=1e-3)
    settings.system, settings.scale_length = "METRIC", 0.01
    bpy.data.objects.remove(rig)
    small = rig_of(ARM, tmp_path).rig
    small.location = (100.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    settings.length_unit = "METERS"
    assert numbers_after(draw(), "Position (m)") == [1.3, 0.0, 1.0]
    assert "Armature is scaled, values are not" not in draw()
    small.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    assert "Armature is scaled, values are not" in draw()


def test_links_without_bones_have_poses_too(rig_of, tmp_path, state):
    rig = rig_of(ARM, tmp_path, fixed_frames=False).rig
    pose(rig, 0.0, math.pi / 2)
    state.frame = "world"
    assert "world" not in rig.pose.bones and numbers_after(draw(), "Position (m)") == [0.3, 0.4, 1.0]


def test_the_search_finds_links_and_an_unknown_one_is_named(rig, state):
    from urdf_rig.addon.kinematics_settings import links_of_active_rig

    assert links_of_active_rig(state, bpy.context, "PER") == ["upper"]
    assert links_of_active_rig(state, bpy.context, "") == ["base", "upper", "lower", "world"]
    state.frame = "nowhere"
    assert "there is no link 'nowhere'" in " ".join(item for item in draw() if isinstance(item, str))
    with pytest.raises(RuntimeError, match="nowhere"):
        bpy.ops.urdf_rig.copy_pose()


def test_a_renamed_bone_is_still_its_link(rig):
    rig.data.bones["lower"].name = "forearm"
    rig.data.bones.active = rig.data.bones["forearm"]
    assert "lower in the world" in draw()


def test_manipulability_of_a_planar_arm(rig, state):
    from urdf_rig.addon.readout import linear_jacobian, read_frame

    state.frame = "world"
    readout = read_frame(bpy.context, rig)
    # it can't leave its plane: the measure in three dimensions is 0
    assert readout.dexterity.linear == (0.0, math.inf) and readout.dexterity.angular == (0.0, math.inf)
    j = linear_jacobian(rig, "world")
    assert j == pytest.approx(np.array([[-0.4, -0.4], [0.3, 0.0], [0.0, 0.0]]), abs=1e-6)
    log = draw("URDF_RIG_PT_manipulability")
    assert log[log.index("Condition") + 1] == "∞"


def test_a_wrist_that_turns_every_way_is_well_conditioned(rig_of, tmp_path, state):
    axes = ("1 0 0", "0 1 0", "0 0 1")
    joints = "".join(
        f'<link name="l{i + 1}"/><joint name="j{i}" type="continuous"><parent link="l{i}"/><child link="l{i + 1}"/>'
        f'<axis xyz="{axis}"/></joint>'
        for i, axis in enumerate(axes)
    )
    rig_of(f'<robot name="w"><link name="l0"/>{joints}</robot>', tmp_path)
    state.frame = "l3"
    log = draw("URDF_RIG_PT_manipulability")
    assert log == ["", "Linear", "Angular", "Measure", "0", "1", "Condition", "∞", "1"]


def test_bones_moved_by_a_constraint_are_said_to_be(rig, state):
    state.frame = "world"
    assert "Bones are not where joints say" not in draw()
    target = bpy.data.objects.new("target", None)
    bpy.context.scene.collection.objects.link(target)
    rig.pose.bones["lower"].constraints.new("COPY_LOCATION").target = target
    bpy.context.view_layer.update()
    log = draw()
    assert "Bones are not where joints say" in log
    assert numbers_after(log, "Position (m)") == [0.0, 0.4, 0.0]  # as the viewport shows it


def copied(form):
    from urdf_rig.addon.kinematics_settings import chosen_frame
    from urdf_rig.addon.pose_text import pose_text
    from urdf_rig.addon.rig import active_rig, robot_of
    from urdf_rig.addon.world import link_pose

    rig = active_rig(bpy.context)
    robot = robot_of(rig)
    chosen = chosen_frame(bpy.context, rig, robot)
    pose = link_pose(rig, bpy.context.scene, robot, chosen.link, chosen.reference)
    return pose_text(pose, chosen.link, chosen.reference, form)


def check_copy(data):
    assert data["xyz"] == pytest.approx([0.3, 0.0, 1.0], abs=1e-6)
    assert data["rpy"] == pytest.approx([0.0, 0.0, math.pi / 2], abs=1e-6)
    assert data["quat_wxyz"] == pytest.approx([math.sqrt(0.5), 0, 0, math.sqrt(0.5)], abs=1e-6)
    assert data["matrix"][0] == pytest.approx([0, -1, 0, 0.3], abs=1e-6)
    assert data["matrix"][3] == [0, 0, 0, 1]


def test_what_is_copied_is_in_metres_and_radians(rig, state):
    bpy.context.scene.unit_settings.length_unit = "MILLIMETERS"
    state.frame = "lower"
    data = json.loads(copied("JSON"))
    assert (data["frame"], data["reference"]) == ("lower", None)
    check_copy(data)
    names = {}
    exec(copied("PYTHON"), names)
    assert (names["frame"], names["reference"]) == ("lower", None)
    check_copy(names)
    lines = copied("TEXT").splitlines()
    assert lines[0] == "lower in the world"
    assert [line[:16].strip() for line in lines[1:]] == [
        "xyz [m]",
        "rpy [rad]",
        "quaternion wxyz",
        "matrix",
        "",
        "",
        "",
    ]
    assert [float(item) for item in lines[1][16:].split()] == pytest.approx([0.3, 0.0, 1.0], abs=1e-6)
    for form in ("TEXT", "PYTHON", "JSON"):
        assert bpy.ops.urdf_rig.copy_pose(form=form) == {"FINISHED"}


def test_a_name_from_a_file_runs_nothing_when_pasted():
    from urdf_rig.addon.pose_text import pose_text

    evil = "x\nraise SystemExit('gotcha')\n'''\"\"\""
    names = {}
    exec(pose_text(np.eye(4), evil, evil, "PYTHON"), names)
    assert names["frame"] == evil and names["reference"] == evil
    assert json.loads(pose_text(np.eye(4), evil, evil, "JSON"))["frame"] == evil


def animate(rig):
    """Turn the shoulder by 0.1 rad a frame, at 24 frames a second."""
    from urdf_rig.addon.fcurves import action_curves

    for frame, angle in ((1, 0.0), (21, 2.0)):
        pose(rig, angle, 0.0)
        bone = rig.pose.bones["upper"]
        bone.keyframe_insert("rotation_euler", index=1, frame=frame)
    for curve in action_curves(rig):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    bpy.context.scene.frame_set(11)


def test_the_measured_motion_is_shown_in_each_representation(rig, state):
    animate(rig)
    state.frame = "world"
    assert "Not measured yet" in draw()
    assert bpy.ops.urdf_rig.measure_motion() == {"FINISHED"}
    # 0.7 m from the axis, at an angle of 1 rad
    w = 2.4
    log = draw()
    assert "At frame 11" in log
    assert numbers_after(log, "Linear velocity (m/s)") == pytest.approx(
        [-0.7 * w * math.sin(1), 0.7 * w * math.cos(1), 0], abs=1e-4
    )
    assert numbers_after(log, "Angular velocity (°/s)") == pytest.approx([0, 0, math.degrees(w)], abs=1e-2)
    assert numbers_after(log, "Linear acceleration (m/s²)") == pytest.approx(
        [-0.7 * w * w * math.cos(1), -0.7 * w * w * math.sin(1), 0], abs=1e-3
    )
    state.representation = "body"
    assert numbers_after(draw(), "Linear velocity (m/s)") == pytest.approx(
        [0.7 * w * math.sin(0.25), 0.7 * w * math.cos(0.25), 0], abs=1e-4
    )
    state.representation = "inertial"
    assert numbers_after(draw(), "Linear velocity (m/s)") == [0, 0, 0]
    state.representation, state.seen_from, state.reference = "mixed", "LINK", "upper"
    assert numbers_after(draw(), "Linear velocity (m/s)") == [0, 0, 0]


def test_the_button_shows_whether_the_overlay_is_on(rig):
    assert ("urdf_rig.toggle_overlay", False) in draw()
    bpy.ops.urdf_rig.toggle_overlay()
    assert ("urdf_rig.toggle_overlay", True) in draw()


def test_live_follows_the_frame_and_off_it_costs_nothing(rig, state):
    from urdf_rig.addon.live_motion import measured

    animate(rig)
    bpy.context.scene.frame_set(5)
    assert measured(rig) is None
    state.live = True
    for frame in (3, 7):
        bpy.context.scene.frame_set(frame)
        assert measured(rig).frame == frame
    rig.driver_add("location", 0).driver.expression = "frame * 0.01"
    bpy.context.scene.frame_set(9, subframe=0.5)  # which has to be played
    assert measured(rig).frame == 9.5 and bpy.context.scene.frame_subframe == 0.5
    assert measured(rig).motion.base_velocity[0, 0] == pytest.approx(0.24, rel=1e-4)
    state.live = False
    bpy.context.scene.frame_set(12)
    assert measured(rig).frame == 9.5
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    from urdf_rig.addon import live_motion

    assert not live_motion._measured


def test_it_draws_in_every_mode_and_within_20_ms_for_130_links(rig_of, tmp_path, state):
    joints = "".join(
        f'<link name="l{i + 1}"/><joint name="j{i}" type="revolute"><parent link="l{max(0, i - 20)}"/>'
        f'<child link="l{i + 1}"/><origin xyz="0.1 0.05 0.1" rpy="0.1 0.2 0.3"/><axis xyz="0 0.6 0.8"/>'
        '<limit lower="-2" upper="2" effort="1" velocity="1"/></joint>'
        for i in range(129)
    )
    rig = rig_of(f'<robot name="many"><link name="l0"/>{joints}</robot>', tmp_path).rig
    for mode in ("POSE", "EDIT", "OBJECT"):
        bpy.ops.object.mode_set(mode=mode)
        assert "there is no link" not in draw()
    state.frame, state.seen_from, state.reference = "l129", "LINK", "l7"
    bpy.ops.urdf_rig.measure_motion()
    seconds = []
    for index in range(8):
        rig.pose.bones["l50"].rotation_euler.y = 0.1 * index
        started = time.process_time()
        draw()
        seconds.append(time.process_time() - started)
    assert min(seconds) < 0.02
