# SPDX-License-Identifier: GPL-3.0-or-later
"""A changed description read onto a rig: what is still there moves as before, and the report says what has changed."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from panel_notes import notes
from reload_scene import CHANGED, KEYS, ROBOT, animated, joint_curves, swap, verified

from urdf_rig.core import forward_kinematics, load
from urdf_rig.core.errors import RigError, UrdfError


@pytest.fixture
def rig(rig_of, tmp_path):
    return animated(rig_of(ROBOT, tmp_path).rig)


def test_origin_moved_joint_renamed_link_removed_and_one_added(rig, reload, tmp_path, link_poses):
    before = link_poses(rig)
    done = reload(rig, CHANGED)
    assert [str(change) for change in done.changes.changes] == [
        "link added: tool",
        "link removed: finger",
        "joint added: weld",
        "joint removed: grip",
        "joint renamed: roll (was wrist)",
        "joint origin: shoulder (xyz 0 0 0.1 → 0 0.05 0.3)",
    ]
    assert rig.data.urdf_rig_import.changes.splitlines() == [str(change) for change in done.changes.changes]
    assert joint_curves(rig) == {
        "shoulder": pytest.approx(KEYS["shoulder"]),
        "roll": pytest.approx(KEYS["wrist"]),
    }
    assert verified(rig) == ()
    assert {bone.name for bone in rig.data.bones} == {"base", "arm", "hand", "tool", "camera"}
    assert tuple(rig.location) == (0.5, 0, 1)
    after = link_poses(rig)
    lift = np.array([0, 0.05, 0.2])
    for link in ("arm", "hand", "camera"):
        expected = before[link].copy()
        expected[:3, 3] += lift
        assert after[link] == pytest.approx(expected, abs=1e-6)
    for frame in (1, 21, 30):
        bpy.context.scene.frame_set(frame)
        q = {
            name: np.interp(frame, (1, 21), values)
            for name, values in (("shoulder", KEYS["shoulder"]), ("roll", KEYS["wrist"]))
        }
        expected = forward_kinematics(load(tmp_path / "robot.urdf"), q)
        for link, pose in link_poses(rig).items():
            assert pose == pytest.approx(expected[link], abs=1e-5)


def test_an_unchanged_description_changes_nothing(rig, reload, link_poses):
    objects = {child.name: (child.data, child.matrix_world.copy()) for child in rig.children}
    before, curves = link_poses(rig), joint_curves(rig)
    counts = [len(getattr(bpy.data, name)) for name in ("objects", "meshes", "materials", "collections", "actions")]
    done = reload(rig)
    assert done.changes.changes == () and done.remarks == ()
    assert joint_curves(rig) == curves
    after = link_poses(rig)
    assert all(after[link] == pytest.approx(before[link], abs=1e-7) for link in before)
    assert {child.name: (child.data, child.matrix_world) for child in rig.children} == objects
    assert counts == [
        len(getattr(bpy.data, name)) for name in ("objects", "meshes", "materials", "collections", "actions")
    ]


def test_undo_takes_it_back(rig, link_poses, tmp_path):
    before, curves = link_poses(rig), joint_curves(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.ed.undo_push(message="before")
    (tmp_path / "robot.urdf").write_text(CHANGED)
    assert bpy.ops.urdf_rig.reload_description() == {"FINISHED"}
    assert "tool" in rig.data.bones
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    again = bpy.data.objects["r"]
    assert "finger" in again.data.bones and "tool" not in again.data.bones
    assert joint_curves(again) == curves
    after = link_poses(again)
    assert all(after[link] == pytest.approx(before[link], abs=1e-7) for link in before)


def test_the_operator_takes_another_file(rig, tmp_path):
    other = tmp_path / "other.urdf"
    other.write_text(CHANGED)
    bpy.context.view_layer.objects.active = rig
    assert bpy.ops.urdf_rig.reload_description(filepath=str(other)) == {"FINISHED"}
    assert rig.data.urdf_rig.source == str(other)
    assert rig.data.urdf_rig.urdf == CHANGED


@pytest.mark.parametrize(
    "spoiled",
    ["<robot", ROBOT.replace('"hand"/><child', '"nothing"/><child'), '<robot name="o"><link name="x"/></robot>'],
)
def test_a_bad_description_leaves_the_rig_as_it_was(rig, reload, link_poses, spoiled):
    before, curves = link_poses(rig), joint_curves(rig)
    names = [item.name for item in (*bpy.data.objects, *bpy.data.meshes, *bpy.data.materials)]
    with pytest.raises((UrdfError, RigError)):
        reload(rig, spoiled)
    assert joint_curves(rig) == curves
    assert rig.data.urdf_rig.urdf == ROBOT
    assert names == [item.name for item in (*bpy.data.objects, *bpy.data.meshes, *bpy.data.materials)]
    after = link_poses(rig)
    assert all(np.array_equal(after[link], before[link]) for link in before)


def test_a_file_that_is_gone_is_said(rig, reload, tmp_path):
    (tmp_path / "robot.urdf").unlink()
    with pytest.raises(UrdfError, match="no such file"):
        reload(rig)
    rig.data.urdf_rig.source = ""
    with pytest.raises(RigError, match="choose one"):
        reload(rig)


def test_what_users_have_done_to_bones_is_kept(rig, reload):
    bones = rig.pose.bones
    bones["hand"].color.palette = "THEME03"
    constraint = bones["hand"].constraints.new("DAMPED_TRACK")
    constraint.mute = True
    rig.pose.bones["hand"].urdf_rig_ik.pinned = True
    mine = rig.data.collections.new("Mine")
    mine.assign(rig.data.bones["arm"])
    reload(rig, CHANGED)
    assert bones["hand"].color.palette == "THEME03"
    assert [item.type for item in bones["hand"].constraints] == ["DAMPED_TRACK"]
    assert rig.pose.bones["hand"].urdf_rig_ik.pinned
    assert [bone.name for bone in mine.bones] == ["arm"]
    assert rig.data.collections["Fixed frames"].bones.get("tool")


def test_an_axis_turned_round_keeps_the_joints_values(rig, reload, tmp_path, link_poses):
    reload(
        rig,
        swap(
            ROBOT, ('<axis xyz="1 0 0"/>', '<axis xyz="-1 0 0"/>'), ('<axis xyz="0 1 0.2"/>', '<axis xyz="0 -1 -0.2"/>')
        ),
    )
    assert joint_curves(rig) == {name: pytest.approx(values) for name, values in KEYS.items()}
    bpy.context.scene.frame_set(21)
    expected = forward_kinematics(load(tmp_path / "robot.urdf"), {name: values[1] for name, values in KEYS.items()})
    for link, pose in link_poses(rig).items():
        assert pose == pytest.approx(expected[link], abs=1e-5)
    assert verified(rig) == ()


def test_a_joint_that_slides_now_or_follows_loses_its_keys(rig, reload):
    reload(rig, swap(
        ROBOT,
        ('name="wrist" type="continuous"', 'name="wrist" type="prismatic"'),
        ('<axis xyz="1 0 0"/>', '<axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'),
        ('<limit lower="0" upper="0.1" effort="1" velocity="1"/>',
         '<limit lower="0" upper="0.1" effort="1" velocity="1"/><mimic joint="shoulder" multiplier="0.05"/>'),
    ))  # fmt: skip
    assert set(joint_curves(rig)) == {"shoulder"}
    assert rig.data.bones["finger"].urdf_rig.leader == "shoulder"
    assert verified(rig) == ()


def test_narrower_limits_clamp_the_pose_and_are_said(rig, reload):
    from urdf_rig.addon.rig import joint_values, set_joint_values

    set_joint_values(rig, {"shoulder": 1.2})
    done = reload(rig, swap(ROBOT, ('lower="-1" upper="1.5"', 'lower="-0.5" upper="1"')))
    assert joint_values(rig)["shoulder"] == pytest.approx(1.0)
    assert [str(change) for change in done.changes.changes] == [
        "joint limits: shoulder (lower -1 → -0.5, upper 1.5 → 1)"
    ]
    assert len(done.remarks) == 2 and all("shoulder" in remark for remark in done.remarks)
    assert "2 keys" in done.remarks[1]


def test_links_renamed_take_bones_goals_and_curves_along(rig, reload, link_poses):
    from urdf_rig.addon.ik.adding import Wish, add_goal
    from urdf_rig.addon.rig import robot_of

    goal = add_goal(bpy.context, rig, robot_of(rig), Wish("POSE", "hand"))
    other = add_goal(bpy.context, rig, robot_of(rig), Wish("POSE", "finger"))
    before = link_poses(rig)
    text = swap(ROBOT, ('"hand"', '"palm"'), ('<link name="finger"/>', ""))
    cut = text.index('<joint name="grip"')
    text = text[:cut] + text[text.index("</joint>", cut) + len("</joint>") :]
    done = reload(rig, text)
    assert goal.urdf_rig_ik.link == "palm"
    assert other.urdf_rig_ik.link == "finger" and any(other.name in remark for remark in done.remarks)
    assert "palm" in rig.data.bones and "hand" not in rig.data.bones
    assert joint_curves(rig)["wrist"] == pytest.approx(KEYS["wrist"])
    assert link_poses(rig)["palm"] == pytest.approx(before["hand"], abs=1e-6)
    assert next(child for child in rig.children if child.urdf_rig.link == "palm").parent_bone == "palm"
    assert verified(rig) == ()


def test_a_base_that_was_chosen_stays_and_one_that_is_gone_is_replaced(rig, reload):
    from urdf_rig.addon.rebuild.change_base import change_base

    change_base(rig, "hand")
    done = reload(rig, CHANGED)
    assert done.base == rig.data.urdf_rig.base == "hand"
    assert verified(rig) == ()
    change_base(rig, "tool")
    done = reload(rig, ROBOT)
    assert done.base == "base" and any("tool" in remark for remark in done.remarks)
    assert verified(rig) == ()


def test_strips_in_the_nla_follow_their_joints(rig, reload):
    action = rig.animation_data.action
    strip = rig.animation_data.nla_tracks.new().strips.new("move", 1, action)
    if hasattr(strip, "action_slot"):
        strip.action_slot = rig.animation_data.action_slot
    rig.animation_data.action = None
    bpy.context.scene.frame_set(21)
    reload(rig, swap(ROBOT, ('<axis xyz="1 0 0"/>', '<axis xyz="-1 0 0"/>'), ('"hand"', '"palm"')))
    from urdf_rig.addon.rig import joint_values

    bpy.context.scene.frame_set(21)
    assert joint_values(rig) == pytest.approx({name: values[1] for name, values in KEYS.items()})


def test_the_section_shows_the_file_and_what_has_changed(rig, reload):
    reload(rig, CHANGED)
    log = notes("URDF_RIG_PT_description")
    assert log[:4] == [
        "urdf_rig.change_base", "robot.urdf", "urdf_rig.reload_description", "urdf_rig.reload_description",
    ]  # fmt: skip
    assert " ".join(log[4:]).split() == rig.data.urdf_rig_import.changes.split()  # on as many lines as they need
    assert len(rig.data.urdf_rig_import.changes.splitlines()) == 6


def test_bones_that_users_have_added_stay_on_their_links(rig, reload):
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, parent in (("pole", "hand"), ("claw", "finger")):
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail = (0.1, 0.2, 0.3), (0.3, 0.1, 0.5)
        bone.parent = rig.data.edit_bones[parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    head = rig.data.bones["pole"].head_local.copy()
    reload(rig, CHANGED)
    moved = rig.data.bones["pole"].head_local
    assert tuple(moved - head) == pytest.approx((0, 0.05, 0.2), abs=1e-6)  # as the shoulder's origin
    assert rig.data.bones["pole"].parent.name == "hand"
    assert rig.data.bones["claw"].parent.name == "hand"  # the finger is gone
    assert verified(rig) == ()
