# SPDX-License-Identifier: GPL-3.0-or-later
"""Another base link for a rig in use: nothing in the world moves by it."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from base_change_scene import EVERY, KEYS, LAST, ROBOT, animate, animate_base, assert_same, poses_at, verified
from other_processes import without_extension


@pytest.fixture
def rig(rig_of, tmp_path):
    return rig_of(ROBOT, tmp_path).rig


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
    animate(rig)
    animate_base(rig)
    before = poses_at(rig, (1, 7, 20))
    change(rig, "sole")
    names, found = without_extension(tmp_path / "r.blend", READER)
    assert len(names) == 2
    for index, name in enumerate(names):
        assert np.array([item[index] for item in found]) == pytest.approx(before[name], abs=1e-5)


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


@pytest.mark.parametrize("mode", ["QUATERNION", "AXIS_ANGLE", "ZYX"])
def test_the_armature_keeps_its_rotation_mode(rig, change, mode):
    animate(rig)
    rig.rotation_mode = mode
    path = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(mode, "rotation_euler")
    for frame, turn in ((1, (0.2, 0.3, 0.4, 0.5)), (LAST, (-0.9, 0.3, -0.4, 0.5))):
        setattr(rig, path, turn if mode != "ZYX" else turn[:3])
        rig.keyframe_insert(path, frame=frame)
    before = poses_at(rig, EVERY)
    for base in ("sole", "base"):
        change(rig, base)
        assert rig.rotation_mode == mode
        assert_same(before, poses_at(rig, EVERY))
