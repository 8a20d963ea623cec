# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses in Blender: those of the SRDF file, saved ones, blending, assets, copy and paste, random ones."""

from __future__ import annotations

import itertools
import json
import math
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from panel_notes import NotesWithTexts, notes

ROBOT = """<robot name="r"><link name="base"/><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
  <link name="e"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 -0.6 0.8"/>
    <limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
  <joint name="slide" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 -1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="grip" type="revolute"><parent link="b"/><child link="c"/><axis xyz="1 0 0"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/><mimic joint="slide" multiplier="2"/></joint>
  <joint name="wheel" type="continuous"><parent link="b"/><child link="d"/><axis xyz="1 0 0"/></joint>
  <joint name="fly" type="floating"><parent link="base"/><child link="e"/></joint>
</robot>"""
SRDF = """<robot name="r"><group name="arm"><joint name="turn"/><joint name="slide"/></group>
  <group_state name="up" group="arm"><joint name="turn" value="1.5"/><joint name="slide" value="0.25"/></group_state>
  <group_state name="far" group="arm"><joint name="turn" value="7"/></group_state>
  <group_state name="aloft" group="all"><joint name="fly" value="1 2 3 0.6 0 0 0.8"/>
    <joint name="root_joint" value="0 0 0 0 0 0 1"/></group_state>
</robot>"""


@pytest.fixture
def rig(rig_of, tmp_path):
    (tmp_path / "robot.srdf").write_text(SRDF)
    return rig_of(ROBOT, tmp_path).rig


def state(rig):
    from urdf_rig.addon.poses.joint_state import joint_state

    return joint_state(rig)


def scalars(rig):
    return {name: value for name, value in state(rig).items() if not isinstance(value, tuple)}


def put(rig, **values):
    from urdf_rig.addon.rig import set_joint_values

    set_joint_values(rig, values)


def test_srdf_poses_are_applied_clamped_and_in_part(rig):
    assert bpy.ops.urdf_rig.apply_pose(name="up", group="arm", srdf=True) == {"FINISHED"}
    assert scalars(rig) == pytest.approx({"turn": 1.5, "slide": 0.25, "wheel": 0.0})
    bpy.ops.urdf_rig.apply_pose(name="far", srdf=True)
    assert scalars(rig)["turn"] == 2.0
    bpy.ops.urdf_rig.apply_pose(name="up", srdf=True, factor=0.25)
    assert scalars(rig)["turn"] == pytest.approx(2.0 - 0.25 * 0.5, abs=1e-6)
    # quaternions are x y z w in SRDF; a joint that only the file has is left out
    bpy.ops.urdf_rig.apply_pose(name="aloft", srdf=True)
    assert state(rig)["fly"] == pytest.approx((1, 2, 3, 0.8, 0.6, 0, 0), abs=1e-6)
    with pytest.raises(RuntimeError, match="no pose 'down'; known: aloft, far, up"):
        bpy.ops.urdf_rig.apply_pose(name="down", srdf=True)


def test_poses_are_saved_replaced_renamed_and_removed(rig, tmp_path):
    put(rig, turn=0.5, slide=-0.3, wheel=20.0)
    assert bpy.ops.urdf_rig.save_pose(name="ready") == {"FINISHED"}
    saved = state(rig)
    bpy.ops.urdf_rig.reset_joints()
    bpy.ops.urdf_rig.save_pose(name="zero")
    with pytest.raises(RuntimeError, match="already"):
        bpy.ops.urdf_rig.rename_pose(name="zero", new_name="ready")
    bpy.ops.urdf_rig.rename_pose(name="ready", new_name="steady")
    blend = tmp_path / "r.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    rig = bpy.data.objects["r"]
    assert bpy.ops.urdf_rig.apply_pose(name="steady") == {"FINISHED"}
    assert scalars(rig) == pytest.approx({name: value for name, value in saved.items() if name != "fly"}, abs=1e-7)
    put(rig, turn=1.0)
    bpy.ops.urdf_rig.save_pose(name="steady")
    assert [item.name for item in rig.data.urdf_rig_poses.poses] == ["steady", "zero"]
    put(rig, turn=0.0)
    bpy.ops.urdf_rig.apply_pose(name="steady")
    assert scalars(rig)["turn"] == 1.0
    bpy.ops.urdf_rig.remove_pose(name="steady")
    assert [item.name for item in rig.data.urdf_rig_poses.poses] == ["zero"]
    for run in (
        lambda: bpy.ops.urdf_rig.apply_pose(name="steady"),
        lambda: bpy.ops.urdf_rig.remove_pose(name="steady"),
    ):
        with pytest.raises(RuntimeError, match="no saved pose 'steady'"):
            run()
    with pytest.raises(RuntimeError, match="name"):
        bpy.ops.urdf_rig.save_pose(name=" ")


