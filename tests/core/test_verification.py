# SPDX-License-Identifier: GPL-3.0-or-later
"""What is tried, and the comparison of what was measured with forward kinematics."""

from __future__ import annotations

import numpy as np
import pytest

from urdf_rig.core.kinematics import forward_kinematics
from urdf_rig.core.urdf import parse_urdf
from urdf_rig.core.verification import Measured, compare, range_violations, sample_configurations

ROBOT = parse_urdf("""<robot name="r">
  <link name="base"/><link name="a"/><link name="b"/><link name="c"/>
  <joint name="j1" type="revolute"><parent link="base"/><child link="a"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
    <limit lower="0.2" upper="1.5" effort="1" velocity="1"/></joint>
  <joint name="j2" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
  <joint name="j3" type="planar"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/></joint>
</robot>""")


def measured(configurations, damage=None):
    poses = {link: [] for link in ("base", "a", "b", "c")}
    for q in configurations:
        for link, pose in forward_kinematics(ROBOT, q).items():
            poses[link].append(pose if damage is None or link != damage[0] else pose @ damage[1])
    return [Measured(link, f"bone '{link}'", np.eye(4), np.array(series)) for link, series in poses.items()]


def test_samples_are_zero_both_corners_and_random_values_within_limits():
    samples = sample_configurations(ROBOT, 30)
    values = [float(q["j1"]) for q in samples]
    assert values[:3] == pytest.approx([0.2, 0.2, 1.5])
    assert all(0.2 - 1e-7 <= value <= 1.5 + 1e-7 for value in values)
    assert len(set(values)) > 20
    assert max(abs(float(q["j2"])) for q in samples) > 2 * np.pi
    assert all(q["j3"].shape == (3,) for q in samples)
    assert all(float(np.float32(value)) == value for value in values)


def test_right_poses_pass():
    samples = sample_configurations(ROBOT, 5)
    result = compare(ROBOT, "base", samples, measured(samples))
    assert result.passed and result.links == 4 and result.samples == 5
    assert result.max_position_error < 1e-12


@pytest.mark.parametrize(("shift", "scale", "least"), [(2e-5, 1.0, 0.0), (0.0, 1.0001, 5e-5), (0.0, -1.0, 1.0)])
def test_wrong_poses_fail_and_name_the_link(shift, scale, least):
    damage = np.diag([scale, 1.0, 1.0, 1.0])
    damage[0, 3] = shift
    samples = sample_configurations(ROBOT, 5)
    result = compare(ROBOT, "base", samples, measured(samples, ("b", damage)))
    assert not result.passed and result.worst_link == "b"
    assert "'b'" in result.problems[0]
    assert result.max_position_error == pytest.approx(shift, abs=1e-12)
    assert result.max_rotation_error >= least
    assert result.as_dict()["passed"] is False


def test_nan_fails():
    samples = sample_configurations(ROBOT, 2)
    result = compare(ROBOT, "base", samples, measured(samples, ("b", np.full((4, 4), np.nan))))
    assert not result.passed


def test_values_outside_the_range_are_said():
    assert range_violations(ROBOT, {"j1": 0.2, "j2": 99.0}) == []
    (sentence,) = range_violations(ROBOT, {"j1": 1.6})
    assert "'j1'" in sentence and "'a'" in sentence and "1.6" in sentence
