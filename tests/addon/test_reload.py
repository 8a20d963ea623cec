# SPDX-License-Identifier: GPL-3.0-or-later
"""A changed description read onto a rig: what is still there moves as before, and the report says what has changed."""

from __future__ import annotations

import json

import bpy
import numpy as np
import pytest
from panel_notes import notes

from urdf_rig.core import forward_kinematics, load
from urdf_rig.core.errors import RigError, UrdfError

ROBOT = """<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"><visual><geometry><box size="0.2 0.3 0.1"/></geometry><material name="red"/></visual></link>
  <link name="arm"><visual><origin xyz="0 0 0.2" rpy="0.1 0.2 0.3"/><geometry><box size="0.1 0.1 0.4"/></geometry>
    <material name="red"/></visual></link>
  <link name="hand"><visual><geometry><sphere radius="0.05"/></geometry><material name="red"/></visual></link>
  <link name="finger"/><link name="camera"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.1"/>
    <axis xyz="0 1 0.2"/><limit lower="-1" upper="1.5" effort="1" velocity="1"/></joint>
  <joint name="wrist" type="continuous"><parent link="arm"/><child link="hand"/><origin xyz="0 0 0.4" rpy="0.3 0 0"/>
    <axis xyz="1 0 0"/></joint>
  <joint name="grip" type="prismatic"><parent link="hand"/><child link="finger"/><origin xyz="0 0 0.1"/>
    <axis xyz="0 1 0"/><limit lower="0" upper="0.1" effort="1" velocity="1"/></joint>
  <joint name="mount" type="fixed"><parent link="hand"/><child link="camera"/><origin xyz="0.05 0 0"/></joint>
</robot>"""

BALL = '<visual><geometry><sphere radius="0.02"/></geometry></visual>'
TRIANGLE = """solid s
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex {0} 0 0
vertex 0 1 0
endloop
endfacet
endsolid
"""
SENSOR = """<gazebo reference="{0}"><sensor name="{0} eye" type="camera">
  <camera><horizontal_fov>{1}</horizontal_fov><image><width>640</width><height>480</height></image>
  <clip><near>0.1</near><far>10</far></clip></camera></sensor></gazebo></robot>"""
# the shoulder higher, the wrist called otherwise, the finger gone, a tool there
CHANGED = (
    ROBOT.replace('<origin xyz="0 0 0.1"/>', '<origin xyz="0 0.05 0.3"/>', 1)
    .replace('name="wrist"', 'name="roll"')
    .replace('<link name="finger"/>', f'<link name="tool">{BALL}</link>')
    .replace('"finger"', '"tool"')
    .replace('name="grip" type="prismatic"', 'name="weld" type="fixed"')
    .replace('<axis xyz="0 1 0"/><limit lower="0" upper="0.1" effort="1" velocity="1"/>', "")
)  # fmt: skip
KEYS = {"shoulder": (-0.9, 1.4), "wrist": (2.0, -7.0), "grip": (0.02, 0.09)}


@pytest.fixture
def made(rig_of, tmp_path):
    return rig_of(ROBOT, tmp_path)


@pytest.fixture
def rig(made):
    from urdf_rig.addon.rig import joint_bones_by_name

    bones = joint_bones_by_name(made.rig)
    for name, values in KEYS.items():
        for frame, value in zip((1, 21), values, strict=True):
            bones[name].value = value
            bones[name].bone.keyframe_insert(bones[name].data_path, index=1, frame=frame)
    made.rig.location = (0.5, 0, 1)
    bpy.context.scene.frame_set(6)
    return made.rig


@pytest.fixture
def reload(tmp_path):
    from urdf_rig.addon.rebuild.reload import reload_description

    def run(rig, text=None, **options):
        if text is not None:
            (tmp_path / "robot.urdf").write_text(text, encoding="utf-8")
        return reload_description(rig, **options)

    return run