def test_a_saved_pose_is_keyed_by_joints_and_survives_renamed_bones_and_joints(rig):
    from urdf_rig.addon.new_names import NewNames
    from urdf_rig.addon.poses.named import follow_new_names

    put(rig, turn=0.5)
    bpy.ops.urdf_rig.save_pose(name="p")
    stored = json.loads(rig.data.urdf_rig_poses.poses[0].joints)
    assert set(stored) == {"turn", "slide", "wheel", "fly"}
    put(rig, turn=0.0)
    rig.data.bones["a"].name = "other"
    bpy.ops.urdf_rig.apply_pose(name="p")
    assert scalars(rig)["turn"] == 0.5
    assert follow_new_names(bpy.context, rig, NewNames({}, {"turn": "spin"})) == []
    assert json.loads(rig.data.urdf_rig_poses.poses[0].joints)["spin"] == 0.5


def test_undo_takes_an_applied_and_a_saved_pose_back(rig):
    bpy.ops.ed.undo_push(message="start")
    bpy.ops.urdf_rig.apply_pose(name="up", srdf=True)
    bpy.ops.urdf_rig.save_pose(name="p")
    bpy.ops.ed.undo_push(message="saved")
    bpy.ops.ed.undo()
    rig = bpy.data.objects["r"]
    assert scalars(rig)["turn"] == 0.0 and not len(rig.data.urdf_rig_poses.poses)


def test_keys_are_inserted_where_auto_keying_is_on(rig, plain_keying):
    from urdf_rig.addon.fcurves import action_curves

    scene = bpy.context.scene
    scene.frame_set(7)
    bpy.ops.urdf_rig.apply_pose(name="up", srdf=True)
    assert action_curves(rig) == []
    scene.tool_settings.use_keyframe_insert_auto = True
    bpy.ops.urdf_rig.apply_pose(name="up", srdf=True)
    bpy.ops.urdf_rig.apply_pose(name="aloft", srdf=True)
    found = {(curve.data_path, curve.array_index): curve for curve in action_curves(rig)}
    assert len(found) == 2 + 7
    key = found[rig.pose.bones["a"].path_from_id() + ".rotation_euler", 1].keyframe_points
    sign = rig.data.bones["a"].urdf_rig.sign
    assert [tuple(point.co) for point in key] == [(7.0, pytest.approx(sign * 1.5))]


def test_dragging_goes_from_none_to_all_of_a_pose_and_back(rig, plain_keying):
    from urdf_rig.addon.poses.dragging import PoseDrag
    from urdf_rig.addon.poses.named import find_pose

    put(rig, turn=-0.5, wheel=3.0)
    drag = PoseDrag(rig, find_pose(rig, "up", srdf=True), 100.0, 2.0)
    for x, share in ((250, 0.25), (0, 0.0), (400, 0.5), (9999, 1.0)):
        drag.move(x)
        assert drag.factor == share and f"{100 * share:.0f} %" in drag.text
        assert scalars(rig) == pytest.approx(
            {"turn": -0.5 + 2.0 * share, "slide": 0.25 * share, "wheel": 3.0}, abs=1e-6
        )
    drag.cancel()
    assert scalars(rig) == pytest.approx({"turn": -0.5, "slide": 0.0, "wheel": 3.0})
    drag.move(400)
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    drag.finish(bpy.context)
    assert scalars(rig)["turn"] == pytest.approx(0.5) and rig.animation_data.action is not None
    # from a script the factor is a property
    assert bpy.ops.urdf_rig.blend_pose(name="up", srdf=True, factor=0.5) == {"FINISHED"}
    assert scalars(rig)["turn"] == pytest.approx(1.0)


