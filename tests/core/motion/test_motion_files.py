# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings read from and written to files, and what is refused where."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.diagnostics import Level
from urdf_rig.core.errors import UrdfRigError
from urdf_rig.core.motion import JointMotion, MotionError, read_motion, write_motion

TRAJECTORY = """\
header: {stamp: {sec: 0, nanosec: 0}, frame_id: ''}
joint_names:
- b
- a
points:
- positions: [1.0, 2]
  velocities: []
  time_from_start: {sec: 0, nanosec: 500000000}
- positions: [-1e-3, 4.0]
  velocities: []
  time_from_start: {secs: 2, nsecs: 0}
"""
STATES = """\
header:
  stamp: {sec: 1700000000, nanosec: 250000000}
  frame_id: ''
name: [wheel]
position: [1.0]
velocity: []
effort: []
---
header:
  stamp: {sec: 1700000001, nanosec: 250000000}
name: [arm]
position: [7.0]
---
header:
  stamp: {sec: 1700000002, nanosec: 250000000}
name: [arm, wheel]
position: [8.0, 3.0]
---
"""


def read(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_motion(path)


def full_motion():
    dice = np.random.default_rng(3)
    times = np.cumsum(dice.uniform(0.001, 0.1, 20))
    return JointMotion(("a", "käse b", "c/velocity"), np.round(times, 9), *dice.normal(scale=5.0, size=(3, 20, 3)))


@pytest.mark.parametrize("name", ["m.csv", "m.json", "m.yaml"])
@pytest.mark.parametrize("with_rates", [False, True])
def test_what_is_written_is_read_back_the_same(tmp_path, name, with_rates):
    motion = full_motion()
    if not with_rates:
        motion = JointMotion(motion.joints, motion.times, motion.positions)
    write_motion(tmp_path / name, motion)
    got = read_motion(tmp_path / name)
    assert got.diagnostics == () and got.motion.joints == motion.joints
    assert got.motion.times == pytest.approx(motion.times, abs=1e-9)
    for field in ("positions", "velocities", "accelerations"):
        want, have = getattr(motion, field), getattr(got.motion, field)
        assert (want is None) == (have is None)
        assert want is None or np.array_equal(want, have)


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=5))
def test_every_number_survives_every_format(tmp_path_factory, values):
    folder = tmp_path_factory.mktemp("numbers")
    motion = JointMotion(("a",), np.arange(len(values), dtype=float), np.array(values)[:, None])
    for name in ("m.csv", "m.json", "m.yml"):
        write_motion(folder / name, motion)
        assert np.array_equal(read_motion(folder / name).motion.positions, motion.positions)


def test_others_can_read_what_is_written(tmp_path):
    motion = JointMotion(("a", "b"), [0.0, 1.5], [[1e-7, 2.0], [1e22, -4.0]])
    for name in ("m.csv", "m.json", "m.yaml"):
        write_motion(tmp_path / name, motion)
    with (tmp_path / "m.csv").open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == ["time", "a", "b"] and [float(cell) for cell in rows[2]] == [1.5, 1e22, -4.0]
    assert json.loads((tmp_path / "m.json").read_text())["positions"] == [[1e-7, 2.0], [1e22, -4.0]]
    # PyYAML is what ROS reads messages with; it takes 1e-07 for a text
    message = yaml.safe_load((tmp_path / "m.yaml").read_text())
    assert message["joint_names"] == ["a", "b"]
    assert [point["positions"] for point in message["points"]] == [[1e-7, 2.0], [1e22, -4.0]]
    assert message["points"][1]["time_from_start"] == {"sec": 1, "nanosec": 500000000}


@pytest.mark.parametrize(
    "text",
    [
        "time,a,b\n0,1,2\n1,3,4\n",
        "\ufeffa;t;b\r\n1;0;2\r\n\r\n3;1;4\r\n",
        '# stamp [s]\ta\t"b"\n0\t 1\t2\n1\t3\t4',
        "b,timestamp,a\n2,0,1\n4,1,3\n",
    ],
)
def test_csv_of_several_makes(tmp_path, text):
    motion = read(tmp_path, "m.csv", text).motion
    assert motion.times.tolist() == [0.0, 1.0]
    assert motion.of_joints(["a", "b"]).positions.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_a_ros_trajectory(tmp_path):
    plain = read(tmp_path, "m.yaml", TRAJECTORY).motion
    wrapped = "goal:\n  trajectory:\n" + "".join(f"    {line}\n" for line in TRAJECTORY.splitlines())
    for motion in (plain, read(tmp_path, "w.yml", wrapped).motion):
        assert motion.joints == ("b", "a") and motion.times.tolist() == [0.5, 2.0]
        assert motion.positions.tolist() == [[1.0, 2.0], [-1e-3, 4.0]]
        assert motion.velocities is None


def test_ros_joint_states_count_from_the_first_and_fill_what_a_message_lacks(tmp_path):
    got = read(tmp_path, "m.yaml", STATES)
    assert got.motion.times == pytest.approx([0.0, 1.0, 2.0], abs=1e-6)
    assert got.motion.of_joints(["wheel", "arm"]).positions == pytest.approx(np.array([[1, 7], [2, 7], [3, 8.0]]))
    assert [item.level for item in got.diagnostics] == [Level.INFO] and "clock" in got.diagnostics[0].message


