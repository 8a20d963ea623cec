# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint sliders with each joint's own range.

A property's range belongs to its definition, so one property is defined on pose bones for each distinct range. It is
a view of the pose channel, which alone is stored and animated: the getter reads the channel, the setter clamps and
writes.
"""

from __future__ import annotations

import hashlib
import math
from typing import Any

import bpy
from bpy.props import FloatProperty

from .keying import key_animated_if_wanted
from .properties import bone_data
from .rig import JointBone, is_rig, joint_bones

_PREFIX = "urdf_rig_joint_"
# the drag range of joints without limits
_SOFT_ANGLE = 2.0 * math.pi
_SOFT_DISTANCE = 1.0
_NOISE = 5e-7  # radians or metres; Blender would show as -0.000005° what a solver leaves of 0

_Key = tuple[bool, float | None, float | None, float]
_defined: dict[_Key, str] = {}


def _key(joint: JointBone, unit: float) -> _Key:
    low, high = (joint.data.lower, joint.data.upper) if joint.data.limited else (None, None)
    return joint.turns, low, high, 1.0 if joint.turns else unit


def scene_unit(scene: bpy.types.Scene) -> float:
    """Return the metres in one Blender unit of a scene."""
    settings = scene.unit_settings
    return 1.0 if settings.system == "NONE" else settings.scale_length


def slider_name(joint: JointBone, scene: bpy.types.Scene) -> str | None:
    """Return the name of the property on the pose bone that shows a joint; None while it is not defined."""
    return _defined.get(_key(joint, scene_unit(scene)))


def define_sliders() -> None:
    """Define the sliders that the rigs of the file need in its scenes' units, where they are not there yet."""
    units = {scene_unit(scene) for scene in bpy.data.scenes}
    for rig in bpy.data.objects:
        if is_rig(rig):
            for joint in joint_bones(rig):
                for unit in units:
                    _define(_key(joint, unit))


def _define(key: _Key) -> None:
    if key in _defined:
        return
    turns, low, high, unit = key
    options: dict[str, Any] = (
        {"subtype": "ANGLE", "unit": "ROTATION"}
        if turns
        else {
            "subtype": "DISTANCE",
            "unit": "LENGTH",
        }
    )
    if low is not None and high is not None:
        options |= {"min": low / unit, "max": high / unit}
    else:
        soft = _SOFT_ANGLE if turns else _SOFT_DISTANCE / unit
        options |= {"soft_min": -soft, "soft_max": soft}

    def read(bone: bpy.types.PoseBone) -> float:
        value = JointBone(bone, bone_data(bone.bone)).value
        return value / unit if abs(value) > _NOISE else 0.0

    def write(bone: bpy.types.PoseBone, value: float) -> None:
        joint = JointBone(bone, bone_data(bone.bone))
        joint.value = value * unit
        key_animated_if_wanted(bpy.context, joint)

    name = _PREFIX + hashlib.blake2s(repr(key).encode(), digest_size=6).hexdigest()
    described = FloatProperty(
        name="Joint Value",
        description="The joint's value. Its range is the joint's; keyframes go on the pose channel itself",
        options=set(),
        step=100 if turns else 1,
        precision=3,
        get=read,
        set=write,
        **options,
    )
    setattr(bpy.types.PoseBone, name, described)
    _defined[key] = name


def remove_sliders() -> None:
    """Take all slider properties away."""
    for name in _defined.values():
        delattr(bpy.types.PoseBone, name)
    _defined.clear()
