# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``ik``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from urdf_rig.cli.main import main
from urdf_rig.core import load
from urdf_rig.core.kinematics import frame_pose
from urdf_rig.core.spatial import rotation_angle, rotation_from_rpy

CASE = Path(__file__).parents[2] / "data" / "cases" / "38-ik-respects-limits" / "robot.urdf"
ARM = """<robot name="arm">{links}{joints}</robot>"""
AXES = ("0 0 1", "0 1 0", "0 1 0", "1 0 0", "0 1 0", "1 0 0")
OFFSETS = ("0 0 0.3", "0.1 0 0.1", "0 0 0.5", "0.4 0 0.05", "0 0 0", "0 0 0")


@pytest.fixture
def arm(tmp_path):
    links = "".join(f'<link name="l{i}"/>' for i in range(7))
    joints = "".join(
        f'<joint name="j{i + 1}" type="revolute"><parent link="l{i}"/><child link="l{i + 1}"/><origin xyz="{xyz}"/>'
        f'<axis xyz="{axis}"/><limit lower="-3" upper="3" velocity="1" effort="1"/></joint>'
        for i, (axis, xyz) in enumerate(zip(AXES, OFFSETS, strict=True))
    )
    path = tmp_path / "arm.urdf"
    path.write_text(ARM.format(links=links, joints=joints))
    return path


def ask(capsys, *arguments):
    status = main(["ik", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return status, out, err


def ask_json(capsys, *arguments):
    status, out, err = ask(capsys, *arguments, "--json")
    return status, json.loads(out), err


def test_a_position(capsys):
    status, answer, _ = ask_json(capsys, CASE, "--frame", "tip", "--xyz", 0.460697747, 0.251680326, 0.103494739)
    assert status == 0 and answer["reached"] is True
    reached = frame_pose(load(CASE), answer["q"], "tip")
    assert reached[:3, 3] == pytest.approx([0.460697747, 0.251680326, 0.103494739], abs=1e-6)
    assert answer["residual"]["position"] < 1e-6 and answer["active_limits"] == []


def test_not_reached_has_a_status_of_its_own_and_says_how_far(capsys):
    status, answer, _ = ask_json(capsys, CASE, "--frame", "tip", "--xyz", 2, 0, 0.3)
    assert status == 3 and answer["reached"] is False
    assert answer["residual"]["position"] > 1.0 and "a3" in answer["active_limits"]
    status, out, _ = ask(capsys, CASE, "--frame", "tip", "--xyz", 2, 0, 0.3)
    assert status == 3 and "NOT reached, off by 130" in out and "at a limit: a3" in out


@pytest.mark.parametrize("x", ["nan", "inf", "-inf", "1e300"])
def test_a_target_that_is_none_is_refused(capsys, x):
    status, answer, err = ask_json(capsys, CASE, "--frame", "tip", "--xyz", x, 0, 0)
    assert status == 2 and "NaN" in answer["error"] and "NaN" in err
    status, answer, _ = ask_json(capsys, CASE, "--frame", "tip", "--xyz", 0, 0, 0, "--rpy", x, 0, 0)
    assert status == 2 and "error" in answer


def test_all_solutions_of_a_pose(capsys, arm):
    target = ("--frame", "l6", "--xyz", "0.35", "-.2", "7e-1", "--rpy", "0.3", "-2e-1", "-.5")
    status, answer, _ = ask_json(capsys, arm, *target, "--all")
    assert status == 0 and answer["complete"] is True
    assert len(answer["solutions"]) >= 2 and len(answer["free_joints"]) == len(answer["solutions"])
    robot = load(arm)
    for q in answer["solutions"]:
        reached = frame_pose(robot, q, "l6")
        assert reached[:3, 3] == pytest.approx([0.35, -0.2, 0.7], abs=1e-9)
        assert rotation_angle(reached[:3, :3].T @ rotation_from_rpy([0.3, -0.2, -0.5])) < 1e-9
    status, out, _ = ask(capsys, arm, *target, "--all")
    assert status == 0 and "all there are" in out and "closed form" in out


def test_all_solutions_of_a_position(capsys):
    xyz = frame_pose(load(CASE), [0.3, 0.5, -0.8], "tip")[:3, 3]
    status, answer, _ = ask_json(capsys, CASE, "--frame", "tip", "--xyz", *xyz, "--all")
    assert status == 0 and answer["complete"] is True and len(answer["solutions"]) == 1
    assert list(answer["solutions"][0].values()) == pytest.approx([0.3, 0.5, -0.8], abs=1e-8)


def test_the_start_and_locked_joints(capsys, arm):
    x, y = 0.4 * np.cos(0.9), 0.4 * np.sin(0.9)  # the wrist's centre is in the plane of the arm
    target = ("--frame", "l6", "--xyz", x, y, "0.7", "--set", "j1=0.9")
    status, answer, _ = ask_json(capsys, arm, *target, "--lock", "j1")
    assert status == 0 and answer["q"]["j1"] == 0.9
    status, answer, _ = ask_json(capsys, arm, *target, "--rpy", 0, 0, 0, "--lock", "j1", "--all")
    assert len(answer["solutions"]) > 1 and answer["complete"] is False
    assert all(q["j1"] == 0.9 for q in answer["solutions"])
    status, answer, _ = ask_json(capsys, arm, *target, "--lock", "j1", "--xyz", 0.4, 0.1, 0.7)
    assert status == 3 and answer["reached"] is False


def test_another_base(capsys, arm):
    q = np.array([0.2, 0.4, -0.6, 0.3, 0.5, 0.1])
    pose = frame_pose(load(arm), q, "l0", base="l6")
    status, answer, _ = ask_json(capsys, arm, "--base", "l6", "--frame", "l0", "--xyz", *pose[:3, 3])
    assert status == 0 and answer["base"] == "l6"
    assert frame_pose(load(arm), answer["q"], "l0", base="l6")[:3, 3] == pytest.approx(pose[:3, 3], abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--frame", "nowhere", "--xyz", 0, 0, 0), "nowhere"),
        (("--frame", "tip", "--xyz", "nan", 0, 0, "--all"), "--xyz"),
        (("--frame", "tip", "--xyz", 0, 0), "--xyz"),
        (("--frame", "tip", "--xyz", "a", 0, 0), "--xyz"),
        (("--frame", "tip", "--xyz", 0, 0, 0, "--lock", "nothing"), "nothing"),
        (("--frame", "tip", "--xyz", 0, 0, 0, "--set", "t=1"), "t"),
    ],
)
def test_wrong_usage(capsys, arguments, words):
    status, _, err = ask(capsys, CASE, *arguments)
    assert status == 2 and words in err
