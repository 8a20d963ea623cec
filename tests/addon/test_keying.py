# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys for joints as they are: asked for, or by auto keying in each of its modes; never on what is linked."""

from __future__ import annotations

import bpy
import pytest

from urdf_rig.core.errors import RigError

ROBOT = """<robot name="r"><link name="base"/><link name="a"/><link name="b"/><link name="c"/>
  <joint name="elbow" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 -1 0"/>
    <limit lower="-3" upper="1" effort="1" velocity="1"/></joint>
  <joint name="rail" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="-0.6 0 0.8"/>
    <limit lower="-0.1" upper="0.2" effort="1" velocity="1"/></joint>
  <joint name="fly" type="floating"><parent link="base"/><child link="c"/></joint>
</robot>"""
RAIL = ('pose.bones["b"].location', 1)
FLY = [('pose.bones["c"].location', index) for index in range(3)]
FLY += [('pose.bones["c"].rotation_quaternion', index) for index in range(4)]


@pytest.fixture
def rig(rig_of, tmp_path):
    return rig_of(ROBOT, tmp_path).rig


@pytest.fixture
def keying(plain_keying):
    """The preferences of keys that are set by themselves, which they are."""
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    return plain_keying


def keys(rig):
    from urdf_rig.addon.fcurves import curves_by_channel

    return {channel: [key.co[0] for key in curve.keyframe_points] for channel, curve in curves_by_channel(rig).items()}


def key(rig, *joints):
    from urdf_rig.addon.keying import key_joints_if_wanted

    return key_joints_if_wanted(bpy.context, rig, joints)


def test_keys_are_set_by_themselves_only_where_blender_is_told_to(rig, keying):
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = False
    assert not key(rig, "rail") and keys(rig) == {}
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    assert key(rig, "rail") and keys(rig) == {RAIL: [1.0]}
    assert key(rig, "elbow") and len(keys(rig)) == 2


def test_keys_only_where_there_is_a_curve_if_the_preferences_say_so(rig, keying):
    keying.use_keyframe_insert_available = True
    assert not key(rig, "rail", "fly") and keys(rig) == {}
    rig.pose.bones["b"].keyframe_insert("location", index=1, frame=5)
    rig.pose.bones["c"].keyframe_insert("rotation_quaternion", index=2, frame=5)
    assert key(rig, "rail", "fly") and not key(rig, "elbow")
    assert keys(rig) == {RAIL: [1.0, 5.0], FLY[5]: [1.0, 5.0]}


def test_keys_only_where_the_value_changes_if_the_preferences_say_so(rig, keying):
    keying.use_auto_keyframe_insert_needed = True
    for frame, value in ((1, 0.1), (3, 0.1), (5, 0.1), (7, 0.2)):
        bpy.context.scene.frame_set(frame)
        rig.pose.bones["b"].location.y = value
        key(rig, "rail")
    assert keys(rig)[RAIL][-1] == 7.0 and 3.0 not in keys(rig)[RAIL]


def test_keys_are_only_replaced_in_that_mode(rig, keying):
    bpy.context.scene.tool_settings.auto_keying_mode = "REPLACE_KEYS"
    assert not key(rig, "rail") and keys(rig) == {}
    rig.pose.bones["b"].keyframe_insert("location", index=1, frame=1)
    rig.pose.bones["b"].location.y = 0.05
    assert key(rig, "rail") and keys(rig) == {RAIL: [1.0]}
    assert not key(rig, "elbow")


def test_planar_and_floating_joints_are_keyed_in_the_group_of_their_bone_between_frames_too(rig, keying):
    bpy.context.scene.frame_set(2, subframe=0.5)
    assert key(rig, "fly")
    assert keys(rig) == {channel: [2.5] for channel in FLY}
    from urdf_rig.addon.fcurves import action_curves

    assert {curve.group.name for curve in action_curves(rig)} == {"c"}


def test_nothing_is_keyed_in_a_linked_action_or_on_a_linked_rig(rig, keying, tmp_path):
    from urdf_rig.addon.keying import check_animatable, key_joints

    rig.pose.bones["b"].keyframe_insert("location", index=1, frame=5)
    rig.animation_data.action.use_fake_user = True
    path = str(tmp_path / "robot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    with bpy.data.libraries.load(path, link=True) as (_, wanted):
        wanted.actions = [rig.animation_data.action.name]
        wanted.objects = ["r"]
    linked_rig = wanted.objects[0]
    for other_action in (False, True):
        with pytest.raises(RigError, match="linked"):
            check_animatable(linked_rig, other_action=other_action)
    rig.animation_data.action = wanted.actions[0]
    if hasattr(rig.animation_data, "action_slot"):
        rig.animation_data.action_slot = wanted.actions[0].slots[0]
    check_animatable(rig, other_action=True)
    with pytest.raises(RigError, match="linked"):
        check_animatable(rig)
    for target in (rig, linked_rig):
        with pytest.raises(RigError, match="linked"):
            key_joints(target, ["rail"], 1.0)
        assert not key(target, "rail")
    assert keys(rig) == {RAIL: [5.0]}


def test_a_slider_keys_like_a_field_of_blenders_only_what_has_a_curve(rig, keying):
    from urdf_rig.addon.fcurves import curves_by_channel
    from urdf_rig.addon.rig import joint_bones_by_name
    from urdf_rig.addon.sliders import slider_name

    def drag(name, value):
        joint = joint_bones_by_name(rig)[name]
        setattr(joint.bone, slider_name(joint, bpy.context.scene), value)

    drag("rail", 0.1)
    assert keys(rig) == {}
    key(rig, "rail")
    bpy.context.scene.frame_set(9)
    drag("rail", 5.0)
    drag("elbow", 0.5)
    assert keys(rig) == {RAIL: [1.0, 9.0]}
    assert abs(curves_by_channel(rig)[RAIL].evaluate(9)) == pytest.approx(0.2)  # clamped before it is keyed
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = False
    bpy.context.scene.frame_set(20)
    drag("rail", 0.0)
    assert keys(rig) == {RAIL: [1.0, 9.0]}
