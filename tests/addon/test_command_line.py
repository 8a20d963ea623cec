# SPDX-License-Identifier: GPL-3.0-or-later
"""``convert`` and ``verify``: files, JSON, exit statuses."""

from __future__ import annotations

import json

import pytest
from other_processes import urdf_rig

ROBOT = """<robot name="r"><link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
  <link name="tip"><visual><geometry><cylinder radius="0.1" length="1"/></geometry></visual></link>
  <joint name="j" type="revolute"><parent link="base"/><child link="tip"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
  <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""


@pytest.fixture
def robot(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(ROBOT)
    return path


def test_convert_writes_a_blend_that_verifies(robot, tmp_path):
    out, report = tmp_path / "out.blend", tmp_path / "out.json"
    run = urdf_rig("convert", robot, out, "--verify", 5, "--set", "j=0.5", "--report", report)
    assert run.returncode == 0, run.stderr
    assert run.stdout == "" and "Traceback" not in run.stderr
    data = json.loads(report.read_text())
    assert set(data) == {"input", "output", "blender", "robot", "counts", "seconds", "verify", "diagnostics"}
    assert set(data["seconds"]) == {"read", "meshes", "build", "verify", "write", "total"}
    assert data["counts"] == {
        "links": 2, "joints": 1, "dofs": 1, "bones": 2, "visuals": 2, "collisions": 0, "meshes": 2,
        "triangles": data["counts"]["triangles"], "materials": 0, "images": 0,
    }  # fmt: skip
    assert data["verify"]["passed"] and data["verify"]["links"] == 2
    again = urdf_rig("verify", out, "--samples", 4, "--json")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["verify"]["passed"]
    assert not list(tmp_path.glob("*.blend1"))


def test_the_pose_asked_for_is_in_the_file(robot, tmp_path):
    import bpy

    assert urdf_rig("convert", robot, tmp_path / "out.blend", "--set", "j=7").returncode == 0
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out.blend"))
    bone = bpy.data.objects["r"].pose.bones["tip"]
    assert bone.rotation_euler.y == pytest.approx(bone.bone.urdf_rig.sign * 1.0)


@pytest.mark.parametrize("suffix", [".glb", ".fbx", ".usdc"])
def test_other_formats_are_written(robot, tmp_path, suffix):
    out = tmp_path / f"out{suffix}"
    run = urdf_rig("convert", robot, out)
    assert run.returncode == 0, run.stderr
    assert out.stat().st_size > 1000


def test_a_preview_is_a_picture(robot, tmp_path):
    picture = tmp_path / "out.png"
    assert urdf_rig("convert", robot, tmp_path / "out.blend", "--preview", picture).returncode == 0
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" and picture.stat().st_size > 10_000


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["convert", "{bad}", "{out}"], 1, "2 links without a parent"),
        (["convert", "{missing}", "{out}"], 1, "no such file"),
        (["convert", "{robot}", "{dir}/out.step"], 2, "suffix"),
        (["convert", "{robot}", "{dir}/no/such/folder.blend"], 2, "does not exist"),
        (["convert", "{robot}", "{out}", "--base", "nowhere"], 2, "nowhere"),
        (["convert", "{robot}", "{out}", "--set", "k=1"], 2, "'k'"),
        (["convert", "{robot}", "{out}", "--set", "j"], 2, "JOINT=VALUE"),
        (["convert", "{robot}", "{out}", "--verify", "0"], 2, "above 0"),
        (["verify", "{empty}"], 1, "holds no robot"),
        (["frobnicate"], 2, "invalid choice"),
    ],
)
def test_what_is_refused_leaves_one_line_and_no_file(robot, tmp_path, arguments, status, words):
    import re

    import bpy

    bad = tmp_path / "bad.urdf"
    bad.write_text("<robot name='r'><link name='a'/><link name='b'/></robot>")
    empty = tmp_path / "empty.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(empty), copy=True)
    out = tmp_path / "out.blend"
    places = {
        "bad": bad,
        "missing": tmp_path / "missing.urdf",
        "robot": robot,
        "out": out,
        "dir": tmp_path,
        "empty": empty,
    }
    run = urdf_rig(*(argument.format(**places) for argument in arguments))
    assert run.returncode == status, run.stderr
    assert "Traceback" not in run.stderr and re.search(words, run.stderr)
    assert not out.exists()


def test_a_damaged_rig_is_status_3_and_names_the_link(robot, tmp_path):
    import bpy

    out = tmp_path / "out.blend"
    assert urdf_rig("convert", robot, out).returncode == 0
    bpy.ops.wm.open_mainfile(filepath=str(out))
    bpy.data.objects["tip"].location.x += 0.01
    bpy.ops.wm.save_as_mainfile(filepath=str(out))
    run = urdf_rig("verify", out, "--json")
    assert run.returncode == 3
    data = json.loads(run.stdout)
    assert not data["verify"]["passed"] and data["verify"]["worst_link"] == "tip"


def test_two_rigs_in_one_file_are_both_verified(robot, tmp_path):
    import bpy

    for _ in range(2):
        bpy.ops.urdf_rig.import_robot(filepath=str(robot))
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "two.blend"))
    run = urdf_rig("verify", tmp_path / "two.blend", "--json")
    assert run.returncode == 0, run.stderr
    assert len(json.loads(run.stdout)["rigs"]) == 2
