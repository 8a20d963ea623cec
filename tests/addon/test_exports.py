# SPDX-License-Identifier: GPL-3.0-or-later
"""What game engines get: written, read again by Blender's own importers, and compared with forward kinematics."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys

import bpy
import numpy as np
import pytest

ROBOT = """<robot name="r">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"><visual><geometry><box size="0.4 0.4 0.1"/></geometry><material name="red"/></visual></link>
  <link name="arm"><visual><origin xyz="0 0 0.2" rpy="0 0.5 0"/><geometry><box size="0.1 0.2 0.4"/></geometry>
    </visual><collision><geometry><sphere radius="3"/></geometry></collision></link>
  <link name="flange"><visual><origin xyz="0.1 0 0"/><geometry><box size="0.1 0.1 0.05"/></geometry></visual>
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="slide"><visual><geometry><box size="0.05 0.1 0.15"/></geometry><material name="red"/></visual></link>
  <link name="finger"><visual><origin xyz="0 0.05 0"/><geometry><box size="0.02 0.08 0.03"/></geometry></visual></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0.1 0.3" rpy="0.3 0 1"/>
    <axis xyz="0 0.6 0.8"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
  <joint name="glue" type="fixed"><parent link="arm"/><child link="flange"/>
    <origin xyz="0 0 0.4" rpy="0 0.3 0"/></joint>
  <joint name="rail" type="prismatic"><parent link="flange"/><child link="slide"/><origin rpy="1 0 0"/>
    <axis xyz="1 0 0"/><limit lower="0" upper="0.5" effort="1" velocity="1"/></joint>
  <joint name="grip" type="revolute"><parent link="slide"/><child link="finger"/><origin xyz="0 0 0.1"/>
    <axis xyz="0 0 -1"/><limit lower="-3" upper="3" effort="1" velocity="1"/>
    <mimic joint="rail" multiplier="4"/></joint>
</robot>"""

LINKS = ("base", "arm", "flange", "slide", "finger")
KEYS = {1: {"shoulder": -0.8, "rail": 0.1}, 11: {"shoulder": 1.3, "rail": 0.4}}
FRAMES = (1, 4, 8, 11)
LIMIT = 1e-4

# Blender's own FBX exporter
_OLD_NUMPY = pytest.mark.filterwarnings("ignore:Setting the shape on a NumPy array:DeprecationWarning")


class Truth:
    """Where forward kinematics puts links, bones and vertices, in each frame."""

    def __init__(self, imported, frames):
        from urdf_rig.addon.rig import joint_values
        from urdf_rig.core.kinematics import forward_kinematics

        robot = imported.plan.robot
        self.bones = {bone.name: _offset(bone) for bone in imported.rig.data.bones}
        self.poses = {}
        for frame in frames:
            bpy.context.scene.frame_set(frame)
            evaluated = imported.rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
            self.poses[frame] = forward_kinematics(robot, joint_values(evaluated))
        # all shapes are boxes: their corners are known without reading what was built
        self.corners = {link.name: np.concatenate([_corners(shape) for shape in link.visuals]) for link in robot.links}

    def bone_pose(self, name, frame):
        return self.poses[frame][name] @ self.bones[name]

    def bounds(self, frame):
        pose = self.poses[frame]
        points = np.concatenate([self.corners[link] @ pose[link][:3, :3].T + pose[link][:3, 3] for link in LINKS])
        return np.array([points.min(axis=0), points.max(axis=0)])


def _offset(bone):
    return np.linalg.inv(np.reshape(bone.urdf_rig.bone_h_link, (4, 4)).astype(float))


def _corners(shape):
    """Return a box's corners in the link's frame, (8, 3)."""
    signs = np.stack(np.meshgrid(*[[-0.5, 0.5]] * 3), axis=-1).reshape(-1, 3)
    matrix = shape.origin.matrix
    return signs * shape.geometry.size @ matrix[:3, :3].T + matrix[:3, 3]


@pytest.fixture
def export(rig_of, tmp_path):
    """A function that imports, poses or animates, and writes; the scene is an empty one afterwards."""

    def run(suffix, animated=True, **options):
        from urdf_rig.addon.rig import joint_bones_by_name, set_joint_values
        from urdf_rig.cli.export import write

        imported = rig_of(ROBOT, tmp_path, collisions=True, inertia=True, **options)
        scene = bpy.context.scene
        joints = joint_bones_by_name(imported.rig)
        for frame, values in KEYS.items() if animated else [(11, KEYS[11])]:
            set_joint_values(imported.rig, values)
            for name in values if animated else ():
                joints[name].bone.keyframe_insert(joints[name].data_path, index=1, frame=frame)
        truth = Truth(imported, FRAMES if animated else (11,))
        scene.frame_set(11)
        before = (scene.frame_start, scene.frame_end, list(bpy.context.view_layer.objects.selected), bpy.context.object)
        path = tmp_path / f"out{suffix}"
        write(bpy.context, imported.rig, path)
        after = (scene.frame_start, scene.frame_end, list(bpy.context.view_layer.objects.selected), bpy.context.object)
        assert before == after and scene.frame_current == 11
        bpy.ops.wm.read_factory_settings(use_empty=True)
        return path, truth

    return run


def read(path):
    if path.suffix in (".glb", ".gltf"):
        bpy.ops.import_scene.gltf(filepath=str(path), disable_bone_shape=True)
    elif path.suffix == ".fbx":
        bpy.ops.import_scene.fbx(filepath=str(path), anim_offset=0.0)
    else:
        bpy.ops.wm.usd_import(filepath=str(path))
    (armature,) = (obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    return armature, [obj for obj in bpy.context.scene.objects if obj.type == "MESH"]


def vertices(obj):
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    world = np.array(evaluated.matrix_world)
    return np.array([vertex.co for vertex in evaluated.data.vertices]) @ world[:3, :3].T + world[:3, 3]


def by_group(obj):
    """Return the vertices' indices for each vertex group; every vertex has full weight in one group."""
    names = []
    for vertex in obj.data.vertices:
        (weight,) = [(item.group, item.weight) for item in vertex.groups if item.weight > 0.0]
        assert weight[1] == pytest.approx(1.0)
        names.append(obj.vertex_groups[weight[0]].name)
    return {name: [i for i, each in enumerate(names) if each == name] for name in set(names)}


