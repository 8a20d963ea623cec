# SPDX-License-Identifier: GPL-3.0-or-later
"""The .blend stands alone: opened by a Blender without the extension, with Python auto-run off."""

from __future__ import annotations

import json

import numpy as np
import pytest
from other_processes import without_extension

from urdf_rig.core import forward_kinematics, load

ROBOT = """<robot name="r"><link name="base"/>
  <link name="arm"><visual><origin xyz="0.1 0 0.2" rpy="0.3 0 0"/><geometry><box size="0.1 0.1 0.4"/></geometry>
  </visual>
  </link><link name="finger"><visual><geometry><sphere radius="0.05"/></geometry></visual></link>
  <joint name="elbow" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 1" rpy="0.1 0.2 0.3"/>
    <axis xyz="0 -1 0.3"/><limit lower="-0.5" upper="1.5" effort="1" velocity="1"/></joint>
  <joint name="grip" type="prismatic"><parent link="arm"/><child link="finger"/><origin xyz="0 0 0.4"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
    <mimic joint="elbow" multiplier="-0.2" offset="0.1"/></joint>
</robot>"""

READER = """
import json, sys
import bpy
bpy.ops.wm.open_mainfile(filepath=sys.argv[1], use_scripts=False)
assert not hasattr(bpy.types.Object, "urdf_rig")
rig = bpy.data.objects["r"]
arm = rig.pose.bones["arm"]
found = []
for value in json.loads(sys.argv[2]):
    arm.rotation_euler.y = value
    bpy.context.view_layer.update()
    evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    bones = {bone.name: [list(row) for row in bone.matrix] for bone in evaluated.pose.bones}
    meshes = {child.name: [list(row) for row in child.matrix_world] for child in rig.children}
    found.append({"bones": bones, "meshes": meshes})
bpy.context.scene.frame_set(13)
print("RESULT " + json.dumps([found, arm.rotation_euler.y]))
"""


@pytest.fixture
def made(rig_of, tmp_path):
    return rig_of(ROBOT, tmp_path)


def test_it_follows_stops_and_plays_without_the_extension(made, tmp_path):
    rig = made.rig
    offsets = {bone.urdf_rig.link: np.reshape(bone.urdf_rig.bone_h_link, (4, 4)) for bone in rig.data.bones}
    arm = rig.pose.bones["arm"]
    sign = arm.bone.urdf_rig.sign
    for frame, value in ((1, -0.4), (13, 0.25), (25, 1.2)):
        arm.rotation_euler.y = sign * value
        arm.keyframe_insert("rotation_euler", index=1, frame=frame)
    values = [-0.5, 0.0, 0.8, 1.5, 2.5]
    channel = json.dumps([sign * value for value in values])
    found, at_frame_13 = without_extension(tmp_path / "r.blend", READER, channel)
    assert at_frame_13 == pytest.approx(sign * 0.25)
    robot = load(tmp_path / "robot.urdf")
    for value, item in zip(values, found, strict=True):
        expected = forward_kinematics(robot, {"elbow": min(value, 1.5)})
        if value > 1.5:  # the limit stops the arm; its follower reads the channel
            assert np.array(item["bones"]["arm"]) @ offsets["arm"] == pytest.approx(expected["arm"], abs=1e-5)
            continue
        for link, pose in expected.items():
            assert np.array(item["bones"][link]) @ offsets[link] == pytest.approx(pose, abs=1e-5)
        visual = robot.link("arm").visuals[0].origin.matrix
        assert np.array(item["meshes"]["arm"]) == pytest.approx(expected["arm"] @ visual, abs=1e-5)
        assert np.array(item["meshes"]["finger"]) == pytest.approx(expected["finger"], abs=1e-5)
