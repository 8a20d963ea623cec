# SPDX-License-Identifier: GPL-3.0-or-later
"""What a rig remembers, one property group for each kind of datablock, and the typed accessors to it.

The data lives in the .blend whether or not the extension is there: the expanded URDF text and the schema version on
the armature, the joint table on its bones (so that renaming a bone does not lose it), and on each shape's object which
shape of which link it shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import bpy
from bpy.props import (
    BoolProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    IntVectorProperty,
    PointerProperty,
    StringProperty,
)

SCHEMA_VERSION = 1


class URDF_RIG_PG_armature(bpy.types.PropertyGroup):
    """The robot that an armature stands for"""

    if TYPE_CHECKING:
        schema_version: int
        robot: str
        base: str
        source: str
        urdf: str
        semantics: str
        fixed_frames: bool
        verified: bool
        verify_passed: bool
        verify_text: str
    else:
        schema_version: IntProperty(name="Schema Version", description="0 for armatures that are no robot")
        robot: StringProperty(name="Robot", description="The robot's name")
        base: StringProperty(name="Base", description="The link that the armature hangs from")
        source: StringProperty(name="Source", description="The file that the robot was read from")
        urdf: StringProperty(name="URDF", description="The robot's description, expanded")
        semantics: StringProperty(name="Named Poses", description="Groups and named poses of its SRDF file, as JSON")
        fixed_frames: BoolProperty(
            name="Fixed Frames", default=True, description="Whether links on fixed joints have bones of their own"
        )
        verified: BoolProperty(name="Verified", description="Whether the rig has been verified since it was made")
        verify_passed: BoolProperty(name="Passed", description="Whether the last verification passed")
        verify_text: StringProperty(name="Verification", description="Result of the last verification")


class URDF_RIG_PG_bone(bpy.types.PropertyGroup):
    """The link and joint that a bone stands for"""

    if TYPE_CHECKING:
        link: str
        joint: str
        channel: str
        order: int
        sign: int
        limited: bool
        lower: float
        upper: float
        start: float
        leader: str
        bone_h_link: list[float]
    else:
        link: StringProperty(name="Link", description="The link that rides on this bone")
        joint: StringProperty(name="Joint", description="The joint that moves it")
        channel: StringProperty(name="Channel", description="Which pose channel holds the joint's value")
        order: IntProperty(name="Order", description="The joint's place in the description")
        sign: IntProperty(name="Sign", default=1, description="The channel holds this times the joint's value")
        limited: BoolProperty(name="Limited", description="Whether the joint has a range")
        lower: FloatProperty(name="Lower", description="Lowest joint value, in radians or metres")
        upper: FloatProperty(name="Upper", description="Highest joint value, in radians or metres")
        start: FloatProperty(name="Start", description="The allowed joint value nearest to zero")
        leader: StringProperty(name="Leader", description="The joint that this one follows")
        bone_h_link: FloatVectorProperty(
            name="Link in Bone", size=16, description="Pose of the link in the bone's frame, by rows"
        )


class URDF_RIG_PG_object(bpy.types.PropertyGroup):
    """The visual or collision shape, the camera, the inertia or all the visuals that an object shows"""

    if TYPE_CHECKING:
        link: str
        is_collision: bool
        index: int
        widget: str
        part: str
        parts: str
        resolution: Sequence[int]
    else:
        link: StringProperty(name="Link", description="The link that the object belongs to")
        is_collision: BoolProperty(name="Collision", description="Whether it is a collision shape")
        index: IntProperty(name="Index", default=-1, description="Which of the link's shapes it is")
        widget: StringProperty(name="Widget", description="Which bone shape this object is")
        part: StringProperty(
            name="Part", description="What it shows where that is no shape: a camera, an inertia, or a skin"
        )
        parts: StringProperty(name="Parts", description="For a skin: the link of each of its visuals, as JSON")
        resolution: IntVectorProperty(name="Resolution", size=2, min=0, description="Size of the camera's image")


class URDF_RIG_PG_window(bpy.types.PropertyGroup):
    """State of the panels"""

    if TYPE_CHECKING:
        filter: str
    else:
        filter: StringProperty(
            name="Filter",
            description="Show only joints with this text in their name",
            options={"TEXTEDIT_UPDATE", "SKIP_SAVE"},
        )


def armature_data(armature: bpy.types.Armature) -> URDF_RIG_PG_armature:
    """Return the robot's data on an armature."""
    return cast("URDF_RIG_PG_armature", armature.urdf_rig)  # type: ignore[attr-defined]


def bone_data(bone: bpy.types.Bone) -> URDF_RIG_PG_bone:
    """Return the link and joint of a bone."""
    return cast("URDF_RIG_PG_bone", bone.urdf_rig)  # type: ignore[attr-defined]


def object_data(obj: bpy.types.Object) -> URDF_RIG_PG_object:
    """Return which shape an object shows."""
    return cast("URDF_RIG_PG_object", obj.urdf_rig)  # type: ignore[attr-defined]


def window_data(window_manager: bpy.types.WindowManager) -> URDF_RIG_PG_window:
    """Return the state of the panels."""
    return cast("URDF_RIG_PG_window", window_manager.urdf_rig)  # type: ignore[attr-defined]


# the stubs know nothing of what extensions hang on Blender's types: hence attr-defined, above and below
_GROUPS = {
    bpy.types.Armature: URDF_RIG_PG_armature,
    bpy.types.Bone: URDF_RIG_PG_bone,
    bpy.types.Object: URDF_RIG_PG_object,
    bpy.types.WindowManager: URDF_RIG_PG_window,
}


def register() -> None:
    """Register the property groups and hang them on their types."""
    for owner, group in _GROUPS.items():
        bpy.utils.register_class(group)
        owner.urdf_rig = PointerProperty(type=group)  # type: ignore[attr-defined]


def unregister() -> None:
    """Take the property groups away; the data stays in the file."""
    for owner, group in reversed(_GROUPS.items()):
        del owner.urdf_rig  # type: ignore[attr-defined]
        bpy.utils.unregister_class(group)