def assert_box(points, truth, links, frame):
    """The points are the corners that forward kinematics gives for the links, no more and no less."""
    poses = [truth.poses[frame][link] for link in links]
    wanted = np.concatenate(
        [truth.corners[link] @ pose[:3, :3].T + pose[:3, 3] for link, pose in zip(links, poses, strict=True)]
    )
    gaps = np.linalg.norm(points[:, None] - wanted[None], axis=2)
    assert max(gaps.min(axis=0).max(), gaps.min(axis=1).max()) < LIMIT, (links, frame)


def assert_skin(obj, truth, frame):
    groups = by_group(obj)
    assert set(groups) == set(truth.bones)
    points = vertices(obj)
    for name, indices in groups.items():
        riders = ["arm", "flange"] if name == "arm" and "flange" not in truth.bones else [name]
        assert_box(points[indices], truth, riders, frame)


def assert_bounds(meshes, truth, frame):
    points = np.concatenate([vertices(obj) for obj in meshes])
    assert np.array([points.min(axis=0), points.max(axis=0)]) == pytest.approx(truth.bounds(frame), abs=LIMIT)


@pytest.mark.parametrize("fixed_frames", [True, False])
@pytest.mark.parametrize("animated", [True, False])
@pytest.mark.parametrize("skinned", [True, False])
def test_a_glb_poses_as_forward_kinematics_says(export, skinned, animated, fixed_frames):
    path, truth = export(".glb", animated, skinned=skinned, fixed_frames=fixed_frames)
    armature, meshes = read(path)
    assert {bone.name for bone in armature.data.bones} == set(LINKS) - (set() if fixed_frames else {"flange"})
    assert len(meshes) == (1 if skinned else 5)
    for frame in truth.poses:
        bpy.context.scene.frame_set(frame)
        bpy.context.view_layer.update()
        evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        for bone in evaluated.pose.bones:
            world = np.array(evaluated.matrix_world @ bone.matrix)
            assert world == pytest.approx(truth.bone_pose(bone.name, frame), abs=LIMIT), (bone.name, frame)
        if skinned:
            assert_skin(meshes[0], truth, frame)
        for obj in () if skinned else meshes:
            assert_box(vertices(obj), truth, [obj.name], frame)


def document(path):
    data = path.read_bytes()
    (length,) = struct.unpack("<I", data[12:16])
    return json.loads(data[20 : 20 + length])


def node_poses(document):
    """Return the world transform of every node, with Z up again, from the file alone."""
    nodes = document["nodes"]
    parents = {child: index for index, node in enumerate(nodes) for child in node.get("children", ())}

    def local(node):
        x, y, z, w = node.get("rotation", (0, 0, 0, 1))
        out = np.eye(4)
        out[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
        out[:3, :3] *= node.get("scale", (1, 1, 1))
        out[:3, 3] = node.get("translation", (0, 0, 0))
        return out

    def world(index):
        here = local(nodes[index])
        return here if index not in parents else world(parents[index]) @ here

    up = np.array([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1.0]])
    return {node["name"]: up @ world(index) for index, node in enumerate(nodes)}


