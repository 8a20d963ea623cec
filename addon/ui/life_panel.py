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
from .section import Place, RobotSection, draw_pose, draw_text

_LINES = 12


class URDF_RIG_PT_description(RobotSection, bpy.types.Panel):
    """Base link and description file"""

    bl_label = "Base and Description"
    bl_idname = "URDF_RIG_PT_description"
    bl_order = Place.DESCRIPTION
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the buttons, and what the last reading has changed."""
        layout = self.layout
        rig = active_rig(context)
        data = armature_data(armature_of(rig))
        layout.operator("urdf_rig.change_base", text="Change Base Link…", icon="OUTLINER_OB_ARMATURE")
        file = Path(data.source).name
        layout.label(text=file or "No file is known", icon="FILE" if file else "INFO", translate=not file)
        row = layout.row(align=True)
        row.operator("urdf_rig.reload_description", icon="FILE_REFRESH")
        row.operator("urdf_rig.reload_description", text="", icon="FILEBROWSER").choose = True
        lines = import_data(rig).changes.splitlines()
        column = layout.column(align=True)
        for line in lines[:_LINES]:
            draw_text(column, context, line)
        if len(lines) > _LINES:
            column.label(text=f"… and {len(lines) - _LINES} more")


class URDF_RIG_PT_attachments(RobotSection, bpy.types.Panel):
    """Objects that links carry"""

    bl_label = "Attachments"
    bl_idname = "URDF_RIG_PT_attachments"
    bl_order = Place.ATTACHMENTS
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw what is attached, and where."""
        layout = self.layout
        layout.operator("urdf_rig.attach", text="Attach to Link…", icon="LINKED")
        carried = attachments_of(active_rig(context))
        if not carried:
            layout.label(text="Nothing is attached", icon="INFO")
        for obj in carried:
            data = attachment_data(obj)
            box = layout.box()
            column = box.column(align=True)
            row = column.row(align=True)
            row.label(text=obj.name, icon="OBJECT_DATA", translate=False)
            row.operator("urdf_rig.detach", text="", icon="X").name = obj.name
            column.label(text=data.link, icon="BONE_DATA", translate=False)
            draw_pose(box, data, "xyz", "rpy")


register, unregister = class_registration(URDF_RIG_PT_description, URDF_RIG_PT_attachments)
