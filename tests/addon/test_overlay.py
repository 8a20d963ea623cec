# SPDX-License-Identifier: GPL-3.0-or-later
"""The overlay of the section *Kinematics*: its drawing handler, and the lines that it draws."""

from __future__ import annotations

import math

import bpy
import numpy as np
import pytest

# a planar arm with links of 0.3 m and 0.4 m, standing 1 m above the ground
ARM = """<robot name="arm"><link name="base"/><link name="upper"/><link name="lower"/><link name="tool"/>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><origin xyz="0 0 1"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="0.3 0 0"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="end" type="fixed"><parent link="lower"/><child link="tool"/><origin xyz="0.4 0 0" rpy="0 0 0.25"/>
  </joint></robot>"""


@pytest.fixture
def rig(rig_of, tmp_path):
    """The arm, stretched out; its shoulder turns by 0.1 rad a frame, at 24 frames a second, and is at 1 rad at 11."""
    from urdf_rig.addon.fcurves import action_curves
    from urdf_rig.addon.rig import set_joint_values

    rig = rig_of(ARM, tmp_path).rig
    for frame, angle in ((1, 0.0), (21, 2.0)):
        set_joint_values(rig, {"shoulder": angle})
        rig.pose.bones["upper"].keyframe_insert("rotation_euler", index=1, frame=frame)
    for curve in action_curves(rig):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    return rig


def test_the_overlay_is_off_until_switched_on_and_leaves_nothing(rig):
    from urdf_rig.addon import overlay

    assert not overlay.overlay_is_on()
    bpy.ops.urdf_rig.toggle_overlay()
    assert overlay.overlay_is_on()
    bpy.ops.urdf_rig.toggle_overlay()
    assert not overlay.overlay_is_on() and not overlay._handle
    bpy.ops.urdf_rig.toggle_overlay()
    handle = overlay._handle[0]
    overlay.unregister()
    assert not overlay._handle
    with pytest.raises(ValueError, match="removed"):
        bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")


def test_what_the_overlay_draws(rig):
    from urdf_rig.addon.overlay import overlay_lines

    rig.location, rig.rotation_euler.z, rig.scale = (1.0, 0.0, 0.0), math.pi / 2, (2.0, 2.0, 2.0)
    bpy.context.scene.frame_set(11)
    state = bpy.context.window_manager.urdf_rig_kinematics
    state.frame, state.length = "tool", 0.5
    state.velocity = state.ellipsoid = False
    points, colors = overlay_lines(bpy.context)
    origin = np.array([1 - 1.4 * math.sin(1), 1.4 * math.cos(1), 2.0])
    assert len(points) == len(colors) == 6 and points[::2] == pytest.approx(np.tile(origin, (3, 1)), abs=1e-5)
    tips = points[1::2] - origin
    angle = 1 + 0.25 + math.pi / 2
    assert tips[0] / np.linalg.norm(tips[0]) == pytest.approx([math.cos(angle), math.sin(angle), 0], abs=1e-5)
    assert tips[2][:2] == pytest.approx([0, 0], abs=1e-5) and tips[2][2] > 0.1
    state.axes, state.velocity = False, True
    assert len(overlay_lines(bpy.context)[0]) == 0  # nothing was measured
    bpy.ops.urdf_rig.measure_motion()
    points, _ = overlay_lines(bpy.context)
    # 0.7 m at 2.4 rad/s, half as long, twice as large, along the circle
    along = np.array([-math.cos(1), -math.sin(1), 0]) * 0.7 * 2.4
    assert points[0] == pytest.approx(origin, abs=1e-5) and points[1] == pytest.approx(origin + along, abs=1e-4)
    state.velocity, state.ellipsoid = False, True
    points, _ = overlay_lines(bpy.context)
    # stretched out along its x: no velocity along the arm, sqrt(0.7^2 + 0.4^2) across it
    reach = (points - origin) @ np.array([-math.cos(1), -math.sin(1), 0])
    assert np.abs(reach).max() == pytest.approx(math.hypot(0.7, 0.4), abs=1e-4)
    assert np.linalg.norm(points - origin, axis=1).max() == pytest.approx(math.hypot(0.7, 0.4), abs=1e-4)
