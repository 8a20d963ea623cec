# SPDX-License-Identifier: GPL-3.0-or-later
"""The base's pose: between samples, without flips, from and to text files, and onto a robot's base link."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core import forward_kinematics
from urdf_rig.core.motion import BaseMotion, JointMotion, MotionError, fit_to_robot, read_motion, write_motion
from urdf_rig.core.spatial import rotation_about_axis
from urdf_rig.core.urdf import parse_urdf

ROBOT = parse_urdf(
    """<robot name="r"><link name="root"/><link name="arm"/><link name="hand"/>
  <joint name="a" type="revolute"><parent link="root"/><child link="arm"/><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>
    <axis xyz="0 0 1"/><limit lower="-9" upper="9" effort="1" velocity="1"/></joint>
  <joint name="b" type="prismatic"><parent link="arm"/><child link="hand"/><axis xyz="1 0 0"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/></joint></robot>""",
    file="r.urdf",
)


def about_z(angles):
    angles = np.asarray(angles, dtype=float)
    return np.column_stack([np.cos(angles / 2), 0 * angles, 0 * angles, np.sin(angles / 2)])


def full_motion(count=6):
    dice = np.random.default_rng(8)
    times = np.arange(count) / 10
    base = BaseMotion(times, dice.normal(size=(count, 3)), dice.normal(size=(count, 4)), "map", "root")
    arrays = [dice.normal(size=(count, 2)) for _ in range(3)]
    return JointMotion(("a", "b"), times, *arrays, base)


def test_between_samples_it_goes_straight_and_turns_evenly():
    base = BaseMotion([0.0, 2.0], [[0, 0, 0], [4, 2, 0]], about_z([0.0, 2.0]))
    got = base.at([-1.0, 0.5, 1.0, 3.0])
    assert got.positions == pytest.approx(np.array([[0, 0, 0], [1, 0.5, 0], [2, 1, 0], [4, 2, 0]]))
    assert got.poses[:, :3, :3] == pytest.approx(rotation_about_axis([0, 0, 1], [0.0, 0.5, 1.0, 2.0]))
    alone = BaseMotion([1.0], [[1, 2, 3]], [[2, 0, 0, 0]]).at([0.0, 5.0])
    assert alone.positions.tolist() == [[1, 2, 3]] * 2 and alone.quaternions.tolist() == [[1, 0, 0, 0]] * 2


@given(st.lists(st.booleans(), min_size=2, max_size=40), st.floats(0.01, 1.5))
def test_quaternions_never_flip(signs, step):
    angles = step * np.arange(len(signs))
    given_ = about_z(angles) * np.where(signs, -3.0, 0.5)[:, None]
    base = BaseMotion(np.arange(len(signs)), np.zeros((len(signs), 3)), given_)
    assert np.linalg.norm(base.quaternions, axis=1) == pytest.approx(1.0)
    assert ((base.quaternions[1:] * base.quaternions[:-1]).sum(axis=1) > 0.0).all()
    assert base.poses[:, :3, :3] == pytest.approx(rotation_about_axis([0, 0, 1], angles), abs=1e-12)


@pytest.mark.parametrize(
    ("times", "positions", "quaternions", "words"),
    [
        ([], np.zeros((0, 3)), np.zeros((0, 4)), "no samples"),
        ([0, 0], np.zeros((2, 3)), np.ones((2, 4)), "must go on"),
        ([0, 1], np.zeros((2, 2)), np.ones((2, 4)), r"positions \(2, 2\)"),
        ([0], [[np.nan, 0, 0]], [[1, 0, 0, 0]], "must be finite"),
        ([0, 1], np.zeros((2, 3)), [[1, 0, 0, 0], [0, 0, 0, 0]], "zero in sample 1"),
    ],
)
def test_what_is_no_motion_of_a_base(times, positions, quaternions, words):
    with pytest.raises(MotionError, match=words):
        BaseMotion(times, positions, quaternions)


def test_a_motion_keeps_its_base_through_everything():
    motion = full_motion()
    shifted = motion.shifted(2.0)
    assert shifted.base.times == pytest.approx(motion.times + 2.0)
    assert motion.of_joints(["b"]).base is motion.base and motion.scaled([2.0, 3.0]).base is motion.base
    fine = motion.resampled(40.0)
    assert len(fine.base.times) == len(fine.times) == 21
    assert fine.base.at(motion.times).poses == pytest.approx(motion.base.poses)
    other = JointMotion(("a",), [0.0, 1.0], [[0.0], [1.0]], base=motion.base)
    together = other.on_one_clock()
    assert together.times.tolist() == [*motion.times, 1.0] and together.base.times.tolist() == [*motion.times, 1.0]
    assert together.positions[:, 0] == pytest.approx(together.times)


@pytest.mark.parametrize("name", ["m.csv", "m.json", "m.yaml", "states.yaml"])
def test_what_is_written_is_read_back_the_same(tmp_path, name):
    motion = full_motion()
    write_motion(tmp_path / name, motion, states="states" in name)
    got = read_motion(tmp_path / name).motion
    assert got.joints == motion.joints and np.array_equal(got.positions, motion.positions)
    assert got.times == pytest.approx(motion.times, abs=1e-12)
    assert np.array_equal(got.velocities, motion.velocities)
    assert (got.accelerations is None) == ("states" in name)
    assert np.array_equal(got.base.positions, motion.base.positions)
    assert got.base.quaternions == pytest.approx(motion.base.quaternions, abs=1e-15)
    assert (got.base.frame, got.base.link) == (("", "") if name == "m.csv" else ("map", "root"))
    alone = JointMotion((), motion.times, np.zeros((6, 0)), base=motion.base)
    write_motion(tmp_path / name, alone, states="states" in name)
    assert np.array_equal(read_motion(tmp_path / name).motion.base.positions, motion.base.positions)


def test_others_can_read_the_base(tmp_path):
    motion = full_motion()
    x, w = motion.base.positions[2, 0], motion.base.quaternions[2, 0]
    write_motion(tmp_path / "m.csv", motion)
    header = (tmp_path / "m.csv").read_text().splitlines()[0]
    assert header.endswith("base/x,base/y,base/z,base/qw,base/qx,base/qy,base/qz")
    write_motion(tmp_path / "m.json", motion)
    table = json.loads((tmp_path / "m.json").read_text())["base"]
    assert (table["positions"][2][0], table["quaternions"][2][0], table["frame"]) == (x, w, "map")
    write_motion(tmp_path / "m.yaml", motion)
    message = yaml.safe_load((tmp_path / "m.yaml").read_text())["multi_dof_joint_trajectory"]
    assert message["header"]["frame_id"] == "map" and message["joint_names"] == ["root"]
    transform = message["points"][2]["transforms"][0]
    assert (transform["translation"]["x"], transform["rotation"]["w"]) == (x, w)
    assert message["points"][2]["time_from_start"] == {"sec": 0, "nanosec": 200_000_000}
    write_motion(tmp_path / "m.yaml", motion, states=True)
    documents = [item for item in yaml.safe_load_all((tmp_path / "m.yaml").read_text()) if item]
    assert documents[5]["child_frame_id"] == "root" and documents[5]["transform"]["rotation"]["w"] == w
    assert documents[4]["name"] == ["a", "b"] and documents[4]["velocity"] == motion.velocities[2].tolist()


def test_a_clock_is_taken_off_the_base_too(tmp_path):
    path = tmp_path / "m.csv"
    rows = [f"{1_700_000_000 + index},{index},{index},0,0,1,0,0,0" for index in range(3)]
    path.write_text("t,a,base/x,base/y,base/z,base/qw,base/qx,base/qy,base/qz\n" + "\n".join(rows))
    motion = read_motion(path).motion
    assert motion.joints == ("a",) and motion.base.times.tolist() == [0.0, 1.0, 2.0]


BAD = [
    ('{"frame": "w", "positions": [[0, 0, 0]]}', "base.quaternions: not a list"),
    ('{"positions": [[0, 0]], "quaternions": [[1, 0, 0, 0]]}', "base.positions[0]: 2 numbers where 3 are needed"),
    ('{"positions": [], "quaternions": []}', "base.positions: 0 samples for 1 times"),
    ('{"positions": [[0, 0, 0]], "quaternions": [[0, 0, 0, 0]]}', "quaternion is zero"),
    ("[1]", "base: not a table"),
]


@pytest.mark.parametrize(("text", "words"), BAD)
def test_what_is_refused(tmp_path, text, words):
    path = tmp_path / "m.json"
    path.write_text(f'{{"joints": ["a"], "times": [0], "positions": [[1]], "base": {text}}}')
    with pytest.raises(MotionError) as caught:
        read_motion(path)
    assert words in str(caught.value) and str(path) in str(caught.value)


def test_the_pose_of_any_link_says_where_the_base_is():
    """``W_H_root`` from the hand's pose, by forward kinematics of the same joint values."""
    motion = full_motion()
    hand = BaseMotion(motion.times, motion.base.positions, motion.base.quaternions, "map", "hand")
    given_ = JointMotion(motion.joints, motion.times, motion.positions, base=hand)
    got = fit_to_robot(given_, ROBOT).motion
    assert got.base.link == "root" and got.base.frame == "map"
    values = dict(zip(motion.joints, motion.positions.T, strict=True))
    assert got.base.poses @ forward_kinematics(ROBOT, values)["hand"] == pytest.approx(hand.poses)
    same = fit_to_robot(given_, ROBOT, base="hand").motion
    assert same.base.poses == pytest.approx(hand.poses)


def test_a_base_alone_is_enough_and_degrees_are_for_joints():
    base = BaseMotion([0.0], [[1, 2, 3]], about_z([1.0]), "odom", "base_footprint")
    fitted = fit_to_robot(JointMotion((), [0.0], np.zeros((1, 0)), base=base), ROBOT, degrees=True)
    assert fitted.motion.base.positions.tolist() == [[1, 2, 3]]
    assert "'root' is put where the recorded frame 'base_footprint' is" in str(fitted.diagnostics[0])
    turned = fit_to_robot(JointMotion(("a",), [0.0], [[180.0]], base=base), ROBOT, degrees=True).motion
    assert turned.positions[0, 0] == pytest.approx(math.pi) and turned.base.positions.tolist() == [[1, 2, 3]]
