# SPDX-License-Identifier: GPL-3.0-or-later
"""``frames`` and its operator: a frame's motion as CSV."""

from __future__ import annotations

import csv
import math

import bpy
import numpy as np
import pytest
from other_processes import urdf_rig

ROBOT = """<robot name="r"><link name="base"/><link name="arm"/><link name="tip"/>
  <joint name="j" type="continuous"><parent link="base"/><child link="arm"/><origin xyz="0 0 1"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="f" type="fixed"><parent link="arm"/><child link="tip"/><origin xyz="0.5 0 0"/></joint></robot>"""
COLUMNS = [
    *("frame", "time [s]", "x [m]", "y [m]", "z [m]", "qw", "qx", "qy", "qz"),
    *("vx [m/s]", "vy [m/s]", "vz [m/s]", "wx [rad/s]", "wy [rad/s]", "wz [rad/s]"),
    *("dvx [m/s^2]", "dvy [m/s^2]", "dvz [m/s^2]", "dwx [rad/s^2]", "dwy [rad/s^2]", "dwz [rad/s^2]"),
]


def read(path):
    with path.open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == COLUMNS
    return np.array(rows[1:], dtype=float)


@pytest.fixture
def rig(rig_of, tmp_path):
    """A robot that turns by 0.2 rad a frame from frame 0 to 40, at 25 frames a second."""
    from urdf_rig.addon.fcurves import action_curves
    from urdf_rig.addon.rig import set_joint_values

    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 25, 1, 39
    rig = rig_of(ROBOT, tmp_path).rig
    for frame, angle in ((0, 0.0), (40, 8.0)):
        set_joint_values(rig, {"j": angle})
        rig.pose.bones["arm"].keyframe_insert("rotation_euler", index=1, frame=frame)
    for curve in action_curves(rig):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    return rig


@pytest.fixture
def blend(rig, tmp_path):
    path = tmp_path / "animated.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    return path


def check_circle(table, frames):
    angle, w = 0.2 * frames, 0.2 * 25
    assert table[:, 0] == pytest.approx(frames)
    assert table[:, 1] == pytest.approx((frames - frames[0]) / 25)
    c, s, zero = np.cos(angle), np.sin(angle), 0 * angle
    assert table[:, 2:5] == pytest.approx(np.stack([0.5 * c, 0.5 * s, zero + 1], axis=1), abs=1e-5)
    # no jump from one line to the next over more than a turn
    assert np.abs(table[:, 5:9]) == pytest.approx(
        np.abs(np.stack([np.cos(angle / 2), zero, zero, np.sin(angle / 2)], axis=1)), abs=1e-5
    )
    assert np.abs(np.diff(table[:, 5:9], axis=0)).max() < 0.4
    velocity = np.stack([-0.5 * w * s, 0.5 * w * c, zero, zero, zero, zero + w], axis=1)
    assert table[:, 9:15] == pytest.approx(velocity, abs=1e-4)
    acceleration = np.stack([-0.5 * w * w * c, -0.5 * w * w * s, *[zero] * 4], axis=1)
    assert table[:, 15:] == pytest.approx(acceleration, abs=1e-3)


def test_the_command_writes_one_line_for_each_frame(blend, tmp_path):
    out = tmp_path / "motion.csv"
    run = urdf_rig("frames", blend, "--frame", "tip", "--out", out)
    assert run.returncode == 0, run.stderr
    assert run.stdout == ""
    check_circle(read(out), np.arange(1.0, 40.0))


