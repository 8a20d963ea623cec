# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar's sections on the robot's base and file, and on what it carries."""

from __future__ import annotations

from pathlib import Path

import bpy

from ..attachments import attachment_data, attachments_of
from ..classes import class_registration
from ..properties import armature_data
from ..rig import active_rig, armature_of
from ..stored_options import import_data
from .section import RobotSection

_LINES = 12


class URDF_RIG_PT_description(RobotSection, bpy.types.Panel):
    """Base link and description file"""

    bl_label = "Base and Description"
    bl_idname = "URDF_RIG_PT_description"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the buttons, and what the last reading has changed."""
        layout = self.layout
        rig = active_rig(context)
        data = armature_data(armature_of(rig))
        layout.operator("urdf_rig.change_base", text="Change Base Link…", icon="OUTLINER_OB_ARMATURE")
        layout.label(text=Path(data.source).name or "No file is known", icon="FILE", translate=False)
        row = layout.row(align=True)
        row.operator("urdf_rig.reload_description", icon="FILE_REFRESH")
        row.operator("urdf_rig.reload_description", text="", icon="FILEBROWSER").choose = True
        lines = import_data(rig).changes.splitlines()
        column = layout.column(align=True)
        for line in lines[:_LINES]:
            column.label(text=line, translate=False)
        if len(lines) > _LINES:
            column.label(text=f"… and {len(lines) - _LINES} more")


class URDF_RIG_PT_attachments(RobotSection, bpy.types.Panel):
    """Objects that links carry"""

    bl_label = "Attachments"
    bl_idname = "URDF_RIG_PT_attachments"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw what is attached, and where."""
        layout = self.layout
        layout.operator("urdf_rig.attach", text="Attach to Link…", icon="LINKED")
        for obj in attachments_of(active_rig(context)):
            data = attachment_data(obj)
            box = layout.box()
            row = box.row(align=True)
            row.label(text=f"{obj.name} → {data.link}", icon="OBJECT_DATA", translate=False)
            row.operator("urdf_rig.detach", text="", icon="X").name = obj.name
            column = box.column(align=True)
            column.prop(data, "xyz")
            column.prop(data, "rpy")


register, unregister = class_registration(URDF_RIG_PT_description, URDF_RIG_PT_attachments)
