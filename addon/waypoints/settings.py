# SPDX-License-Identifier: GPL-3.0-or-later
"""Waypoints, kept on the armature by joint and link names, and which keys were made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

from ...core.waypoints import Move
from ..kinematics_settings import links_of_active_rig
from ..rig import armature_of

if TYPE_CHECKING:
    from ..item_lists import ItemList

MOVES = (
    (Move.JOINT.value, "Joint Move", "Each joint goes from value to value by itself"),
    (Move.LINE.value, "Line", "The tool's point moves on a straight line"),
)


class URDF_RIG_PG_waypoint(bpy.types.PropertyGroup):
    """A taught pose at a frame, and how it is reached from the one before"""

    if TYPE_CHECKING:
        name: str
        frame: float
        move: str
        smooth: bool
        keep_orientation: bool
        all_joints: bool
        joints: str
        link: str
        tool_xyz: Sequence[float]
        tool_rpy: Sequence[float]
        reference: str
        pose: Sequence[float]
    else:
        name: StringProperty(name="Name", description="The waypoint's name")
        frame: FloatProperty(name="Frame", default=1.0, description="When it is reached")
        move: EnumProperty(name="Move", items=MOVES, description="How it is reached from the waypoint before")
        smooth: BoolProperty(
            name="Smooth", default=True, description="The move starts and stops gently, else at a constant speed"
        )
        keep_orientation: BoolProperty(
            name="Keep Orientation",
            default=True,
            description="On a line the tool turns evenly from one orientation to the other; else only its point counts",
        )
        all_joints: BoolProperty(
            name="All Joints",
            default=True,
            description="It is of all joints, else of those that it was recorded of alone",
        )
        joints: StringProperty(name="Joints", description="The joints' values in radians and metres, as JSON")
        link: StringProperty(name="Tool's Link", description="The link that carries the tool")
        tool_xyz: FloatVectorProperty(name="Tool XYZ", size=3, precision=4, description="The tool's point in metres")
        tool_rpy: FloatVectorProperty(name="Tool RPY", size=3, subtype="EULER", description="How the tool is turned")
        reference: StringProperty(name="Reference", description="The link in whose frame lines to it are straight")
        pose: FloatVectorProperty(
            name="Tool Pose", size=16, description="Where the tool was in the reference when taught, by rows"
        )


class URDF_RIG_PG_waypoints(bpy.types.PropertyGroup):
    """A robot's waypoints, in the order of their frames"""

    if TYPE_CHECKING:
        waypoints: ItemList[URDF_RIG_PG_waypoint]
        active: int
        link: str
        tool_xyz: Sequence[float]
        tool_rpy: Sequence[float]
        generated: str
    else:
        waypoints: CollectionProperty(name="Waypoints", type=URDF_RIG_PG_waypoint)
        active: IntProperty(name="Active", description="Which waypoint is active")
        link: StringProperty(
            name="Tool's Link",
            description="The link that carries the tool of new waypoints. Empty: that of the active bone",
            search=links_of_active_rig,
        )
        tool_xyz: FloatVectorProperty(
            name="Tool XYZ", size=3, precision=4, description="Where the tool's point is in the link's frame, in metres"
        )
        tool_rpy: FloatVectorProperty(
            name="Tool RPY",
            size=3,
            subtype="EULER",
            description="How the tool is turned in the link's frame: roll, pitch and yaw as in URDF",
        )
        generated: StringProperty(name="Generated", description="Range and joints of the keys made last, as JSON")


def waypoints_data(rig: bpy.types.Object) -> URDF_RIG_PG_waypoints:
    """Return the waypoints of a rig."""
    return cast("URDF_RIG_PG_waypoints", armature_of(rig).urdf_rig_waypoints)  # type: ignore[attr-defined]


def register() -> None:
    """Register the property groups and hang them on armatures."""
    bpy.utils.register_class(URDF_RIG_PG_waypoint)
    bpy.utils.register_class(URDF_RIG_PG_waypoints)
    settings = PointerProperty(type=URDF_RIG_PG_waypoints)
    bpy.types.Armature.urdf_rig_waypoints = settings  # type: ignore[attr-defined]


def unregister() -> None:
    """Take the property groups away; the data stays in the file."""
    del bpy.types.Armature.urdf_rig_waypoints  # type: ignore[attr-defined]
    bpy.utils.unregister_class(URDF_RIG_PG_waypoints)
    bpy.utils.unregister_class(URDF_RIG_PG_waypoint)