def test_reference_representation_and_range(blend, tmp_path):
    out = tmp_path / "motion.csv"
    arguments = ("--reference", "arm", "--start", "3", "--end", "4.5", "--step", "0.5", "--representation", "body")
    assert urdf_rig("frames", blend, "--frame", "base", *arguments, "--out", out).returncode == 0
    table = read(out)
    assert table[:, 0].tolist() == [3.0, 3.5, 4.0, 4.5]
    assert table[:, 2:5] == pytest.approx(np.tile([0, 0, -1.0], (4, 1)), abs=1e-6)
    assert table[:, 9:15] == pytest.approx(np.tile([0, 0, 0, 0, 0, -5.0], (4, 1)), abs=1e-5)


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["frames", "{blend}", "--frame", "nowhere", "--out", "{out}"], 2, "no link 'nowhere'"),
        (["frames", "{blend}", "--frame", "tip", "--reference", "nowhere", "--out", "{out}"], 2, "no link 'nowhere'"),
        (["frames", "{blend}", "--frame", "tip", "--rig", "x", "--out", "{out}"], 2, "no rig 'x'"),
        (["frames", "{blend}", "--frame", "tip", "--step", "0", "--out", "{out}"], 2, "no range"),
        (["frames", "{blend}", "--frame", "tip", "--out", "{dir}/no/motion.csv"], 2, "does not exist"),
        (["frames", "{blend}", "--frame", "tip", "--out", "{dir}"], 1, "cannot be written"),
        (["frames", "{dir}/missing.blend", "--frame", "tip", "--out", "{out}"], 1, "cannot be opened"),
        (["frames", "{blend}", "--frame", "tip", "--representation", "odd", "--out", "{out}"], 2, "invalid choice"),
    ],
)
def test_what_is_refused(blend, tmp_path, arguments, status, words, capfd):
    from urdf_rig.cli.main import main

    out = tmp_path / "motion.csv"
    places = {"blend": blend, "out": out, "dir": tmp_path}
    assert main([argument.format(**places) for argument in arguments]) == status
    stderr = capfd.readouterr().err
    assert words in stderr and "Traceback" not in stderr
    assert not out.exists()


def test_with_two_robots_one_has_to_be_chosen(rig, rig_of, tmp_path):
    from urdf_rig.cli.main import main

    other = rig_of(ROBOT, tmp_path).rig
    blend, out = tmp_path / "two.blend", tmp_path / "motion.csv"
    first, second = rig.name, other.name
    bpy.ops.wm.save_as_mainfile(filepath=str(blend), copy=True)
    command = ["frames", str(blend), "--frame", "tip", "--end", "5", "--out", str(out)]
    assert main(command) == 2
    assert main([*command, "--rig", second]) == 0
    assert not read(out)[:, 9:].any()
    assert main([*command, "--rig", first]) == 0
    check_circle(read(out), np.arange(1.0, 6.0))


def test_the_operator_writes_the_same_and_keeps_the_frame(rig, tmp_path):
    out = tmp_path / "motion.csv"
    bpy.context.scene.frame_set(7)
    result = bpy.ops.urdf_rig.export_frame_motion(filepath=str(out), frame="tip", start=2.0, end=12.0)
    assert result == {"FINISHED"} and bpy.context.scene.frame_current == 7
    check_circle(read(out), np.arange(2.0, 13.0))
    with pytest.raises(RuntimeError, match="nowhere"):
        bpy.ops.urdf_rig.export_frame_motion(filepath=str(out), frame="nowhere")
    with pytest.raises(RuntimeError, match="no range"):
        bpy.ops.urdf_rig.export_frame_motion(filepath=str(out), frame="tip", start=2.0, end=1.0)


def test_an_animated_armature_is_played_and_counts(rig, tmp_path):
    for frame, x in ((0, 0.0), (40, 4.0)):
        rig.location.x = x
        rig.keyframe_insert("location", index=0, frame=frame)
    from urdf_rig.addon.fcurves import action_curves

    for curve in action_curves(rig):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    out = tmp_path / "motion.csv"
    bpy.ops.urdf_rig.export_frame_motion(filepath=str(out), frame="tip", start=5.0, end=15.0)
    table = read(out)
    table[:, 2] -= 0.1 * table[:, 0]
    table[:, 9] -= 2.5
    frames = np.arange(5.0, 16.0)
    assert table[:, 9] == pytest.approx(-2.5 * np.sin(0.2 * frames), abs=1e-4)
    assert table[:, 2] == pytest.approx(0.5 * np.cos(0.2 * frames), abs=1e-5)
    assert math.isclose(table[0, 14], 5.0, rel_tol=1e-4)
