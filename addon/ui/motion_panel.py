# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar's section on recorded motions."""

from __future__ import annotations

import bpy

from ..classes import class_registration
from .section import Place, RobotSection


class URDF_RIG_PT_motion(RobotSection, bpy.types.Panel):
    """Recorded motions onto the robot, and its motion to a file"""

    bl_label = "Motion"
    bl_idname = "URDF_RIG_PT_motion"
    bl_order = Place.MOTION
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the buttons."""
        column = self.layout.column(align=True)
        column.operator("urdf_rig.play_joint_states", text="Play Joint States…", icon="IMPORT")
        column.operator("urdf_rig.export_joint_states", text="Export Joint States…", icon="EXPORT")


register, unregister = class_registration(URDF_RIG_PT_motion)
