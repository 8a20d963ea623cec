# SPDX-License-Identifier: GPL-3.0-or-later
"""Visuals, skins, cameras and files of a rig whose description is read again."""

from __future__ import annotations

import json
import re

import bpy
import pytest
from reload_scene import BALL, CHANGED, ROBOT, SENSOR, TRIANGLE, animated, swap, verified


@pytest.fixture
def rig(rig_of, tmp_path):
    return animated(rig_of(ROBOT, tmp_path).rig)


def test_materials_of_users_are_kept_where_the_description_did_not_change(rig, reload):
    mine = bpy.data.materials.new("mine")
    shapes = {child.urdf_rig.link: child for child in rig.children}
    for link in ("base", "arm", "hand"):
        shapes[link].material_slots[0].material = mine
    text = swap(
        ROBOT,
        ('<box size="0.1 0.1 0.4"/>', '<box size="0.1 0.2 0.4"/>'),
        ('<sphere radius="0.05"/></geometry><material name="red"/>',
         '<sphere radius="0.05"/></geometry><material name="green"><color rgba="0 1 0 1"/></material>'),
    )  # fmt: skip
    done = reload(rig, text)
    assert [str(change) for change in done.changes.changes] == [
        "visuals: arm (number 1: geometry)",
        "visuals: hand (number 1: material)",
    ]
    assert {child.urdf_rig.link: child for child in rig.children} == shapes
    assert shapes["base"].material_slots[0].material == mine
    assert shapes["hand"].material_slots[0].material.name == "green"
    assert tuple(shapes["arm"].dimensions) == pytest.approx((0.1, 0.2, 0.4))
    assert shapes["arm"].material_slots[0].material == mine
    assert verified(rig) == ()


def test_a_material_that_users_have_edited_stays_on_a_new_mesh(rig, reload):
    arm = next(child for child in rig.children if child.urdf_rig.link == "arm")
    edited = arm.material_slots[0].material
    edited.metallic = 0.75
    reload(rig, swap(ROBOT, ('<box size="0.1 0.1 0.4"/>', '<cylinder radius="0.1" length="0.3"/>')))
    assert arm.material_slots[0].material == edited and edited.metallic == 0.75


def test_shapes_come_go_and_move(rig, reload):
    text = swap(
        ROBOT,
        ('<origin xyz="0 0 0.2" rpy="0.1 0.2 0.3"/>', '<origin xyz="0 0.1 0.2"/>'),
        ('<link name="camera"/>', f'<link name="camera">{BALL}</link>'),
        ('<visual><geometry><sphere radius="0.05"/></geometry><material name="red"/></visual>', ""),
    )  # fmt: skip
    reload(rig, text)
    shapes = {child.urdf_rig.link: child for child in rig.children}
    assert set(shapes) == {"base", "arm", "camera"}
    assert tuple(shapes["arm"].location) == pytest.approx((0, 0.1, 0.2))
    assert shapes["camera"].users_collection == shapes["arm"].users_collection
    assert len([item for item in bpy.data.collections if item.name.startswith("Visual")]) == 1
    assert verified(rig) == ()


def test_a_shape_that_the_user_has_deleted_does_not_come_back(rig, reload):
    bpy.data.objects.remove(next(child for child in rig.children if child.urdf_rig.link == "hand"))
    reload(rig, CHANGED)
    assert {child.urdf_rig.link for child in rig.children} == {"base", "arm", "tool"}


def test_meshes_are_read_again_on_request(rig_of, reload, tmp_path):
    (tmp_path / "part.stl").write_text(TRIANGLE.format(1))
    text = swap(ROBOT, ('<sphere radius="0.05"/>', '<mesh filename="part.stl"/>'))
    rig = rig_of(text, tmp_path).rig
    hand = next(child for child in rig.children if child.urdf_rig.link == "hand")
    material = hand.material_slots[0].material
    (tmp_path / "part.stl").write_text(TRIANGLE.format(3))
    reload(rig)
    assert hand.dimensions.x == pytest.approx(1.0)
    reload(rig, meshes=True)
    bpy.context.view_layer.update()
    assert hand.dimensions.x == pytest.approx(3.0)
    assert hand.material_slots[0].material == material


@pytest.mark.parametrize("options", [{"skinned": True}, {"fixed_frames": False}, {"collisions": True, "inertia": True}])
def test_other_kinds_of_rigs(rig_of, reload, tmp_path, options):
    text = ROBOT.replace(
        '<link name="camera"/>',
        '<link name="camera"><collision><geometry><box size="1 1 1"/></geometry></collision><inertial><mass value="1"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>',
    )
    rig = rig_of(text, tmp_path, **options).rig
    count = len(rig.children)
    reload(rig, swap(text, ('rpy="0.3 0 0"', 'rpy="0.3 0.2 0"'), ('<mass value="1"/>', '<mass value="2"/>')))
    assert len(rig.children) == count
    assert verified(rig) == ()


def test_cameras_are_renewed_where_they_have_changed(rig_of, reload, tmp_path):
    one = ROBOT.replace("</robot>", SENSOR.format("camera", 1.0)).replace("</robot>", SENSOR.format("hand", 1.0))
    rig = rig_of(one, tmp_path).rig
    from urdf_rig.addon.build.cameras import cameras_of

    kept, _other = cameras_of(rig)
    assert kept.name == "camera eye"
    kept.data.lens = 33.0
    two = ROBOT.replace("</robot>", SENSOR.format("camera", 1.0)).replace("</robot>", SENSOR.format("hand", 1.5))
    reload(rig, two)
    again, fresh = cameras_of(rig)
    assert again == kept and kept.data.lens == pytest.approx(33.0)
    assert fresh.data.angle == pytest.approx(1.5)
    assert fresh.users_collection == kept.users_collection


def test_named_poses_and_options_are_read_again(rig_of, reload, tmp_path):
    (tmp_path / "deep" / "robot_parts").mkdir(parents=True)
    rig = rig_of(ROBOT, tmp_path, packages={"robot_parts": tmp_path / "deep" / "robot_parts"}, collisions=True).rig
    assert rig.data.urdf_rig.semantics == ""
    (tmp_path / "robot.srdf").write_text(
        '<robot name="r"><group_state name="up" group="g"><joint name="roll" value="0.5"/></group_state></robot>'
    )
    (tmp_path / "deep" / "robot_parts" / "b.stl").write_text(TRIANGLE.format(1))
    done = reload(rig, swap(CHANGED, ('<sphere radius="0.05"/>', '<mesh filename="package://robot_parts/b.stl"/>')))
    assert json.loads(rig.data.urdf_rig.semantics)["states"][0]["values"] == {"roll": 0.5}
    assert not [item for item in done.diagnostics if "b.stl" in str(item)]
    hand = next(child for child in rig.children if child.urdf_rig.link == "hand")
    assert len(hand.data.polygons) == 1


def test_a_skin_that_has_nothing_to_show_goes(rig_of, reload, tmp_path):

    rig = rig_of(ROBOT, tmp_path, skinned=True).rig
    assert len(rig.children) == 1
    reload(rig, re.sub(r"<visual>.*?</visual>", "", ROBOT, flags=re.DOTALL))
    assert len(rig.children) == 0
    assert verified(rig) == ()