def swap(text, *pairs):
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def joint_curves(rig):
    """Values of the keys by joint."""
    from urdf_rig.addon.fcurves import action_curves
    from urdf_rig.addon.rig import joint_bones

    by_path = {f"{joint.bone.path_from_id()}.{joint.data_path}": joint for joint in joint_bones(rig)}
    found = {}
    for curve in action_curves(rig):
        joint = by_path.get(curve.data_path)
        name = curve.data_path if joint is None else joint.data.joint
        sign = 1 if joint is None else joint.data.sign
        found[name] = [sign * point.co[1] for point in curve.keyframe_points]
    return found


def verified(rig):
    from urdf_rig.addon.verify import verify_rig

    return verify_rig(bpy.context, rig, 8).problems


def test_origin_moved_joint_renamed_link_removed_and_one_added(rig, reload, tmp_path, link_poses):
    before = link_poses(rig)
    done = reload(rig, CHANGED)
    assert [str(change) for change in done.changes.changes] == [
        "link added: tool",
        "link removed: finger",
        "joint added: weld",
        "joint removed: grip",
        "joint renamed: roll (was wrist)",
        "joint origin: shoulder (xyz 0 0 0.1 → 0 0.05 0.3)",
    ]
    assert rig.data.urdf_rig_import.changes.splitlines() == [str(change) for change in done.changes.changes]
    assert joint_curves(rig) == {
        "shoulder": pytest.approx(KEYS["shoulder"]),
        "roll": pytest.approx(KEYS["wrist"]),
    }
    assert verified(rig) == ()
    assert {bone.name for bone in rig.data.bones} == {"base", "arm", "hand", "tool", "camera"}
    assert tuple(rig.location) == (0.5, 0, 1)
    after = link_poses(rig)
    lift = np.array([0, 0.05, 0.2])
    for link in ("arm", "hand", "camera"):
        expected = before[link].copy()
        expected[:3, 3] += lift
        assert after[link] == pytest.approx(expected, abs=1e-6)
    for frame in (1, 21, 30):
        bpy.context.scene.frame_set(frame)
        q = {
            name: np.interp(frame, (1, 21), values)
            for name, values in (("shoulder", KEYS["shoulder"]), ("roll", KEYS["wrist"]))
        }
        expected = forward_kinematics(load(tmp_path / "robot.urdf"), q)
        for link, pose in link_poses(rig).items():
            assert pose == pytest.approx(expected[link], abs=1e-5)


def test_an_unchanged_description_changes_nothing(rig, reload, link_poses):
    objects = {child.name: (child.data, child.matrix_world.copy()) for child in rig.children}
    before, curves = link_poses(rig), joint_curves(rig)
    counts = [len(getattr(bpy.data, name)) for name in ("objects", "meshes", "materials", "collections", "actions")]
    done = reload(rig)
    assert done.changes.changes == () and done.remarks == ()
    assert joint_curves(rig) == curves
    after = link_poses(rig)
    assert all(after[link] == pytest.approx(before[link], abs=1e-7) for link in before)
    assert {child.name: (child.data, child.matrix_world) for child in rig.children} == objects
    assert counts == [
        len(getattr(bpy.data, name)) for name in ("objects", "meshes", "materials", "collections", "actions")
    ]


