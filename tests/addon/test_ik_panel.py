# SPDX-License-Identifier: GPL-3.0-or-later
"""The section *Inverse Kinematics*: what it says and offers."""

from __future__ import annotations

import bpy
import pytest
from ik_panels import draw


@pytest.fixture
def rig(rig_of, cases):
    return rig_of(cases / "38-ik-respects-limits" / "robot.urdf").rig


def test_without_a_goal_it_says_how_to_get_one(rig):
    log = draw("URDF_RIG_PT_ik")
    assert "urdf_rig.add_ik_goal" in log and any("No goals" in str(item) for item in log)
    assert "urdf_rig.solve_ik" not in log


def test_goals_and_their_state_are_shown(rig):
    bpy.ops.urdf_rig.add_ik_goal(link="tip")
    goal = bpy.data.objects["IK tip"]
    assert "Not solved yet" in draw()
    bpy.ops.urdf_rig.solve_ik()
    log = draw()
    assert "IK tip → tip" in log and any(str(item).startswith("Reached, off by ") for item in log)
    goal.urdf_rig_ik.kind = "POSITION"
    goal.location = (50.0, 0.0, 0.0)
    bpy.ops.urdf_rig.solve_ik()
    (state,) = [item for item in draw() if str(item).startswith("Off by")]
    # the reach of an arm whose links are a metre or so
    assert 45e3 < float(state.split()[2]) < 50e3 and state.endswith("mm")
    goal.urdf_rig_ik.link = "nowhere"
    with pytest.raises(RuntimeError, match="nowhere"):
        bpy.ops.urdf_rig.solve_ik()
    assert any("no link 'nowhere'" in str(item) for item in draw())


def test_pins_are_in_the_rows_of_sliders_once_there_is_a_goal(rig):
    assert not [item for item in draw("URDF_RIG_PT_joints") if item[0] == "pinned"]
    bpy.ops.urdf_rig.add_ik_goal(link="tip")
    pins = [item for item in draw("URDF_RIG_PT_joints") if item[0] == "pinned"]
    assert pins and all(item[2] == "UNPINNED" for item in pins)
    next(bone for bone in rig.pose.bones if bone.bone.urdf_rig.limited).urdf_rig_ik.pinned = True
    assert "PINNED" in [item[2] for item in draw("URDF_RIG_PT_ik_pins") if item[0] == "pinned"]
    assert len([item for item in draw("URDF_RIG_PT_ik_pins") if item[0] == "pinned"]) == len(pins)


def test_with_two_robots_the_active_goal_says_which_is_meant(rig, rig_of, cases):
    bpy.ops.urdf_rig.add_ik_goal(link="tip")
    goal = bpy.data.objects["IK tip"]
    other = rig_of(cases / "42-panel-and-menu-found" / "robot.urdf").rig
    bpy.context.view_layer.objects.active = goal
    assert "IK tip → tip" in draw()
    bpy.context.view_layer.objects.active = other
    assert "IK tip → tip" not in draw()
    for mode in ("POSE", "EDIT", "OBJECT"):
        bpy.ops.object.mode_set(mode=mode)
        draw()
