# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyframes for joints as they are now: asked for, or by *Auto Keying* as Blender's own tools set them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, cast

import bpy

from ..core.errors import RigError
from .fcurves import curves_by_channel
from .rig import JointBone, joint_bones_by_name, robot_of
from .spatial_joints import spatial_joints

JointChannel = tuple[bpy.types.PoseBone, str, int]
"""A pose bone, one of its properties, and the array index in it."""


def check_animatable(rig: bpy.types.Object, *, other_action: bool = False) -> None:
    """See to it that keys of a rig can be written.

    Args:
        rig: The armature object.
        other_action: Whether they go to an action of their own, so that the present one does not matter.

    Raises:
        RigError: If the rig or its action is linked from another file, or in the NLA editor's tweak mode.
    """
    data = rig.animation_data
    if rig.library is not None:
        raise RigError(f"{rig.name!r} is linked from another file: its animation cannot be changed")
    if data is None:
        return
    if data.use_tweak_mode:
        raise RigError(f"{rig.name!r} is in the NLA editor's tweak mode: leave it first")
    if not other_action and _has_linked_action(rig):
        raise RigError(f"the action of {rig.name!r} is linked from another file: make it local first")


def _has_linked_action(rig: bpy.types.Object) -> bool:
    data = rig.animation_data
    return data is not None and data.action is not None and data.action.library is not None


def show_animation(context: bpy.types.Context, rig: bpy.types.Object) -> None:
    """Show a rig at the current frame as its animation, which was changed, says now."""
    rig.update_tag()
    scene = context.scene
    scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)


def key_channel(joint: JointBone, frame: float) -> None:
    """Insert an ordinary keyframe for a scalar joint's channel as it is now."""
    joint.bone.keyframe_insert(joint.data_path, index=1, frame=frame, group=joint.bone.name)


def key_joints(rig: bpy.types.Object, joints: Collection[str], frame: float) -> None:
    """Insert ordinary keyframes for joints as they are now; those that have no bone are left out.

    Raises:
        RigError: If the rig or its action is linked from another file.
        UrdfError: If the stored description was damaged.
    """
    if rig.library is not None or _has_linked_action(rig):
        raise RigError(f"{rig.name!r} or its action is linked from another file: it cannot be keyed")
    for bone, name, index in joint_channels(rig, joints):
        bone.keyframe_insert(name, index=index, frame=frame, group=bone.name)


def key_joints_if_wanted(context: bpy.types.Context, rig: bpy.types.Object, joints: Collection[str]) -> bool:
    """Key joints at the current frame where *Auto Keying* is on, by its mode and the preferences; say whether any is.

    Nothing is keyed on a rig or in an action that is linked from another file.

    Raises:
        UrdfError: If the stored description was damaged.
    """
    tools, edit = context.scene.tool_settings, context.preferences.edit
    if not tools.use_keyframe_insert_auto or rig.library is not None or _has_linked_action(rig):
        return False
    replaces = tools.auto_keying_mode == "REPLACE_KEYS"
    channels = list(joint_channels(rig, joints))
    if replaces or edit.use_keyframe_insert_available:  # Blender grumbles where such a key has no curve to go to
        known = curves_by_channel(rig)
        channels = [item for item in channels if (f"{item[0].path_from_id()}.{item[1]}", item[2]) in known]
    wanted = {
        "INSERTKEY_REPLACE": replaces,
        "INSERTKEY_CYCLE_AWARE": tools.use_keyframe_cycle_aware,
        "INSERTKEY_NEEDED": edit.use_auto_keyframe_insert_needed,
    }
    options: Any = {option for option, is_wanted in wanted.items() if is_wanted}
    frame = context.scene.frame_current_final
    done = [
        bone.keyframe_insert(name, index=index, frame=frame, group=bone.name, options=options)
        for bone, name, index in channels
    ]
    return any(done)


def key_animated_if_wanted(context: bpy.types.Context, joint: JointBone) -> bool:
    """Key a joint where *Auto Keying* is on and it has a curve already, as Blender's fields do; say whether it is."""
    if not context.scene.tool_settings.use_keyframe_insert_auto:
        return False
    rig = cast("bpy.types.Object", joint.bone.id_data)
    if (f"{joint.bone.path_from_id()}.{joint.data_path}", 1) not in curves_by_channel(rig):
        return False
    return key_joints_if_wanted(context, rig, [joint.data.joint])


def joint_channels(rig: bpy.types.Object, joints: Collection[str]) -> Iterator[JointChannel]:
    """Yield the pose channels of joints, of the planar and floating ones too.

    Raises:
        UrdfError: If the stored description was damaged.
    """
    bones = joint_bones_by_name(rig)
    for name in joints:
        if name in bones:
            yield bones[name].bone, bones[name].data_path, 1
    if all(name in bones for name in joints):
        return
    for name, spatial in spatial_joints(robot_of(rig), rig).items():
        if name in joints:
            for path, size in spatial.properties:
                yield from ((spatial.bone, path, index) for index in range(size))
