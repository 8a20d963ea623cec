# SPDX-License-Identifier: GPL-3.0-or-later
"""Velocities of joints and frames, from curves and from sub-frames, against motions known in closed form."""

from __future__ import annotations

import math
import random

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from urdf_rig.core.errors import RigError

FPS = 24.0

ROBOT = """<robot name="r"><link name="base"/><link name="upper"/><link name="tip"/><link name="finger"/>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/>
    <origin xyz="0 0.1 0.4" rpy="0.2 0 0"/><axis xyz="0 0.6 0.8"/></joint>
  <joint name="slide" type="prismatic"><parent link="upper"/><child link="tip"/><origin xyz="0.5 0 0" rpy="0 0.3 0"/>
    <axis xyz="0 -1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="grip" type="revolute"><parent link="tip"/><child link="finger"/><origin xyz="0.1 0 0.1"/>
    <axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="1" velocity="1"/>
    <mimic joint="slide" multiplier="1.5"/></joint>
</robot>"""

SPATIAL = """<robot name="s"><link name="base"/><link name="car"/><link name="arm"/>
  <joint name="drive" type="{kind}"><parent link="base"/><child link="car"/><origin xyz="0.2 0 0" rpy="0 0 0.5"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="turn" type="continuous"><parent link="car"/><child link="arm"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
  </joint></robot>"""


@pytest.fixture
def rig(rig_of, tmp_path):
    return rig_of(ROBOT, tmp_path).rig


def joint_of(rig, name):
    from urdf_rig.addon.rig import joint_bones_by_name

    return joint_bones_by_name(rig)[name]


def key(rig, name, *values, frames=None):
    """Key a joint at frames 1, 11, 21, … and return its curve."""
    from urdf_rig.addon.fcurves import action_curves

    joint = joint_of(rig, name)
    for index, value in enumerate(values):
        joint.value = value
        joint.bone.keyframe_insert(joint.data_path, index=1, frame=1 + 10 * index if frames is None else frames[index])
    path = f"{joint.bone.path_from_id()}.{joint.data_path}"
    return next(curve for curve in action_curves(rig) if curve.data_path == path)


def sampled(rig, *frames):
    from urdf_rig.addon.motion_rates import sample_motion

    return sample_motion(bpy.context, rig, frames)


def played(rig, name, frame):
    """Return velocity and acceleration by the second, by playing frames and differencing what the channel shows."""
    scene, joint, step, values = bpy.context.scene, joint_of(rig, name), 0.25, []
    for offset in (-1, 0, 1):
        time = frame + step * offset
        scene.frame_set(math.floor(time), subframe=time - math.floor(time))
        values.append(joint.value)
    h = step / FPS
    return (values[2] - values[0]) / (2 * h), (values[2] - 2 * values[1] + values[0]) / h**2


def test_curves_of_every_shape_are_met_in_value_and_slope():
    from urdf_rig.addon.exact_curves import ExactCurve
    from urdf_rig.addon.fcurves import action_curves

    owner = bpy.data.objects.new("owner", None)
    dice = random.Random(7)
    compared = 0
    for _ in range(30):
        owner.animation_data_clear()
        for index in range(5):
            owner.location.x = dice.uniform(-3, 3)
            owner.keyframe_insert("location", index=0, frame=10 * index + dice.uniform(-4, 4))
        curve = action_curves(owner)[0]
        curve.extrapolation = dice.choice(("CONSTANT", "LINEAR"))
        for point in curve.keyframe_points:
            point.interpolation = dice.choice(("BEZIER", "BEZIER", "LINEAR", "CONSTANT"))
            point.handle_left_type = point.handle_right_type = "FREE"
            # many reach beyond the next key
            point.handle_left = point.co.x - dice.uniform(0, 20), point.co.y + dice.uniform(-4, 4)
            point.handle_right = point.co.x + dice.uniform(0, 20), point.co.y + dice.uniform(-4, 4)
        exact = ExactCurve.of(curve)
        for _ in range(20):
            frame = dice.uniform(-10, 55)
            value, rate, change = exact.at(frame)
            assert value == pytest.approx(curve.evaluate(frame), abs=2e-4)
            ahead, behind = exact.at(frame + 1e-5), exact.at(frame - 1e-5)
            if abs(rate) < 5 and abs(change) < 5 and np.abs(exact.times - frame).min() > 1e-2:
                assert (ahead[0] - behind[0]) / 2e-5 == pytest.approx(rate, abs=1e-4)
                assert (ahead[1] - behind[1]) / 2e-5 == pytest.approx(change, abs=1e-2)
                compared += 1
    assert compared > 300


