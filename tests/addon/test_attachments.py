# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that links carry: where they are in the link's frame is kept, whatever is done to the robot."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from panel_notes import notes

from urdf_rig.core.errors import RigError, UnknownNameError
from urdf_rig.core.spatial import rotation_from_rpy, transform

ROBOT = """<robot name="r"><link name="base"/><link name="arm"/><link name="flange"/><link name="head"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.6"/>
    <axis xyz="0 1 0.2"/><limit lower="-1" upper="1.5" effort="1" velocity="1"/></joint>
  <joint name="weld" type="fixed"><parent link="arm"/><child link="flange"/><origin xyz="0.5 0 0.1" rpy="0.4 1.2 -0.3"/>
  </joint>
  <joint name="neck" type="continuous"><parent link="base"/><child link="head"/><origin xyz="0 0 1"/>
    <axis xyz="0 0 -1"/></joint>
</robot>"""
POSE = transform(rotation_from_rpy((0.1, -0.2, 0.3)), (0.02, 0.03, 0.12))


@pytest.fixture
def rig(rig_of, tmp_path):
    return rig_of(ROBOT, tmp_path).rig


def link_world(rig, link):
    from urdf_rig.addon.attachments import world_pose_of

    return world_pose_of(rig, link)


def world(obj):
    bpy.context.view_layer.update()
    return np.array(obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world, dtype=float)


def offset(rig, link, obj):
    """The object's pose in the link's frame, as Blender shows both, in metres."""
    at = link_world(rig, link)
    found = np.linalg.solve(at, world(obj))
    found[:3, :3] /= np.linalg.norm(found[:3, :3], axis=0)
    return found


def new_object(name, location=(0, 0, 0), rotation=(0, 0, 0), home=None):
    obj = bpy.data.objects.new(name, None)
    (home or bpy.context.scene.collection).objects.link(obj)
    obj.location, obj.rotation_euler = location, rotation
    bpy.context.view_layer.update()
    return obj


@pytest.fixture
def gripper():
    home = bpy.data.collections.new("gripper")
    bpy.context.scene.collection.children.link(home)
    palm = new_object("palm", (0.1, 0, 0), (0, 0, 1), home)
    finger = new_object("finger", (0, 0.2, 0), (0.5, 0, 0), home)
    finger.parent = palm
    tip = new_object("tip", (0, 0, 0.3), (0, 0.7, 0), home)
    return home, palm, finger, tip


def test_zero_is_the_links_own_frame_not_the_bones(rig):
    from urdf_rig.addon.attachments import attach

    obj = new_object("tool", (5, 5, 5))
    attach(obj, rig, "flange", np.eye(4))
    assert tuple(obj.location) == tuple(obj.rotation_euler) == (0, 0, 0)
    # the shoulder stands at zero: base to flange is what the two origins say
    expected = transform(np.eye(3), (0, 0, 0.6)) @ transform(rotation_from_rpy((0.4, 1.2, -0.3)), (0.5, 0, 0.1))
    assert world(obj) == pytest.approx(expected, abs=1e-6)
    other = new_object("camera")
    attach(other, rig, "head", np.eye(4))
    assert world(other) == pytest.approx(transform(np.eye(3), (0, 0, 1)), abs=1e-6)
    assert np.abs(np.array(rig.pose.bones["head"].matrix) - world(other)).max() > 0.9  # along the axis, not the frame


def test_an_offset_is_measured_as_in_urdf(rig):
    from urdf_rig.addon.attachments import attach, attached_pose, attachment_data, offset_pose

    obj = new_object("tool")
    attach(obj, rig, "head", offset_pose((0.02, 0.03, 0.12), (0.1, -0.2, 0.3)))
    assert offset(rig, "head", obj) == pytest.approx(POSE, abs=1e-6)
    data = attachment_data(obj)
    assert data.link == "head"
    assert tuple(data.xyz) == pytest.approx((0.02, 0.03, 0.12))
    assert tuple(data.rpy) == pytest.approx((0.1, -0.2, 0.3))
    data.xyz, data.rpy = (0, 0, 1), (0, 0, 0)
    assert attached_pose(obj) == pytest.approx(transform(np.eye(3), (0, 0, 1)), abs=1e-6)
    obj.rotation_mode = "QUATERNION"
    data.rpy = (0.1, -0.2, 0.3)
    assert tuple(data.rpy) == pytest.approx((0.1, -0.2, 0.3), abs=1e-6)
    assert tuple(obj.scale) == pytest.approx((1, 1, 1))


