# SPDX-License-Identifier: GPL-3.0-or-later
"""The section *Inverse Kinematics*: what it says and offers."""

from __future__ import annotations

import bpy
import pytest
from ik_panels import PANELS, draw


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
    assert "IK tip" in log and any(str(item).startswith("Reached, off by ") for item in log)
    goal.urdf_rig_ik.kind = "POSITION"
    goal.location = (50.0, 0.0, 0.0)
    bpy.ops.urdf_rig.solve_ik()
    (state,) = [item for item in draw() if str(item).startswith("Off by")]
    # the reach of an arm whose links are a metre or so
    assert 45e3 < float(state.split()[2]) < 50e3 and state.endswith("mm")
    goal.urdf_rig_ik.link = "nowhere"
    with pytest.raises(RuntimeError, match="nowhere"):
        bpy.ops.urdf_rig.solve_ik()
    assert "no link 'nowhere'" in " ".join(map(str, draw()))


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
    assert "IK tip" in draw()
    bpy.context.view_layer.objects.active = other
    assert "IK tip" not in draw()
    for mode in ("POSE", "EDIT", "OBJECT"):
        bpy.ops.object.mode_set(mode=mode)
        draw()


def operators():
    return [f"urdf_rig.{name}" for name in dir(bpy.ops.urdf_rig) if "ik" in name.split("_")]


def call(idname):
    return getattr(bpy.ops.urdf_rig, idname.split(".")[1])


def test_everything_is_described():
    groups = [kind for kind in bpy.types.PropertyGroup.__subclasses__() if kind.__name__.startswith("URDF_RIG_PG_ik")]
    assert len(groups) >= 5 and len(operators()) == 11
    for kind in (*(group.bl_rna for group in groups), *(call(name).get_rna_type() for name in operators())):
        for item in kind.properties:
            if item.identifier not in ("rna_type", "name"):
                assert item.description and not item.description.endswith("."), (kind, item.identifier)
                if item.type == "ENUM":
                    assert all(entry.description for entry in item.enum_items), item.identifier
    for name in operators():
        assert call(name).bl_options == {"REGISTER", "UNDO"}
        tooltip = call(name).get_rna_type().description
        assert tooltip and not tooltip.endswith("."), name


def test_without_a_robot_nothing_is_drawn_and_operators_say_why():
    for name in PANELS:
        assert not getattr(bpy.types, name).poll(bpy.context)
    for name in operators():
        with pytest.raises(RuntimeError, match="No robot selected"):
            call(name)()


def test_without_a_goal_operators_say_why(rig):
    draw()
    for name in operators():
        if name != "urdf_rig.add_ik_goal":
            with pytest.raises(RuntimeError, match="The robot has no goal"):
                call(name)()


def test_the_panel_stays_while_the_goal_is_active_and_shows_its_settings(rig, rig_of, cases):
    rig_of(cases / "42-panel-and-menu-found" / "robot.urdf")
    bpy.context.view_layer.objects.active = rig
    assert bpy.ops.urdf_rig.add_ik_goal(link="tip", kind="LOOK_AT") == {"FINISHED"}
    goal = bpy.context.object
    assert goal.urdf_rig_ik.rig == rig
    shown = [item[0] for item in draw("URDF_RIG_PT_ik_goal") if isinstance(item, tuple)]
    pose = ["tool_xyz"] * 3 + ["tool_rpy"] * 3
    assert shown == ["kind", "link", "weight", "priority", "tool_axis", *pose]
    for kind, extra in (("POSE", "rotation_weight"), ("MASS", "use_height"), ("POSTURE", None)):
        goal.urdf_rig_ik.kind = kind
        shown = [item[0] for item in draw("URDF_RIG_PT_ik_goal") if isinstance(item, tuple)]
        assert "tool_axis" not in shown and (extra is None or extra in shown)
        draw()
    assert bpy.ops.urdf_rig.add_ik_goal(link="l3") == {"FINISHED"}
    assert bpy.ops.urdf_rig.select_ik_goal(goal=goal.name) == {"FINISHED"}
    assert bpy.context.object == goal and bpy.context.selected_objects == [goal]
