# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones, channels, locks, limits and drivers of a rig."""

from __future__ import annotations

import math
from typing import cast

import bpy

from ...core.plan import BoneGroup, BonePlan, Channel, RigPlan
from ...core.spatial import inverse
from ..convert import to_array
from ..followers import drive
from ..properties import SCHEMA_VERSION, armature_data, bone_data
from ..rig import armature_of
from .widgets import widget

GROUP_COLORS = {BoneGroup.JOINTS: "THEME09", BoneGroup.FOLLOWERS: "THEME07", BoneGroup.FIXED: "DEFAULT"}
LIMIT_NAME = "Joint limit"
LIMIT_TYPES = ("LIMIT_ROTATION", "LIMIT_LOCATION")
# from this range [rad] on there is no constraint: it sees a matrix and can't tell turns apart
_FULL_TURN = 2.0 * math.pi - 1e-4


def build_armature(context: bpy.types.Context, plan: RigPlan, collection: bpy.types.Collection) -> bpy.types.Object:
    """Return a new armature object in ``collection``, its bones posed at their start values, in Object Mode."""
    armature = bpy.data.armatures.new(plan.robot.name)
    rig = bpy.data.objects.new(plan.robot.name, armature)
    rig.show_in_front = True
    collection.objects.link(rig)
    _make_bones(context, plan, rig)
    _make_collections(plan, armature)
    remember_plan(plan, armature)
    # looked up once: finding a shape goes through all objects of the file
    shapes = {channel: widget(channel) for channel in dict.fromkeys(bone.channel for bone in plan.bones)}
    for bone in plan.bones:
        _set_up(rig.pose.bones[bone.name], bone, shapes[bone.channel])
    for bone in plan.bones:
        if bone.follow is not None:
            drive(rig, bone)
    return rig


def _make_bones(context: bpy.types.Context, plan: RigPlan, rig: bpy.types.Object) -> None:
    """Make the rest bones. Edit bones exist only in Edit Mode, which Blender reaches only by an operator."""
    layer = context.view_layer
    for obj in list(layer.objects.selected):
        obj.select_set(False)
    layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    edit_bones = armature_of(rig).edit_bones
    made = {}
    for bone in plan.bones:
        made[bone.name] = edit = edit_bones.new(bone.name)
        edit.head, edit.tail, edit.roll = bone.head.tolist(), bone.tail.tolist(), bone.roll
        if bone.parent:
            edit.parent = made[bone.parent]
    bpy.ops.object.mode_set(mode="OBJECT")


def _make_collections(plan: RigPlan, armature: bpy.types.Armature) -> None:
    for group in BoneGroup:
        members = [bone.name for bone in plan.bones if bone.group is group]
        if members:
            collection = armature.collections.new(group.value)
            collection.is_visible = group is not BoneGroup.FIXED
            for name in members:
                collection.assign(armature.bones[name])


def remember_plan(plan: RigPlan, armature: bpy.types.Armature) -> None:
    """Store what the rig stands for, and where Blender really put each bone's link."""
    data = armature_data(armature)
    data.schema_version = SCHEMA_VERSION
    data.robot, data.base, data.urdf = plan.robot.name, plan.base, plan.robot.urdf
    data.source = str(plan.robot.source or "")
    data.fixed_frames = plan.fixed_frames
    for bone in plan.bones:
        stored = armature.bones[bone.name]
        entry = bone_data(stored)
        entry.link, entry.joint, entry.order = bone.link, bone.joint, bone.order
        entry.channel, entry.sign, entry.start = bone.channel.value, bone.sign, bone.start
        entry.limited = bone.limits is not None
        entry.lower, entry.upper = bone.limits or (0.0, 0.0)
        joint = plan.robot.joint(bone.joint) if bone.joint else None
        entry.leader = joint.mimic.joint if joint is not None and joint.mimic is not None else ""
        entry.bone_h_link = (inverse(to_array(stored.matrix_local)) @ bone.a_h_link).flatten().tolist()


def _set_up(bone: bpy.types.PoseBone, plan: BonePlan, shape: bpy.types.Object) -> None:
    set_channels(bone, plan)
    bone.custom_shape = shape
    bone.use_custom_shape_bone_size = False
    bone.custom_shape_scale_xyz = (plan.display_size,) * 3
    bone.color.palette = GROUP_COLORS[plan.group]
    if plan.follow is not None:
        return
    if plan.channel is Channel.ROTATION:
        bone.rotation_euler.y = plan.sign * plan.start
    elif plan.channel is Channel.LOCATION:
        bone.location.y = plan.sign * plan.start
    if plan.limits is not None:
        limit_channel(bone, plan)


def set_channels(bone: bpy.types.PoseBone, plan: BonePlan) -> None:
    """Give a bone the rotation mode of its joint, and lock all channels but the joint's own."""
    # Y is not the middle axis, so that the limit's constraint meets no gimbal lock at 90 degrees
    bone.rotation_mode = "QUATERNION" if plan.channel is Channel.FLOATING else "YXZ"
    _lock(bone, plan)


def _lock(bone: bpy.types.PoseBone, plan: BonePlan) -> None:
    """Lock all channels but the joint's own, for hands and for Blender's inverse kinematics."""
    free = plan.follow is None
    turns = free and plan.channel in (Channel.ROTATION, Channel.PLANAR)
    everything = free and plan.channel is Channel.FLOATING
    in_plane = free and plan.channel is Channel.PLANAR
    slides = free and plan.channel is Channel.LOCATION
    bone.lock_location = tuple(not (everything or ok) for ok in (in_plane, slides, in_plane))
    bone.lock_rotation = tuple(not (everything or ok) for ok in (False, turns, False))
    bone.lock_rotation_w = not everything
    bone.lock_scale = (True, True, True)
    bone.lock_ik_x, bone.lock_ik_y, bone.lock_ik_z = (not (everything or ok) for ok in (False, turns, False))


def limit_channel(bone: bpy.types.PoseBone, plan: BonePlan) -> bpy.types.Constraint | None:
    """Limit the channel where Blender can express the joint's range; return the constraint."""
    assert plan.limits is not None
    low, high = sorted(plan.sign * end for end in plan.limits)
    turns = plan.channel is Channel.ROTATION
    if turns and high - low >= _FULL_TURN:
        return None
    limit = cast(
        "bpy.types.LimitRotationConstraint | bpy.types.LimitLocationConstraint",
        bone.constraints.new("LIMIT_ROTATION" if turns else "LIMIT_LOCATION"),
    )
    limit.name = LIMIT_NAME
    limit.owner_space = "LOCAL"
    limit.use_transform_limit = True
    limit.min_y, limit.max_y = low, high
    if isinstance(limit, bpy.types.LimitRotationConstraint):
        limit.use_limit_y = True
        limit.use_legacy_behavior = False
        if low <= 0.0 <= high and low >= -math.pi and high <= math.pi:
            bone.use_ik_limit_y = True
            bone.ik_min_y, bone.ik_max_y = low, high
    else:
        limit.use_min_y = limit.use_max_y = True
    return limit
