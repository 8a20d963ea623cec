# SPDX-License-Identifier: GPL-3.0-or-later
"""Saved poses and waypoints when the rig gets another base, or its description changes."""

from __future__ import annotations

import bpy
import pytest

ROBOT = """<robot name="r"><link name="base"/><link name="arm"/><link name="hand"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.1"/>
    <axis xyz="0 1 0.2"/><limit lower="-1" upper="1.5" effort="1" velocity="1"/></joint>
  <joint name="wrist" type="continuous"><parent link="arm"/><child link="hand"/><origin xyz="0 0 0.4" rpy="0.3 0 0"/>
    <axis xyz="1 0 0"/></joint>
</robot>"""
VALUES = {"shoulder": 0.7, "wrist": -4.0}


@pytest.fixture
def rig(rig_of, tmp_path):
    from urdf_rig.addon.poses.named import save_pose
    from urdf_rig.addon.rig import set_joint_values
    from urdf_rig.addon.waypoints.settings import waypoints_data
    from urdf_rig.addon.waypoints.teaching import record_waypoint

    rig = rig_of(ROBOT, tmp_path).rig
    set_joint_values(rig, VALUES)
    bpy.context.view_layer.update()
    save_pose(rig, "reach")
    waypoints_data(rig).link = "hand"
    record_waypoint(rig, "there", 10.0)
    return rig


def stored(rig):
    from urdf_rig.addon.poses.named import find_pose
    from urdf_rig.addon.waypoints.settings import waypoints_data
    from urdf_rig.addon.waypoints.teaching import core_waypoint

    (item,) = waypoints_data(rig).waypoints
    return find_pose(rig, "reach").joints, core_waypoint(item)


def test_another_base_changes_none_of_them(rig):
    from urdf_rig.addon.rebuild.change_base import change_base

    change_base(rig, "hand")
    pose, waypoint = stored(rig)
    assert pose == pytest.approx(VALUES) and waypoint.q == pytest.approx(VALUES)
    assert waypoint.tool[0] == "hand"


def test_renamed_joints_and_links_are_renamed_in_them(rig, tmp_path):
    from urdf_rig.addon.rebuild.reload import reload_description

    (tmp_path / "robot.urdf").write_text(ROBOT.replace('"wrist"', '"roll"').replace('"base"', '"foot"'))
    assert reload_description(rig).remarks == ()
    pose, waypoint = stored(rig)
    wanted = {"shoulder": pytest.approx(0.7), "roll": pytest.approx(-4.0)}
    assert pose == wanted and waypoint.q == wanted
    assert waypoint.reference == "foot"


def test_poses_damaged_in_the_file_are_said_and_left(rig, tmp_path):
    from urdf_rig.addon.poses.settings import poses_data
    from urdf_rig.addon.rebuild.reload import reload_description

    poses_data(rig).poses[0].joints = "{"
    (tmp_path / "robot.urdf").write_text(ROBOT.replace('"wrist"', '"roll"'))
    (remark,) = reload_description(rig).remarks
    assert "keep the old names" in remark


def test_pose_assets_are_named_when_they_no_longer_fit(rig):
    from urdf_rig.addon.poses.asset import make_pose_asset
    from urdf_rig.addon.poses.named import find_pose
    from urdf_rig.addon.rebuild.change_base import change_base

    make_pose_asset(bpy.context, rig, find_pose(rig, "reach"))
    (remark,) = change_base(rig, "hand").remarks
    assert "'reach'" in remark
