# SPDX-License-Identifier: GPL-3.0-or-later
"""What a change of base keeps, of the rig and of what users have done to it; and what it refuses."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from base_change_scene import EVERY, LAST, ROBOT, animate, assert_same, poses_at, verified

from urdf_rig.core.errors import RigError, UnknownNameError


@pytest.fixture
def rig(rig_of, tmp_path):
    return rig_of(ROBOT, tmp_path).rig


def test_limits_pins_colours_and_constraints_of_users_are_kept(rig, change):
    from urdf_rig.addon.rig import joint_bones_by_name

    bones = rig.pose.bones
    bones["upper"].color.palette = "THEME01"
    bones["lower"].constraints["Joint limit"].mute = True
    rig.pose.bones["foot"].urdf_rig_ik.pinned = True
    own = bones["slide"].constraints.new("DAMPED_TRACK")
    own.mute = True
    change(rig, "sole")
    joints = joint_bones_by_name(rig)
    assert bones["upper"].color.palette == "THEME01"
    assert joints["knee"].bone.constraints["Joint limit"].mute
    assert not joints["hip"].bone.constraints["Joint limit"].mute
    assert joints["ankle"].bone.urdf_rig_ik.pinned and joints["ankle"].bone.name == "lower"
    assert not rig.pose.bones["foot"].urdf_rig_ik.pinned
    assert [item.type for item in bones["slide"].constraints] == ["LIMIT_LOCATION", "DAMPED_TRACK"]
    # the new root has no joint, and the old one has
    assert not rig.data.collections["Joints"].bones.get("sole")
    assert rig.data.collections["Joints"].bones.get("base")
    assert all(bones["sole"].lock_rotation) and not bones["base"].lock_rotation[1]


def test_objects_keep_their_meshes_and_materials(rig, change):
    visual = next(child for child in rig.children if child.urdf_rig.link == "upper")
    mesh, material = visual.data, bpy.data.materials.new("mine")
    visual.material_slots[0].material = material
    count = len(bpy.data.objects), len(bpy.data.meshes), len(bpy.data.materials)
    change(rig, "sole")
    assert visual.data == mesh and visual.material_slots[0].material == material
    assert count == (len(bpy.data.objects), len(bpy.data.meshes), len(bpy.data.materials))


def test_what_hangs_from_the_armature_stays_with_the_old_base(rig, change):
    child = bpy.data.objects.new("sign", None)
    bpy.context.scene.collection.objects.link(child)
    child.parent = rig
    child.location = (0.3, 0.1, 0.2)
    animate(rig)
    before = poses_at(rig, EVERY)
    change(rig, "sole")
    assert_same(before, poses_at(rig, EVERY))
    change(rig, "base")
    assert_same(before, poses_at(rig, EVERY))


def test_an_action_that_another_robot_uses_is_copied(rig, change):
    animate(rig)
    other = rig.copy()
    other.data = rig.data.copy()
    bpy.context.scene.collection.objects.link(other)
    before, others = poses_at(rig, EVERY), poses_at(other, EVERY)
    change(rig, "sole")
    assert_same(before, poses_at(rig, EVERY))
    assert_same(others, poses_at(other, EVERY))
    assert other.animation_data.action != rig.animation_data.action


def test_renamed_bones_and_a_rig_in_pose_mode(rig, change):
    from urdf_rig.addon.followers import repair_followers

    rig.data.bones["lower"].name = "shin"
    repair_followers(rig)
    animate(rig)
    before = poses_at(rig, EVERY)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="POSE")
    change(rig, "sole")
    assert rig.mode == "POSE"
    assert rig.data.bones["shin"].urdf_rig.link == "lower"
    assert_same(before, poses_at(rig, EVERY))


def test_a_hidden_rig_stays_hidden(rig, change):
    rig.hide_set(True)
    rig.hide_viewport = True
    change(rig, "sole")
    assert rig.hide_viewport and rig.hide_get()
    assert rig.data.bones["sole"].parent is None


def fingerprint(rig):
    bones = {bone.name: (bone.parent and bone.parent.name, tuple(bone.head_local)) for bone in rig.data.bones}
    return bones, rig.data.urdf_rig.base, tuple(rig.matrix_world.translation), rig.mode, len(bpy.data.objects)


def _constrain(rig):
    rig.constraints.new("LIMIT_LOCATION")


def _drive(rig):
    rig.driver_add("location", 0)


def _strip(rig):
    animate(rig)
    action = rig.animation_data.action
    rig.animation_data.nla_tracks.new().strips.new("walk", 1, action)


def _share(rig):
    other = bpy.data.objects.new("twin", rig.data)
    bpy.context.scene.collection.objects.link(other)


def _stretch(rig):
    rig.scale = (1, 2, 1)
    rig.pose.bones["upper"].rotation_euler.y = 0.5


def _mirror(rig):
    rig.scale = (-1, -1, 1)


def _copy(rig):
    constraint = rig.pose.bones["lower"].constraints.new("COPY_ROTATION")
    constraint.target, constraint.subtarget = rig, "wheel"
    rig.pose.bones["wheel"].rotation_euler.y = 1.0


def _hide(rig):
    rig.users_collection[0].hide_viewport = True


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_constrain, "Bake Action"),
        (_drive, "drivers"),
        (_strip, "NLA"),
        (_share, "single user"),
        (_stretch, "unevenly"),
        (_mirror, "mirrored"),
        (_copy, "lower"),
        (_hide, "hidden"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_nothing_is_changed(rig, change, spoil, words):
    spoil(rig)
    bpy.context.view_layer.update()
    before = fingerprint(rig)
    with pytest.raises(RigError, match=words):
        change(rig, "sole")
    assert fingerprint(rig) == before


def test_unknown_links_and_the_base_itself_are_refused(rig, change):
    with pytest.raises(UnknownNameError, match="nowhere"):
        change(rig, "nowhere")
    with pytest.raises(RigError, match="already"):
        change(rig, "base")


def test_the_operator_and_undo(rig):
    animate(rig)
    before = poses_at(rig, EVERY)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.urdf_rig.change_base(link="sole") == {"FINISHED"}
    assert rig.data.urdf_rig.base == "sole"
    bpy.ops.ed.undo_push(message="changed")
    bpy.ops.ed.undo()
    again = bpy.data.objects["r"]
    assert again.data.urdf_rig.base == "base"
    assert_same(before, poses_at(again, EVERY), 1e-9)
    with pytest.raises(RuntimeError, match="already"):
        bpy.ops.urdf_rig.change_base(link="base")


def test_actions_that_nothing_plays_are_named(rig, change):
    animate(rig)
    old = rig.animation_data.action
    old.name = "old walk"
    old.use_fake_user = True
    rig.animation_data.action = None
    done = change(rig, "sole")
    assert len(done.remarks) == 1 and "'old walk'" in done.remarks[0]
    assert change(rig, "base").keys == 0


def test_goals_and_pins_stay_and_a_live_robot_stays_live(rig, change):
    from urdf_rig.addon.ik.adding import Wish, add_goal
    from urdf_rig.addon.ik.settings import ik_data
    from urdf_rig.addon.rig import robot_of

    rig.pose.bones["upper"].rotation_euler.y = 0.3
    bpy.context.view_layer.update()
    goal = add_goal(bpy.context, rig, robot_of(rig), Wish("POSE", "sole"))
    ik_data(rig).live = True
    before = poses_at(rig, [1])
    assert change(rig, "upper").remarks == ()
    assert ik_data(rig).live and goal.urdf_rig_ik.link == "sole" and goal.urdf_rig_ik.rig == rig
    assert_same(before, poses_at(rig, [1]))
    (remark,) = change(rig, "sole").remarks
    assert goal.name in remark


def test_bones_that_users_have_added_ride_along(rig, change):
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    edit_bones = rig.data.edit_bones
    for name, parent in (("pole", "lower"), ("target", "")):
        bone = edit_bones.new(name)
        bone.head, bone.tail, bone.roll = (0.1, 0.2, 0.3), (0.3, 0.1, 0.5), 0.4
        bone.parent = edit_bones.get(parent) if parent else None
    more = edit_bones.new("more")
    more.parent, more.tail = edit_bones["pole"], (0, 1, 0)
    more.use_connect = True
    bpy.ops.object.mode_set(mode="OBJECT")
    animate(rig)
    names = ("pole", "target", "more")

    def seen():
        found = []
        for frame in range(1, LAST + 1):
            bpy.context.scene.frame_set(frame)
            evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
            found.append([np.array(evaluated.matrix_world @ evaluated.pose.bones[name].matrix) for name in names])
        return np.array(found)

    rig.pose.bones["pole"].location = (0.1, 0.2, 0.3)
    before = seen()
    for base in ("sole", "wheel", "base"):
        change(rig, base)
        assert np.abs(seen() - before).max() < 1e-5
        assert verified(rig) == ()
    assert rig.data.bones["more"].use_connect and rig.data.bones["pole"].parent.name == "lower"


def test_a_robot_shown_at_rest_is_changed_and_still_shown_so(rig, change):
    animate(rig)
    before = poses_at(rig, EVERY)
    rig.data.pose_position = "REST"
    change(rig, "sole")
    assert rig.data.pose_position == "REST"
    rig.data.pose_position = "POSE"
    assert_same(before, poses_at(rig, EVERY))


def test_constraints_that_look_at_bones(rig, change):
    held, copying = (bpy.data.objects.new(name, None) for name in ("held", "copying"))
    for obj in (held, copying):
        bpy.context.scene.collection.objects.link(obj)
    held.location, held.rotation_euler = (0.3, 0.2, 0.1), (0.3, 0.2, 0.1)
    child = held.constraints.new("CHILD_OF")
    child.target, child.subtarget = rig, "upper"
    copy = copying.constraints.new("COPY_TRANSFORMS")
    copy.name = "Copy"
    copy.target, copy.subtarget = rig, "upper"
    animate(rig)

    def seen():
        found = []
        for frame in (1, 9, LAST):
            bpy.context.scene.frame_set(frame)
            found.append(np.array(held.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world))
        return np.array(found)

    before = seen()
    (remark,) = change(rig, "sole").remarks
    assert "'Copy' of 'copying'" in remark and "'upper'" in remark
    assert np.abs(seen() - before).max() < 1e-5
    change(rig, "base")
    assert np.abs(seen() - before).max() < 1e-5
