# SPDX-License-Identifier: GPL-3.0-or-later
"""A verification that cannot fail is none: every kind of damage is found and named."""

from __future__ import annotations

import math

import bpy
import pytest
from mathutils import Euler, Matrix

from urdf_rig.core.errors import RigError

ROBOT = """<robot name="r">
  <link name="base"/>
  <link name="upper"><visual><origin xyz="0 0 0.2"/><geometry><box size="0.1 0.1 0.4"/></geometry></visual>
    <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="lower"/><link name="finger"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 1"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0 0 0.4"/>
    <axis xyz="1 0 0"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="grip" type="prismatic"><parent link="lower"/><child link="finger"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/><mimic joint="elbow" multiplier="0.1"/></joint>
</robot>"""


@pytest.fixture
def rig(rig_of, tmp_path):
    return rig_of(ROBOT, tmp_path, collisions=True).rig


def verify(rig, samples=8):
    from urdf_rig.addon.verify import verify_rig

    return verify_rig(bpy.context, rig, samples)


def failed_links(result):
    assert not result.passed
    return " ".join(result.problems)


def test_an_untouched_rig_passes_and_keeps_its_pose(rig):
    from urdf_rig.addon.rig import joint_values, set_joint_values

    set_joint_values(rig, {"shoulder": 0.3, "elbow": -2.0})
    result = verify(rig)
    assert result.passed and (result.links, result.samples) == (4, 9)
    assert joint_values(rig) == pytest.approx({"shoulder": 0.3, "elbow": -2.0})
    assert bpy.context.object is rig and rig.select_get()


def test_it_passes_wherever_the_armature_stands(rig):
    rig.location, rig.rotation_euler, rig.scale = (3, -2, 1), Euler((0.4, 0.2, -0.9)), (2, 2, 2)
    assert verify(rig).passed
    rig.location = (2000.0, 0.0, 0.0)
    assert verify(rig).passed


def test_a_bone_turned_by_hand_off_its_axis_is_named(rig):
    rig.pose.bones["upper"].rotation_euler.x = 0.05
    result = verify(rig)
    assert "'upper'" in failed_links(result)
    assert 0.049 < result.max_rotation_error < 0.051


def test_a_bone_turned_in_edit_mode_is_named(rig):
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones["lower"].transform(Matrix.Rotation(0.01, 4, "Z"))
    bpy.ops.object.mode_set(mode="OBJECT")
    assert "'lower'" in failed_links(verify(rig))


def test_a_bone_rolled_in_edit_mode_is_named(rig):
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones["lower"].roll += 0.02
    bpy.ops.object.mode_set(mode="OBJECT")
    assert "'lower'" in failed_links(verify(rig))


@pytest.mark.parametrize("is_collision", [False, True])
def test_a_moved_or_scaled_mesh_is_named(rig, is_collision):
    shape = next(child for child in rig.children if child.urdf_rig.is_collision == is_collision)
    kept = shape.matrix_basis.copy()
    shape.location.x += 0.001
    assert f"object {shape.name!r}" in failed_links(verify(rig))
    shape.matrix_basis = kept
    assert verify(rig).passed
    shape.scale.x = 1.01
    assert "'upper'" in failed_links(verify(rig))


def test_a_mesh_hung_on_another_bone_is_named(rig):
    shape = next(child for child in rig.children if not child.urdf_rig.is_collision)
    shape.parent_bone = "lower"
    assert "'upper'" in failed_links(verify(rig))


def test_a_channel_past_its_limit_is_named(rig):
    bone = rig.pose.bones["upper"]
    bone.rotation_euler.y = bone.bone.urdf_rig.sign * 2.5
    text = failed_links(verify(rig))
    assert "'shoulder'" in text and "'upper'" in text and "2.5" in text
    assert bone.rotation_euler.y == pytest.approx(bone.bone.urdf_rig.sign * 2.5)


def test_a_turn_too_many_is_named_though_it_looks_the_same(rig):
    bone = rig.pose.bones["upper"]
    bone.rotation_euler.y = bone.bone.urdf_rig.sign * (0.5 + 2 * math.pi)
    assert "'upper'" in failed_links(verify(rig))


def test_a_changed_limit_and_a_broken_driver_are_named(rig):
    limit = rig.pose.bones["upper"].constraints["Joint limit"]
    limit.max_y, kept = 0.1, limit.max_y
    assert "'upper'" in failed_links(verify(rig))
    limit.max_y = kept
    rig.animation_data.drivers[0].driver.expression = "leader * 0.2"
    assert "'finger'" in failed_links(verify(rig))


def test_a_missing_bone_is_named(rig):
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones.remove(rig.data.edit_bones["finger"])
    bpy.ops.object.mode_set(mode="OBJECT")
    assert "'finger' has no bone" in failed_links(verify(rig))


def test_keyframes_and_the_frame_are_left_alone(rig):
    bone = rig.pose.bones["upper"]
    sign = bone.bone.urdf_rig.sign
    for frame, value in ((1, 0.0), (21, 1.0)):
        bone.rotation_euler.y = sign * value
        bone.keyframe_insert("rotation_euler", index=1, frame=frame)
    bpy.context.scene.frame_set(11)
    before = bone.rotation_euler.y
    assert before == pytest.approx(sign * 0.5, abs=1e-3)
    assert verify(rig).passed
    assert bpy.context.scene.frame_current == 11
    assert bone.rotation_euler.y == pytest.approx(before)
    bpy.context.scene.frame_set(21)
    assert bone.rotation_euler.y == pytest.approx(sign * 1.0)


def test_only_rigs_can_be_verified(rig):
    other = bpy.data.objects.new("Cube", None)
    bpy.context.scene.collection.objects.link(other)
    with pytest.raises(RigError, match="is not a robot"):
        verify(other)


def test_the_operator_stores_its_result_for_the_panel(rig):
    assert bpy.ops.urdf_rig.verify(samples=3) == {"FINISHED"}
    data = rig.data.urdf_rig
    assert data.verified and data.verify_passed and "4 links" in data.verify_text
    rig.pose.bones["lower"].location.x = 0.1
    bpy.ops.urdf_rig.verify(samples=3)
    assert not data.verify_passed and "'lower'" in data.verify_text
