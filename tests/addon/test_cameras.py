# SPDX-License-Identifier: GPL-3.0-or-later
"""Camera sensors as Blender cameras: they look where the sensors look, whatever the robot does."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

# the sensor sits on the hand, turned a quarter to the left: at zero it looks along the link's +Y
ROBOT = """<robot name="r"><link name="base"/><link name="hand"/>
  <joint name="j" type="revolute"><parent link="base"/><child link="hand"/><origin xyz="0.3 0 1" rpy="0 0 0.4"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <gazebo reference="hand"><sensor name="eye" type="camera"><pose>0.1 0.2 0.3 0 0 1.5707963267948966</pose><camera>
    <horizontal_fov>1.5707963267948966</horizontal_fov><image><width>800</width><height>200</height></image>
    <clip><near>0.05</near><far>30</far></clip></camera></sensor></gazebo>
</robot>"""


@pytest.fixture
def imported(rig_of, tmp_path):
    return rig_of(ROBOT, tmp_path)


def seen(obj, hand, sensor_point):
    """Where in the picture (0..1 from the left, 0..1 from below, depth) a point in the sensor's frame is."""
    x, y, z = sensor_point  # the sensor's +X is the hand's +Y, its +Y the hand's -X
    point = hand @ np.array([0.1 - y, 0.2 + x, 0.3 + z, 1.0])
    return tuple(world_to_camera_view(bpy.context.scene, obj, Vector(point[:3])))


@pytest.mark.parametrize("value", [0.0, 1.3, -0.7])
@pytest.mark.parametrize("base", ["base", "hand"])
def test_it_looks_where_the_sensor_looks(rig_of, tmp_path, link_poses, value, base):
    from urdf_rig.addon.rig import set_joint_values

    rig = rig_of(ROBOT, tmp_path, base=base).rig
    set_joint_values(rig, {"j": value})
    hand = link_poses(rig)["hand"]
    obj = bpy.data.objects["eye"]
    bpy.ops.urdf_rig.use_camera(camera="eye")
    assert seen(obj, hand, (2.0, 0.0, 0.0)) == pytest.approx((0.5, 0.5, 2.0), abs=1e-5)
    # half the field of view is 45 degrees: at 2 m the picture's left edge is 2 m to the left
    assert seen(obj, hand, (2.0, 2.0, 0.0)) == pytest.approx((0.0, 0.5, 2.0), abs=1e-5)
    assert seen(obj, hand, (2.0, -2.0, 0.0)) == pytest.approx((1.0, 0.5, 2.0), abs=1e-5)
    # pixels are square: 200 of 800 pixels reach 0.5 m upwards
    assert seen(obj, hand, (2.0, 0.0, 0.5)) == pytest.approx((0.5, 1.0, 2.0), abs=1e-5)
    assert seen(obj, hand, (-1.0, 0.0, 0.0))[2] < 0.0


def test_what_the_camera_is(imported):
    obj = bpy.data.objects["eye"]
    assert obj.parent is imported.rig and obj.parent_type == "BONE" and obj.parent_bone == "hand"
    assert [home.name for home in obj.users_collection] == ["Sensors"]
    assert obj.data.angle_x == pytest.approx(math.pi / 2) and obj.data.sensor_fit == "HORIZONTAL"
    assert (obj.data.clip_start, obj.data.clip_end) == pytest.approx((0.05, 30.0))
    assert tuple(obj.urdf_rig.resolution) == (800, 200) and obj.urdf_rig.link == "hand"
    assert obj.urdf_rig.index == -1  # no shape, for verification and reports


def test_the_scene_is_left_alone_until_the_camera_is_asked_for(imported):
    scene = bpy.context.scene
    assert scene.camera is None and (scene.render.resolution_x, scene.render.resolution_y) == (1920, 1080)
    scene.render.resolution_percentage = 50
    assert bpy.ops.urdf_rig.use_camera(camera="eye") == {"FINISHED"}
    assert scene.camera is bpy.data.objects["eye"]
    assert (scene.render.resolution_x, scene.render.resolution_y) == (800, 200)
    assert scene.render.resolution_percentage == 100
    with pytest.raises(RuntimeError, match="no camera 'ear'; it has eye"):
        bpy.ops.urdf_rig.use_camera(camera="ear")