def test_undo_takes_it_back(rig, link_poses, tmp_path):
    before, curves = link_poses(rig), joint_curves(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.ed.undo_push(message="before")
    (tmp_path / "robot.urdf").write_text(CHANGED)
    assert bpy.ops.urdf_rig.reload_description() == {"FINISHED"}
    assert "tool" in rig.data.bones
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    again = bpy.data.objects["r"]
    assert "finger" in again.data.bones and "tool" not in again.data.bones
    assert joint_curves(again) == curves
    after = link_poses(again)
    assert all(after[link] == pytest.approx(before[link], abs=1e-7) for link in before)


def test_the_operator_takes_another_file(rig, tmp_path):
    other = tmp_path / "other.urdf"
    other.write_text(CHANGED)
    bpy.context.view_layer.objects.active = rig
    assert bpy.ops.urdf_rig.reload_description(filepath=str(other)) == {"FINISHED"}
    assert rig.data.urdf_rig.source == str(other)
    assert rig.data.urdf_rig.urdf == CHANGED


@pytest.mark.parametrize(
    "spoiled",
    ["<robot", ROBOT.replace('"hand"/><child', '"nothing"/><child'), '<robot name="o"><link name="x"/></robot>'],
)
def test_a_bad_description_leaves_the_rig_as_it_was(rig, reload, link_poses, spoiled):
    before, curves = link_poses(rig), joint_curves(rig)
    names = [item.name for item in (*bpy.data.objects, *bpy.data.meshes, *bpy.data.materials)]
    with pytest.raises((UrdfError, RigError)):
        reload(rig, spoiled)
    assert joint_curves(rig) == curves
    assert rig.data.urdf_rig.urdf == ROBOT
    assert names == [item.name for item in (*bpy.data.objects, *bpy.data.meshes, *bpy.data.materials)]
    after = link_poses(rig)
    assert all(np.array_equal(after[link], before[link]) for link in before)


def test_a_file_that_is_gone_is_said(rig, reload, tmp_path):
    (tmp_path / "robot.urdf").unlink()
    with pytest.raises(UrdfError, match="no such file"):
        reload(rig)
    rig.data.urdf_rig.source = ""
    with pytest.raises(RigError, match="choose one"):
        reload(rig)


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


def test_what_users_have_done_to_bones_is_kept(rig, reload):
    bones = rig.pose.bones
    bones["hand"].color.palette = "THEME03"
    constraint = bones["hand"].constraints.new("DAMPED_TRACK")
    constraint.mute = True
    rig.data.bones["hand"].urdf_rig_ik.pinned = True
    mine = rig.data.collections.new("Mine")
    mine.assign(rig.data.bones["arm"])
    reload(rig, CHANGED)
    assert bones["hand"].color.palette == "THEME03"
    assert [item.type for item in bones["hand"].constraints] == ["DAMPED_TRACK"]
    assert rig.data.bones["hand"].urdf_rig_ik.pinned
    assert [bone.name for bone in mine.bones] == ["arm"]
    assert rig.data.collections["Fixed frames"].bones.get("tool")


def test_an_axis_turned_round_keeps_the_joints_values(rig, reload, tmp_path, link_poses):
    reload(
        rig,
        swap(
            ROBOT, ('<axis xyz="1 0 0"/>', '<axis xyz="-1 0 0"/>'), ('<axis xyz="0 1 0.2"/>', '<axis xyz="0 -1 -0.2"/>')
        ),
    )
    assert joint_curves(rig) == {name: pytest.approx(values) for name, values in KEYS.items()}
    bpy.context.scene.frame_set(21)
    expected = forward_kinematics(load(tmp_path / "robot.urdf"), {name: values[1] for name, values in KEYS.items()})
    for link, pose in link_poses(rig).items():
        assert pose == pytest.approx(expected[link], abs=1e-5)
    assert verified(rig) == ()


def test_a_joint_that_slides_now_or_follows_loses_its_keys(rig, reload):
    reload(rig, swap(
        ROBOT,
        ('name="wrist" type="continuous"', 'name="wrist" type="prismatic"'),
        ('<axis xyz="1 0 0"/>', '<axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'),
        ('<limit lower="0" upper="0.1" effort="1" velocity="1"/>',
         '<limit lower="0" upper="0.1" effort="1" velocity="1"/><mimic joint="shoulder" multiplier="0.05"/>'),
    ))  # fmt: skip
    assert set(joint_curves(rig)) == {"shoulder"}
    assert rig.data.bones["finger"].urdf_rig.leader == "shoulder"
    assert verified(rig) == ()


def test_narrower_limits_clamp_the_pose_and_are_said(rig, reload):
    from urdf_rig.addon.rig import joint_values, set_joint_values

    set_joint_values(rig, {"shoulder": 1.2})
    done = reload(rig, swap(ROBOT, ('lower="-1" upper="1.5"', 'lower="-0.5" upper="1"')))
    assert joint_values(rig)["shoulder"] == pytest.approx(1.0)
    assert [str(change) for change in done.changes.changes] == [
        "joint limits: shoulder (lower -1 → -0.5, upper 1.5 → 1)"
    ]
    assert len(done.remarks) == 2 and all("shoulder" in remark for remark in done.remarks)
    assert "2 keys" in done.remarks[1]


def test_links_renamed_take_bones_goals_and_curves_along(rig, reload, link_poses):
    from urdf_rig.addon.ik.goals import add_goal
    from urdf_rig.addon.rig import robot_of

    goal = add_goal(bpy.context, rig, robot_of(rig), "hand", (0, 0, 0), (0, 0, 0))
    other = add_goal(bpy.context, rig, robot_of(rig), "finger", (0, 0, 0), (0, 0, 0))
    before = link_poses(rig)
    text = swap(ROBOT, ('"hand"', '"palm"'), ('<link name="finger"/>', ""))
    cut = text.index('<joint name="grip"')
    text = text[:cut] + text[text.index("</joint>", cut) + len("</joint>") :]
    done = reload(rig, text)
    assert goal.urdf_rig_ik.link == "palm"
    assert other.urdf_rig_ik.link == "finger" and any(other.name in remark for remark in done.remarks)
    assert "palm" in rig.data.bones and "hand" not in rig.data.bones
    assert joint_curves(rig)["wrist"] == pytest.approx(KEYS["wrist"])
    assert link_poses(rig)["palm"] == pytest.approx(before["hand"], abs=1e-6)
    assert next(child for child in rig.children if child.urdf_rig.link == "palm").parent_bone == "palm"
    assert verified(rig) == ()


def test_a_base_that_was_chosen_stays_and_one_that_is_gone_is_replaced(rig, reload):
    from urdf_rig.addon.rebuild.change_base import change_base

    change_base(rig, "hand")
    done = reload(rig, CHANGED)
    assert done.base == rig.data.urdf_rig.base == "hand"
    assert verified(rig) == ()
    change_base(rig, "tool")
    done = reload(rig, ROBOT)
    assert done.base == "base" and any("tool" in remark for remark in done.remarks)
    assert verified(rig) == ()


def test_strips_in_the_nla_follow_their_joints(rig, reload):
    action = rig.animation_data.action
    strip = rig.animation_data.nla_tracks.new().strips.new("move", 1, action)
    if hasattr(strip, "action_slot"):
        strip.action_slot = rig.animation_data.action_slot
    rig.animation_data.action = None
    bpy.context.scene.frame_set(21)
    reload(rig, swap(ROBOT, ('<axis xyz="1 0 0"/>', '<axis xyz="-1 0 0"/>'), ('"hand"', '"palm"')))
    from urdf_rig.addon.rig import joint_values

    bpy.context.scene.frame_set(21)
    assert joint_values(rig) == pytest.approx({name: values[1] for name, values in KEYS.items()})


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


def test_the_section_shows_the_file_and_what_has_changed(rig, reload):
    reload(rig, CHANGED)
    assert notes("URDF_RIG_PT_description") == [
        "urdf_rig.change_base", "robot.urdf", "urdf_rig.reload_description", "urdf_rig.reload_description",
        *rig.data.urdf_rig_import.changes.splitlines(),
    ]  # fmt: skip
    assert len(rig.data.urdf_rig_import.changes.splitlines()) == 6


def test_bones_that_users_have_added_stay_on_their_links(rig, reload):
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, parent in (("pole", "hand"), ("claw", "finger")):
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail = (0.1, 0.2, 0.3), (0.3, 0.1, 0.5)
        bone.parent = rig.data.edit_bones[parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    head = rig.data.bones["pole"].head_local.copy()
    reload(rig, CHANGED)
    moved = rig.data.bones["pole"].head_local
    assert tuple(moved - head) == pytest.approx((0, 0.05, 0.2), abs=1e-6)  # as the shoulder's origin
    assert rig.data.bones["pole"].parent.name == "hand"
    assert rig.data.bones["claw"].parent.name == "hand"  # the finger is gone
    assert verified(rig) == ()


def test_a_skin_that_has_nothing_to_show_goes(rig_of, reload, tmp_path):
    import re

    rig = rig_of(ROBOT, tmp_path, skinned=True).rig
    assert len(rig.children) == 1
    reload(rig, re.sub(r"<visual>.*?</visual>", "", ROBOT, flags=re.DOTALL))
    assert len(rig.children) == 0
    assert verified(rig) == ()