def test_the_drag_is_followed_confirmed_and_cancelled(rig):
    from urdf_rig.addon.operators.poses import URDF_RIG_OT_blend_pose as Blend
    from urdf_rig.addon.poses.dragging import PoseDrag
    from urdf_rig.addon.poses.named import find_pose

    def drag(*events):
        # an operator's methods without its window: Blender makes operators only when it runs them
        told = []
        running = SimpleNamespace(
            _drag=PoseDrag(rig, find_pose(rig, "up", srdf=True), 100.0),
            _show=lambda _context, text: told.append(text),
            tell=told.extend,
        )
        running.cancel = lambda context: Blend.cancel(running, context)
        for event in events:
            ended = Blend.modal(running, bpy.context, SimpleNamespace(**event))
        return ended, told, running

    move = {"type": "MOUSEMOVE", "value": "NOTHING", "mouse_x": 250}
    ended, told, running = drag(move, {"type": "A", "value": "PRESS"})
    assert ended == {"RUNNING_MODAL"} and "50 %" in told[-1] and scalars(rig)["turn"] == pytest.approx(0.75)
    put(rig, turn=0.0, slide=0.0)
    ended, told, _ = drag(move, {"type": "ESC", "value": "PRESS"})
    assert ended == {"CANCELLED"} and told[-1] is None and scalars(rig)["turn"] == 0.0
    ended, told, running = drag(move, {"type": "LEFTMOUSE", "value": "PRESS"})
    assert ended == {"FINISHED"} and running.factor == 0.5 and told[-1] is None
    assert scalars(rig) == pytest.approx({"turn": 0.75, "slide": 0.125, "wheel": 0.0})


def test_blenders_own_pose_library_applies_and_blends_the_asset(rig):
    put(rig, turn=0.3)
    before = state(rig)
    assert bpy.ops.urdf_rig.make_pose_asset(name="up", srdf=True) == {"FINISHED"}
    assert state(rig) == before and rig.animation_data.action is None
    action = bpy.data.actions["up"]
    assert action.asset_data is not None and tuple(action.frame_range) == (1.0, 1.0)
    if hasattr(action, "slots"):
        assert [slot.target_id_type for slot in action.slots] == ["OBJECT"]
    rig.pose.apply_pose_from_action(action, evaluation_time=1.0)
    assert scalars(rig) == pytest.approx({"turn": 1.5, "slide": 0.25, "wheel": 0.0}, abs=1e-6)
    put(rig, turn=0.5)
    rig.pose.blend_pose_from_action(action, blend_factor=0.5, evaluation_time=1.0)
    assert scalars(rig)["turn"] == pytest.approx(1.0, abs=1e-6)
    bpy.ops.urdf_rig.make_pose_asset(name="aloft", srdf=True)
    rig.pose.apply_pose_from_action(bpy.data.actions["aloft"], evaluation_time=1.0)
    assert state(rig)["fly"] == pytest.approx((1, 2, 3, 0.8, 0.6, 0, 0), abs=1e-6)


def test_pasted_values_are_clamped_and_that_is_said(rig, capfd):
    text = "{'turn': 9, 'slide': 0.5, 'ghost': 1, 'grip': 1}"
    assert bpy.ops.urdf_rig.paste_joints(text=text) == {"FINISHED"}
    assert scalars(rig) == pytest.approx({"turn": 2.0, "slide": 0.5, "wheel": 0.0})
    said = capfd.readouterr()
    said = said.out + said.err
    assert "turn from 9 to 2" in said and "'ghost'" in said and "'grip'" in said and "Set 2 joints" in said
    bpy.ops.urdf_rig.paste_joints(text="turn: 90\nslide: 0.1", degrees=True)
    assert scalars(rig) == pytest.approx({"turn": math.pi / 2, "slide": 0.1, "wheel": 0.0}, abs=1e-6)
    with pytest.raises(RuntimeError, match="'ghost'"):
        bpy.ops.urdf_rig.paste_joints(text='{"ghost": 1}')
    with pytest.raises(RuntimeError, match="no joint values"):
        bpy.ops.urdf_rig.paste_joints(text="__import__('os')")