def test_linear_keys_give_their_slope_and_corners_the_mean(rig):
    curve = key(rig, "shoulder", 0.0, 1.0, 0.0)
    for point in curve.keyframe_points:
        point.interpolation = "LINEAR"
    motion = sampled(rig, 4.0, 11.0, 16.5, 21.0, 30.0)
    assert motion.q["shoulder"] == pytest.approx([0.3, 1.0, 0.45, 0.0, 0.0], abs=1e-6)
    assert motion.v[:, 0] == pytest.approx(np.array([0.1, 0.0, -0.1, -0.05, 0.0]) * FPS, abs=1e-6)
    assert not motion.a.any()


def test_an_eased_start_and_end_are_a_cubic(rig):
    # handles of a third of the way, level: the curve is 3 s^2 - 2 s^3
    curve = key(rig, "shoulder", 0.0, 2.0)
    for point in curve.keyframe_points:
        point.handle_left_type = point.handle_right_type = "FREE"
        point.handle_left = point.co.x - 10 / 3, point.co.y
        point.handle_right = point.co.x + 10 / 3, point.co.y
    s = np.array([0.15, 0.5, 0.9])
    motion = sampled(rig, *(1 + 10 * s))
    assert motion.q["shoulder"] == pytest.approx(2 * (3 * s**2 - 2 * s**3), rel=1e-6)
    assert motion.v[:, 0] == pytest.approx(2 * (6 * s - 6 * s**2) / 10 * FPS, rel=1e-6)
    assert motion.a[:, 0] == pytest.approx(2 * (6 - 12 * s) / 100 * FPS**2, rel=1e-5, abs=1e-4)


def test_the_frame_rate_and_time_remapping_count(rig):
    curve = key(rig, "slide", 0.0, 1.0)
    for point in curve.keyframe_points:
        point.interpolation = "LINEAR"
    render = bpy.context.scene.render
    render.fps, render.fps_base = 30, 1.001
    assert sampled(rig, 5.0).v[0, 1] == pytest.approx(0.1 * 30 / 1.001)
    render.fps, render.fps_base = 24, 1.0
    render.frame_map_old, render.frame_map_new = 100, 200
    bpy.context.scene.frame_set(10)
    motion = sampled(rig, 10.0)
    assert motion.q["slide"] == pytest.approx(joint_of(rig, "slide").value)
    assert motion.v[0, 1] == pytest.approx(0.05 * FPS)


@pytest.fixture
def forbidden_frames(monkeypatch):
    """Fail when the animation is played."""
    import urdf_rig.addon.motion_rates as module

    def refuse(*_):
        raise AssertionError("the animation was played")

    monkeypatch.setattr(module, "_read", refuse)


def test_plain_curves_are_not_played(rig, forbidden_frames):
    key(rig, "shoulder", 0.0, 1.0)
    assert sampled(rig, 5.0).v[0, 0] > 0.1


def _noise(rig, curve):
    wave = curve.modifiers.new("FNGENERATOR")
    wave.amplitude, wave.phase_multiplier, wave.use_additive = 0.5, 0.3, True


def _ease(rig, curve):
    curve.keyframe_points[0].interpolation = "SINE"


def _drive(rig, curve):
    joint = joint_of(rig, "shoulder")
    rig.animation_data_clear()
    driver = joint.bone.driver_add("rotation_euler", 1).driver
    driver.expression = "frame * frame / 100"


def _push_down(rig, curve):
    animation = rig.animation_data
    action = animation.action
    animation.nla_tracks.new().strips.new("strip", 1, action).scale = 2.0
    animation.action = None


@pytest.mark.parametrize("change", [_noise, _ease, _drive, _push_down])
def test_what_is_no_plain_curve_is_played(rig, change):
    change(rig, key(rig, "shoulder", 0.0, 1.0))
    bpy.context.scene.frame_set(6)
    motion = sampled(rig, 6.0)
    velocity, acceleration = played(rig, "shoulder", 6.0)
    assert abs(velocity) > 0.3
    assert motion.v[0, 0] == pytest.approx(velocity, rel=3e-3)
    assert motion.a[0, 0] == pytest.approx(acceleration, rel=0.03, abs=0.05)


def test_both_ways_agree(rig, monkeypatch):
    import urdf_rig.addon.motion_rates as module

    key(rig, "shoulder", 0.0, 1.4, -0.7, 2.0)
    key(rig, "slide", 0.1, -0.9, 0.4, 0.0)
    exact = sampled(rig, 5.0, 8.25, 17.0)
    monkeypatch.setattr(module, "_exact", lambda *_: None)
    played_motion = sampled(rig, 5.0, 8.25, 17.0)
    assert played_motion.v == pytest.approx(exact.v, rel=1e-4)
    assert played_motion.a == pytest.approx(exact.a, rel=2e-3, abs=2e-3)


