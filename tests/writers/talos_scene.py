# SPDX-License-Identifier: GPL-3.0-or-later
"""Talos with random keys on all joints, and where its links are frame by frame."""

from __future__ import annotations

import bpy
import numpy as np

LAST = 250
KEYS = (1, 60, 125, 200, LAST)


def animated(path, **options):
    """Import a robot and key all its joints at random within their limits."""
    from urdf_rig.addon.importer import ImportOptions, import_robot
    from urdf_rig.addon.rig import joint_bones

    rig = import_robot(bpy.context, path, ImportOptions(**options)).rig
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
    """World pose of every link at frames 1 to 250, by name, (250, 4, 4)."""
    found = {}
    for frame in range(1, LAST + 1):
        bpy.context.scene.frame_set(frame)
        evaluated = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        world = np.array(evaluated.matrix_world, dtype=float)
        for bone in evaluated.pose.bones:
            data = bone.bone.urdf_rig
            pose = world @ np.array(bone.matrix, dtype=float) @ np.reshape(data.bone_h_link, (4, 4))
            found.setdefault(data.link, []).append(pose)
    return {link: np.array(series) for link, series in found.items()}
