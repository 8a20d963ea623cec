# SPDX-License-Identifier: GPL-3.0-or-later
"""A small arm, what its description is changed to, and its keys, for the tests of reloading."""

from __future__ import annotations

import bpy

ROBOT = """<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"><visual><geometry><box size="0.2 0.3 0.1"/></geometry><material name="red"/></visual></link>
  <link name="arm"><visual><origin xyz="0 0 0.2" rpy="0.1 0.2 0.3"/><geometry><box size="0.1 0.1 0.4"/></geometry>
    <material name="red"/></visual></link>
  <link name="hand"><visual><geometry><sphere radius="0.05"/></geometry><material name="red"/></visual></link>
  <link name="finger"/><link name="camera"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.1"/>
    <axis xyz="0 1 0.2"/><limit lower="-1" upper="1.5" effort="1" velocity="1"/></joint>
  <joint name="wrist" type="continuous"><parent link="arm"/><child link="hand"/><origin xyz="0 0 0.4" rpy="0.3 0 0"/>
    <axis xyz="1 0 0"/></joint>
  <joint name="grip" type="prismatic"><parent link="hand"/><child link="finger"/><origin xyz="0 0 0.1"/>
    <axis xyz="0 1 0"/><limit lower="0" upper="0.1" effort="1" velocity="1"/></joint>
  <joint name="mount" type="fixed"><parent link="hand"/><child link="camera"/><origin xyz="0.05 0 0"/></joint>
</robot>"""


BALL = '<visual><geometry><sphere radius="0.02"/></geometry></visual>'


TRIANGLE = """solid s
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex {0} 0 0
vertex 0 1 0
endloop
endfacet
endsolid
"""


SENSOR = """<gazebo reference="{0}"><sensor name="{0} eye" type="camera">
  <camera><horizontal_fov>{1}</horizontal_fov><image><width>640</width><height>480</height></image>
  <clip><near>0.1</near><far>10</far></clip></camera></sensor></gazebo></robot>"""


# the shoulder higher, the wrist called otherwise, the finger gone, a tool there
CHANGED = (
    ROBOT.replace('<origin xyz="0 0 0.1"/>', '<origin xyz="0 0.05 0.3"/>', 1)
    .replace('name="wrist"', 'name="roll"')
    .replace('<link name="finger"/>', f'<link name="tool">{BALL}</link>')
    .replace('"finger"', '"tool"')
    .replace('name="grip" type="prismatic"', 'name="weld" type="fixed"')
    .replace('<axis xyz="0 1 0"/><limit lower="0" upper="0.1" effort="1" velocity="1"/>', "")
)  # fmt: skip


KEYS = {"shoulder": (-0.9, 1.4), "wrist": (2.0, -7.0), "grip": (0.02, 0.09)}


def animated(rig):
    """Key the joints at frames 1 and 21, put the robot somewhere, and show frame 6."""
    from urdf_rig.addon.rig import joint_bones_by_name

    bones = joint_bones_by_name(rig)
    for name, values in KEYS.items():
        for frame, value in zip((1, 21), values, strict=True):
            bones[name].value = value
            bones[name].bone.keyframe_insert(bones[name].data_path, index=1, frame=frame)
    rig.location = (0.5, 0, 1)
    bpy.context.scene.frame_set(6)
    return rig


def swap(text, *pairs):
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def joint_curves(rig):
    """Values of the keys by joint."""
    from urdf_rig.addon.fcurves import action_curves
    from urdf_rig.addon.rig import joint_bones

    by_path = {f"{joint.bone.path_from_id()}.{joint.data_path}": joint for joint in joint_bones(rig)}
    found = {}
    for curve in action_curves(rig):
        joint = by_path.get(curve.data_path)
        name = curve.data_path if joint is None else joint.data.joint
        sign = 1 if joint is None else joint.data.sign
        found[name] = [sign * point.co[1] for point in curve.keyframe_points]
    return found


def verified(rig):
    from urdf_rig.addon.verify import verify_rig

    return verify_rig(bpy.context, rig, 8).problems