def test_muted_curves_and_other_channels_do_not_count(rig):
    key(rig, "shoulder", 0.0, 1.0).mute = True
    rig.pose.bones["upper"].keyframe_insert("location", frame=1)
    bpy.context.scene.frame_set(3)
    assert not sampled(rig, 3.0).v.any()


def test_frame_and_unkeyed_pose_are_kept(rig):
    _noise(rig, key(rig, "shoulder", 0.0, 1.0))
    scene = bpy.context.scene
    scene.frame_set(4, subframe=0.25)
    joint_of(rig, "shoulder").value = 0.777
    rig.location.x = 5.0
    motion = sampled(rig, 8.0)
    assert (scene.frame_current, scene.frame_subframe) == (4, 0.25)
    assert joint_of(rig, "shoulder").value == pytest.approx(0.777) and rig.location.x == 5.0
    assert motion.q["shoulder"][0] != pytest.approx(0.777)


def test_a_rig_outside_the_view_layer_is_refused(rig):
    for collection in rig.users_collection:
        collection.objects.unlink(rig)
    with pytest.raises(RigError, match="view layer"):
        sampled(rig, 1.0)


def moved_by_hand(rig, link, frame, step=0.25):
    """Return velocity and acceleration (6, mixed) in the world of a link's bone as the viewport shows it."""
    poses = []
    for offset in (-1, 0, 1):
        time = frame + step * offset
        bpy.context.scene.frame_set(math.floor(time), subframe=time - math.floor(time))
        bone = next(item for item in rig.pose.bones if item.bone.urdf_rig.link == link)
        b_h_l = np.reshape(bone.bone.urdf_rig.bone_h_link, (4, 4)).astype(float)
        poses.append(np.array(rig.matrix_world) @ np.array(bone.matrix) @ b_h_l)
    h = step / FPS
    rate, change = (poses[2] - poses[0]) / (2 * h), (poses[2] - 2 * poses[1] + poses[0]) / h**2
    rotation = poses[1][:3, :3].T
    turns = [m[:3, :3] @ rotation for m in (rate, change)]
    vees = [np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]) / 2 for m in turns]
    return np.array([*rate[:3, 3], *vees[0]]), np.array([*change[:3, 3], *vees[1]])


def test_a_frames_velocity_is_the_librarys_from_the_same_joint_motion(rig):
    from urdf_rig.addon.rig import robot_of
    from urdf_rig.core.kinematics import frame_acceleration, frame_velocity, motion_of_frame

    for name, rise in (("shoulder", 1.2), ("slide", -0.8)):
        curve = key(rig, name, 0.1, 0.1 + rise)
        for point in curve.keyframe_points:
            point.handle_left_type = point.handle_right_type = "FREE"
            point.handle_left = point.co.x - 10 / 3, point.co.y
            point.handle_right = point.co.x + 10 / 3, point.co.y
    s = 0.35
    rises = np.array([1.2, -0.8])
    q = 0.1 + rises * (3 * s**2 - 2 * s**3)
    v = rises * (6 * s - 6 * s**2) / 10 * FPS
    a = rises * (6 - 12 * s) / 100 * FPS**2
    robot, motion = robot_of(rig), sampled(rig, 1 + 10 * s)
    for representation in ("inertial", "body", "mixed"):
        found = motion_of_frame(robot, motion, "finger", None, representation)
        velocity = frame_velocity(robot, q, v, "finger", output=representation)
        acceleration = frame_acceleration(robot, q, v, a, "finger", output=representation)
        assert np.linalg.norm(found.velocity[0] - velocity) < 1e-4 * np.linalg.norm(velocity)
        assert np.linalg.norm(found.acceleration[0] - acceleration) < 1e-4 * np.linalg.norm(acceleration)


