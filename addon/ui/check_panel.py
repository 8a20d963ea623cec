# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar's section on whether the robot can do its motion."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import shorten
from typing import Any

import bpy

from ...core.motion.checking import Kind
from ..classes import class_registration
from ..display_units import display_units, shown
from ..motion.check_settings import URDF_RIG_PG_check, URDF_RIG_PG_finding, check_data
from ..rig import active_rig
from .section import Place, RobotSection, draw_text

_ICONS: Mapping[str, Any] = {  # the stubs know icons as literals
    Kind.POSITION: "CON_ROTLIMIT",
    Kind.VELOCITY: "DRIVER_DISTANCE",
    Kind.ACCELERATION: "FORCE_FORCE",
    Kind.JUMP: "IPO_CONSTANT",
    Kind.FLIP: "MOD_MIRROR",
    Kind.COLLISION: "MOD_PHYSICS",
}
_PER_TIME: Mapping[str, str] = {Kind.VELOCITY: "/s", Kind.ACCELERATION: "/s²"}
_ROWS = 4
_REMARK = 200  # characters of one remark


class URDF_RIG_UL_findings(bpy.types.UIList):
    """What the robot cannot do: joint and frame; value and limit are said below the list"""

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: object,
        item: URDF_RIG_PG_finding,
        icon: int,
        active_data: object,
        active_property: str,
        index: int,
        flt_flag: int,
    ) -> None:
        """Draw one row; a click on it goes to its frame."""
        split = layout.split(factor=0.75)
        split.label(text=item.name, icon=_ICONS.get(item.kind, "ERROR"), translate=False)
        right = split.row()
        right.alignment = "RIGHT"
        right.label(text=_frame(item.frame), translate=False)


def _frame(frame: float) -> str:
    return f"{frame:.2f}".rstrip("0").rstrip(".")


def _amount(item: URDF_RIG_PG_finding, scene: bpy.types.Scene) -> str:
    """Return value and limit in the scene's units."""
    units = display_units(scene)
    factor, unit = (units.angle, units.angle_name) if item.turns else (units.length, units.length_name)
    unit += _PER_TIME.get(item.kind, "")
    value, limit = shown([item.value, item.limit], factor)
    if item.kind == Kind.COLLISION:
        return f"{value} {unit} deep"
    return f"{value} > {limit} {unit}" if item.value > item.limit else f"{value} < {limit} {unit}"


class URDF_RIG_PT_check(RobotSection, bpy.types.Panel):
    """Can the robot do its motion?"""

    bl_label = "Motion Check"
    bl_idname = "URDF_RIG_PT_check"
    bl_order = Place.CHECK
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw how to check, the buttons, and what was found."""
        layout, rig = self.layout, active_rig(context)
        data = check_data(rig)
        row = layout.row(align=True)
        row.operator("urdf_rig.check_motion", icon="CHECKMARK")
        if data.checked:
            row.operator("urdf_rig.clear_motion_check", text="", icon="X")
        if data.checked:
            self._draw_result(context, data)
        else:
            layout.label(text="Not checked yet", icon="INFO")
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(data, "rate", text="Rate (Hz)")
        column.prop(data, "collisions")
        column.prop(data, "markers")
        row = layout.row(align=True)
        row.operator(
            "urdf_rig.read_joint_limits", text=data.limits_file or "Joint Limits…", icon="FILE", translate=False
        )
        if data.limits:
            row.operator("urdf_rig.clear_joint_limits", text="", icon="X")
        column = layout.column(align=True)
        column.operator("urdf_rig.retime_motion", text="Retime…", icon="TIME")
        column.operator("urdf_rig.plot_motion", text="Plot…", icon="GRAPH")

    def _draw_result(self, context: bpy.types.Context, data: URDF_RIG_PG_check) -> None:
        layout = self.layout
        column = layout.column(align=True)
        column.alert = bool(data.findings)
        text = f"Frames {_frame(data.first)} to {_frame(data.last)}: {data.summary}"
        draw_text(column, context, text, "ERROR" if data.findings else "CHECKMARK")
        if data.findings:
            layout.template_list("URDF_RIG_UL_findings", "", data, "findings", data, "active", rows=_ROWS)
            if 0 <= data.active < len(data.findings):
                item = data.findings[data.active]
                column = layout.column(align=True)
                span = f"frames {_frame(item.first)} to {_frame(item.last)}"
                draw_text(column, context, item.name)
                column.label(text=f"{item.kind.capitalize()}, {span}", translate=False)
                column.label(text=_amount(item, context.scene), translate=False)
                if item.note:
                    draw_text(column, context, item.note, "INFO")
        for line in data.remarks.splitlines():
            draw_text(layout.column(align=True), context, shorten(line, _REMARK, placeholder="…"), "INFO")


register, unregister = class_registration(URDF_RIG_UL_findings, URDF_RIG_PT_check)
