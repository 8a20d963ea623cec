# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles, names and axes over the robot: where they are, and that nothing is there when they are off."""

from __future__ import annotations

import math

import bpy
import numpy as np
import pytest
from mathutils import Vector
from panel_notes import notes

ROBOT = """<robot name="r"><link name="base"/><link name="a"/><link name="b"/>
  <link name="c"/><link name="d"/><link name="e"/>
  <joint name="elbow" type="revolute"><parent link="base"/><child link="a"/>
    <origin xyz="0.1 0.2 0.3" rpy="0.4 -0.5 0.6"/><axis xyz="0 -1 0"/>
    <limit lower="-3" upper="1" effort="1" velocity="1"/></joint>
  <joint name="rail" type="prismatic"><parent link="a"/><child link="b"/><origin xyz="0.3 0 0.1" rpy="1 0 -1"/>
    <axis xyz="-0.6 0 0.8"/><limit lower="-0.1" upper="0.2" effort="1" velocity="1"/></joint>
  <joint name="spin" type="continuous"><parent link="b"/><child link="c"/><origin xyz="0 0.4 0"/>
    <axis xyz="0 0 -1"/></joint>
  <joint name="grip" type="revolute"><parent link="c"/><child link="d"/><origin xyz="0 0.1 0"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/><mimic joint="spin"/></joint>
  <joint name="end" type="fixed"><parent link="d"/><child link="e"/><origin xyz="0.05 0 0" rpy="0 0.3 0"/></joint>
</robot>"""
POSE = {"elbow": -1.1, "rail": 0.15, "spin": 7.0}
AXES = {"elbow": (0.0, -1.0, 0.0), "rail": (-0.6, 0.0, 0.8), "spin": (0.0, 0.0, -1.0)}
CHILDREN = {"elbow": "a", "rail": "b", "spin": "c"}


@pytest.fixture
def rig(rig_of, tmp_path):
    """The robot at a pose, its armature turned, moved and twice as large."""
    from urdf_rig.addon.rig import set_joint_values

    rig = rig_of(ROBOT, tmp_path).rig
    rig.location, rig.rotation_euler, rig.scale = (1.0, 2.0, 3.0), (0.3, 0.2, 0.1), (2.0, 2.0, 2.0)
    set_joint_values(rig, POSE)
    bpy.context.view_layer.update()
    return rig


@pytest.fixture
def state():
    return bpy.context.window_manager.urdf_rig_viewport


def handles_of(rig, state):
    from urdf_rig.addon.viewport.handles import joint_handles

    return joint_handles(rig, state)


def link_poses(rig):
    """Return where forward kinematics of the description says that the links are, in the armature."""
    from urdf_rig import core
    from urdf_rig.addon.rig import robot_of

    return core.forward_kinematics(robot_of(rig), POSE)


def in_world(rig, point):
    return np.array(rig.matrix_world @ Vector(point))


def select(rig, *names):
    for bone in rig.pose.bones:
        (bone if hasattr(bone, "select") else bone.bone).select = bone.name in names


def test_all_is_off_and_costs_nothing_until_asked_for(rig, state):
    from urdf_rig.addon.viewport.joint_gizmo import URDF_RIG_GGT_joints
    from urdf_rig.addon.viewport.overlays import drawn_overlays

    assert not (state.handles or state.names or state.axes)
    assert drawn_overlays() == frozenset() and not URDF_RIG_GGT_joints.poll(bpy.context)
    state.names = True
    assert drawn_overlays() == {"names"}
    state.axes, state.names = True, False
    assert drawn_overlays() == {"axes"}
    state.handles, state.axes = True, False
    assert drawn_overlays() == frozenset() and URDF_RIG_GGT_joints.poll(bpy.context)


def test_no_handles_without_a_robot_that_can_be_moved(rig, state):
    from urdf_rig.addon.viewport.joint_gizmo import URDF_RIG_GGT_joints

    state.handles = True
    bpy.ops.object.mode_set(mode="POSE")
    assert URDF_RIG_GGT_joints.poll(bpy.context)
    bpy.ops.object.mode_set(mode="EDIT")
    assert not URDF_RIG_GGT_joints.poll(bpy.context)
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.hide_set(True)
    assert not URDF_RIG_GGT_joints.poll(bpy.context)
    bpy.data.objects.remove(rig)
    assert not URDF_RIG_GGT_joints.poll(bpy.context)