def test_the_armatures_own_motion_counts(rig):
    from urdf_rig.addon.rig import robot_of
    from urdf_rig.core.kinematics import motion_of_frame

    scene = bpy.context.scene
    # a carousel 2 m from the origin, on a parent that slides, linear in time
    parent = bpy.data.objects.new("parent", None)
    scene.collection.objects.link(parent)
    for frame, angle, shift in ((0, 0.0, 0.0), (100, 5.0, 10.0)):
        parent.rotation_euler.z, parent.location.x = angle, shift
        parent.keyframe_insert("rotation_euler", frame=frame)
        parent.keyframe_insert("location", frame=frame)
    from urdf_rig.addon.fcurves import action_curves

    for curve in action_curves(parent):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    rig.parent, rig.matrix_parent_inverse, rig.location = parent, Matrix(), (2.0, 0.0, 0.0)
    robot, frame = robot_of(rig), 30.0
    found = motion_of_frame(robot, sampled(rig, frame), "base")
    w, angle = 5.0 / 100 * FPS, 5.0 * 0.3
    across = np.array([-math.sin(angle), math.cos(angle), 0.0])
    outward = np.array([math.cos(angle), math.sin(angle), 0.0])
    assert found.velocity[0] == pytest.approx(
        [*(np.array([0.1 * FPS, 0, 0]) + 2 * w * across), 0, 0, w], rel=1e-4, abs=1e-4
    )
    assert found.acceleration[0] == pytest.approx([*(-2 * w**2 * outward), 0, 0, 0], rel=1e-3, abs=5e-3)
    seen = motion_of_frame(robot, sampled(rig, frame), "upper", "base")
    assert not seen.velocity.any()


@pytest.mark.parametrize("kind", ["planar", "floating"])
def test_planar_and_floating_joints_move_frames(rig_of, tmp_path, kind):
    from urdf_rig.addon.rig import robot_of
    from urdf_rig.addon.spatial_joints import spatial_joints
    from urdf_rig.core.kinematics import motion_of_frame

    rig = rig_of(SPATIAL.format(kind=kind), tmp_path).rig
    robot = robot_of(rig)
    joint = spatial_joints(robot, rig)["drive"]
    turn = "rotation_euler" if kind == "planar" else "rotation_quaternion"
    for frame, x, angle in ((1, 0.0, 0.0), (21, 1.0, 0.8), (41, 1.5, 0.2)):
        rest = [0.0, math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2)]
        joint.value = np.array([x, 0.3 * x, angle] if kind == "planar" else [x, 0.3 * x, *rest])
        for path in ("location", turn):
            joint.bone.keyframe_insert(path, frame=frame)
    key(rig, "turn", 0.0, 1.0, 2.5)
    motion = motion_of_frame(robot, sampled(rig, 14.0), "arm")
    velocity, acceleration = moved_by_hand(rig, "arm", 14.0)
    assert np.linalg.norm(velocity[:3]) > 0.5 and np.linalg.norm(velocity[3:]) > 0.5
    assert motion.velocity[0] == pytest.approx(velocity, rel=5e-3, abs=5e-3)
    assert motion.acceleration[0] == pytest.approx(acceleration, rel=5e-2, abs=0.1)


def test_a_frame_with_all_moving_is_what_the_viewport_shows(rig):
    from urdf_rig.addon.rig import robot_of
    from urdf_rig.core.kinematics import motion_of_frame

    key(rig, "shoulder", 0.0, 1.4, -0.7)
    key(rig, "slide", 0.1, -0.3, 0.2)
    for frame, x in ((1, 0.0), (21, 1.0)):
        rig.location, rig.rotation_euler = (x, -x, 2 * x), (x, 0.2 * x, 0)
        rig.keyframe_insert("location", frame=frame)
        rig.keyframe_insert("rotation_euler", frame=frame)
    motion = motion_of_frame(robot_of(rig), sampled(rig, 7.0), "finger")
    velocity, acceleration = moved_by_hand(rig, "finger", 7.0)
    assert motion.velocity[0] == pytest.approx(velocity, rel=1e-2, abs=1e-2)
    assert motion.acceleration[0] == pytest.approx(acceleration, rel=5e-2, abs=0.5)


def test_a_robot_without_joints_and_one_in_millimetres(rig_of, tmp_path):
    from urdf_rig.addon.rig import robot_of
    from urdf_rig.core.kinematics import motion_of_frame

    settings = bpy.context.scene.unit_settings
    settings.system, settings.scale_length = "METRIC", 0.001
    rig = rig_of('<robot name="p"><link name="only"/></robot>', tmp_path).rig
    assert sampled(rig, 1.0, 2.0).v.shape == (2, 0)
    for frame, x in ((0, 0.0), (24, 1000.0)):
        rig.location.x = x
        rig.keyframe_insert("location", frame=frame)
    from urdf_rig.addon.fcurves import action_curves

    for curve in action_curves(rig):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    found = motion_of_frame(robot_of(rig), sampled(rig, 6.0), "only")
    assert found.pose[0, :3, 3] == pytest.approx([0.25, 0, 0], abs=1e-6)
    assert found.velocity[0, :3] == pytest.approx([1.0, 0, 0], rel=1e-4, abs=1e-6)
