# SPDX-License-Identifier: GPL-3.0-or-later
"""Cameras in <gazebo> blocks, and silence about what else stands in there."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

LINKS = '<link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'


def block(inside, link="b", tag='sensor name="eye" type="camera"'):
    return f'{LINKS}<gazebo reference="{link}"><{tag}>{inside}</{tag.split()[0]}></gazebo>'


def test_a_camera_has_what_the_file_says(parse, warnings):
    robot = parse(
        block(
            "<pose>1 2 3 0 0 1.5707963267948966</pose><camera><horizontal_fov>1.2</horizontal_fov>"
            "<image><width>1280</width><height> 720 </height><format>R8G8B8</format></image>"
            "<clip><near>0.05</near><far>9</far></clip></camera>"
        )
    )
    (camera,) = robot.cameras
    assert (camera.name, camera.link, camera.line) == ("eye", "b", 1)
    assert (camera.horizontal_fov, camera.width, camera.height, camera.near, camera.far) == (1.2, 1280, 720, 0.05, 9.0)
    # a quarter turn about z: looks along the link's y
    assert camera.link_h_camera == pytest.approx(
        np.array([[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]), abs=1e-12
    )
    assert not camera.link_h_camera.flags.writeable
    assert warnings(robot) == []


def test_the_cameras_own_pose_stands_on_the_sensors(parse):
    (camera,) = parse(
        block("<pose>1 0 0 0 0 1.5707963267948966</pose><camera><pose>0.5 0 0 0 0 0</pose></camera>")
    ).cameras
    assert camera.link_h_camera[:3, 3] == pytest.approx([1.0, 0.5, 0.0], abs=1e-12)


@pytest.mark.parametrize(
    "pose",
    [
        '<pose degrees="true">0 0 0 0 90 0</pose>',
        '<pose rotation_format="quat_xyzw">0 0 0 0 2 0 2</pose>',
        '<pose relative_to="b">0 0 0 0 1.5707963267948966 0</pose>',
    ],
)
def test_other_spellings_of_a_pose_that_looks_down(parse, pose):
    (camera,) = parse(block(f"{pose}<camera/>")).cameras
    assert camera.link_h_camera[:3, 0] == pytest.approx([0.0, 0.0, -1.0], abs=1e-12)


def test_what_is_missing_has_sdformats_default(parse):
    (camera,) = parse(block("<camera/>")).cameras
    assert (camera.horizontal_fov, camera.width, camera.height, camera.near, camera.far) == (1.047, 320, 240, 0.1, 100)
    assert (camera.link_h_camera == np.eye(4)).all()


def test_several_cameras_in_one_sensor_have_names_of_their_own(parse):
    robot = parse(block('<camera name="left"/><camera/>', tag='sensor name="pair" type="multicamera"'))
    assert [camera.name for camera in robot.cameras] == ["pair left", "pair 2"]


def test_the_sensors_of_old_gazebo_have_degrees(parse):
    robot = parse(
        block(
            "<imageSize>640 480</imageSize><hfov>90</hfov><nearClip>0.2</nearClip><farClip>50</farClip>",
            tag='sensor:camera name="old"',
        )
    )
    (camera,) = robot.cameras
    assert camera.horizontal_fov == pytest.approx(math.pi / 2)
    assert (camera.name, camera.width, camera.height, camera.near, camera.far) == ("old", 640, 480, 0.2, 50.0)


@pytest.mark.parametrize(
    ("inside", "link", "words"),
    [
        ("<camera><horizontal_fov>wide</horizontal_fov></camera>", "b", "'wide' is not a decimal number"),
        ("<camera><horizontal_fov>0</horizontal_fov></camera>", "b", "field of view of 0 rad"),
        ("<camera><image><width>0</width></image></camera>", "b", "0 times 240 pixels"),
        ("<camera><image><width>9999999</width></image></camera>", "b", "9e+06|1e+07"),
        ("<camera><clip><near>2</near><far>1</far></clip></camera>", "b", "from 2 m to 1 m"),
        ("<pose>1 2 3</pose><camera/>", "b", "6 numbers are needed, here are 3"),
        ("<pose>1e308 0 0 0 0 0</pose><camera><pose>1e308 0 0 0 0 0</pose></camera>", "b", "too far away"),
        ('<pose relative_to="other">0 0 0 0 0 0</pose><camera/>', "b", "given in 'other'"),
        ('<pose rotation_format="quat_xyzw">0 0 0 0 0 0 0</pose><camera/>', "b", "zero quaternion"),
        ("<camera/>", "c", "'c', which is no link"),
        ("<camera/>", "", "block is missing"),
    ],
)
def test_a_camera_that_cannot_be_used_is_left_out_and_the_robot_stays(parse, warnings, inside, link, words):
    robot = parse(block(inside, link))
    assert robot.cameras == () and len(robot.links) == 2
    (text,) = warnings(robot)
    assert re.search(words.replace("+", r"\+"), text) and "camera 'eye'" in text and "left out" in text


def test_two_of_one_name_on_one_link_are_one(parse):
    robot = parse(block("<camera/>") + block("<camera/>")[len(LINKS) :])
    assert len(robot.cameras) == 1
    assert any("another camera" in item.message for item in robot.diagnostics)


def test_wider_than_a_picture_is_said(parse, warnings):
    robot = parse(block("<camera><horizontal_fov>3.4906585</horizontal_fov></camera>"))
    assert len(robot.cameras) == 1 and "200 degrees" in warnings(robot)[0]


def test_simulators_and_controllers_settings_are_passed_over_in_silence(parse):
    robot = parse(
        f"{LINKS}<gazebo><plugin name='p' filename='lib.so'/></gazebo>"
        "<gazebo reference='b'><mu1>0.2</mu1><sensor name='imu' type='imu'><imu/></sensor>"
        "<sensor name='lidar' type='gpu_ray'><ray><range><min>1</min></range></ray></sensor></gazebo>"
        "<transmission name='t'><joint name='j'/></transmission><ros2_control name='c' type='system'/>"
    )
    assert robot.cameras == () and robot.diagnostics == ()
