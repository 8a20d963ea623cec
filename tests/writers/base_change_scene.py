# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot with all kinds of joints, animated, and where its links are, for the tests of base changes."""

from __future__ import annotations

import bpy
import numpy as np

ROBOT = """<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"><visual><geometry><box size="0.2 0.3 0.1"/></geometry><material name="red"/></visual></link>
  <link name="upper"><visual><origin xyz="0 0 0.2" rpy="0.1 0.2 0.3"/><geometry><box size="0.1 0.1 0.4"/></geometry>
    <material name="red"/></visual></link>
  <link name="lower"/><link name="foot"/><link name="sole"/><link name="toe"/><link name="slide"/><link name="wheel"/>
  <joint name="hip" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0.1 0 -0.1" rpy="0.1 0.2 0"/>
    <axis xyz="0 -1 0.2"/><limit lower="-1" upper="1.5" effort="1" velocity="1"/></joint>
  <joint name="knee" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0 0.1 -0.4"/>
    <axis xyz="1 0 0"/><limit lower="-2" upper="0.5" effort="1" velocity="1"/></joint>
  <joint name="ankle" type="continuous"><parent link="lower"/><child link="foot"/><origin xyz="0 0 -0.4" rpy="0 0 1"/>
    <axis xyz="0 0 -1"/></joint>
  <joint name="weld" type="fixed"><parent link="foot"/><child link="sole"/><origin xyz="0.05 0 -0.1" rpy="0.5 0 0"/>
  </joint>
  <joint name="curl" type="revolute"><parent link="foot"/><child link="toe"/><origin xyz="0.1 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/><mimic joint="knee" multiplier="-0.5" offset="0.1"/></joint>
  <joint name="rail" type="prismatic"><parent link="base"/><child link="slide"/><origin xyz="0 0 0.2"/>
    <axis xyz="0 1 1"/><limit lower="-0.2" upper="0.3" effort="1" velocity="1"/></joint>
  <joint name="spin" type="continuous"><parent link="slide"/><child link="wheel"/><origin xyz="0 0.1 0"/>
    <axis xyz="0 -1 0"/></joint>
</robot>"""


KEYS = {
    "hip": (-0.9, 0.2, 1.4),
    "knee": (0.4, -1.9, -0.3),
    "ankle": (0.0, 5.0, -8.0),
    "rail": (0.3, -0.2, 0.1),
    "spin": (0.0, 3.0, 9.0),
}


LAST = 30


EVERY = [*range(-3, LAST + 4), 11.5]


def animate(rig, keys=KEYS, frames=(1, 11.5, LAST)):
    from urdf_rig.addon.rig import joint_bones_by_name

    bones = joint_bones_by_name(rig)
    for name, values in keys.items():
        for frame, value in zip(frames, values, strict=True):
            bones[name].value = value
            bone = bones[name].bone
            bone.keyframe_insert(bones[name].data_path, index=1, frame=frame, group=bone.name)
    bpy.context.scene.frame_end = LAST


def animate_base(rig):
    for frame, place, turn in (
        (1, (0, 0, 1), (0, 0, 0)),
        (20, (1, 0.5, 1), (0.3, -0.4, 2.5)),
        (LAST, (1, 1, 0), (0,) * 3),
    ):
        rig.location, rig.rotation_euler = place, turn
        rig.keyframe_insert("location", frame=frame)
        rig.keyframe_insert("rotation_euler", frame=frame)


def poses_at(rig, frames):
    """The world pose of every link and every object that hangs from the rig, by name, (T, 4, 4)."""
    found = {}
    for frame in frames:
        bpy.context.scene.frame_set(int(frame // 1), subframe=frame % 1)
        evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        world = np.array(evaluated.matrix_world, dtype=float)
        for bone in evaluated.pose.bones:
            data = bone.bone.urdf_rig
            pose = world @ np.array(bone.matrix, dtype=float) @ np.reshape(data.bone_h_link, (4, 4))
            found.setdefault(f"link {data.link}", []).append(pose)
        for child in rig.children:
            shown = child.evaluated_get(bpy.context.evaluated_depsgraph_get())
            found.setdefault(child.name, []).append(np.array(shown.matrix_world, dtype=float))
    return {name: np.array(poses) for name, poses in found.items()}


def assert_same(before, after, tolerance=1e-5):
    assert before.keys() == after.keys()
    errors = {name: float(np.abs(before[name] - after[name]).max()) for name in before}
    assert max(errors.values()) < tolerance, errors


def verified(rig):
    from urdf_rig.addon.verify import verify_rig

    result = verify_rig(bpy.context, rig, 8)
    return result.problems
