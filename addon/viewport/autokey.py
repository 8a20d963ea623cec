# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyframes that are set by themselves when a joint was moved, as Blender's own tools set them."""

from __future__ import annotations

from typing import Any

import bpy

from ..rig import JointBone


def key_if_wanted(context: bpy.types.Context, joint: JointBone) -> bool:
    """Key a joint's channel where *Auto Keying* is on, by its mode and the preferences; return whether it is keyed."""
    tools = context.scene.tool_settings
    if not tools.use_keyframe_insert_auto:
        return False
    edit = context.preferences.edit
    wanted = {
        "INSERTKEY_REPLACE": tools.auto_keying_mode == "REPLACE_KEYS",
        "INSERTKEY_CYCLE_AWARE": tools.use_keyframe_cycle_aware,
        "INSERTKEY_AVAILABLE": edit.use_keyframe_insert_available,
        "INSERTKEY_NEEDED": edit.use_auto_keyframe_insert_needed,
    }
    options: Any = {option for option, is_wanted in wanted.items() if is_wanted}
    return joint.bone.keyframe_insert(joint.data_path, index=1, group=joint.bone.name, options=options)
