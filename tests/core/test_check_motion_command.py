# SPDX-License-Identifier: GPL-3.0-or-later
"""``check-motion`` of a description and a recording, where there is no Blender."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

ROBOT = """<robot name="r"><link name="base"/><link name="a"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="2" effort="1" velocity="1"/></joint></robot>"""
PROGRAM = """
import sys
for name in ("bpy", "mathutils", "bmesh", "bpy_extras", "addon_utils"):
    sys.modules[name] = None
from urdf_rig.cli.main import entry
entry()
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "robot.urdf").write_text(ROBOT)
    (tmp_path / "slow.csv").write_text("time,turn\n0,0\n0.5,0.5\n1,1\n")
    (tmp_path / "fast.csv").write_text("time,turn\n0,0\n0.5,0.5\n1,1.0005\n")
    (tmp_path / "limits.yaml").write_text("joint_limits: {turn: {max_velocity: 2, max_acceleration: 1.0e-4}}")
    return tmp_path


def check_motion(*arguments):
    command = [sys.executable, "-c", PROGRAM, "check-motion", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False)


def test_a_motion_at_its_limit_is_status_0(files):
    run = check_motion(files / "robot.urdf", files / "slow.csv")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines()[0] == "r: can do it; 3 samples in 1 s"


def test_a_thousandth_above_is_status_3_and_says_where(files):
    run = check_motion(files / "robot.urdf", files / "fast.csv")
    assert run.returncode == 3
    assert run.stdout.splitlines()[:2] == [
        "r: cannot do it, 1 finding; 3 samples in 1 s",
        "  velocity of turn at 0.5 s: 1.001 rad/s, limit 1",
    ]
    data = json.loads(check_motion(files / "robot.urdf", files / "fast.csv", "--json").stdout)
    assert (data["passed"], data["left_out"], data["samples"], data["joints"]) == (False, 0, 3, ["turn"])
    (item,) = data["findings"]
    assert item["value"] == pytest.approx(1.001)
    expected = {"kind": "velocity", "joint": "turn", "links": [], "time": 0.5, "frame": None, "last_time": 1.0}
    assert {key: item[key] for key in expected} == expected


def test_a_file_of_joint_limits_counts(files):
    run = check_motion(files / "robot.urdf", files / "fast.csv", "--joint-limits", files / "limits.yaml")
    assert run.returncode == 3
    assert "  acceleration of turn at 0.5 s: 0.002 rad/s², limit 0.0001" in run.stdout.splitlines()


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_the_plot(files, suffix):
    out = files / f"plot.{suffix}"
    assert check_motion(files / "robot.urdf", files / "slow.csv", "--plot", out).returncode == 0
    data = out.read_bytes()
    if suffix == "png":
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
    else:
        words = [element.text for element in ET.fromstring(data).iter("{http://www.w3.org/2000/svg}text")]
        assert {"r: slow.csv", "turn", "Velocity", "Time [s]", "all limits are kept"} <= set(words)


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["robot.urdf"], 2, "give the recorded motion"),
        (["robot.urdf", "none.csv"], 1, "none.csv: cannot be read"),
        (["robot.urdf", "slow.csv", "--start", "3"], 2, "are for a .blend"),
        (["robot.urdf", "slow.csv", "--plot", "plot.gif"], 2, "one of .png, .svg"),
        (["robot.urdf", "slow.csv", "--plot", "nowhere/plot.png"], 2, "does not exist"),
        (["robot.urdf", "slow.csv", "--joint-limits", "robot.urdf"], 1, "robot.urdf"),
        (["a.blend", "slow.csv"], 2, "has its own motion"),
        (["a.blend"], 1, "needs Blender"),
    ],
)
def test_what_is_refused(files, arguments, status, words):
    run = check_motion(*(files / item if "." in item else item for item in arguments))
    assert run.returncode == status
    assert words in run.stderr
    assert len(run.stderr.splitlines()) == 1
