# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings as keys: values at frames, one action a robot, limits, and what stays as it was."""

from __future__ import annotations

import json
import math
import re

import bpy
import numpy as np
import pytest

from urdf_rig.core.diagnostics import Level
from urdf_rig.core.errors import RigError

ROBOT = """<robot name="r"><link name="base"/><link name="a"/><link name="b"/><link name="c"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 -0.6 0.8"/>
    <limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
  <joint name="slide" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 -1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="grip" type="revolute"><parent link="b"/><child link="c"/><axis xyz="1 0 0"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/><mimic joint="slide" multiplier="2"/></joint>
</robot>"""


def checks(folder):
    block = re.search(r"```json\n(.*?)\n```", (folder / "expect.md").read_text(encoding="utf-8"), re.DOTALL)
    return json.loads(block.group(1))


def values_at(rig, frame):
    """Return every scalar joint's evaluated value, followers too."""
    from urdf_rig.addon.rig import joint_bones

    whole = math.floor(frame)
    bpy.context.scene.frame_set(whole, subframe=frame - whole)
    evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return {joint.data.joint: joint.value for joint in joint_bones(evaluated)}


def play(rig, times, columns, **options):
    from urdf_rig.addon.motion.playback import play_motion
    from urdf_rig.core.motion import JointMotion

    motion = JointMotion(tuple(columns), times, np.column_stack(list(columns.values())))
    return play_motion(bpy.context, rig, motion, **options)


def key_frames(rig):
    from urdf_rig.addon.fcurves import action_curves

    return [[point.co.x for point in curve.keyframe_points] for curve in action_curves(rig)]


@pytest.fixture
def rig(rig_of, tmp_path):
    bpy.context.scene.render.fps = 24
    return rig_of(ROBOT, tmp_path).rig


def test_case_40_turns_are_kept_and_frames_not_rounded(rig_of, cases):
    from urdf_rig.addon.motion.playback import play_motion
    from urdf_rig.core.motion import read_motion

    folder = cases / "40-playback-multi-turn"
    expected = checks(folder)
    rig = rig_of(folder / expected["input"]).rig
    bpy.context.scene.render.fps = expected["fps"]
    recording = read_motion(folder / expected["trajectory"])
    played = play_motion(bpy.context, rig, recording.motion, start=expected["frame_start"])
    for row in expected["joint_values_at_frame"]:
        got = values_at(rig, row["frame"])
        want = {name: value for name, value in row.items() if name != "frame"}
        assert got == pytest.approx(want, abs=expected["tol"])
    remarks = [*recording.diagnostics, *played.diagnostics]
    assert [item.level.value for item in remarks] == [item["level"] for item in expected["diagnostics"]]
    assert all(word in remarks[0].message for word in expected["diagnostics"][0]["mentions"])
    for times in key_frames(rig):
        assert times == pytest.approx([1, 13, 25, 31])
    # no overshoot anywhere between two samples
    wheel = [values_at(rig, 13 + 12 * share)["wheel"] for share in np.linspace(0, 1, 13)]
    assert wheel == pytest.approx(np.linspace(2 * math.pi, 6 * math.pi, 13), abs=1e-4)


def test_case_41_each_robot_has_its_own_action(rig_of, cases):
    folder = cases / "41-actions-across-versions"
    expected = checks(folder)
    bpy.context.scene.render.fps = 24
    first, second = rig_of(folder / "robot.urdf").rig, rig_of(folder / "robot.urdf").rig
    for rig, name in ((first, "a.csv"), (second, "b.csv")):
        bpy.context.view_layer.objects.active = rig
        assert bpy.ops.urdf_rig.play_joint_states(filepath=str(folder / name), start=1.0) == {"FINISHED"}
    assert first.animation_data.action is not second.animation_data.action
    for rig in (first, second):
        action = rig.animation_data.action
        assert action.users == 1
        if hasattr(rig.animation_data, "action_slot"):
            assert list(action.slots) == [rig.animation_data.action_slot]
    for row in expected["expect"]:
        for rig, name in ((first, "first.j1"), (second, "second.j1")):
            assert values_at(rig, row["frame"])["j1"] == pytest.approx(row[name], abs=expected["tol"])


def test_missing_joints_keep_their_value_and_followers_follow(rig):
    from urdf_rig.addon.rig import set_joint_values

    set_joint_values(rig, {"turn": 0.7})
    played = play(rig, [0.0, 1.0], {"slide": [0.0, 1.0], "grip": [5.0, 5.0]})
    assert values_at(rig, 7) == pytest.approx({"turn": 0.7, "slide": 0.25, "grip": 0.5}, abs=1e-6)
    assert [item.level for item in played.diagnostics] == [Level.INFO]
    assert (played.first, played.last, played.joints) == (1.0, 25.0, 1)


