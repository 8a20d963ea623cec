# SPDX-License-Identifier: GPL-3.0-or-later
"""What all sections of the sidebar tab "Robot" share."""

from __future__ import annotations

from enum import IntEnum
from textwrap import wrap
from typing import Any

import bpy

from ..rig import active_rig

_CHARACTER_WIDTH = 6.5  # in the units of Blender's interface, on average
_MARGINS = 60.0
_FEWEST = 24  # characters in a line
_USUAL = 40
_XYZ = ("X (m)", "Y", "Z")
_RPY = ("Roll", "Pitch", "Yaw")


class Place(IntEnum):
    """The sections from top to bottom: look at the robot, pose it, let it move, examine it, what hangs on it."""

    JOINTS = 0
    VERIFY = 1
    VIEWPORT = 2
    POSES = 3
    IK = 4
    WAYPOINTS = 5
    MOTION = 6
    CHECK = 7
    KINEMATICS = 8
    DESCRIPTION = 9
    ATTACHMENTS = 10
    CAMERAS = 11
    INERTIA = 12


class RobotTab:
    """Mixed into panels of the tab."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Robot"


class RobotSection(RobotTab):
    """Mixed into sections that are there only when there is a robot."""

    bl_parent_id = "URDF_RIG_PT_robot"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a robot."""
        return active_rig(context) is not None


def line_length(context: bpy.types.Context) -> int:
    """Return about how many characters fit beside each other in the region."""
    if context.region is None:
        return _USUAL
    width = context.region.width / context.preferences.system.ui_scale
    return max(_FEWEST, int((width - _MARGINS) / _CHARACTER_WIDTH))


def fitted(name: str, length: int) -> str:
    """Return a name with its middle left out where it is too long; Blender's sliders would cut its end.

    It is often the end that tells the names of a robot's joints apart.
    """
    if len(name) <= length:
        return name
    tail = (length - 1) * 2 // 3
    return f"{name[: length - 1 - tail]}…{name[-tail:]}"


def draw_text(
    layout: bpy.types.UILayout,
    context: bpy.types.Context,
    text: str,
    icon: Any = "NONE",  # noqa: ANN401  # the stubs know icons as literals
) -> None:
    """Draw a text on as many lines as it needs; those after the first are below the text, not below the icon."""
    lines = wrap(text, line_length(context) - (4 if icon != "NONE" else 0))
    for number, line in enumerate(lines):
        layout.label(text=line, icon="BLANK1" if number and icon != "NONE" else icon, translate=False)


def draw_pose(
    layout: bpy.types.UILayout,
    owner: Any,  # noqa: ANN401  # a property group, which is no type of Blender's for the stubs
    xyz: str,
    rpy: str,
    title: str = "",
) -> None:
    """Draw fields for a pose in metres and as roll, pitch and yaw, each with its name."""
    for name, parts in ((xyz, _XYZ), (rpy, _RPY)):
        column = layout.column(align=True)
        column.use_property_split = True
        column.use_property_decorate = False
        for index, part in enumerate(parts):
            text = part if index or not title else f"{title} {part}"
            column.prop(owner, name, index=index, text=text, translate=False)  # URDF's own words
