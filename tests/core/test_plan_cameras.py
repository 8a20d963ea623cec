# SPDX-License-Identifier: GPL-3.0-or-later
"""Cameras in the rig plan: Blender's looks where the description's does."""

from __future__ import annotations

import math

import numpy as np
import pytest

from urdf_rig.core.plan import plan_rig
from urdf_rig.core.urdf import parse_urdf

TEXT = """<robot name="r"><link name="a"/><link name="b"/>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
  <gazebo reference="b"><sensor name="{name}" type="camera"><pose>1 2 3 0 {pitch} 0</pose><camera>
    <horizontal_fov>{fov}</horizontal_fov><clip><near>{near}</near><far>{far}</far></clip></camera></sensor></gazebo>
</robot>"""


def planned(name="eye", pitch=0.0, fov=1.0, near=0.1, far=9.0, **options):
    robot = parse_urdf(TEXT.format(name=name, pitch=pitch, fov=fov, near=near, far=far))
    return plan_rig(robot, **options).cameras


def test_it_looks_along_the_sensors_x_with_the_sensors_z_up():
    (camera,) = planned()
    assert (camera.name, camera.link, camera.bone) == ("eye", "b", "b")
    right, up, back = camera.link_h_view[:3, :3].T
    assert back.tolist() == [-1.0, 0.0, 0.0]
    assert up.tolist() == [0.0, 0.0, 1.0]
    assert right.tolist() == [0.0, -1.0, 0.0]
    assert camera.link_h_view[:3, 3].tolist() == [1.0, 2.0, 3.0]


def test_a_sensor_pitched_down_looks_down():
    (camera,) = planned(pitch=math.pi / 2)
    assert -camera.link_h_view[:3, 2] == pytest.approx([0.0, 0.0, -1.0], abs=1e-12)
    assert camera.link_h_view[:3, 1] == pytest.approx([1.0, 0.0, 0.0], abs=1e-12)
    assert np.linalg.det(camera.link_h_view[:3, :3]) == pytest.approx(1.0)


@pytest.mark.parametrize(("fov", "angle"), [(1.5, 1.5), (6.0, 3.0), (1e-9, 0.0065)])
def test_the_field_of_view_is_one_that_a_lens_has(fov, angle):
    assert planned(fov=fov)[0].angle == angle


def test_it_never_clips_at_its_own_lens_nor_everything():
    (camera,) = planned(near=0.0, far=1e-4)
    assert 0.0 < camera.near < camera.far


def test_names_are_short_enough_and_cameras_can_be_left_out():
    assert len(planned(name="x" * 200)[0].name) == 63
    assert planned(cameras=False) == ()