def test_without_an_offset_it_stays_where_it_is(rig):
    from urdf_rig.addon.attachments import attach, detach

    rig.pose.bones["arm"].rotation_euler.y = 0.4
    rig.location, rig.scale = (1, 2, 3), (0.5,) * 3
    obj = new_object("tool", (0.4, 0.5, 0.6), (1, 2, 3))
    obj.scale = (2, 2, 2)
    before = world(obj)
    attach(obj, rig, "flange")
    assert world(obj) == pytest.approx(before, abs=1e-6)
    rig.pose.bones["arm"].rotation_euler.y = -0.4
    assert np.abs(world(obj) - before).max() > 0.1
    moved = world(obj)
    detach(obj)
    assert obj.parent is None and world(obj) == pytest.approx(moved, abs=1e-6)


def test_an_offset_keeps_the_size_in_a_scaled_robot(rig):
    from urdf_rig.addon.attachments import attach

    rig.scale = (10.0,) * 3
    obj = new_object("tool")
    obj.scale = (3, 3, 3)
    attach(obj, rig, "flange", POSE)
    assert np.linalg.norm(world(obj)[:3, :3], axis=0) == pytest.approx([3, 3, 3], abs=1e-5)
    assert offset(rig, "flange", obj) == pytest.approx(POSE, abs=1e-6)


def test_a_collection_is_carried_as_one(rig, gripper):
    from urdf_rig.addon.attachments import attach_collection, attachments_of

    home, palm, finger, tip = gripper
    home.instance_offset = (0.1, 0, 0)
    before = {obj: world(obj) for obj in home.objects}
    tops = attach_collection(home, rig, "flange", POSE)
    assert set(tops) == {palm, tip} == set(attachments_of(rig))
    assert finger.parent == palm
    frame = transform(np.eye(3), (0.1, 0, 0))
    for obj in home.objects:
        expected = POSE @ np.linalg.inv(frame) @ before[obj]
        assert offset(rig, "flange", obj) == pytest.approx(expected, abs=1e-6)


def test_offsets_survive_pose_base_change_reload_save_and_load(rig, gripper, tmp_path):
    from urdf_rig.addon.attachments import attach, attach_collection
    from urdf_rig.addon.rebuild.change_base import change_base
    from urdf_rig.addon.rebuild.reload import reload_description
    from urdf_rig.addon.rig import set_joint_values

    home, *parts = gripper
    attach_collection(home, rig, "flange", POSE)
    camera = new_object("camera")
    attach(camera, rig, "head", POSE)
    expected = {obj.name: offset(rig, "flange", obj) for obj in parts}

    def check(stage):
        robot = bpy.data.objects["r"]
        for name, pose in expected.items():
            assert offset(robot, "flange", bpy.data.objects[name]) == pytest.approx(pose, abs=1e-6), stage
        assert offset(robot, "head", bpy.data.objects["camera"]) == pytest.approx(POSE, abs=1e-6), stage

    set_joint_values(rig, {"shoulder": 1.1, "neck": -7.0})
    check("posed")
    for base in ("flange", "head", "arm", "base"):
        change_base(rig, base)
        check(f"from {base}")
    (tmp_path / "robot.urdf").write_text(
        ROBOT.replace('xyz="0.5 0 0.1"', 'xyz="0.4 0.3 0.1"')
        .replace('"weld"', '"bolt"')
        .replace('xyz="0 0 -1"', 'xyz="0 0 1"')
    )
    reload_description(rig)
    check("reloaded")
    blend = tmp_path / "r.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    check("opened")
    assert bpy.data.objects["camera"].urdf_rig_attachment.link == "head"
    change_base(bpy.data.objects["r"], "head")
    check("from the head again")


