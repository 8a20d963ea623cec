# SPDX-License-Identifier: GPL-3.0-or-later
"""A humanoid animated from its stance foot, then from its head, then from its pelvis, on 250 frames."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from urdf_rig.core.spatial import rotation_from_rpy, transform

LAST = 250
KEYS = (1, 60, 125, 200, LAST)
TOOL = transform(rotation_from_rpy((0.1, -0.2, 0.3)), (0.02, 0.03, 0.12))


@pytest.fixture
def rig(corpus_file):
    from urdf_rig.addon.importer import ImportOptions, import_robot
    from urdf_rig.addon.rig import joint_bones

    rig = import_robot(bpy.context, corpus_file("talos_full_v2"), ImportOptions(collisions=True)).rig
    rng = np.random.default_rng(1)
    for joint in joint_bones(rig):
        if joint.data.leader:
            continue
        low, high = (joint.data.lower, joint.data.upper) if joint.data.limited else (-7.0, 7.0)
        for frame in KEYS:
            joint.value = float(rng.uniform(0.9 * low, 0.9 * high))
            joint.bone.keyframe_insert(joint.data_path, index=1, frame=frame)
    return rig


def poses(rig):
    """World pose of every link and of all that hangs from the rig, (T, n, 4, 4), in the order of their names."""
    series = []
    for frame in range(1, LAST + 1):
        bpy.context.scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        evaluated = rig.evaluated_get(graph)
        world = np.array(evaluated.matrix_world, dtype=float)
        bones = sorted(evaluated.pose.bones, key=lambda bone: bone.bone.urdf_rig.link)
        series.append(
            [
                world @ np.array(bone.matrix, dtype=float) @ np.reshape(bone.bone.urdf_rig.bone_h_link, (4, 4))
                for bone in bones
            ]
        )
    return np.array(series)


def attach_to(rig, link, name):
    from urdf_rig.addon.attachments import attach

    obj = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(obj)
    attach(obj, rig, link, TOOL)
    return obj


@pytest.mark.parametrize("base_moves", [False, True])
def test_every_link_at_every_frame_is_where_it_was(rig, base_moves):
    from urdf_rig.addon.attachments import world_pose_of
    from urdf_rig.addon.rebuild.change_base import change_base
    from urdf_rig.addon.verify import verify_rig

    if base_moves:
        rng = np.random.default_rng(2)
        for frame in KEYS:
            rig.location, rig.rotation_euler = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3)
            rig.keyframe_insert("location", frame=frame)
            rig.keyframe_insert("rotation_euler", frame=frame)
    carried = {link: attach_to(rig, link, link) for link in ("head_2_link", "arm_left_7_link")}
    assert rig.data.urdf_rig.base == "base_link"
    before = poses(rig)
    for base in ("left_sole_link", "head_2_link", "base_link"):
        done = change_base(rig, base)
        assert done.keys == (0 if base == "base_link" and not base_moves else LAST)
        after = poses(rig)
        assert np.abs(after - before).max() < 1e-5, base
        assert verify_rig(bpy.context, rig, 4).passed
        for link, obj in carried.items():
            offset = np.linalg.solve(world_pose_of(rig, link), np.array(obj.matrix_world, dtype=float))
            # in a long chain of bones Blender's float32 lets the axes' lengths drift by some 1e-6
            offset[:3, :3] /= np.linalg.norm(offset[:3, :3], axis=0)
            assert offset == pytest.approx(TOOL, abs=1e-6)