def test_start_offset_rate_degrees_and_fractional_frame_rates(rig):
    bpy.context.scene.render.fps_base = 1.001
    fps = 24 / 1.001
    play(rig, [0.5, 1.5], {"turn": [0.0, 90.0], "slide": [0.0, 1.0]}, start=10.0, offset=-0.25, degrees=True, rate=4.0)
    for times in key_frames(rig):
        assert times == pytest.approx([10 + fps * time for time in (0.25, 0.5, 0.75, 1.0, 1.25)], abs=1e-5)
    got = values_at(rig, 10 + fps * 0.85)
    assert got == pytest.approx({"turn": math.radians(54), "slide": 0.6, "grip": 1.2}, abs=1e-5)


def test_values_beyond_the_limits_are_keyed_at_the_limit_and_counted(rig):
    played = play(rig, [0.0, 1.0, 2.0], {"turn": [-3.0, 0.0, 5.0], "slide": [0.0, 1.0, 0.0]}, file="m.csv")
    assert [values_at(rig, frame)["turn"] for frame in (1, 25, 49)] == pytest.approx([-1.0, 0.0, 2.0])
    (remark,) = played.diagnostics
    assert remark.level is Level.WARNING and remark.message.startswith("2 samples of 'turn' ")


def test_the_action_before_is_kept_and_not_changed(rig):
    first = play(rig, [0.0, 1.0], {"turn": [0.0, 1.0]}).action
    second = play(rig, [0.0, 1.0], {"slide": [0.0, 1.0]}).action
    assert rig.animation_data.action == second != first
    assert first.use_fake_user and first.name in bpy.data.actions
    assert not second.use_fake_user
    rig.animation_data.action = first
    if hasattr(rig.animation_data, "action_slot"):
        rig.animation_data.action_slot = first.slots[0]
    assert values_at(rig, 13)["turn"] == pytest.approx(0.5, abs=1e-6)


def test_keys_turned_to_bezier_have_sensible_handles(rig):
    from urdf_rig.addon.fcurves import action_curves

    play(rig, [0.0, 1.0, 2.0], {"turn": [0.0, 1.0, 0.0]})
    points = action_curves(rig)[0].keyframe_points
    assert {point.interpolation for point in points} == {"LINEAR"}
    assert all(point.handle_left.x < point.co.x < point.handle_right.x for point in points)
    for point in points:
        point.interpolation = "BEZIER"
    for frame in np.linspace(1, 49, 20):
        assert -1e-6 <= values_at(rig, frame)["turn"] <= 1 + 1e-6


@pytest.mark.parametrize("options", [{"start": 3e6}, {"offset": -1e9}, {"offset": math.inf}])
def test_frames_that_blender_does_not_have(rig, options):
    with pytest.raises(RigError, match="Blender has none"):
        play(rig, [0.0, 1.0], {"turn": [0.0, 1.0]}, **options)
    assert not bpy.data.actions


def test_in_the_nlas_tweak_mode_nothing_is_changed(rig):
    action = play(rig, [0.0, 1.0], {"turn": [0.0, 1.0]}).action
    data = rig.animation_data
    strip = data.nla_tracks.new().strips.new("s", 1, action)
    strip.select = True
    data.nla_tracks[0].select = True
    data.action = None
    data.use_tweak_mode = True
    assert data.use_tweak_mode
    with pytest.raises(RigError, match="tweak mode"):
        play(rig, [0.0, 1.0], {"turn": [0.0, 0.5]})
    assert list(bpy.data.actions) == [action]


def test_the_operator_reads_files_extends_the_range_and_reports(rig, tmp_path):
    path = tmp_path / "m.json"
    path.write_text('{"joints": ["turn"], "times": [0, 20.01], "positions": [[0], [1]]}')
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 5, 100
    assert bpy.ops.urdf_rig.play_joint_states(filepath=str(path), set_range=False) == {"FINISHED"}
    assert (scene.frame_start, scene.frame_end) == (5, 100)
    assert bpy.ops.urdf_rig.play_joint_states(filepath=str(path)) == {"FINISHED"}
    assert (scene.frame_start, scene.frame_end) == (1, 482)  # 1 + 20.01 * 24 = 481.24
    path.write_text("{")
    with pytest.raises(RuntimeError, match=r"m\.json:1:2: not valid JSON"):
        bpy.ops.urdf_rig.play_joint_states(filepath=str(path))
    path.write_text('{"joints": ["x"], "times": [0], "positions": [[0]]}')
    with pytest.raises(RuntimeError, match="none of r's joints"):
        bpy.ops.urdf_rig.play_joint_states(filepath=str(path))
    assert len(bpy.data.actions) == 2


def test_without_a_robot_the_operators_are_disabled():
    assert not bpy.ops.urdf_rig.play_joint_states.poll()
    assert not bpy.ops.urdf_rig.export_joint_states.poll()
