# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyframes from goals."""

from __future__ import annotations

import math

import bpy
import numpy as np
import pytest
from ik_scene import TIP, add, circle, handlers, joints, live, off, ready_arm, ready_seven


@pytest.fixture
def rig(rig_of):
    return ready_arm(rig_of)


@pytest.mark.parametrize("joint_count", [6, 7])
def test_a_circle_is_followed_live_and_baked_alike(rig_of, tmp_path, joint_count):
    from urdf_rig.addon.rig import set_joint_values

    rig, link = (ready_arm(rig_of), TIP) if joint_count == 6 else (ready_seven(rig_of, tmp_path), "hand")
    goal = add(link=link)
    circle(goal, frames=250)
    scene = bpy.context.scene
    scene.frame_set(1)
    live(rig)
    start = joints(rig)
    followed = []
    for frame in range(1, 251):
        scene.frame_set(frame)
        distance, turn = off(rig, goal, link)
        assert distance < 1e-5 and turn < 1e-5, (frame, goal.urdf_rig_ik.reached, goal.urdf_rig_ik.at_limits)
        followed.append(joints(rig))
    assert len(start) == joint_count
    speeds = np.diff([list(values.values()) for values in followed], axis=0)
    # 3 mm a frame at half a metre from the shoulder, and no joint that changes its mind from one frame to the next
    assert np.abs(speeds).max() < 0.04 and np.abs(np.diff(speeds, axis=0)).max() < 0.004
    scene.frame_set(1)
    # seven joints follow a circle with a little left over, as least motion does: the same start for both
    live(rig, on=False)
    set_joint_values(rig, start)
    assert bpy.ops.urdf_rig.bake_ik(start=1, end=250) == {"FINISHED"}
    assert not rig.urdf_rig_ik_robot.live and handlers() == []
    assert scene.frame_current == 1
    baked = []
    for frame, values in enumerate(followed, 1):
        scene.frame_set(frame)
        assert off(rig, goal, link)[0] < 1e-5
        assert joints(rig) == pytest.approx(values, abs=1e-3)
        baked.append(joints(rig))
    speeds = np.diff([list(values.values()) for values in baked], axis=0)
    assert np.abs(speeds).max() < 0.04 and np.abs(np.diff(speeds, axis=0)).max() < 0.004


def test_baking_replaces_the_keys_of_the_range_alone(rig):
    from urdf_rig.addon.fcurves import action_curves
    from urdf_rig.addon.rig import joint_bones_by_name

    bone = joint_bones_by_name(rig)["joint_2"].bone
    for frame in (3.5, 5.5, 20.0):
        bone.keyframe_insert("rotation_euler", index=1, frame=frame)
    add()
    pinned = joint_bones_by_name(rig)["joint_5"].bone
    pinned.urdf_rig_ik.pinned = True
    bpy.ops.urdf_rig.bake_ik(start=4, end=8, step=2)
    curves = {curve.data_path: [point.co.x for point in curve.keyframe_points] for curve in action_curves(rig)}
    assert curves[f"{bone.path_from_id()}.rotation_euler"] == [3.5, 4, 6, 8, 20]
    assert f"{pinned.path_from_id()}.rotation_euler" not in curves and len(curves) == 5
    with pytest.raises(RuntimeError, match="no frames"):
        bpy.ops.urdf_rig.bake_ik(start=4, end=3)


def test_whole_turns_are_kept(rig_of, tmp_path):
    text = """<robot name="crank"><link name="base"/><link name="arm"/><link name="tip"/>
      <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
      <joint name="hand" type="fixed"><parent link="arm"/><child link="tip"/><origin xyz="1 0 0"/></joint></robot>"""
    rig = rig_of(text, tmp_path).rig
    goal = add(link="tip")
    goal.rotation_euler = (0, 0, 0)
    for frame, angle in ((1, 0.0), (61, 6 * math.pi)):
        goal.rotation_euler.z = angle
        goal.keyframe_insert("rotation_euler", frame=frame)
    from urdf_rig.addon.fcurves import action_curves

    for curve in action_curves(goal):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    goal.urdf_rig_ik.kind = "ORIENTATION"
    bpy.ops.urdf_rig.bake_ik(start=1, end=61)
    for frame in (1, 21, 61):
        bpy.context.scene.frame_set(frame)
        assert joints(rig)["turn"] == pytest.approx(6 * math.pi * (frame - 1) / 60, abs=1e-5)
