# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn over the active robot. It is the window's, not the file's: looking changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty

change_listeners: list[Callable[[], None]] = []  # called whenever a setting changes


def _on_change(_settings: URDF_RIG_PG_viewport, _context: bpy.types.Context) -> None:
    for told in change_listeners:
        told()


class URDF_RIG_PG_viewport(bpy.types.PropertyGroup):
    """What is drawn over the active robot"""

    if TYPE_CHECKING:
        which: str
        handles: bool
        handle_size: float
        names: bool
        named: str
        name_size: int
        axes: bool
        axis_size: float
    else:
        which: EnumProperty(
            name="Show for",
            description="Which parts of the robot get handles, names and axes",
            items=(
                ("ALL", "All", "All links and joints of the active robot"),
                ("VISIBLE", "Visible", "Those whose bones are visible: not hidden, nor in a hidden bone collection"),
                ("SELECTED", "Selected", "Those whose bones are selected"),
            ),
            update=_on_change,
        )
        handles: BoolProperty(
            name="Joint Handles",
            description="Turn joints by dials and slide them by arrows in the viewport. Each shows its joint's range, "
            "and stops at the joint's stops. Ctrl: steps, Shift: slowly",
            update=_on_change,
        )
        handle_size: FloatProperty(
            name="Size",
            default=1.0,
            min=0.05,
            soft_min=0.25,
            soft_max=4.0,
            max=20.0,
            description="Size of the handles. At 1 they suit the distances between the joints",
            update=_on_change,
        )
        names: BoolProperty(name="Names", description="Write names beside frames in the viewport", update=_on_change)
        named: EnumProperty(
            name="Names of",
            description="Whose names are written",
            items=(
                ("LINKS", "Links", "Names of links, at their frames"),
                ("JOINTS", "Joints", "Names of joints, at their frames"),
            ),
            update=_on_change,
        )
        name_size: IntProperty(
            name="Size",
            default=12,
            min=6,
            max=64,
            subtype="PIXEL",
            description="Height of the names",
            update=_on_change,
        )
        axes: BoolProperty(
            name="Frame Axes",
            description="Draw the axes of each link's frame: x red, y green, z blue, or the theme's colors",
            update=_on_change,
        )
        axis_size: FloatProperty(
            name="Size",
            default=1.0,
            min=0.05,
            soft_min=0.25,
            soft_max=4.0,
            max=100.0,
            description="Length of the axes. At 1 they are a twentieth of the robot's reach",
            update=_on_change,
        )


def viewport_settings(window_manager: bpy.types.WindowManager) -> URDF_RIG_PG_viewport:
    """Return what is drawn over the active robot."""
    return cast("URDF_RIG_PG_viewport", window_manager.urdf_rig_viewport)  # type: ignore[attr-defined]


def register() -> None:
    """Register the settings and hang them on the window manager."""
    bpy.utils.register_class(URDF_RIG_PG_viewport)
    settings = PointerProperty(type=URDF_RIG_PG_viewport)
    bpy.types.WindowManager.urdf_rig_viewport = settings  # type: ignore[attr-defined]


def unregister() -> None:
    """Take the settings away."""
    del bpy.types.WindowManager.urdf_rig_viewport  # type: ignore[attr-defined]
    bpy.utils.unregister_class(URDF_RIG_PG_viewport)
