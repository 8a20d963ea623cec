# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint sliders: true ranges, clamped values, the channel behind them."""

from __future__ import annotations

import math

import bpy
import pytest

ROBOT = """<robot name="r"><link name="base"/><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
  <joint name="elbow" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 -1 0"/>
    <limit lower="-3.0718" upper="-0.0698" effort="1" velocity="1"/></joint>
  <joint name="rail" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.2" effort="1" velocity="1"/></joint>
  <joint name="spin" type="continuous"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/></joint>
  <joint name="grip" type="revolute"><parent link="c"/><child link="d"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/><mimic joint="rail"/></joint>
</robot>"""


@pytest.fixture
def rig(rig_of, tmp_path):
    return rig_of(ROBOT, tmp_path).rig


def slider(rig, joint):
    """Return the pose bone and the name of a joint's slider property."""
    from urdf_rig.addon.rig import joint_bones_by_name
    from urdf_rig.addon.sliders import slider_name

    bone = joint_bones_by_name(rig)[joint]
    return bone.bone, slider_name(bone, bpy.context.scene)


def test_a_slider_has_its_joints_own_range_and_unit(rig):
    bone, name = slider(rig, "elbow")
    elbow = bone.bl_rna.properties[name]
    assert (elbow.hard_min, elbow.hard_max) == pytest.approx((-3.0718, -0.0698))
    assert elbow.subtype == "ANGLE"
    bone, name = slider(rig, "rail")
    rail = bone.bl_rna.properties[name]
    assert (rail.hard_min, rail.hard_max) == pytest.approx((0.0, 0.2))
    assert rail.subtype == "DISTANCE"
    assert not rail.is_animatable


def test_a_typed_value_stops_at_the_nearer_end(rig):
    bone, name = slider(rig, "elbow")
    setattr(bone, name, 1.9)
    assert getattr(bone, name) == pytest.approx(-0.0698)
    assert bone.rotation_euler.y == pytest.approx(bone.bone.urdf_rig.sign * -0.0698)
    setattr(bone, name, -9.0)
    assert getattr(bone, name) == pytest.approx(-3.0718)


def test_the_setter_clamps_by_itself(rig):
    from urdf_rig.addon.rig import joint_bones_by_name

    joint = joint_bones_by_name(rig)["elbow"]
    joint.value = 1.9
    assert joint.value == pytest.approx(-0.0698)


def test_whole_turns_are_kept(rig):
    bone, name = slider(rig, "spin")
    setattr(bone, name, 10.0)
    assert getattr(bone, name) == pytest.approx(10.0)
    assert abs(bone.rotation_euler.y) == pytest.approx(10.0)
    assert bone.bl_rna.properties[name].hard_max > 1e6


def test_slider_and_channel_always_agree(rig):
    bone, name = slider(rig, "rail")
    bone.location.y = bone.bone.urdf_rig.sign * 0.15
    assert getattr(bone, name) == pytest.approx(0.15)


def test_metres_are_shown_in_the_scenes_unit(rig):
    from urdf_rig.addon.sliders import define_sliders

    bpy.context.scene.unit_settings.scale_length = 0.01
    define_sliders()
    bone, name = slider(rig, "rail")
    assert bone.bl_rna.properties[name].hard_max == pytest.approx(20.0)
    setattr(bone, name, 5.0)
    assert abs(bone.location.y) == pytest.approx(0.05)


def test_sliders_are_there_after_a_file_is_opened_and_gone_after_disabling(rig, tmp_path):
    import addon_utils

    path = str(tmp_path / "rig.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=path)
    bone, name = slider(bpy.data.objects["r"], "elbow")
    assert getattr(bone, name) == pytest.approx(-0.0698)
    addon_utils.disable("urdf_rig")
    left = [item for item in dir(bpy.types.PoseBone) if "urdf_rig" in item]
    addon_utils.enable("urdf_rig")
    assert left == []


def test_an_angle_past_half_a_turn_is_no_wrap_around(rig):
    bone, name = slider(rig, "spin")
    for value in (math.pi - 0.01, math.pi + 0.01, -3 * math.pi):
        setattr(bone, name, value)
        assert getattr(bone, name) == pytest.approx(value, abs=1e-5)
