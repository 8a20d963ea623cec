# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigs that follow their goals by themselves, whatever a user does to them."""

from __future__ import annotations

import math
import time

import bpy
import numpy as np
import pytest
from ik_scene import add, circle, handlers, joints, live, off, ready_arm, ready_seven, shown
from mathutils import Vector


@pytest.fixture
def rig(rig_of):
    return ready_arm(rig_of)


def test_no_handler_is_there_while_nothing_is_live(rig):
    add()
    assert handlers() == []
    live(rig)
    assert handlers() == ["_on_update", "_on_frame_change"]
    live(rig, on=False)
    assert handlers() == []
    live(rig)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert handlers() == []


def test_a_live_rig_follows_a_goal_that_is_dragged(rig):
    goal = add()
    live(rig)
    for step in range(10):
        goal.location += Vector((-0.01, 0.02, -0.01 * step))
        bpy.context.view_layer.update()
        assert max(off(rig, goal)) < 1e-5
    live(rig, on=False)
    before = joints(rig)
    goal.location.z += 0.1
    bpy.context.view_layer.update()
    assert joints(rig) == before


def test_a_goal_that_rests_costs_no_solve(rig, monkeypatch):
    from urdf_rig.addon.ik import live as module

    goal = add()
    live(rig)
    calls = []
    real = module.follow
    monkeypatch.setattr(module, "follow", lambda *args, **options: calls.append(1) or real(*args, **options))
    rig.pose.bones[0].custom_shape_scale_xyz.x = 2.0
    rig.update_tag()
    for _ in range(3):
        bpy.context.view_layer.update()
    assert not calls
    goal.location.z -= 0.01
    for _ in range(3):
        bpy.context.view_layer.update()
    assert len(calls) == 1


def test_the_robots_own_motion_counts(rig):
    goal = add()
    live(rig)
    rig.location.z += 0.05
    rig.rotation_euler.z += 0.1
    bpy.context.view_layer.update()
    assert max(off(rig, goal)) < 1e-5


@pytest.mark.parametrize("how", ["data", "scene", "hidden"])
def test_a_goal_deleted_by_hand_is_no_goal(rig, how):
    gone, kept = add(), add(link="forearm")
    gone.location.z -= 0.1
    live(rig)
    if how == "data":
        bpy.data.objects.remove(gone)
    elif how == "scene":
        gone.users_collection[0].objects.unlink(gone)
    else:
        gone.hide_set(True)
        gone.hide_viewport = True
    kept.location.z -= 0.01
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(5)
    from urdf_rig.addon.ik.goals import goals_of

    assert goals_of(rig, bpy.context.view_layer) == ([kept, gone] if how == "hidden" else [kept])
    assert bpy.ops.urdf_rig.bake_ik(start=1, end=2) == {"FINISHED"}


def test_a_robot_deleted_by_hand_leaves_no_error(rig):
    goal = add()
    live(rig)
    with bpy.context.temp_override(selected_objects=[rig]):
        bpy.ops.object.delete()
    goal.location.z += 0.1
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(3)
    from urdf_rig.addon.ik.goals import goals_by_rig

    assert goals_by_rig(bpy.context.view_layer) == {}


def test_a_duplicated_robot_keeps_to_itself(rig):
    goal = add()
    live(rig)
    copy = rig.copy()
    copy.data = rig.data.copy()
    rig.users_collection[0].objects.link(copy)
    before = joints(copy)
    goal.location.z -= 0.1
    bpy.context.view_layer.update()
    assert max(off(rig, goal)) < 1e-5 and joints(copy) == before
    # with two robots the active goal says which is meant
    bpy.context.view_layer.objects.active = goal
    assert bpy.ops.urdf_rig.solve_ik() == {"FINISHED"}


@pytest.mark.parametrize("mode", ["OBJECT", "POSE"])
def test_undo_takes_goal_pose_and_switch_back_together(rig, mode):
    name = rig.name
    goal = add()
    other = goal.name
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode=mode)
    bpy.ops.ed.undo_push(message="start")
    before = joints(rig)
    rig.urdf_rig_ik_robot.live = True
    goal.location.z -= 0.1
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="moved")
    moved = joints(rig)
    assert moved != before
    bpy.ops.ed.undo()
    rig = bpy.data.objects[name]
    assert joints(rig) == pytest.approx(before) and handlers() == []
    bpy.ops.ed.redo()
    rig, goal = bpy.data.objects[name], bpy.data.objects[other]
    assert joints(rig) == pytest.approx(moved) and len(handlers()) == 2
    goal.location.z -= 0.02
    bpy.context.view_layer.update()
    assert max(off(rig, goal)) < 1e-5


