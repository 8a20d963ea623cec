# SPDX-License-Identifier: GPL-3.0-or-later
"""Another base link for a rig in use: nothing in the world moves by it, and the same datablocks are kept."""

from __future__ import annotations

import subprocess
import sys

import bpy
import numpy as np
import pytest

from urdf_rig.core.errors import RigError, UnknownNameError

ROBOT = """<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"><visual><geometry><box size="0.2 0.3 0.1"/></geometry><material name="red"/></visual></link>
  <link name="upper"><visual><origin xyz="0 0 0.2" rpy="0.1 0.2 0.3"/><geometry><box size="0.1 0.1 0.4"/></geometry>
    <material name="red"/></visual></link>
  <link name="lower"/><link name="foot"/><link name="sole"/><link name="toe"/><link name="slide"/><link name="wheel"/>
  <joint name="hip" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0.1 0 -0.1" rpy="0.1 0.2 0"/>
    <axis xyz="0 -1 0.2"/><limit lower="-1" upper="1.5" effort="1" velocity="1"/></joint>
  <joint name="knee" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0 0.1 -0.4"/>
    <axis xyz="1 0 0"/><limit lower="-2" upper="0.5" effort="1" velocity="1"/></joint>
  <joint name="ankle" type="continuous"><parent link="lower"/><child link="foot"/><origin xyz="0 0 -0.4" rpy="0 0 1"/>
    <axis xyz="0 0 -1"/></joint>
  <joint name="weld" type="fixed"><parent link="foot"/><child link="sole"/><origin xyz="0.05 0 -0.1" rpy="0.5 0 0"/>
  </joint>
  <joint name="curl" type="revolute"><parent link="foot"/><child link="toe"/><origin xyz="0.1 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/><mimic joint="knee" multiplier="-0.5" offset="0.1"/></joint>
  <joint name="rail" type="prismatic"><parent link="base"/><child link="slide"/><origin xyz="0 0 0.2"/>
    <axis xyz="0 1 1"/><limit lower="-0.2" upper="0.3" effort="1" velocity="1"/></joint>
  <joint name="spin" type="continuous"><parent link="slide"/><child link="wheel"/><origin xyz="0 0.1 0"/>
    <axis xyz="0 -1 0"/></joint>
</robot>"""

KEYS = {
    "hip": (-0.9, 0.2, 1.4),
    "knee": (0.4, -1.9, -0.3),
    "ankle": (0.0, 5.0, -8.0),
    "rail": (0.3, -0.2, 0.1),
    "spin": (0.0, 3.0, 9.0),
}
LAST = 30


def animate(rig, keys=KEYS, frames=(1, 11.5, LAST)):
    from urdf_rig.addon.rig import joint_bones_by_name

    bones = joint_bones_by_name(rig)
    for name, values in keys.items():
        for frame, value in zip(frames, values, strict=True):
            bones[name].value = value
            bone = bones[name].bone
            bone.keyframe_insert(bones[name].data_path, index=1, frame=frame, group=bone.name)
    bpy.context.scene.frame_end = LAST


def animate_base(rig):
    for frame, place, turn in (
        (1, (0, 0, 1), (0, 0, 0)),
        (20, (1, 0.5, 1), (0.3, -0.4, 2.5)),
        (LAST, (1, 1, 0), (0,) * 3),
    ):
        rig.location, rig.rotation_euler = place, turn
        rig.keyframe_insert("location", frame=frame)
        rig.keyframe_insert("rotation_euler", frame=frame)


