# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line where there is no Blender, as after a plain ``pip install``."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

ROBOT = '<robot name="r"><link name="a"/></robot>'

# Python's way to say that a module is not there, so that the test says the same where Blender is
PROGRAM = """
import sys
for name in ("bpy", "mathutils", "bmesh", "bpy_extras", "addon_utils"):
    sys.modules[name] = None
from urdf_rig.cli.main import entry
entry()
"""


@pytest.fixture
def robot(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(ROBOT)
    return path


def urdf_rig(*arguments):
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("arguments", [("convert", "{robot}", "{out}"), ("verify", "{robot}")])
def test_what_needs_blender_says_so_in_one_line(robot, tmp_path, arguments):
    out = tmp_path / "out.blend"
    run = urdf_rig(*(item.format(robot=robot, out=out) for item in arguments))
    assert run.returncode == 1
    assert run.stdout == ""
    (line,) = run.stderr.splitlines()
    assert line.startswith("urdf-rig: this command needs Blender")
    for remedy in ("blender --command urdf_rig", "`bpy` package", "scripts/convert.py"):
        assert remedy in line
    assert not out.exists()


def test_the_refusal_is_json_where_that_was_asked_for(robot):
    run = urdf_rig("verify", robot, "--json")
    assert run.returncode == 1
    assert "needs Blender" in json.loads(run.stdout)["error"]


def test_inspect_needs_no_blender(robot):
    run = urdf_rig("inspect", robot, "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["links"] == ["a"]


def test_a_reader_that_has_had_enough_is_no_error(robot):
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "inspect", str(robot), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    program.stdout.close()  # before anything is written
    complaint = program.stderr.read()
    program.stderr.close()
    assert (program.wait(timeout=60), complaint) == (141, b"")
