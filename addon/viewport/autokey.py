# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyframes that are set by themselves when a joint was moved, as Blender's own tools set them."""

from __future__ import annotations

from typing import Any, cast

import bpy

from ..fcurves import action_curves
from ..rig import JointBone


def key_if_wanted(context: bpy.types.Context, joint: JointBone) -> bool:
    """Key a joint's channel where *Auto Keying* is on, by its mode and the preferences; return whether it is keyed."""
    tools, edit = context.scene.tool_settings, context.preferences.edit
    if not tools.use_keyframe_insert_auto:
        return False
    replaces = tools.auto_keying_mode == "REPLACE_KEYS"
    # Blender grumbles where such a key has no curve to go to
    if (replaces or edit.use_keyframe_insert_available) and not _has_curve(joint):
        return False
    wanted = {
        "INSERTKEY_REPLACE": replaces,
        "INSERTKEY_CYCLE_AWARE": tools.use_keyframe_cycle_aware,
        "INSERTKEY_NEEDED": edit.use_auto_keyframe_insert_needed,
    }
    options: Any = {option for option, is_wanted in wanted.items() if is_wanted}
    return joint.bone.keyframe_insert(joint.data_path, index=1, group=joint.bone.name, options=options)


def _has_curve(joint: JointBone) -> bool:
    rig = cast("bpy.types.Object", joint.bone.id_data)
    channel = (f"{joint.bone.path_from_id()}.{joint.data_path}", 1)
    return any((curve.data_path, curve.array_index) == channel for curve in action_curves(rig))
