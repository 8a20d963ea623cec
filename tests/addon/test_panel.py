# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar: what it draws, recorded by a layout that only takes notes."""

from __future__ import annotations

from types import SimpleNamespace

import bpy
import pytest


class Notes:
    """Stands in for the layout of a panel: Blender makes a real one only when it draws a window."""

    def __init__(self, log=None):
        self.log = [] if log is None else log
        self.enabled = self.alert = True

    def row(self, **_):
        return Notes(self.log)

    column = row

    def label(self, text="", **_):
        self.log.append(("label", text))

    def operator(self, idname, text="", **_):
        self.log.append(("operator", idname))
        return SimpleNamespace()

    def prop(self, owner, name, text="", slider=False, **_):
        assert name in owner.bl_rna.properties, name
        self.log.append(("prop", text, slider, self.enabled))

    def prop_decorator(self, owner, name, index=-1):
        assert len(getattr(owner, name)) > index
        self.log.append(("key", name, index))


def draw(panel_name):
    """Draw a panel of the sidebar and return the notes."""
    panel = getattr(bpy.types, panel_name)
    layout = Notes()
    panel.draw(SimpleNamespace(layout=layout), bpy.context)
    return layout.log


def test_without_a_robot_it_says_how_to_get_one():
    assert not bpy.types.URDF_RIG_PT_joints.poll(bpy.context)
    log = draw("URDF_RIG_PT_robot")
    assert ("label", "No robot selected.") in log and ("operator", "urdf_rig.import_robot") in log
    assert ("operator", "urdf_rig.select_robot") not in log


def test_of_several_robots_one_can_be_chosen(rig_of, cases):
    path = cases / "42-panel-and-menu-found" / "robot.urdf"
    rigs = [rig_of(path).rig for _ in range(2)]
    bpy.context.view_layer.objects.active = None
    log = draw("URDF_RIG_PT_robot")
    assert log.count(("operator", "urdf_rig.select_robot")) == 2
    for rig in rigs:
        assert bpy.ops.urdf_rig.select_robot(name=rig.name) == {"FINISHED"}
        assert bpy.context.object == rig and bpy.context.selected_objects == [rig]
    assert ("label", "Joints: 2 free, 1 following") in draw("URDF_RIG_PT_robot")
    with pytest.raises(RuntimeError, match="no robot 'ghost'"):
        bpy.ops.urdf_rig.select_robot(name="ghost")
    bpy.ops.object.mode_set(mode="POSE")
    assert not bpy.ops.urdf_rig.select_robot.poll()


def test_sections_come_in_the_order_of_use_whatever_the_order_of_registration():
    kinds = [kind for kind in bpy.types.Panel.__subclasses__() if getattr(kind, "bl_category", "") == "Robot"]
    top = [kind for kind in kinds if getattr(kind, "bl_parent_id", "") == "URDF_RIG_PT_robot"]
    top = sorted((kind for kind in top if kind.is_registered), key=lambda kind: kind.bl_order)
    assert [kind.bl_idname.removeprefix("URDF_RIG_PT_") for kind in top] == [
        *("joints", "verify", "viewport", "poses", "ik", "waypoints", "motion", "check", "kinematics", "description"),
        *("attachments", "cameras", "inertia"),
    ]


def test_names_too_long_for_a_slider_keep_their_ends():
    from urdf_rig.addon.ui.section import fitted

    assert fitted("joint_12", 8) == "joint_12"
    names = [f"left_hand_thumb_{part}_joint" for part in ("proximal", "distal")]
    short = [fitted(name, 22) for name in names]
    assert short[0] != short[1]
    for name, text in zip(names, short, strict=True):
        head, tail = text.split("…") if "…" in text else (text, "")
        assert len(text) <= 22 and name.startswith(head) and name.endswith(tail)


def test_a_filter_without_a_match_says_so(rig):
    bpy.context.window_manager.urdf_rig.filter = "ghost"
    assert ("label", "No joint has this in its name") in draw("URDF_RIG_PT_joints")


@pytest.fixture
def rig(rig_of, cases):
    return rig_of(cases / "42-panel-and-menu-found" / "robot.urdf").rig


def test_one_slider_for_each_free_joint_in_document_order(rig):
    log = draw("URDF_RIG_PT_joints")
    assert [item for item in log if item[0] == "prop" and item[2]] == [
        ("prop", "zeta", True, True),
        ("prop", "alpha", True, True),
        ("prop", "foll ← zeta", True, False),
    ]
    assert [item for item in log if item[0] == "key"] == [("key", "rotation_euler", 1), ("key", "location", 1)]


def test_the_filter_hides_the_others(rig):
    bpy.context.window_manager.urdf_rig.filter = "ALP"
    assert [item[1] for item in draw("URDF_RIG_PT_joints") if item[0] == "prop" and item[2]] == ["alpha"]


@pytest.mark.parametrize("mode", ["OBJECT", "POSE", "EDIT"])
def test_it_draws_in_every_mode(rig, mode):
    bpy.ops.object.mode_set(mode=mode)
    for panel in ("URDF_RIG_PT_robot", "URDF_RIG_PT_joints", "URDF_RIG_PT_verify"):
        assert draw(panel)
    bpy.ops.object.mode_set(mode="OBJECT")


def test_the_robot_is_found_from_its_parts_and_when_it_is_the_only_one(rig):
    from urdf_rig.addon.rig import active_rig

    part = bpy.data.objects.new("part", None)
    part.parent = rig
    bpy.context.scene.collection.objects.link(part)
    bpy.context.view_layer.objects.active = part
    assert active_rig(bpy.context) is rig
    bpy.context.view_layer.objects.active = None
    assert active_rig(bpy.context) is rig


def test_the_result_of_a_verification_is_shown(rig):
    assert ("label", "Not verified yet") in draw("URDF_RIG_PT_verify")
    bpy.ops.urdf_rig.verify(samples=2)
    assert ("label", "Passed") in draw("URDF_RIG_PT_verify")
    rig.pose.bones[-1].scale.x = 2.0
    bpy.ops.urdf_rig.verify(samples=2)
    log = draw("URDF_RIG_PT_verify")
    assert ("label", "Failed") in log and "off by" in " ".join(str(item[1]) for item in log)


def test_reset_sets_every_joint_to_the_value_nearest_to_zero(rig):
    from urdf_rig.addon.rig import joint_values, set_joint_values

    set_joint_values(rig, {"zeta": 0.5, "alpha": 0.1})
    assert bpy.ops.urdf_rig.reset_joints() == {"FINISHED"}
    assert joint_values(rig) == pytest.approx({"zeta": 0.0, "alpha": 0.0})


def test_a_key_goes_on_the_channel_itself(rig):
    bone = next(item for item in rig.pose.bones if item.bone.urdf_rig.joint == "zeta")
    bone.keyframe_insert("rotation_euler", index=1, frame=1)
    assert rig.animation_data.action is not None


def test_each_dot_comes_after_a_button_of_its_channel(rig):
    log = draw("URDF_RIG_PT_joints")
    dots = [index for index, item in enumerate(log) if item[0] == "key"]
    channels = [index for index, item in enumerate(log) if item[0] == "prop" and item[1] == "" and not item[2]]
    assert len(channels) == 1 + len(dots)  # the filter is one more
    assert max(channels) < min(dots)
