# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that ride on a bone with their own transform in the frame of the bone's link."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix

from ..convert import to_matrix
from ..properties import bone_data
from ..rig import armature_of


def tail_h_link(rig: bpy.types.Object, bone: str) -> Matrix:
    """Return the link's pose seen from the bone's tail, from which Blender hangs a bone's children."""
    stored = armature_of(rig).bones[bone]
    b_h_l = np.reshape(bone_data(stored).bone_h_link, (4, 4)).astype(np.float64)
    b_h_l[1, 3] -= stored.length
    return to_matrix(b_h_l)


def hang(obj: bpy.types.Object, rig: bpy.types.Object, bone: str, offset: Matrix | None = None) -> None:
    """Let an object ride on a bone; what its own transform says is then its pose in the link's frame.

    Args:
        obj: The object.
        rig: The armature object.
        bone: The bone's name.
        offset: ``tail_h_link`` of the bone, where it is known already.
    """
    obj.parent, obj.parent_type, obj.parent_bone = rig, "BONE", bone
    obj.matrix_parent_inverse = tail_h_link(rig, bone) if offset is None else offset
