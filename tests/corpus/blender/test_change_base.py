# SPDX-License-Identifier: GPL-3.0-or-later
"""A humanoid animated from its stance foot, then from its head, then from its pelvis, on 250 frames."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from talos_scene import KEYS, LAST, animated, poses

from urdf_rig.core.spatial import rotation_from_rpy, transform

TOOL = transform(rotation_from_rpy((0.1, -0.2, 0.3)), (0.02, 0.03, 0.12))


def attach_to(rig, link, name):
    from urdf_rig.addon.attachments import attach

    obj = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(obj)
    attach(obj, rig, link, TOOL)
    return obj


@pytest.mark.parametrize("base_moves", [False, True])
def test_every_link_at_every_frame_is_where_it_was(corpus_file, base_moves):
    from urdf_rig.addon.attachments import world_pose_of
    from urdf_rig.addon.rebuild.change_base import change_base
    from urdf_rig.addon.verify import verify_rig

    rig = animated(corpus_file("talos_full_v2"), collisions=True)
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
        assert max(np.abs(after[link] - before[link]).max() for link in before) < 1e-5, base
        assert verify_rig(bpy.context, rig, 4).passed
        for link, obj in carried.items():
            offset = np.linalg.solve(world_pose_of(rig, link), np.array(obj.matrix_world, dtype=float))
            # in a long chain of bones Blender's float32 lets the axes' lengths drift by some 1e-6
            offset[:3, :3] /= np.linalg.norm(offset[:3, :3], axis=0)
            assert offset == pytest.approx(TOOL, abs=1e-6)
