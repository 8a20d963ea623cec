# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar's section on poses."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import bpy

from ..classes import class_registration
from ..poses.named import srdf_poses
from ..poses.settings import poses_data
from ..rig import active_rig
from .section import Place, RobotSection


class URDF_RIG_PT_poses(RobotSection, bpy.types.Panel):
    """Named poses, copy and paste"""

    bl_label = "Poses"
    bl_idname = "URDF_RIG_PT_poses"
    bl_order = Place.POSES
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the poses and what can be done with them."""
        layout, rig = self.layout, active_rig(context)
        for group, poses in groupby(srdf_poses(rig), key=lambda pose: pose.group):
            column = layout.column(align=True)
            column.label(text=group or "SRDF", icon="FILE", translate=False)
            for pose in poses:
                _draw_pose(column.row(align=True), pose.name, group, srdf=True)
        saved: Any = poses_data(rig).poses
        column = layout.column(align=True)
        column.label(text="Saved" if len(saved) else "No saved poses", icon="POSE_HLT" if len(saved) else "INFO")
        for item in saved:
            row = column.row(align=True)
            _draw_pose(row, item.name, "", srdf=False)
            operator = row.operator("urdf_rig.rename_pose", text="", icon="GREASEPENCIL")
            operator.name = operator.new_name = item.name
            row.operator("urdf_rig.remove_pose", text="", icon="X").name = item.name
        column.operator("urdf_rig.save_pose", text="Save Pose…", icon="ADD")
        row = layout.row(align=True)
        row.operator_menu_enum("urdf_rig.copy_joints", "form", text="Copy", icon="COPYDOWN")
        row.operator("urdf_rig.paste_joints", text="Paste", icon="PASTEDOWN")
        layout.operator("urdf_rig.randomize_joints", icon="FILE_REFRESH")


def _draw_pose(row: bpy.types.UILayout, name: str, group: str, *, srdf: bool) -> None:
    for properties in (
        row.operator("urdf_rig.apply_pose", text=name, translate=False),
        row.operator("urdf_rig.blend_pose", text="", icon="ARROW_LEFTRIGHT"),
        row.operator("urdf_rig.make_pose_asset", text="", icon="ASSET_MANAGER"),
    ):
        shown: Any = properties  # the operator's own properties, of which the stubs know nothing
        shown.name, shown.group, shown.srdf = name, group, srdf


register, unregister = class_registration(URDF_RIG_PT_poses)