@pytest.mark.parametrize("spoil", ["nan", "infinite", "flat", "armature"])
def test_what_is_no_pose_is_said_and_moves_nothing(rig, spoil):
    goal = add()
    live(rig)
    before = joints(rig)
    if spoil == "nan":
        goal.scale.x = math.nan
    elif spoil == "infinite":
        goal.location.x = math.inf
    elif spoil == "flat":
        goal.scale = (0, 0, 0)
    else:
        rig.scale = (0, 0, 0)
    for _ in range(2):
        bpy.context.view_layer.update()
    assert joints(rig) == before
    assert goal.urdf_rig_ik.problem and not goal.urdf_rig_ik.reached
    with pytest.raises(RuntimeError, match="IK tool0"):
        bpy.ops.urdf_rig.solve_ik()
    goal.scale, rig.scale = (1, 1, 1), (1, 1, 1)
    goal.location = Vector(shown(rig)[:3, 3])
    bpy.context.view_layer.update()
    assert goal.urdf_rig_ik.reached and not goal.urdf_rig_ik.problem


def test_a_link_that_is_gone_is_said(rig):
    goal = add()
    goal.urdf_rig_ik.link = "nowhere"
    live(rig)
    assert "nowhere" in goal.urdf_rig_ik.problem


def test_a_saved_live_rig_is_live_when_opened(rig, tmp_path):
    add()
    live(rig)
    path = str(tmp_path / "live.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert handlers() == []
    bpy.ops.wm.open_mainfile(filepath=path)
    assert len(handlers()) == 2
    rig = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    goal = next(obj for obj in bpy.data.objects if obj.urdf_rig_ik.rig == rig)
    goal.location.z -= 0.05
    bpy.context.view_layer.update()
    assert max(off(rig, goal)) < 1e-5


def test_disabling_the_extension_ends_it(rig, extension):
    add()
    live(rig)
    extension.unregister()
    try:
        assert not [
            item
            for name in dir(bpy.app.handlers)
            if isinstance(getattr(bpy.app.handlers, name), list)
            for item in getattr(bpy.app.handlers, name)
            if ".addon.ik" in item.__module__
        ]
    finally:
        extension.register()


def test_goals_moved_in_edit_mode_are_no_error(rig):
    goal = add()
    live(rig)
    bpy.context.view_layer.objects.active = rig
    for mode in ("EDIT", "POSE", "OBJECT"):
        bpy.ops.object.mode_set(mode=mode)
        goal.location.z -= 0.02
        bpy.context.view_layer.update()
        if mode != "EDIT":
            assert max(off(rig, goal)) < 1e-5


def test_two_live_robots_follow_their_own_goals(rig):
    first = add()
    copy = rig.copy()
    copy.data = rig.data.copy()
    copy.location.y += 2.0
    rig.users_collection[0].objects.link(copy)
    second = first.copy()
    second.urdf_rig_ik.rig = copy
    second.location.y += 2.0
    rig.users_collection[0].objects.link(second)
    live(rig)
    live(copy)
    first.location.z -= 0.1
    second.location.x += 0.1
    bpy.context.view_layer.update()
    assert max(off(rig, first)) < 1e-5 and max(off(copy, second)) < 1e-5
    live(rig, on=False)
    assert len(handlers()) == 2
    live(copy, on=False)
    assert handlers() == []


def test_a_live_goal_goes_before_keys_of_joints(rig):
    from urdf_rig.addon.rig import joint_bones_by_name

    goal = add()
    circle(goal)
    joint = joint_bones_by_name(rig)["joint_2"]
    for frame, value in ((1, 0.2), (50, 0.6)):
        joint.value = value
        joint.bone.keyframe_insert("rotation_euler", index=1, frame=frame)
    live(rig)
    for frame in (2, 9, 30):
        bpy.context.scene.frame_set(frame)
        assert max(off(rig, goal)) < 1e-5


def test_a_live_update_of_seven_joints_takes_at_most_5_ms(rig_of, tmp_path):
    rig = ready_seven(rig_of, tmp_path)
    goal = add(link="hand")
    live(rig)
    medians = []
    for _ in range(3):  # the best of three, as others use the machine too
        seconds = []
        for index in range(40):
            goal.location += 0.002 * Vector((math.cos(index / 6), 0.0, math.sin(index / 6)))
            started = time.process_time()
            bpy.context.view_layer.update()
            seconds.append(time.process_time() - started)
            assert goal.urdf_rig_ik.reached
        medians.append(np.median(seconds))
    assert min(medians) < 5e-3