def test_what_a_removed_link_carried_goes_to_the_link_before_it(rig, tmp_path):
    from urdf_rig.addon.attachments import attach
    from urdf_rig.addon.rebuild.reload import reload_description

    rig.pose.bones["arm"].rotation_euler.y = 0.4
    obj, plain = new_object("tool"), new_object("plain", (1, 1, 1))
    attach(obj, rig, "flange", POSE)
    plain.parent, plain.parent_type, plain.parent_bone = rig, "BONE", "flange"
    before, other = world(obj), world(plain)
    text = ROBOT.replace('<link name="flange"/>', "")
    cut = text.index('<joint name="weld"')
    (tmp_path / "robot.urdf").write_text(text[:cut] + text[text.index("</joint>", cut) + len("</joint>") :])
    reload_description(rig)
    assert obj.urdf_rig_attachment.link == "arm"
    assert world(obj) == pytest.approx(before, abs=1e-5)
    assert world(plain) == pytest.approx(other, abs=1e-5)
    assert offset(rig, "arm", obj) == pytest.approx(np.array(obj.matrix_basis), abs=1e-6)


def test_a_robot_can_carry_a_robot(rig, rig_of, tmp_path):
    from urdf_rig.addon.attachments import attach
    from urdf_rig.addon.rebuild.change_base import change_base
    from urdf_rig.addon.verify import verify_rig

    folder = tmp_path / "second"
    folder.mkdir()
    second = rig_of(ROBOT.replace('name="r"', 'name="s"'), folder).rig
    attach(second, rig, "flange", POSE)
    before = world(second)
    change_base(rig, "head")
    assert world(second) == pytest.approx(before, abs=1e-6)
    assert verify_rig(bpy.context, rig, 4).passed and verify_rig(bpy.context, second, 4).passed
    with pytest.raises(RigError, match="cannot carry"):
        attach(rig, second, "flange")


def test_what_cannot_be_attached_is_refused(rig):
    from urdf_rig.addon.attachments import attach, attach_collection

    obj = new_object("tool")
    with pytest.raises(UnknownNameError, match="nowhere"):
        attach(obj, rig, "nowhere")
    with pytest.raises(RigError, match="four by four"):
        attach(obj, rig, "head", np.full((4, 4), np.nan))
    with pytest.raises(RigError, match="cannot carry"):
        attach(rig, rig, "head")
    with pytest.raises(RigError, match="empty"):
        attach_collection(bpy.data.collections.new("nothing"), rig, "head")
    assert obj.parent is None


def test_the_operators(rig, gripper):
    _home, palm, _finger, _tip = gripper
    obj = new_object("tool")
    bpy.context.view_layer.objects.active = rig
    for item in bpy.context.view_layer.objects:
        item.select_set(item == obj)
    result = bpy.ops.urdf_rig.attach(link="head", place="OFFSET", xyz=(0.02, 0.03, 0.12), rpy=(0.1, -0.2, 0.3))
    assert result == {"FINISHED"}
    assert offset(rig, "head", obj) == pytest.approx(POSE, abs=1e-6)
    assert bpy.ops.urdf_rig.attach(link="flange", collection="gripper", place="KEEP") == {"FINISHED"}
    assert palm.parent == rig and palm.urdf_rig_attachment.link == "flange"
    before = world(palm)
    assert bpy.ops.urdf_rig.detach(name="palm") == {"FINISHED"}
    assert palm.parent is None and world(palm) == pytest.approx(before, abs=1e-6)
    with pytest.raises(RuntimeError, match="carries no"):
        bpy.ops.urdf_rig.detach(name="palm")
    with pytest.raises(RuntimeError, match="no collection"):
        bpy.ops.urdf_rig.attach(link="flange", collection="nothing")
    for item in bpy.context.view_layer.objects:
        item.select_set(False)
    with pytest.raises(RuntimeError, match="select the objects"):
        bpy.ops.urdf_rig.attach(link="flange")


def test_undo_takes_an_attachment_back(rig):
    obj = new_object("tool", (1, 2, 3))
    bpy.context.view_layer.objects.active = rig
    obj.select_set(True)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.urdf_rig.attach(link="head", place="OFFSET")
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    again = bpy.data.objects["tool"]
    assert again.parent is None and again.urdf_rig_attachment.link == ""
    assert tuple(again.location) == (1, 2, 3)


def test_the_sections_list_them(rig):
    from urdf_rig.addon.attachments import attach, attachments_of

    first, second = new_object("b"), new_object("a")
    for obj in (first, second):
        attach(obj, rig, "head", POSE)
    assert [obj.name for obj in attachments_of(rig)] == ["a", "b"]
    item = ["urdf_rig.detach", "head", *["xyz"] * 3, *["rpy"] * 3]
    assert notes("URDF_RIG_PT_attachments") == ["urdf_rig.attach", "a", *item, "b", *item]
    second.parent = None
    assert attachments_of(rig) == [first]
