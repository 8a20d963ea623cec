# SPDX-License-Identifier: GPL-3.0-or-later
"""The rig that an import makes: bones, channels, locks, limits, followers."""

from __future__ import annotations

import math

import bpy
import numpy as np
import pytest

from urdf_rig.core.errors import RigError, UnknownNameError

ROBOT = """<robot name="r">
  <link name="base"/><link name="arm"/><link name="slide"/><link name="wheel"/><link name="finger"/><link name="tip"/>
  <link name="puck"/><link name="drone"/>
  <joint name="elbow" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 1" rpy="0.1 0.2 0.3"/>
    <axis xyz="0 -1 0"/><limit lower="-0.5" upper="1.5" effort="1" velocity="1"/></joint>
  <joint name="rail" type="prismatic"><parent link="arm"/><child link="slide"/><origin xyz="0.2 0 0"/>
    <axis xyz="1 0 0"/><limit lower="0.1" upper="0.4" effort="1" velocity="1"/></joint>
  <joint name="spin" type="continuous"><parent link="slide"/><child link="wheel"/><axis xyz="0 0 1"/></joint>
  <joint name="grip" type="prismatic"><parent link="slide"/><child link="finger"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="rail" multiplier="-2" offset="0.3"/></joint>
  <joint name="weld" type="fixed"><parent link="finger"/><child link="tip"/><origin xyz="0 0 0.1"/></joint>
  <joint name="table" type="planar"><parent link="base"/><child link="puck"/><axis xyz="0 0 1"/></joint>
  <joint name="flight" type="floating"><parent link="base"/><child link="drone"/></joint>
</robot>"""


@pytest.fixture
def imported(rig_of, tmp_path):
    return rig_of(ROBOT, tmp_path)


def test_one_bone_for_each_link_in_three_collections(imported):
    armature = imported.rig.data
    assert {bone.name for bone in armature.bones} == {
        "base", "arm", "slide", "wheel", "finger", "tip", "puck", "drone",
    }  # fmt: skip
    members = {item.name: {bone.name for bone in item.bones} for item in armature.collections}
    assert members == {
        "Joints": {"arm", "slide", "wheel", "puck", "drone"},
        "Fixed frames": {"base", "tip"},
        "Followers": {"finger"},
    }
    assert not armature.collections["Fixed frames"].is_visible
    assert armature.collections["Joints"].is_visible


def test_only_the_joints_own_channel_is_free(imported):
    free = {}
    for bone in imported.rig.pose.bones:
        locks = [*bone.lock_location, *bone.lock_rotation, *bone.lock_scale]
        free[bone.name] = [index for index, lock in enumerate(locks) if not lock]
    assert free == {
        "base": [], "arm": [4], "slide": [1], "wheel": [4], "finger": [], "tip": [], "puck": [0, 2, 4],
        "drone": [0, 1, 2, 3, 4, 5],
    }  # fmt: skip
    assert imported.rig.pose.bones["drone"].rotation_mode == "QUATERNION"
    assert not imported.rig.pose.bones["drone"].lock_rotation_w


def test_the_pose_after_import_is_the_allowed_one_nearest_to_zero(imported):
    from urdf_rig.addon.rig import joint_values

    assert joint_values(imported.rig) == pytest.approx({"elbow": 0.0, "rail": 0.1, "spin": 0.0})


def test_rest_pose_is_all_joints_at_zero_whatever_limits_and_offsets(imported):
    tip = imported.rig.data.bones["finger"].urdf_rig
    rest = np.array(imported.rig.data.bones["finger"].matrix_local) @ np.reshape(tip.bone_h_link, (4, 4))
    assert rest[:3, 3] == pytest.approx(np.add(_rotated([0.2, 0.0, 0.0]), [0, 0, 1]), abs=1e-6)


def _rotated(vector):
    (sr, sp, sy), (cr, cp, cy) = np.sin([0.1, 0.2, 0.3]), np.cos([0.1, 0.2, 0.3])
    rx = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    ry = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    rz = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return rz @ ry @ rx @ np.array(vector)


def test_followers_follow_without_python(imported, link_poses):
    from urdf_rig.addon.rig import set_joint_values

    driver = imported.rig.animation_data.drivers[0].driver
    assert driver.is_simple_expression
    set_joint_values(imported.rig, {"rail": 0.25})
    poses = link_poses(imported.rig)
    gap = np.linalg.inv(poses["slide"]) @ poses["finger"]
    assert gap[:3, 3] == pytest.approx([0.0, -2 * 0.25 + 0.3, 0.0], abs=1e-6)


