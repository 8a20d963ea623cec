# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots handed over as objects of urchin, urdfpy's maintained fork, are the robots that the files describe."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import urchin

from urdf_rig.core import Robot, UrdfError, forward_kinematics, load


def test_a_robot_in_memory_is_the_robot_of_the_file(corpus_path: Path, describe, deviation, tmp_path: Path) -> None:
    description = describe(corpus_path)
    file = tmp_path / "robot.urdf"
    file.write_text(description.text, encoding="utf-8")
    handed_over = Robot.from_urdfpy(urchin.URDF.load(str(file)))
    robot = load(file)
    assert handed_over.links and [link.name for link in handed_over.links] == [link.name for link in robot.links]
    assert handed_over.dofs == robot.dofs
    assert [joint.range for joint in handed_over.joints] == [joint.range for joint in robot.joints]
    values = dict(description.sample(20, seed=5))
    distance, angle = deviation(forward_kinematics(handed_over, values), forward_kinematics(robot, values))
    assert distance < 1e-9
    assert angle < 1e-9


def test_shapes_and_materials_come_along(tmp_path: Path) -> None:
    file = tmp_path / "part.urdf"
    file.write_text("""<robot name="part"><link name="a">
      <inertial><mass value="2"/><inertia ixx="1" ixy="0.1" ixz="0" iyy="2" iyz="0" izz="3"/></inertial>
      <visual name="plate"><origin xyz="0 0 1" rpy="0.1 0.2 0.3"/><geometry><box size="1 2 3"/></geometry>
        <material name="red"><color rgba="1 0 0 0.5"/></material></visual>
      <collision><geometry><cylinder radius="0.5" length="2"/></geometry></collision></link></robot>""")
    robot = Robot.from_urdfpy(urchin.URDF.load(str(file)), source=file)
    visual, collision = robot.links[0].visuals[0], robot.links[0].collisions[0]
    expected = load(file).links[0]
    assert visual.geometry == expected.visuals[0].geometry
    assert visual.material == expected.visuals[0].material
    assert collision.geometry == expected.collisions[0].geometry
    np.testing.assert_allclose(visual.origin.matrix, expected.visuals[0].origin.matrix, atol=1e-15)
    np.testing.assert_allclose(robot.links[0].inertial.inertia, expected.inertial.inertia, atol=1e-15)
    assert robot.source == file


def test_something_else_is_refused() -> None:
    with pytest.raises(UrdfError, match="not a urdfpy or urchin URDF object"):
        Robot.from_urdfpy(object())
