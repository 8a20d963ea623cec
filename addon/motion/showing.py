# SPDX-License-Identifier: GPL-3.0-or-later
"""Going to where something was found."""

from __future__ import annotations

import math
from typing import Any

import bpy

from ..properties import bone_data
from ..rig import armature_of, joint_bones_by_name


def show_finding(context: bpy.types.Context, rig: bpy.types.Object, frame: float, joint: str, other: str) -> None:
    """Go to a frame, and select a joint's bone, or the bones of two links.

    Args:
        context: Its scene goes to the frame.
        rig: The armature object.
        frame: The frame.
        joint: The joint, or with ``other`` the first link.
        other: The second link, or empty.
    """
    whole = math.floor(frame)
    context.scene.frame_set(whole, subframe=frame - whole)
    if other:
        by_link = {bone_data(bone.bone).link: bone for bone in rig.pose.bones}
        wanted = [by_link[name] for name in (joint, other) if name in by_link]
    else:
        found = joint_bones_by_name(rig).get(joint)
        wanted = [] if found is None else [found.bone]
    if not wanted:
        return
    names = {bone.name for bone in wanted}
    for bone in rig.pose.bones:
        # selection moved from bones to pose bones with 5.0
        chosen: Any = bone if hasattr(bone, "select") else bone.bone
        chosen.select = bone.name in names
    armature_of(rig).bones.active = wanted[0].bone