def poses_at(rig, frames):
    """The world pose of every link and every object that hangs from the rig, by name, (T, 4, 4)."""
    found = {}
    for frame in frames:
        bpy.context.scene.frame_set(int(frame // 1), subframe=frame % 1)
        evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        world = np.array(evaluated.matrix_world, dtype=float)
        for bone in evaluated.pose.bones:
            data = bone.bone.urdf_rig
            pose = world @ np.array(bone.matrix, dtype=float) @ np.reshape(data.bone_h_link, (4, 4))
            found.setdefault(f"link {data.link}", []).append(pose)
        for child in rig.children:
            shown = child.evaluated_get(bpy.context.evaluated_depsgraph_get())
            found.setdefault(child.name, []).append(np.array(shown.matrix_world, dtype=float))
    return {name: np.array(poses) for name, poses in found.items()}


def assert_same(before, after, tolerance=1e-5):
    assert before.keys() == after.keys()
    errors = {name: float(np.abs(before[name] - after[name]).max()) for name in before}
    assert max(errors.values()) < tolerance, errors


def verified(rig):
    from urdf_rig.addon.verify import verify_rig

    result = verify_rig(bpy.context, rig, 8)
    return result.problems


EVERY = [*range(-3, LAST + 4), 11.5]


@pytest.fixture
def rig(rig_of, tmp_path):
    return rig_of(ROBOT, tmp_path).rig


@pytest.fixture
def change():
    from urdf_rig.addon.rebuild.change_base import change_base

    return change_base


def test_an_animated_robot_moves_as_before_from_any_base(rig, change):
    animate(rig)
    animate_base(rig)
    before = poses_at(rig, EVERY)
    identity = rig.as_pointer(), rig.data.as_pointer(), rig.animation_data.action.as_pointer()
    for base in ("sole", "wheel", "toe", "base"):
        change(rig, base)
        assert rig.data.urdf_rig.base == base
        assert rig.data.bones[base].parent is None
        assert_same(before, poses_at(rig, EVERY))
        assert verified(rig) == ()
    assert identity == (rig.as_pointer(), rig.data.as_pointer(), rig.animation_data.action.as_pointer())


def test_joint_keys_stay_sparse_and_follow_their_joints(rig, change):
    from urdf_rig.addon.fcurves import action_curves
    from urdf_rig.addon.rig import joint_bones_by_name

    animate(rig)
    change(rig, "sole")
    bones = joint_bones_by_name(rig)
    curves = {(curve.data_path, curve.array_index): curve for curve in action_curves(rig)}
    for name, values in KEYS.items():
        joint = bones[name]
        curve = curves.pop((f"{joint.bone.path_from_id()}.{joint.data_path}", 1))
        assert [point.co[0] for point in curve.keyframe_points] == [1, 11.5, LAST]
        assert [joint.data.sign * point.co[1] for point in curve.keyframe_points] == pytest.approx(values)
        assert curve.group.name == joint.bone.name
    assert {path for path, _ in curves} == {"location", "rotation_euler"}
    # the bone of a link that the path has turned round belongs to another joint now
    assert bones["ankle"].bone.name == "lower"


def test_a_base_that_stands_still_gets_no_keys(rig, change):
    from urdf_rig.addon.fcurves import action_curves

    animate(rig, {"spin": KEYS["spin"]})
    rig.pose.bones["upper"].rotation_euler.y = 0.4
    rig.location = (1, 2, 3)
    before = poses_at(rig, EVERY)
    done = change(rig, "sole")
    assert done.keys == 0
    assert len(action_curves(rig)) == 1
    assert_same(before, poses_at(rig, EVERY))


def test_going_there_and_back_leaves_a_still_base_unkeyed(rig, change):
    from urdf_rig.addon.fcurves import action_curves

    animate(rig)
    rig.location = (1, 2, 3)
    assert change(rig, "sole").keys == LAST + 1  # with the key between two frames
    assert change(rig, "base").keys == 0
    assert {curve.data_path for curve in action_curves(rig)} & {"location", "rotation_euler"} == set()
    assert tuple(rig.location) == pytest.approx((1, 2, 3), abs=1e-6)


def test_a_still_pose_stays_and_so_do_scale_and_parent(rig, change):
    from urdf_rig.addon.rig import joint_values, set_joint_values

    stand = bpy.data.objects.new("stand", None)
    bpy.context.scene.collection.objects.link(stand)
    stand.location, stand.rotation_euler = (1, 0, 2), (0.3, 0, 1)
    rig.parent = stand
    rig.scale = (2.0,) * 3
    rig.delta_location = (0.1, 0.2, 0.3)
    rig.rotation_mode = "QUATERNION"
    values = {"hip": 0.7, "knee": -1.2, "ankle": 12.0, "rail": 0.2, "spin": -3.0}
    set_joint_values(rig, values)
    before = poses_at(rig, [1])
    assert change(rig, "toe").keys == 0
    assert joint_values(rig) == pytest.approx(values)
    assert tuple(rig.scale) == (2.0,) * 3
    assert_same(before, poses_at(rig, [1]))


def test_planar_and_floating_joints_keep_their_motion(rig_of, change, tmp_path):
    text = ROBOT.replace('name="ankle" type="continuous"', 'name="ankle" type="planar"')
    text = text.replace('name="spin" type="continuous"', 'name="spin" type="floating"')
    rig = rig_of(text, tmp_path).rig
    animate(rig, {"hip": KEYS["hip"]})
    for frame, place, turn in ((1, (0, 0, 0), 0.0), (20, (0.2, 0, 0.1), 1.2), (LAST, (-0.1, 0, 0), -2.0)):
        puck = rig.pose.bones["foot"]
        puck.location, puck.rotation_euler = place, (0, turn, 0)
        puck.keyframe_insert("location", frame=frame)
        puck.keyframe_insert("rotation_euler", frame=frame)
        drone = rig.pose.bones["wheel"]
        drone.location, drone.rotation_quaternion = place, (1, place[0], turn, 0.3)
        drone.keyframe_insert("location", frame=frame)
        drone.keyframe_insert("rotation_quaternion", frame=frame)
    before = poses_at(rig, range(LAST + 1))
    for base in ("sole", "wheel", "base"):
        change(rig, base)
        assert_same(before, poses_at(rig, range(LAST + 1)))
        assert verified(rig) == ()


def test_limits_pins_colours_and_constraints_of_users_are_kept(rig, change):
    from urdf_rig.addon.rig import joint_bones_by_name

    bones = rig.pose.bones
    bones["upper"].color.palette = "THEME01"
    bones["lower"].constraints["Joint limit"].mute = True
    rig.data.bones["foot"].urdf_rig_ik.pinned = True
    own = bones["slide"].constraints.new("DAMPED_TRACK")
    own.mute = True
    change(rig, "sole")
    joints = joint_bones_by_name(rig)
    assert bones["upper"].color.palette == "THEME01"
    assert joints["knee"].bone.constraints["Joint limit"].mute
    assert not joints["hip"].bone.constraints["Joint limit"].mute
    assert joints["ankle"].bone.bone.urdf_rig_ik.pinned and joints["ankle"].bone.name == "lower"
    assert not rig.data.bones["foot"].urdf_rig_ik.pinned
    assert [item.type for item in bones["slide"].constraints] == ["LIMIT_LOCATION", "DAMPED_TRACK"]
    # the new root has no joint, and the old one has
    assert not rig.data.collections["Joints"].bones.get("sole")
    assert rig.data.collections["Joints"].bones.get("base")
    assert all(bones["sole"].lock_rotation) and not bones["base"].lock_rotation[1]


def test_objects_keep_their_meshes_and_materials(rig, change):
    visual = next(child for child in rig.children if child.urdf_rig.link == "upper")
    mesh, material = visual.data, bpy.data.materials.new("mine")
    visual.material_slots[0].material = material
    count = len(bpy.data.objects), len(bpy.data.meshes), len(bpy.data.materials)
    change(rig, "sole")
    assert visual.data == mesh and visual.material_slots[0].material == material
    assert count == (len(bpy.data.objects), len(bpy.data.meshes), len(bpy.data.materials))


@pytest.mark.parametrize(
    "options", [{"fixed_frames": False}, {"skinned": True}, {"skinned": True, "fixed_frames": False}]
)
def test_rigs_without_fixed_frames_and_skins(rig_of, change, tmp_path, options):
    rig = rig_of(ROBOT, tmp_path, **options).rig
    animate(rig)
    meshes = [child for child in rig.children if child.type == "MESH"]

    def corners():
        found = []
        for frame in (1, 9, LAST):
            bpy.context.scene.frame_set(frame)
            for child in meshes:
                shown = child.evaluated_get(bpy.context.evaluated_depsgraph_get())
                found += [list(shown.matrix_world @ vertex.co) for vertex in shown.data.vertices]
        return np.array(found)

    before = corners()
    assert len(before)
    for base in ("sole", "wheel", "base"):
        change(rig, base)
        assert np.abs(corners() - before).max() < 1e-5
        assert verified(rig) == ()


def test_what_hangs_from_the_armature_stays_with_the_old_base(rig, change):
    child = bpy.data.objects.new("sign", None)
    bpy.context.scene.collection.objects.link(child)
    child.parent = rig
    child.location = (0.3, 0.1, 0.2)
    animate(rig)
    before = poses_at(rig, EVERY)
    change(rig, "sole")
    assert_same(before, poses_at(rig, EVERY))
    change(rig, "base")
    assert_same(before, poses_at(rig, EVERY))


def test_drivers_on_joints_and_those_that_read_them_go_along(rig, change):
    from urdf_rig.addon.rig import joint_bones_by_name

    watcher = bpy.data.objects.new("watcher", None)
    bpy.context.scene.collection.objects.link(watcher)
    watcher["angle"] = 0.0
    curve = watcher.driver_add("location", 0)
    variable = curve.driver.variables.new()
    variable.name = "knee"
    variable.targets[0].id = rig
    joint = joint_bones_by_name(rig)["knee"]
    variable.targets[0].data_path = f"{joint.bone.path_from_id()}.rotation_euler[1]"
    curve.driver.expression = f"{joint.data.sign} * knee + 2"
    hip = joint_bones_by_name(rig)["hip"]
    own = rig.driver_add(f"{hip.bone.path_from_id()}.rotation_euler", 1)
    own.driver.expression = f"{hip.data.sign} * frame / 40"
    animate(rig, {"knee": KEYS["knee"]})
    played = range(1, LAST + 1)  # the driver goes on for ever, what is keyed ends with the scene
    before = poses_at(rig, played)

    def watched():
        bpy.context.scene.frame_set(9)
        return watcher.evaluated_get(bpy.context.evaluated_depsgraph_get()).location.x

    seen = watched()
    for base in ("sole", "toe", "base"):
        change(rig, base)
        assert watched() == pytest.approx(seen, abs=1e-6)
        assert_same(before, poses_at(rig, played))


def test_an_action_that_another_robot_uses_is_copied(rig, change):
    animate(rig)
    other = rig.copy()
    other.data = rig.data.copy()
    bpy.context.scene.collection.objects.link(other)
    before, others = poses_at(rig, EVERY), poses_at(other, EVERY)
    change(rig, "sole")
    assert_same(before, poses_at(rig, EVERY))
    assert_same(others, poses_at(other, EVERY))
    assert other.animation_data.action != rig.animation_data.action


def test_renamed_bones_and_a_rig_in_pose_mode(rig, change):
    from urdf_rig.addon.followers import repair_followers

    rig.data.bones["lower"].name = "shin"
    repair_followers(rig)
    animate(rig)
    before = poses_at(rig, EVERY)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="POSE")
    change(rig, "sole")
    assert rig.mode == "POSE"
    assert rig.data.bones["shin"].urdf_rig.link == "lower"
    assert_same(before, poses_at(rig, EVERY))


def test_a_hidden_rig_stays_hidden(rig, change):
    rig.hide_set(True)
    rig.hide_viewport = True
    change(rig, "sole")
    assert rig.hide_viewport and rig.hide_get()
    assert rig.data.bones["sole"].parent is None


def fingerprint(rig):
    bones = {bone.name: (bone.parent and bone.parent.name, tuple(bone.head_local)) for bone in rig.data.bones}
    return bones, rig.data.urdf_rig.base, tuple(rig.matrix_world.translation), rig.mode, len(bpy.data.objects)


def _constrain(rig):
    rig.constraints.new("LIMIT_LOCATION")


def _drive(rig):
    rig.driver_add("location", 0)


def _strip(rig):
    animate(rig)
    action = rig.animation_data.action
    rig.animation_data.nla_tracks.new().strips.new("walk", 1, action)


def _share(rig):
    other = bpy.data.objects.new("twin", rig.data)
    bpy.context.scene.collection.objects.link(other)


def _stretch(rig):
    rig.scale = (1, 2, 1)
    rig.pose.bones["upper"].rotation_euler.y = 0.5


def _copy(rig):
    constraint = rig.pose.bones["lower"].constraints.new("COPY_ROTATION")
    constraint.target, constraint.subtarget = rig, "wheel"
    rig.pose.bones["wheel"].rotation_euler.y = 1.0


def _hide(rig):
    rig.users_collection[0].hide_viewport = True


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_constrain, "Bake Action"),
        (_drive, "drivers"),
        (_strip, "NLA"),
        (_share, "single user"),
        (_stretch, "unevenly"),
        (_copy, "lower"),
        (_hide, "hidden"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_nothing_is_changed(rig, change, spoil, words):
    spoil(rig)
    bpy.context.view_layer.update()
    before = fingerprint(rig)
    with pytest.raises(RigError, match=words):
        change(rig, "sole")
    assert fingerprint(rig) == before


def test_unknown_links_and_the_base_itself_are_refused(rig, change):
    with pytest.raises(UnknownNameError, match="nowhere"):
        change(rig, "nowhere")
    with pytest.raises(RigError, match="already"):
        change(rig, "base")


def test_the_operator_and_undo(rig):
    animate(rig)
    before = poses_at(rig, EVERY)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.urdf_rig.change_base(link="sole") == {"FINISHED"}
    assert rig.data.urdf_rig.base == "sole"
    bpy.ops.ed.undo_push(message="changed")
    bpy.ops.ed.undo()
    again = bpy.data.objects["r"]
    assert again.data.urdf_rig.base == "base"
    assert_same(before, poses_at(again, EVERY), 1e-9)
    with pytest.raises(RuntimeError, match="already"):
        bpy.ops.urdf_rig.change_base(link="base")


READER = """
import json, sys
import bpy
bpy.ops.wm.open_mainfile(filepath=sys.argv[1], use_scripts=False)
assert not hasattr(bpy.types.Object, "urdf_rig")
rig = bpy.data.objects["r"]
found = []
for frame in (1, 7, 20):
    bpy.context.scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    found.append([[list(row) for row in child.evaluated_get(graph).matrix_world] for child in rig.children])
print("RESULT " + json.dumps([[child.name for child in rig.children], found]))
"""


def test_it_plays_without_the_extension(rig, change, tmp_path):
    import json

    animate(rig)
    animate_base(rig)
    before = poses_at(rig, (1, 7, 20))
    change(rig, "sole")
    blend = tmp_path / "r.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    script = tmp_path / "reader.py"
    script.write_text(READER)
    run = subprocess.run(
        [sys.executable, str(script), str(blend)], capture_output=True, text=True, timeout=120, check=True
    )
    names, found = json.loads(run.stdout.split("RESULT ")[1])
    assert len(names) == 2
    for index, name in enumerate(names):
        assert np.array([item[index] for item in found]) == pytest.approx(before[name], abs=1e-5)


def test_actions_that_nothing_plays_are_named(rig, change):
    animate(rig)
    old = rig.animation_data.action
    old.name = "old walk"
    old.use_fake_user = True
    rig.animation_data.action = None
    done = change(rig, "sole")
    assert len(done.remarks) == 1 and "'old walk'" in done.remarks[0]
    assert change(rig, "base").keys == 0


def test_goals_and_pins_stay_and_a_live_robot_stays_live(rig, change):
    from urdf_rig.addon.ik.goals import add_goal
    from urdf_rig.addon.ik.settings import ik_data
    from urdf_rig.addon.rig import robot_of

    rig.pose.bones["upper"].rotation_euler.y = 0.3
    bpy.context.view_layer.update()
    goal = add_goal(bpy.context, rig, robot_of(rig), "sole", (0, 0, 0), (0, 0, 0))
    ik_data(rig).live = True
    before = poses_at(rig, [1])
    assert change(rig, "upper").remarks == ()
    assert ik_data(rig).live and goal.urdf_rig_ik.link == "sole" and goal.urdf_rig_ik.rig == rig
    assert_same(before, poses_at(rig, [1]))
    (remark,) = change(rig, "sole").remarks
    assert goal.name in remark


def test_an_animated_parent_and_time_remapping(rig, change):
    cart = bpy.data.objects.new("cart", None)
    bpy.context.scene.collection.objects.link(cart)
    for frame, place in ((1, 0.0), (25, 2.0)):
        cart.location.x = place
        cart.keyframe_insert("location", frame=frame)
    rig.parent = cart
    animate(rig)
    bpy.context.scene.render.frame_map_new = 200
    before = poses_at(rig, range(1, 2 * LAST))
    change(rig, "sole")
    # the whole frames that are kept are those of the scene and of the keys
    assert_same(before, poses_at(rig, range(1, 2 * LAST)))


def test_curve_modifiers_and_handles_turn_their_sign(rig, change):
    from urdf_rig.addon.fcurves import action_curves

    animate(rig)
    bpy.context.scene.frame_end = 90
    for curve in action_curves(rig):
        for point in curve.keyframe_points:
            point.interpolation = "BEZIER"
            point.handle_left_type = point.handle_right_type = "FREE"
            point.handle_right[1] += 0.1
        if "wheel" not in curve.data_path:
            curve.modifiers.new("CYCLES")
            noise = curve.modifiers.new("NOISE")
            noise.strength, noise.scale = 0.05, 7.0
            limits = curve.modifiers.new("LIMITS")
            limits.use_max_y, limits.max_y = True, 0.4
    played = range(1, 91)
    before = poses_at(rig, played)
    for base in ("sole", "wheel", "base"):
        change(rig, base)
        assert_same(before, poses_at(rig, played))


def test_a_thousand_turns_and_values_outside_limits(rig, change):
    from urdf_rig.addon.rig import joint_bones_by_name

    joints = joint_bones_by_name(rig)
    for frame, value in ((1, 0.0), (LAST, 60.0)):
        joints["ankle"].value = value
        joints["ankle"].bone.keyframe_insert("rotation_euler", index=1, frame=frame)
    hip = joints["hip"]  # keyed by hand beyond its stop
    for frame, value in ((1, 0.0), (LAST, 2.5)):
        hip.bone.rotation_euler.y = hip.data.sign * value
        hip.bone.keyframe_insert("rotation_euler", index=1, frame=frame)
    bpy.context.scene.frame_end = LAST
    before = poses_at(rig, range(1, LAST + 1))
    for base in ("sole", "base"):
        change(rig, base)
        assert_same(before, poses_at(rig, range(1, LAST + 1)))


def test_bones_that_users_have_added_ride_along(rig, change):
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    edit_bones = rig.data.edit_bones
    for name, parent in (("pole", "lower"), ("target", "")):
        bone = edit_bones.new(name)
        bone.head, bone.tail, bone.roll = (0.1, 0.2, 0.3), (0.3, 0.1, 0.5), 0.4
        bone.parent = edit_bones.get(parent) if parent else None
    more = edit_bones.new("more")
    more.parent, more.tail = edit_bones["pole"], (0, 1, 0)
    more.use_connect = True
    bpy.ops.object.mode_set(mode="OBJECT")
    animate(rig)
    names = ("pole", "target", "more")

    def seen():
        found = []
        for frame in range(1, LAST + 1):
            bpy.context.scene.frame_set(frame)
            evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
            found.append([np.array(evaluated.matrix_world @ evaluated.pose.bones[name].matrix) for name in names])
        return np.array(found)

    rig.pose.bones["pole"].location = (0.1, 0.2, 0.3)
    before = seen()
    for base in ("sole", "wheel", "base"):
        change(rig, base)
        assert np.abs(seen() - before).max() < 1e-5
        assert verified(rig) == ()
    assert rig.data.bones["more"].use_connect and rig.data.bones["pole"].parent.name == "lower"


def test_a_robot_shown_at_rest_is_changed_and_still_shown_so(rig, change):
    animate(rig)
    before = poses_at(rig, EVERY)
    rig.data.pose_position = "REST"
    change(rig, "sole")
    assert rig.data.pose_position == "REST"
    rig.data.pose_position = "POSE"
    assert_same(before, poses_at(rig, EVERY))
