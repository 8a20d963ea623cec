# SPDX-License-Identifier: GPL-3.0-or-later
"""What an armature remembers of the last check of its motion, and how it is to be checked."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...core.errors import RigError
from ...core.motion.limits import Override
from ..rig import armature_of, is_rig, require_local
from .showing import show_finding


def _jump(settings: URDF_RIG_PG_check, context: bpy.types.Context) -> None:
    if 0 <= settings.active < len(settings.findings):
        owners = (obj for obj in context.view_layer.objects if is_rig(obj) and armature_of(obj) == settings.id_data)
        rig = next(owners, None)
        if rig is not None:
            item = settings.findings[settings.active]
            show_finding(context, rig, item.frame, item.joint, item.other)


class URDF_RIG_PG_finding(bpy.types.PropertyGroup):
    """Something in a motion that the robot cannot do"""

    if TYPE_CHECKING:
        kind: str
        joint: str
        other: str
        joints: str
        frame: float
        first: float
        last: float
        value: float
        limit: float
        turns: bool
        note: str
    else:
        kind: StringProperty(name="Kind", description="What is wrong")
        joint: StringProperty(name="Joint", description="The joint; for a collision the first link")
        other: StringProperty(name="Other Link", description="For a collision, the second link")
        joints: StringProperty(name="Joints", description="The joints to blame, one a line")
        frame: FloatProperty(name="Frame", description="Where it is worst")
        first: FloatProperty(name="First", description="The first frame of the stretch")
        last: FloatProperty(name="Last", description="The last frame of the stretch")
        value: FloatProperty(name="Value", description="The worst value, in radians or metres, and per second")
        limit: FloatProperty(name="Limit", description="What is allowed")
        turns: BoolProperty(name="Turns", description="Whether the value is an angle")
        note: StringProperty(name="Note", description="More about it")


class URDF_RIG_PG_check(bpy.types.PropertyGroup):
    """Whether the robot can do its motion"""

    if TYPE_CHECKING:
        collisions: bool
        markers: bool
        rate: float
        limits: str
        limits_file: str
        checked: bool
        first: float
        last: float
        summary: str
        remarks: str
        marker_prefix: str
        findings: Any
        active: int
    else:
        collisions: BoolProperty(
            name="Self-Collision", default=True, description="Look too whether the robot touches itself"
        )
        markers: BoolProperty(name="Markers", description="Mark what is found on the timeline")
        rate: FloatProperty(
            name="Rate",
            default=0.0,
            min=0.0,
            max=10_000.0,
            description="Samples a second. 0: one for each frame. Between samples nothing is seen",
        )
        limits: StringProperty(name="Joint Limits", description="What a file of joint limits says, as JSON")
        limits_file: StringProperty(name="Joint Limits File", description="The file that these were read from")
        checked: BoolProperty(name="Checked", description="Whether the motion was checked")
        first: FloatProperty(name="First", description="First frame that was checked")
        last: FloatProperty(name="Last", description="Last frame that was checked")
        summary: StringProperty(name="Summary", description="Result of the last check")
        remarks: StringProperty(name="Remarks", description="What the last check left out")
        marker_prefix: StringProperty(name="Marker Prefix", description="How the names of its markers begin")
        findings: CollectionProperty(type=URDF_RIG_PG_finding)
        active: IntProperty(name="Finding", description="Click to go to its frame and select its bone", update=_jump)


def check_data(rig: bpy.types.Object) -> URDF_RIG_PG_check:
    """Return what a rig remembers of the last check."""
    return cast("URDF_RIG_PG_check", armature_of(rig).urdf_rig_check)  # type: ignore[attr-defined]


def stored_overrides(rig: bpy.types.Object) -> dict[str, Override]:
    """Return what a file of joint limits says, by joint.

    Raises:
        RigError: If what is kept was damaged.
    """
    text = check_data(rig).limits
    try:
        stored = json.loads(text) if text else {}
        result = {
            str(name): Override(**{key: _number(value) for key, value in item.items()}) for name, item in stored.items()
        }
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise RigError(f"the joint limits that {rig.name!r} keeps were damaged: read the file again") from None
    return result


def _number(value: object) -> float | None:
    if value is None:
        return None
    if not isinstance(value, int | float) or math.isnan(value):
        raise TypeError
    return float(value)


def store_overrides(rig: bpy.types.Object, overrides: Mapping[str, Override], file: str) -> None:
    """Keep what a file of joint limits says; without any, forget it.

    Raises:
        RigError: If the armature is linked from another file.
    """
    require_local(rig)
    data = check_data(rig)
    data.limits = json.dumps({name: asdict(item) for name, item in overrides.items()}) if overrides else ""
    data.limits_file = file


def register() -> None:
    """Register the property groups and hang them on armatures."""
    bpy.utils.register_class(URDF_RIG_PG_finding)
    bpy.utils.register_class(URDF_RIG_PG_check)
    bpy.types.Armature.urdf_rig_check = PointerProperty(type=URDF_RIG_PG_check)  # type: ignore[attr-defined]


def unregister() -> None:
    """Take them away; the data stays in the file."""
    del bpy.types.Armature.urdf_rig_check  # type: ignore[attr-defined]
    bpy.utils.unregister_class(URDF_RIG_PG_check)
    bpy.utils.unregister_class(URDF_RIG_PG_finding)