def test_samples_of_the_same_time(tmp_path):
    got = read(tmp_path, "m.csv", "t,a\n0,1\n1,2\n1,3\n2,4\n")
    assert got.motion.times.tolist() == [0.0, 1.0, 2.0] and got.motion.positions[:, 0].tolist() == [1.0, 3.0, 4.0]
    assert [(item.level, item.line) for item in got.diagnostics] == [(Level.WARNING, 3)]


@pytest.mark.parametrize(
    ("name", "text", "line", "column", "words"),
    [
        ("m.csv", "", 0, 0, "empty"),
        ("m.csv", "time,a\n", 1, 0, "no samples"),
        ("m.csv", "a,b\n1,2\n", 1, 0, "no column is called time"),
        ("m.csv", "time,a,a\n0,1,2\n", 1, 0, "'a' comes twice"),
        ("m.csv", "time,a,b\n0,1,2\n\n1,x,2\n", 4, 2, "column 'a': 'x' is no finite number"),
        ("m.csv", "time,a,b\n0,1,\n", 2, 3, "column 'b': '' is no finite number"),
        ("m.csv", "time,a\n0,nan\n", 2, 2, "'nan' is no finite number"),
        ("m.csv", "time,a\n0,1\n1,2,3\n", 3, 0, "3 cells under a header of 2"),
        ("m.csv", "time,a\n0,1\n2,1\n1,1\n", 4, 0, "time goes back"),
        ("m.csv", b"time,a\n0,1\n1,\xff\n", 3, 0, "no UTF-8"),
        ("m.json", '{"joints": ["a"],\n "times": [0 1]}', 2, 14, "not valid JSON"),
        ("m.json", '{"joints": ["a"], "times": [0], "positions": [[NaN]]}', 0, 0, "NaN is no finite number"),
        ("m.json", '{"joints": ["a"], "times": [0], "positions": [["1"]]}', 0, 0, "positions[0][0]: '1' is no number"),
        ("m.json", '{"joints": ["a"], "times": [0, 1], "positions": [[1]]}', 0, 0, "1 samples for 2 times"),
        ("m.json", '{"joints": ["a"], "times": [0], "positions": [[' + "9" * 400 + "]]}", 0, 0, "too large"),
        ("m.json", "[" * 100_000, 0, 0, "not valid JSON"),
        ("m.json", "[]", 0, 0, "neither a JointTrajectory"),
        ("m.json", "3", 0, 0, "neither a JointTrajectory"),
        ("m.yaml", TRAJECTORY.replace("[1.0, 2]", "[1.0]"), 6, 14, "1 numbers where 2 are needed"),
        ("m.yaml", TRAJECTORY.replace("4.0", "x"), 9, 14, "points[1].positions[1]: 'x' is no number"),
        ("m.yaml", TRAJECTORY.replace("4.0", ".inf"), 9, 14, "inf is no finite number"),
        ("m.yaml", TRAJECTORY.replace("secs: 2", "secs: 0"), 9, 0, "time goes back"),
        ("m.yaml", TRAJECTORY.replace("  time_from_start: {sec:", "  time: {sec:"), 6, 3, "time_from_start is missing"),
        ("m.yaml", TRAJECTORY.replace("- a", "- b"), 3, 1, "a name comes twice"),
        ("m.yaml", "joint_names: [a\n", 2, 1, "not valid YAML"),
        ("m.yaml", "a: &x [1]\nb: *x\n", 2, 4, "aliases"),
        ("m.yaml", "[" * 60, 1, 22, "nested"),
        ("m.yaml", "", 0, 0, "neither a JointTrajectory"),
        ("m.yaml", "name: [a]\nposition: [1]\n", 1, 1, "header is missing"),
        ("m.txt", "", 0, 0, "unknown kind of file"),
    ],
)
def test_what_is_refused_and_where(tmp_path, name, text, line, column, words):
    with pytest.raises(MotionError) as caught:
        read(tmp_path, name, text)
    assert words in str(caught.value) and str(caught.value).startswith(str(tmp_path / name))
    assert (caught.value.line, caught.value.column) == (line, column)
    assert isinstance(caught.value, UrdfRigError)


def test_files_that_are_not_there_or_cannot_be_written(tmp_path):
    with pytest.raises(MotionError, match="cannot be read"):
        read_motion(tmp_path / "no.csv")
    with pytest.raises(MotionError, match="cannot be written"):
        write_motion(tmp_path / "no" / "m.csv", full_motion())


@pytest.mark.parametrize("name", ["a,b", "a\nb", " a", 'a"'])
def test_names_that_csv_cannot_hold(tmp_path, name):
    with pytest.raises(MotionError, match="CSV file cannot hold"):
        write_motion(tmp_path / "m.csv", JointMotion((name,), [0.0], [[1.0]]))
    write_motion(tmp_path / "m.yaml", JointMotion((name,), [0.0], [[1.0]]))
    assert read_motion(tmp_path / "m.yaml").motion.joints == (name,)


def test_a_trajectory_begins_at_zero_or_later(tmp_path):
    with pytest.raises(MotionError, match="before time 0"):
        write_motion(tmp_path / "m.yaml", JointMotion(("a",), [-1.0], [[1.0]]))


@given(st.binary(max_size=60), st.sampled_from([".csv", ".json", ".yaml"]))
def test_nonsense_ends_in_the_projects_own_error(tmp_path_factory, data, suffix):
    path = tmp_path_factory.mktemp("nonsense") / f"m{suffix}"
    path.write_bytes(data)
    with pytest.raises(MotionError):
        read_motion(path)
