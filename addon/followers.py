# SPDX-License-Identifier: GPL-3.0-or-later
"""The drivers of mimic joints, and their repair after a bone was renamed.

Up to version 5.2 Blender renames bones in the paths of F-curves, but not in what drivers read.
"""

from __future__ import annotations

from typing import cast

import bpy

from ..core.plan import BonePlan, Channel
from .properties import bone_data
from .rig import armature_of, is_rig, joint_bones

_BUS = object()


def _channel_path(bone: str, channel: str) -> str:
    name = "rotation_euler" if channel == Channel.ROTATION.value else "location"
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"].{name}'


def drive(rig: bpy.types.Object, plan: BonePlan) -> None:
    """Let a mimic joint follow by an expression so simple that Blender runs it without Python.

    The driver reads the leader's channel rather than its transform: no turn is lost, and there is no dependency cycle
    where the follower carries its leader.
    """
    assert plan.follow is not None
    # for one index it is one curve, not a list
    driver = cast("bpy.types.FCurve", rig.driver_add(_channel_path(plan.name, plan.channel.value), 1)).driver
    driver.type = "SCRIPTED"
    variable = driver.variables.new()
    variable.name = "leader"
    target = variable.targets[0]
    target.id = rig
    target.data_path = _leader_path(armature_of(rig).bones[plan.follow.leader])
    driver.expression = f"leader * {plan.follow.factor!r} + {plan.follow.offset!r}"


def _leader_path(leader: bpy.types.Bone) -> str:
    return _channel_path(leader.name, bone_data(leader).channel) + "[1]"


def repair_followers(rig: bpy.types.Object) -> None:
    """Point the drivers of mimic joints at their leaders' bones again, whatever these are called now."""
    if rig.animation_data is None:
        return
    joints = {joint.data.joint: joint for joint in joint_bones(rig)}
    for joint in joints.values():
        leader = joint
        while leader.data.leader in joints:
            leader = joints[leader.data.leader]
        if leader is joint:
            continue
        curve = rig.animation_data.drivers.find(_channel_path(joint.bone.name, joint.data.channel), index=1)
        target = None if curve is None else next((item.targets[0] for item in curve.driver.variables), None)
        path = _leader_path(leader.bone.bone)
        if target is not None and target.data_path != path:
            target.data_path = path


def repair_all_followers() -> None:
    """Repair the rigs of the file that can be edited."""
    for rig in bpy.data.objects:
        if rig.library is None and is_rig(rig):
            repair_followers(rig)


def watch_names() -> None:
    """Repair followers whenever a bone is renamed; has to be called again after a file is loaded."""
    stop_watching_names()
    for kind in (bpy.types.Bone, bpy.types.EditBone):
        key = (kind, "name")
        # the stubs take a type's description where Blender takes the type
        bpy.msgbus.subscribe_rna(key=key, owner=_BUS, args=(), notify=repair_all_followers)  # type: ignore[arg-type]


def stop_watching_names() -> None:
    """End ``watch_names``."""
    bpy.msgbus.clear_by_owner(_BUS)
