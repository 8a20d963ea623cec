# SPDX-License-Identifier: GPL-3.0-or-later
"""The section *Inverse Kinematics*: what it says and offers."""

from __future__ import annotations

from types import SimpleNamespace

import bpy
import pytest

PANELS = ("URDF_RIG_PT_ik", "URDF_RIG_PT_ik_goal", "URDF_RIG_PT_ik_solutions", "URDF_RIG_PT_ik_pins")


ICONS = bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items.keys()


class Settings:
    """Stands in for the properties of a button's operator: takes what the operator has, and nothing else."""

    def __init__(self, idname):
        category, name = idname.split(".")
        self.__dict__["names"] = set(getattr(getattr(bpy.ops, category), name).get_rna_type().properties.keys())

    def __setattr__(self, name, value):
        assert name in self.names, name


class Notes:
    """Stands in for the layout of a panel, as Blender makes a real one only when it draws a window."""

    def __init__(self, log):
        self.log = log

    def row(self, **_):
        return Notes(self.log)

    column = row

    def label(self, text="", icon="NONE", **_):
        assert icon in ICONS
        self.log.extend(filter(None, [text]))

    def operator(self, idname, text="", icon="NONE", **_):
        assert icon in ICONS
        self.log += filter(None, (idname, text))
        return Settings(idname)

    def operator_menu_enum(self, idname, name, **_):
        assert name in Settings(idname).names

    def template_list(self, kind, _name, data, items, _active_data, active, **_):
        assert active in data.bl_rna.properties
        for index, item in enumerate(getattr(data, items)):
            getattr(bpy.types, kind).draw_item(
                None, bpy.context, Notes(self.log), data, item, 0, data, active, index, 0
            )

    def prop(self, owner, name, text="", slider=False, icon="NONE", **_):
        assert name in owner.bl_rna.properties, name
        self.log.append((name, text, icon))

    def prop_decorator(self, owner, name, index=-1):
        pass


def draw(*panels):
    log = []
    for name in panels or PANELS:
        panel = getattr(bpy.types, name)
        assert panel.poll(bpy.context)
        panel.draw(SimpleNamespace(layout=Notes(log)), bpy.context)
    return log


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
