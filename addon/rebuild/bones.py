# SPDX-License-Identifier: GPL-3.0-or-later
"""The bones of a rig made into those of another plan, with all that users have done to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.plan import BoneGroup, BonePlan, RigPlan
from ...core.spatial import inverse
from ..build.armature import GROUP_COLORS, LIMIT_NAME, LIMIT_TYPES, limit_channel, set_channels
from ..build.widgets import widget
from ..convert import to_array, to_matrix
from ..ik.settings import pin_data
from ..properties import bone_data, object_data
from ..rig import armature_of, joint_bones

_EQUAL = 1e-5


@dataclass(frozen=True, slots=True)
class JointTraits:
    """What belongs to a joint, whichever bone shows it: pinned for inverse kinematics, its limit off or weakened."""

    pinned: bool
    limit_muted: bool
    limit_influence: float


def joint_traits(rig: bpy.types.Object) -> dict[str, JointTraits]:
    """Return what users have set for each joint."""
    found = {}
    for joint in joint_bones(rig):
        limit = _limit_of(joint.bone)
        muted, influence = (False, 1.0) if limit is None else (limit.mute, limit.influence)
        found[joint.data.joint] = JointTraits(pin_data(joint.bone).pinned, muted, influence)
    return found


def _limit_of(bone: bpy.types.PoseBone) -> bpy.types.Constraint | None:
    return next((item for item in bone.constraints if item.type in LIMIT_TYPES and item.name == LIMIT_NAME), None)


def place_edit_bones(rig: bpy.types.Object, before: RigPlan, plan: RigPlan, links: Mapping[str, str]) -> None:
    """Put the bones where the plan has them, in Edit Mode; those of links that have none any more are removed.

    Bones that users have added move along with the link that they hang from, or else with the old base.

    Args:
        rig: The armature object.
        before: The plan of the bones as they are.
        plan: The plan of the bones as they shall be.
        links: New names of the links that are still there, by their old names.
    """
    edit_bones = armature_of(rig).edit_bones
    mirrored = armature_of(rig).use_mirror_x
    armature_of(rig).use_mirror_x = False
    wanted = {bone.name: bone for bone in plan.bones}
    old = {bone.name: bone for bone in before.bones}
    added = [_Added.of(edit, old, wanted) for edit in edit_bones if edit.name not in old and edit.name not in wanted]
    for edit in list(edit_bones):
        edit.use_connect = False
        edit.parent = None
        if edit.name in old and edit.name not in wanted:
            edit_bones.remove(edit)
    for bone in plan.bones:
        edit = edit_bones.get(bone.name) or edit_bones.new(bone.name)
        edit.head, edit.tail, edit.roll = bone.head.tolist(), bone.tail.tolist(), bone.roll
    for bone in plan.bones:
        edit_bones[bone.name].parent = edit_bones.get(bone.parent) if bone.parent else None
    new_a_h_link = {bone.link: bone.a_h_link for bone in plan.bones}
    for item in added:
        was = old[item.carrier]
        now = new_a_h_link.get(links.get(was.link, ""))
        if now is not None:
            edit = edit_bones[item.name]
            edit.matrix = to_matrix(now @ inverse(was.a_h_link) @ to_array(edit.matrix))
    for item in added:
        moves = before.base != next((name for name, new in links.items() if new == plan.base), "")
        parent = item.parent or (item.carrier if moves else "")
        if parent in edit_bones:
            edit_bones[item.name].parent = edit_bones[parent]
            edit_bones[item.name].use_connect = item.connected
    armature_of(rig).use_mirror_x = mirrored


@dataclass(frozen=True, slots=True)
class _Added:
    """A bone that a user has added.

    Attributes:
        name: Its name.
        parent: The bone that it is to hang from; empty for none.
        carrier: The robot's bone that takes it along at rest.
        connected: Whether its head sticks to its parent's tail.
    """

    name: str
    parent: str
    carrier: str
    connected: bool

    @classmethod
    def of(cls, edit: bpy.types.EditBone, old: Mapping[str, BonePlan], wanted: Mapping[str, BonePlan]) -> _Added:
        root = next(bone.name for bone in old.values() if not bone.parent)
        above = [item.name for item in edit.parent_recursive]
        staying = [name for name in above if name not in old or name in wanted]
        parent = staying[0] if staying else ""
        carrier = next((name for name in above if name in old and name in wanted), root)
        return cls(edit.name, parent, carrier, edit.use_connect and bool(above) and above[0] not in old)


def set_up_again(
    rig: bpy.types.Object, before: Mapping[str, BonePlan], plan: RigPlan, traits: Mapping[str, JointTraits]
) -> None:
    """Give bones the channels, limits and looks of their joints; what users have chosen themselves is left alone.

    All channels but the scale are at zero afterwards.

    Args:
        rig: The armature object.
        before: The plans of the bones before, by the bones' names.
        plan: The plan.
        traits: What belongs to the joints, by their new names.
    """
    shapes = {channel: widget(channel) for channel in dict.fromkeys(bone.channel for bone in plan.bones)}
    for planned in plan.bones:
        bone = rig.pose.bones[planned.name]
        _clear_limit(bone)
        set_channels(bone, planned)
        bone.location, bone.rotation_euler, bone.rotation_quaternion = (0.0,) * 3, (0.0,) * 3, (1.0, 0.0, 0.0, 0.0)
        _dress(bone, before.get(planned.name), planned, shapes[planned.channel])
        trait = traits.get(planned.joint)
        pin_data(bone).pinned = trait is not None and trait.pinned
        limit = limit_channel(bone, planned) if planned.limits is not None and planned.follow is None else None
        if limit is not None:
            bone.constraints.move(len(bone.constraints) - 1, 0)
            if trait is not None:
                limit = bone.constraints[0]
                limit.mute, limit.influence = trait.limit_muted, trait.limit_influence
    _regroup(armature_of(rig), before, plan)


def _clear_limit(bone: bpy.types.PoseBone) -> None:
    limit = _limit_of(bone)
    if limit is not None:
        bone.constraints.remove(limit)
    bone.use_ik_limit_y = False


def _dress(bone: bpy.types.PoseBone, before: BonePlan | None, plan: BonePlan, shape: bpy.types.Object) -> None:
    new = before is None
    if new or bone.color.palette == GROUP_COLORS[before.group]:
        bone.color.palette = GROUP_COLORS[plan.group]
    own = bone.custom_shape is not None and object_data(bone.custom_shape).widget != ""
    if new or own:
        scale = np.array(bone.custom_shape_scale_xyz)
        if new or np.abs(scale - before.display_size).max() < _EQUAL:
            bone.custom_shape_scale_xyz = (plan.display_size,) * 3
        bone.custom_shape = shape
        bone.use_custom_shape_bone_size = False


def _regroup(armature: bpy.types.Armature, before: Mapping[str, BonePlan], plan: RigPlan) -> None:
    """Put the bones whose kind has changed into the collection of the new kind."""
    for planned in plan.bones:
        was = before.get(planned.name)
        if was is not None and was.group is planned.group:
            continue
        bone = armature.bones[planned.name]
        if was is not None:
            old: bpy.types.BoneCollection | None = armature.collections_all.get(was.group.value)
            if old is not None:
                old.unassign(bone)
        home: bpy.types.BoneCollection | None = armature.collections_all.get(planned.group.value)
        if home is None:
            home = armature.collections.new(planned.group.value)
            home.is_visible = planned.group is not BoneGroup.FIXED
        home.assign(bone)


def write_values(rig: bpy.types.Object, values: Mapping[str, float]) -> None:
    """Set the channels of scalar joints [rad or m], not clamped; followers follow by themselves."""
    for joint in joint_bones(rig):
        if joint.data.joint in values and not joint.data.leader:
            channel = joint.bone.rotation_euler if joint.turns else joint.bone.location
            channel[1] = joint.data.sign * values[joint.data.joint]


def remove_followers(rig: bpy.types.Object) -> None:
    """Remove the drivers of mimic joints."""
    for joint in joint_bones(rig):
        if joint.data.leader:
            rig.driver_remove(joint.curve_path, 1)


def planned_bones(plan: RigPlan) -> dict[str, BonePlan]:
    """Return the plan's bones by name."""
    return {bone.name: bone for bone in plan.bones}


def bone_names(rig: bpy.types.Object) -> dict[str, str]:
    """Return what the bones of a rig are called, by link."""
    return {bone_data(bone).link: bone.name for bone in armature_of(rig).bones if bone_data(bone).link}
