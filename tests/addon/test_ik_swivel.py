# SPDX-License-Identifier: GPL-3.0-or-later
"""The elbow of a seven-joint arm: its swivel as a property of the goal, live, keyed and baked."""

from __future__ import annotations

import math

import bpy
import numpy as np
import pytest
from ik_scene import add, handlers, joints, live, off, ready_arm, ready_seven, shown


@pytest.fixture
def rig(rig_of, tmp_path):
    return ready_seven(rig_of, tmp_path)


def elbow_turned(rig, before):
    """Return by which angle about the line from shoulder to wrist the elbow has turned since a place of it."""
    shoulder, elbow, wrist = (shown(rig, link)[:3, 3] for link in ("l2", "l4", "l6"))
    line = (wrist - shoulder) / np.linalg.norm(wrist - shoulder)
    first, second = (point - shoulder - (point - shoulder) @ line * line for point in (before, elbow))
    return math.atan2(np.cross(first, second) @ line, first @ second)


def test_switching_it_on_moves_nothing_and_the_slider_turns_the_elbow(rig):
    goal = add(link="hand")
    live(rig)
    data = goal.urdf_rig_ik
    assert not data.use_swivel
    before, elbow = joints(rig), shown(rig, "l4")[:3, 3]
    data.use_swivel = True
    bpy.context.view_layer.update()
    assert joints(rig) == pytest.approx(before, abs=1e-4)
    start = data.swivel
    for turn in (0.2, 0.5, -0.3):
        data.swivel = start + turn
        bpy.context.view_layer.update()
        assert max(off(rig, goal, "hand")) < 1e-5 and data.reached
        assert elbow_turned(rig, elbow) == pytest.approx(turn, abs=1e-4)


def test_a_keyed_swivel_is_followed_live_and_baked_alike(rig):
    goal = add(link="hand")
    data = goal.urdf_rig_ik
    data.use_swivel = True
    elbow, start = shown(rig, "l4")[:3, 3], data.swivel
    for frame, turn in ((1, 0.0), (21, 0.8)):
        data.swivel = start + turn
        assert data.keyframe_insert("swivel", frame=frame)
    scene = bpy.context.scene
    live(rig)
    followed = []
    for frame in range(1, 22):
        scene.frame_set(frame)
        assert max(off(rig, goal, "hand")) < 1e-5
        assert elbow_turned(rig, elbow) == pytest.approx(data.swivel - start, abs=1e-4)
        followed.append(joints(rig))
    assert data.swivel - start == pytest.approx(0.8, abs=1e-5)
    assert np.abs(np.diff([list(values.values()) for values in followed], axis=0)).max() < 0.15
    scene.frame_set(1)
    bpy.ops.urdf_rig.bake_ik(start=1, end=21)
    assert handlers() == []
    for frame, values in enumerate(followed, 1):
        scene.frame_set(frame)
        assert max(off(rig, goal, "hand")) < 1e-5
        assert joints(rig) == pytest.approx(values, abs=1e-3)


def test_where_there_is_no_elbow_it_is_said(rig_of, cases):
    rig_of(cases / "38-ik-respects-limits" / "robot.urdf")
    goal = add(link="tip")
    goal.urdf_rig_ik.use_swivel = True
    assert not goal.urdf_rig_ik.use_swivel and "turning joints" in goal.urdf_rig_ik.problem


def test_six_joints_keep_the_pose_and_say_what_is_left(rig_of):
    from urdf_rig.addon.ik.status import status_text

    rig = ready_arm(rig_of)
    goal = add()
    goal.urdf_rig_ik.use_swivel = True
    goal.urdf_rig_ik.swivel += 0.5
    bpy.ops.urdf_rig.solve_ik()
    assert max(off(rig, goal)) < 1e-5
    assert status_text(goal).startswith("Reached") and status_text(goal).endswith("of swivel")