def test_in_other_scene_units_it_sees_as_far(rig_of, tmp_path, link_poses):
    bpy.context.scene.unit_settings.scale_length = 0.001
    rig = rig_of(ROBOT, tmp_path).rig
    obj = bpy.data.objects["eye"]
    assert (obj.data.clip_start, obj.data.clip_end) == pytest.approx((50.0, 30000.0))
    bpy.ops.urdf_rig.use_camera(camera="eye")
    hand = np.diag([1000.0, 1000.0, 1000.0, 1.0]) @ link_poses(rig)["hand"]
    assert seen(obj, hand, (2.0, 2.0, 0.0)) == pytest.approx((0.0, 0.5, 2000.0), abs=1e-2)


def test_cameras_can_be_left_out(rig_of, tmp_path):
    rig_of(ROBOT, tmp_path, cameras=False)
    assert not bpy.data.cameras and "Sensors" not in bpy.data.collections
    assert not bpy.ops.urdf_rig.use_camera.poll()


def test_a_robot_without_cameras_has_no_empty_collection(rig_of, tmp_path):
    rig_of('<robot name="r"><link name="a"/></robot>', tmp_path)
    assert "Sensors" not in bpy.data.collections
    assert not bpy.types.URDF_RIG_PT_cameras.poll(bpy.context)


def test_the_widest_lens_is_one_that_blender_has(rig_of, tmp_path):
    rig_of(ROBOT.replace("<horizontal_fov>1.5707963267948966", "<horizontal_fov>6.0"), tmp_path)
    assert bpy.data.cameras["eye"].angle_x == pytest.approx(3.0, abs=1e-4)


def test_the_rig_with_a_camera_verifies_and_undo_leaves_nothing(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(ROBOT)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.urdf_rig.import_robot("EXEC_DEFAULT", True, filepath=str(path))
    assert bpy.context.object.data.urdf_rig.verify_passed
    bpy.ops.ed.undo()
    assert not bpy.data.cameras and not bpy.data.objects


def test_the_dialogs_option_reaches_the_importer(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(ROBOT)
    bpy.ops.urdf_rig.import_robot(filepath=str(path), cameras=False, verify=False)
    assert not bpy.data.cameras


def test_the_panel_has_a_button_for_each(imported):
    buttons = []

    class Notes:
        def column(self, **_):
            return self

        def operator(self, idname, text, depress, **_):
            buttons.append((idname, text, depress, SimpleNamespace()))
            return buttons[-1][3]

    assert bpy.types.URDF_RIG_PT_cameras.poll(bpy.context)
    bpy.types.URDF_RIG_PT_cameras.draw(SimpleNamespace(layout=Notes()), bpy.context)
    ((idname, text, depress, properties),) = buttons
    assert (idname, text, depress, properties.camera) == ("urdf_rig.use_camera", "eye (800 × 200)", False, "eye")


@pytest.mark.parametrize("flags", [[], ["--no-cameras", "--inertia"]])
def test_the_command_lines_flags(tmp_path, flags):
    path, out = tmp_path / "robot.urdf", tmp_path / "out.blend"
    mass = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    path.write_text(ROBOT.replace('<link name="hand"/>', f'<link name="hand">{mass}</link>'))
    run = subprocess.run(
        [sys.executable, "-m", "urdf_rig.cli.main", "convert", str(path), str(out), *flags],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env=dict(os.environ),
    )
    assert run.returncode == 0, run.stderr
    bpy.ops.wm.open_mainfile(filepath=str(out))
    assert ("eye" in bpy.data.objects) is not bool(flags)
    assert ("hand inertia" in bpy.data.objects) is bool(flags)