@pytest.mark.parametrize("form", ["JSON", "PYTHON", "YAML"])
def test_what_is_copied_can_be_pasted(rig, form):
    from urdf_rig.core.poses import joint_text

    put(rig, turn=-0.7, slide=0.33, wheel=1e-6)
    before = state(rig)
    assert bpy.ops.urdf_rig.copy_joints(form=form) == {"FINISHED"}
    bpy.ops.urdf_rig.reset_joints()
    bpy.ops.urdf_rig.paste_joints(text=joint_text(before, form))
    assert scalars(rig) == pytest.approx({name: value for name, value in before.items() if name != "fly"}, abs=1e-8)


def test_random_poses_are_within_limits_repeatable_and_of_selected_bones(rig):
    seen = set()
    for seed in range(20):
        bpy.ops.urdf_rig.randomize_joints(seed=seed)
        values = scalars(rig)
        assert -1 <= values["turn"] <= 2 and -1 <= values["slide"] <= 1 and abs(values["wheel"]) <= math.pi + 1e-6
        seen.add(tuple(values.values()))
    assert len(seen) == 20
    bpy.ops.urdf_rig.randomize_joints(seed=3)
    again = scalars(rig)
    bpy.ops.urdf_rig.reset_joints()
    bpy.ops.object.mode_set(mode="POSE")
    bones = rig.pose.bones if hasattr(rig.pose.bones[0], "select") else rig.data.bones
    for bone in bones:
        bone.select = bone.name == "b"
    bpy.ops.urdf_rig.randomize_joints(seed=3, selected=True)
    assert scalars(rig) == pytest.approx({"turn": 0.0, "slide": again["slide"], "wheel": 0.0})
    for bone in bones:
        bone.select = False
    with pytest.raises(RuntimeError, match="select some"):
        bpy.ops.urdf_rig.randomize_joints(seed=3, selected=True)


def test_damaged_semantics_and_poses_are_harmless(rig):
    from urdf_rig.addon.poses.named import srdf_poses

    for text in ("{", "[]", '{"states": 3}', '{"states": [3, {"name": 1}, {"name": "x", "values": [1]}]}'):
        rig.data.urdf_rig.semantics = text
        assert [pose.joints for pose in srdf_poses(rig)] in ([], [{}])
    item = rig.data.urdf_rig_poses.poses.add()
    item.name, item.joints = "bad", "{'turn': __import__('os')}"
    with pytest.raises(RuntimeError, match="turn"):
        bpy.ops.urdf_rig.apply_pose(name="bad")


def test_the_panel_shows_all_poses(rig):
    put(rig, turn=0.1)
    bpy.ops.urdf_rig.save_pose(name="mine")
    log = notes("URDF_RIG_PT_poses", NotesWithTexts)
    shown = [text for name, text in itertools.pairwise(log) if name == "urdf_rig.apply_pose"]
    assert shown == ["up", "far", "aloft", "mine"] and "arm" in log and "all" in log


def test_without_a_robot_or_with_a_linked_one_they_are_disabled(rig, tmp_path):
    blend = tmp_path / "r.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    bpy.ops.wm.read_homefile(use_empty=True)
    assert not bpy.ops.urdf_rig.apply_pose.poll() and not bpy.ops.urdf_rig.save_pose.poll()
    with bpy.data.libraries.load(str(blend), link=True) as (_, here):
        here.objects = ["r"]
    bpy.context.scene.collection.objects.link(bpy.data.objects["r"])
    assert not bpy.ops.urdf_rig.apply_pose.poll() and not bpy.ops.urdf_rig.paste_joints.poll()
    assert bpy.ops.urdf_rig.copy_joints.poll()


def test_the_rig_shows_the_pose_that_was_applied(rig, link_poses):
    from urdf_rig.core import forward_kinematics
    from urdf_rig.core.urdf import parse_urdf

    bpy.ops.urdf_rig.apply_pose(name="up", srdf=True)
    expected = forward_kinematics(parse_urdf(ROBOT), {"turn": 1.5, "slide": 0.25})
    for link, pose in link_poses(rig).items():
        assert np.abs(pose - expected[link]).max() < 1e-5