def test_disabling_takes_handlers_and_classes_away(rig, state):
    import addon_utils

    from urdf_rig.addon.viewport import overlays

    state.names = state.axes = state.handles = True
    handles = list(overlays._handles.values())
    addon_utils.disable("urdf_rig")
    try:
        assert overlays.drawn_overlays() == frozenset()
        for handle in handles:
            with pytest.raises(ValueError, match="removed"):
                bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
        assert not hasattr(bpy.types, "URDF_RIG_GGT_joints") and not hasattr(bpy.types, "URDF_RIG_GT_joint")
        assert not hasattr(bpy.types.WindowManager, "urdf_rig_viewport")
    finally:
        addon_utils.enable("urdf_rig")


def test_after_a_file_is_opened_what_is_drawn_is_what_the_switches_say(rig_of, tmp_path):
    from urdf_rig.addon.viewport.overlays import drawn_overlays

    def switched_on():
        state = bpy.context.window_manager.urdf_rig_viewport
        return {name for name in ("names", "axes") if getattr(state, name)}

    rig_of(ROBOT, tmp_path)
    bpy.context.window_manager.urdf_rig_viewport.names = True
    path = str(tmp_path / "rig.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    assert drawn_overlays() == switched_on()
    bpy.context.window_manager.urdf_rig_viewport.axes = True
    bpy.ops.wm.open_mainfile(filepath=path)
    assert drawn_overlays() == switched_on()


def test_handles_lie_on_the_joints_axes(rig, state):
    """A follower has none. The rest is compared with forward kinematics from origins and axes alone."""
    handles, poses = handles_of(rig, state), link_poses(rig)
    assert [joint.joint for joint in handles.joints] == ["elbow", "rail", "spin"]
    assert [joint.turns for joint in handles.joints] == [True, False, True]
    turn = np.array(rig.matrix_world)[:3, :3] / 2.0
    for index, (joint, child) in enumerate(CHILDREN.items()):
        pose = poses[child]
        axis = pose[:3, :3] @ AXES[joint]
        origin = pose[:3, 3] - (POSE[joint] * axis if joint == "rail" else 0.0)
        assert handles.frames[index, :3, 2] == pytest.approx(turn @ axis, abs=1e-5)
        assert handles.frames[index, :3, 3] == pytest.approx(in_world(rig, origin), abs=1e-5)
        assert handles.frames[index, :3, :3].T @ handles.frames[index, :3, :3] == pytest.approx(np.eye(3), abs=1e-6)
        assert handles.middles()[index] == pytest.approx(in_world(rig, pose[:3, 3]), abs=1e-5)
    assert handles.metres == pytest.approx([2.0] * 3, abs=1e-5)
    assert handles.values == pytest.approx(list(POSE.values()), abs=1e-6)
    assert handles.joints[0].look == pytest.approx((True, -3.0, 1.0))
    assert handles.joints[2].look == (True, -math.inf, math.inf)


def test_a_dial_turned_by_the_pointer_turns_the_link_with_it(rig, state):
    """A ray goes through a point of the link; by the drag the link is moved so that the ray still meets the point."""
    from urdf_rig.addon.rig import joint_bones_by_name
    from urdf_rig.addon.viewport.joint_gizmo import moved_by
    from urdf_rig.core.viewport import Ray

    handles = handles_of(rig, state)
    for index, way in ((0, 0.7), (1, -0.05), (2, -2.0)):
        frame, joint = handles.frames[index], joint_bones_by_name(rig)[handles.joints[index].joint]
        before, child = rig.matrix_world @ joint.bone.matrix, frame[:3, 0] + 0.2 * frame[:3, 1]
        grasped = frame[:3, 3] + child
        on_link = before.inverted() @ Vector(grasped)
        joint.value = joint.value + way
        bpy.context.view_layer.update()
        after = np.array(rig.matrix_world @ joint.bone.matrix @ on_link)
        sight = -frame[:3, 2] if handles.joints[index].turns else -frame[:3, 1]
        rays = [Ray(np.array(point) - 5.0 * sight, sight) for point in (grasped, after)]
        assert moved_by(handles, index, *rays, np.zeros(3)) == pytest.approx(way, abs=1e-5)
        joint.value = POSE[handles.joints[index].joint]
        bpy.context.view_layer.update()


def test_which_parts_are_shown(rig, state):
    from urdf_rig.addon.viewport.shown import link_frames

    select(rig, "b", "e")
    state.which = "SELECTED"
    assert [joint.joint for joint in handles_of(rig, state).joints] == ["rail"]
    assert link_frames(rig, "SELECTED").names == ["b", "e"]
    assert set(link_frames(rig, "ALL").names) == {"base", "a", "b", "c", "d", "e"}
    assert set(link_frames(rig, "VISIBLE").names) == {"a", "b", "c", "d"}  # fixed frames are hidden at first
    select(rig)
    assert handles_of(rig, state).joints == () and link_frames(rig, "SELECTED").names == []


@pytest.mark.parametrize("fixed_frames", [True, False])
def test_frames_are_where_forward_kinematics_has_them(rig_of, tmp_path, fixed_frames):
    from urdf_rig.addon.rig import set_joint_values
    from urdf_rig.addon.viewport.shown import link_frames

    rig = rig_of(ROBOT, tmp_path, fixed_frames=fixed_frames).rig
    set_joint_values(rig, POSE)
    rig.location.x = 0.5
    bpy.context.view_layer.update()
    frames, poses = link_frames(rig, "ALL"), link_poses(rig)
    assert set(frames.names) == set(poses)
    for name, joint, pose in zip(frames.names, frames.joints, frames.poses, strict=True):
        expected = poses[name].copy()
        expected[0, 3] += 0.5
        assert pose == pytest.approx(expected, abs=2e-6)
        assert joint == {"base": "", "a": "elbow", "b": "rail", "c": "spin", "d": "grip", "e": "end"}[name]


def test_axes_have_the_length_and_colors_asked_for(rig, state):
    from urdf_rig.addon.readout import size_of
    from urdf_rig.addon.viewport.overlays import axes_of
    from urdf_rig.addon.viewport.shown import link_frames

    state.axis_size = 3.0
    points, colors = axes_of(bpy.context, rig, link_frames(rig, "ALL"))
    assert len(points) == len(colors) == 6 * 6
    lengths = np.linalg.norm(points[1::2] - points[::2], axis=1)
    assert lengths == pytest.approx(0.05 * size_of(rig) * 3.0 * 2.0, rel=1e-5)
    theme = bpy.context.preferences.themes[0].user_interface
    assert colors[2, :3] == pytest.approx(tuple(theme.axis_y)) and colors[35, :3] == pytest.approx(tuple(theme.axis_z))


def test_names_of_links_or_joints_cut_where_they_are_endless(rig):
    from urdf_rig.addon.viewport.overlays import texts_of
    from urdf_rig.addon.viewport.shown import LinkFrames

    frames = LinkFrames(["base", "x" * 70], ["", "elbow"], np.empty((0, 4, 4)))
    assert texts_of(frames, "LINKS") == ["base", "x" * 62 + "…"]
    assert texts_of(frames, "JOINTS") == ["", "elbow"]


def test_what_a_handle_says(rig, state):
    from urdf_rig.addon.viewport.handles import handle_text

    scene, (elbow, rail, spin) = bpy.context.scene, handles_of(rig, state).joints
    assert handle_text(elbow, -math.pi / 4, scene) == "elbow  -45.000°   (-171.89 … 57.296°)"
    scene.unit_settings.length_unit = "MILLIMETERS"
    assert handle_text(rail, 0.15, scene) == "rail  150.00 mm   (-100.00 … 200.00 mm)"
    assert handle_text(spin, 1.0, scene) == "spin  57.296°"
    assert handle_text(spin, math.radians(-730), scene) == "spin  -730.00°   (-2 × 360°)"


def test_a_handle_of_a_robot_that_is_gone_finds_no_joint(rig, state):
    from urdf_rig.addon.viewport.joint_gizmo import joint_of

    handles = handles_of(rig, state)
    assert joint_of(bpy.context, handles.joints[0]).data.joint == "elbow"
    rig.pose.bones["a"].name = "renamed"
    assert joint_of(bpy.context, handles.joints[0]) is None
    bpy.data.objects.remove(rig)
    assert joint_of(bpy.context, handles.joints[1]) is None


def test_the_section_shows_the_options_of_what_is_on(rig, state):
    assert notes("URDF_RIG_PT_viewport") == ["handles", "names", "axes", "which"]
    state.handles = state.names = state.axes = True
    assert notes("URDF_RIG_PT_viewport") == [
        "handles",
        "handle_size",
        "names",
        "named",
        "name_size",
        "axes",
        "axis_size",
        "which",
    ]