def test_limits_hold_when_a_channel_is_set_past_them(imported, link_poses):
    bone = imported.rig.pose.bones["arm"]
    limit = bone.constraints["Joint limit"]
    assert limit.use_transform_limit and limit.owner_space == "LOCAL"
    sign = bone.bone.urdf_rig.sign
    bone.rotation_euler.y = sign * 1.6
    past = link_poses(imported.rig)["arm"]
    bone.rotation_euler.y = sign * 1.5
    assert past == pytest.approx(link_poses(imported.rig)["arm"], abs=1e-6)
    assert bone.use_ik_limit_y and (bone.ik_min_y, bone.ik_max_y) == pytest.approx(sorted((sign * -0.5, sign * 1.5)))


def test_a_range_of_a_full_turn_has_no_constraint(rig_of, tmp_path):
    text = ROBOT.replace('lower="-0.5" upper="1.5"', f'lower="{-math.pi}" upper="{math.pi}"')
    bone = rig_of(text, tmp_path).rig.pose.bones["arm"]
    assert not bone.constraints
    assert bone.bone.urdf_rig.limited


def test_set_joint_values_clamps_and_refuses(imported):
    from urdf_rig.addon.rig import joint_values, reset_joints, set_joint_values

    set_joint_values(imported.rig, {"elbow": 9.0, "rail": -1.0, "spin": 40.0})
    assert joint_values(imported.rig) == pytest.approx({"elbow": 1.5, "rail": 0.1, "spin": 40.0})
    with pytest.raises(UnknownNameError, match="no joint 'knee'"):
        set_joint_values(imported.rig, {"elbow": 0.0, "knee": 0.0})
    with pytest.raises(RigError, match="follows 'rail'"):
        set_joint_values(imported.rig, {"grip": 0.0})
    assert joint_values(imported.rig)["elbow"] == pytest.approx(1.5)
    reset_joints(imported.rig)
    assert joint_values(imported.rig) == pytest.approx({"elbow": 0.0, "rail": 0.1, "spin": 0.0})


@pytest.mark.parametrize("base", ["base", "arm", "wheel", "tip", "puck", "drone"])
def test_any_link_can_be_the_base(rig_of, tmp_path, base):
    from urdf_rig.addon.verify import verify_rig

    made = rig_of(ROBOT, tmp_path, base=base)
    assert made.rig.data.bones[base].parent is None
    result = verify_rig(bpy.context, made.rig, 10)
    assert result.passed, result.problems
    assert result.links == 8


def test_a_metre_stays_a_metre_in_other_scene_units(rig_of, tmp_path):
    from urdf_rig.addon.verify import verify_rig

    bpy.context.scene.unit_settings.scale_length = 0.001
    made = rig_of(ROBOT, tmp_path)
    assert made.rig.scale.x == pytest.approx(1000.0)
    assert verify_rig(bpy.context, made.rig, 4).passed


def test_two_robots_do_not_disturb_each_other(rig_of, tmp_path):
    from urdf_rig.addon.rig import joint_values, set_joint_values

    first, second = rig_of(ROBOT, tmp_path).rig, rig_of(ROBOT, tmp_path).rig
    set_joint_values(second, {"elbow": 0.7})
    assert joint_values(first)["elbow"] == 0.0
    assert first.pose.bones["arm"].custom_shape is second.pose.bones["arm"].custom_shape


def test_renaming_bones_and_duplicating_keep_the_rig_working(imported, link_poses):
    from urdf_rig.addon.followers import repair_followers
    from urdf_rig.addon.rig import joint_values, set_joint_values
    from urdf_rig.addon.verify import verify_rig

    imported.rig.data.bones["slide"].name = "trolley"
    repair_followers(imported.rig)  # what happens by itself when there is a window, and when the file is opened
    bpy.ops.object.duplicate()
    copy = bpy.context.object
    assert copy is not imported.rig
    set_joint_values(copy, {"rail": 0.3})
    assert joint_values(imported.rig)["rail"] == pytest.approx(0.1)
    gap = np.linalg.inv(link_poses(copy)["slide"]) @ link_poses(copy)["finger"]
    assert gap[1, 3] == pytest.approx(-0.3, abs=1e-6)
    for rig in (imported.rig, copy):
        result = verify_rig(bpy.context, rig, 5)
        assert result.passed, result.problems