def test_the_nodes_of_a_glb_stand_where_the_links_are_and_nothing_else_is_in_it(export):
    path, truth = export(".glb", animated=True, skinned=True)
    content = document(path)
    poses = node_poses(content)
    for link in LINKS:
        head = truth.bone_pose(link, 11)[:3, 3]
        assert poses[link][:3, 3] == pytest.approx(head, abs=LIMIT), link
    assert set(poses) == {*LINKS, "r", "r mesh"}
    assert len(content["meshes"]) == len(content["skins"]) == len(content["animations"]) == 1
    assert {item["name"] for item in content["materials"]} == {"red"}
    moved = {content["nodes"][item["target"]["node"]]["name"] for item in content["animations"][0]["channels"]}
    assert {"arm", "slide", "finger"} <= moved


@_OLD_NUMPY
@pytest.mark.parametrize("skinned", [True, False])
@pytest.mark.parametrize("suffix", [".fbx", ".usdz", ".usdc"])
def test_fbx_and_usd_have_skeleton_meshes_and_motion(export, suffix, skinned):
    path, truth = export(suffix, animated=True, skinned=skinned, fixed_frames=False)
    armature, meshes = read(path)
    assert {bone.name for bone in armature.data.bones} == {"base", "arm", "slide", "finger"}
    assert len(meshes) == (1 if skinned else 5)
    for frame in truth.poses:
        bpy.context.scene.frame_set(frame)
        bpy.context.view_layer.update()
        assert_bounds(meshes, truth, frame)
        if skinned:
            assert_skin(meshes[0], truth, frame)


@_OLD_NUMPY
@pytest.mark.parametrize("suffix", [".fbx", ".usdz"])
def test_fbx_and_usd_keep_the_pose_that_is_shown(export, suffix):
    path, truth = export(suffix, animated=False, skinned=True)
    armature, meshes = read(path)
    assert {bone.name for bone in armature.data.bones} == set(LINKS)
    bpy.context.scene.frame_set(11)
    assert_skin(meshes[0], truth, 11)


def test_motion_in_nla_strips_is_exported_too(rig_of, tmp_path):
    from urdf_rig.addon.rig import joint_bones_by_name
    from urdf_rig.cli.export import write

    imported = rig_of(ROBOT, tmp_path, skinned=True)
    joint = joint_bones_by_name(imported.rig)["shoulder"]
    for frame, value in ((1, 0.0), (11, 1.0)):
        joint.value = value
        joint.bone.keyframe_insert("rotation_euler", index=1, frame=frame)
    data = imported.rig.animation_data
    strip = data.nla_tracks.new().strips.new("Move", 5, data.action)
    if hasattr(strip, "action_slot"):
        strip.action_slot = data.action_slot
    data.action = None
    truth = Truth(imported, (5, 9, 15))
    assert truth.poses[5]["arm"] != pytest.approx(truth.poses[15]["arm"], abs=0.1)
    write(bpy.context, imported.rig, tmp_path / "out.glb")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature, _ = read(tmp_path / "out.glb")
    for frame in truth.poses:
        bpy.context.scene.frame_set(frame)
        evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        pose = np.array(evaluated.matrix_world @ evaluated.pose.bones["arm"].matrix)
        assert pose == pytest.approx(truth.bone_pose("arm", frame), abs=LIMIT)


def test_convert_does_it_all_from_the_command_line(tmp_path):
    robot, out, report = tmp_path / "robot.urdf", tmp_path / "out.glb", tmp_path / "out.json"
    robot.write_text(ROBOT)
    arguments = ["convert", robot, out, "--skinned", "--no-fixed-frames", "--verify", 3, "--set", "shoulder=1"]
    run = subprocess.run(
        [sys.executable, "-m", "urdf_rig.cli.main", *map(str, arguments), "--report", str(report)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env=os.environ,
    )
    assert run.returncode == 0, run.stderr
    data = json.loads(report.read_text())
    assert data["verify"]["passed"]
    assert (data["counts"]["bones"], data["counts"]["visuals"], data["counts"]["meshes"]) == (4, 5, 1)
    content = document(out)
    assert {content["nodes"][index]["name"] for index in content["skins"][0]["joints"]} == {
        "base", "arm", "slide", "finger",
    }  # fmt: skip
    assert node_poses(content)["slide"][:3, 3] != pytest.approx([0, 0, 0], abs=0.1)
