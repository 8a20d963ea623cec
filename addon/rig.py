# SPDX-License-Identifier: GPL-3.0-or-later
"""A rig in the scene: which object is one, its joints, and their values on the pose channels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import bpy

from ..core.errors import RigError, UnknownNameError
from ..core.model import Robot
from ..core.plan import Channel
from ..core.urdf import parse_urdf
from .properties import URDF_RIG_PG_bone, armature_data, bone_data

LONGEST_NAME = 63
"""Bytes of the longest name that Blender gives."""


def armature_of(rig: bpy.types.Object) -> bpy.types.Armature:
    """Return the armature of a rig, or of another object of type ``ARMATURE``."""
    return cast("bpy.types.Armature", rig.data)  # an object's type says which class its data has


def require_local(rig: bpy.types.Object) -> None:
    """See to it that something can be stored on a rig's armature.

    Raises:
        RigError: If that is linked from another file.
    """
    if armature_of(rig).library is not None:
        raise RigError(f"the armature of {rig.name!r} is linked from another file: nothing can be stored on it")


def is_rig(obj: bpy.types.Object | None) -> bool:
    """Whether an object is the armature of a robot."""
    return obj is not None and obj.type == "ARMATURE" and armature_data(armature_of(obj)).schema_version > 0


def rig_of(obj: bpy.types.Object | None) -> bpy.types.Object | None:
    """Return the rig that an object is or hangs from, or None."""
    while obj is not None and not is_rig(obj):
        obj = obj.parent
    return obj


def followed_by(obj: bpy.types.Object | None) -> bpy.types.Object | None:
    """Return the rig that an object, or what it hangs from, is a goal for, or None."""
    while obj is not None:
        goal = getattr(obj, "urdf_rig_ik", None)
        if obj.type == "EMPTY" and goal is not None and is_rig(goal.rig):
            return cast("bpy.types.Object", goal.rig)
        obj = obj.parent
    return None


def rigs_of(view_layer: bpy.types.ViewLayer | None) -> list[bpy.types.Object]:
    """Return the rigs in a view layer."""
    return [] if view_layer is None else [obj for obj in view_layer.objects if is_rig(obj)]


def active_rig(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the rig that the user works on: what the active object follows or is part of, or else the only one.

    That is the one that the active object is a goal for, else the one that it is or hangs from, else the only one in
    the view layer.
    """
    rig = followed_by(context.object) or rig_of(context.object)
    if rig is None:
        rigs = rigs_of(context.view_layer)
        rig = rigs[0] if len(rigs) == 1 else None
    return rig


@lru_cache(maxsize=16)
def _parsed(text: str, source: str) -> Robot:
    return parse_urdf(text, file=source)


def robot_of(rig: bpy.types.Object) -> Robot:
    """Return the robot that the rig stands for, from the text stored in it.

    Raises:
        RigError: If the object is no rig.
        UrdfError: If the stored text was damaged.
    """
    if not is_rig(rig):
        raise RigError(f"{rig.name!r} is not a robot: import one first")
    data = armature_data(armature_of(rig))
    return _parsed(data.urdf, data.source or rig.name)


@dataclass(slots=True)
class JointBone:
    """A pose bone whose channel is a scalar joint's value [rad or m]."""

    bone: bpy.types.PoseBone
    data: URDF_RIG_PG_bone

    @property
    def turns(self) -> bool:
        """Whether the value is an angle."""
        return self.data.channel == Channel.ROTATION.value

    @property
    def data_path(self) -> str:
        """RNA path of the channel, relative to the pose bone; its array index is 1."""
        return "rotation_euler" if self.turns else "location"

    @property
    def curve_path(self) -> str:
        """RNA path of the channel from the rig, as F-curves and drivers have it; its array index is 1."""
        return f"{self.bone.path_from_id()}.{self.data_path}"

    @property
    def value(self) -> float:
        """The joint's value; setting it clamps to the joint's range, whole turns kept."""
        channel = self.bone.rotation_euler if self.turns else self.bone.location
        return self.data.sign * channel[1]

    @value.setter
    def value(self, value: float) -> None:
        channel = self.bone.rotation_euler if self.turns else self.bone.location
        channel[1] = self.data.sign * self.clamped(value)

    def clamped(self, value: float) -> float:
        """Return the value nearest to ``value`` that the joint allows."""
        if not self.data.limited:
            return value
        return min(max(value, self.data.lower), self.data.upper)


def joint_bones(rig: bpy.types.Object) -> list[JointBone]:
    """Return the bones of all scalar joints, followers too, in the description's order."""
    scalar = (Channel.ROTATION.value, Channel.LOCATION.value)
    pairs = ((bone, bone_data(bone.bone)) for bone in rig.pose.bones)
    joints = [JointBone(bone, data) for bone, data in pairs if data.channel in scalar]
    return sorted(joints, key=lambda joint: joint.data.order)


def joint_bones_by_name(rig: bpy.types.Object) -> dict[str, JointBone]:
    """Return the scalar joints' bones by joint name."""
    return {joint.data.joint: joint for joint in joint_bones(rig)}


def joint_values(rig: bpy.types.Object) -> dict[str, float]:
    """Return the values [rad or m] of the free joints, as their channels hold them."""
    return {joint.data.joint: joint.value for joint in joint_bones(rig) if not joint.data.leader}


def set_joint_values(rig: bpy.types.Object, values: dict[str, float]) -> None:
    """Set free joints [rad or m], clamped to their ranges.

    Raises:
        UnknownNameError: If the robot has no such joint.
        RigError: If a joint follows another.
    """
    bones = joint_bones_by_name(rig)
    for name in values:
        if name not in bones:
            raise UnknownNameError("joint", name, bones)
        if bones[name].data.leader:
            raise RigError(f"joint {name!r} follows {bones[name].data.leader!r}: set that one")
    for name, value in values.items():
        bones[name].value = value


def reset_joints(rig: bpy.types.Object) -> None:
    """Set every free joint to the allowed value nearest to 0."""
    for joint in joint_bones(rig):
        if not joint.data.leader:
            joint.value = joint.data.start
