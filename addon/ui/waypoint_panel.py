# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar's section on waypoints."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.waypoints import Move
from ..classes import ROBOT_WORDS, class_registration
from ..rig import active_rig
from ..waypoints.settings import URDF_RIG_PG_waypoint, waypoints_data
from .section import Place, RobotSection, draw_pose


class URDF_RIG_UL_waypoints(bpy.types.UIList):
    """Waypoints by name, move and frame"""

    bl_idname = "URDF_RIG_UL_waypoints"

    def draw_item(
        self,
        _context: bpy.types.Context,
        layout: bpy.types.UILayout,
        _data: object,
        item: URDF_RIG_PG_waypoint,
        _icon: int,
        _active_data: object,
        _active_property: str,
    ) -> None:
        """Draw one."""
        shown: Any = item  # a property group, for the stubs
        row = layout.row(align=True)
        icon: Any = "IPO_LINEAR" if item.move == Move.LINE else "IPO_EASE_IN_OUT"
        row.prop(shown, "name", text="", emboss=False, icon=icon)
        row.prop(shown, "frame", text="", emboss=False)


class URDF_RIG_PT_waypoints(RobotSection, bpy.types.Panel):
    """Taught poses and the moves between them"""

    bl_label = "Waypoints"
    bl_idname = "URDF_RIG_PT_waypoints"
    bl_order = Place.WAYPOINTS
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the list, the active waypoint and the buttons."""
        layout = self.layout
        data: Any = waypoints_data(active_rig(context))
        layout.operator("urdf_rig.record_waypoint", icon="REC")
        count = len(data.waypoints)
        if not count:
            layout.label(text="No waypoints yet. Pose, then record", icon="INFO")
            return
        row = layout.row()
        row.template_list("URDF_RIG_UL_waypoints", "", data, "waypoints", data, "active", rows=4)
        buttons = row.column(align=True)
        buttons.operator("urdf_rig.remove_waypoint", text="", icon="REMOVE")
        earlier: Any = buttons.operator("urdf_rig.move_waypoint", text="", icon="TRIA_UP")
        later: Any = buttons.operator("urdf_rig.move_waypoint", text="", icon="TRIA_DOWN")
        earlier.step, later.step = -1, 1
        if 0 <= data.active < count:
            _draw_waypoint(layout, data.waypoints[data.active], first=data.active == 0)
        row = layout.row(align=True)
        row.operator("urdf_rig.generate_waypoint_motion", text="Generate Motion", icon="KEYINGSET")
        row.operator("urdf_rig.clear_waypoint_motion", text="", icon="X")


class URDF_RIG_PT_waypoint_tool(RobotSection, bpy.types.Panel):
    """The tool whose point moves along lines, for waypoints that are recorded from now on"""

    bl_label = "Tool"
    bl_idname = "URDF_RIG_PT_waypoint_tool"
    bl_parent_id = "URDF_RIG_PT_waypoints"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw which link carries it, and where."""
        layout = self.layout
        data = waypoints_data(active_rig(context))
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(data, "link", text="Link", text_ctxt=ROBOT_WORDS, icon="BONE_DATA", placeholder="Active bone's")
        draw_pose(layout, data, "tool_xyz", "tool_rpy")


def _draw_waypoint(layout: bpy.types.UILayout, item: Any, *, first: bool) -> None:  # noqa: ANN401  # a property group
    row = layout.row(align=True)
    row.operator("urdf_rig.apply_waypoint", text="Apply", icon="POSE_HLT")
    row.operator("urdf_rig.update_waypoint", text="Update", icon="FILE_REFRESH")
    if first:
        layout.label(text="The motion starts here")
        return
    column = layout.column(align=True)
    column.row(align=True).prop(item, "move", expand=True)
    column.prop(item, "smooth")
    if item.move == Move.LINE:
        column.prop(item, "keep_orientation")
        column.label(text=f"{item.link} in {item.reference}", icon="EMPTY_ARROWS", translate=False)


register, unregister = class_registration(URDF_RIG_UL_waypoints, URDF_RIG_PT_waypoints, URDF_RIG_PT_waypoint_tool)
