# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar's section on the robot's cameras."""

from __future__ import annotations

import bpy

from ..build.cameras import cameras_of
from ..classes import class_registration
from ..properties import object_data
from ..rig import active_rig
from .section import Place, RobotSection


class URDF_RIG_PT_cameras(RobotSection, bpy.types.Panel):
    """The robot's cameras, to render through"""

    bl_label = "Cameras"
    bl_idname = "URDF_RIG_PT_cameras"
    bl_order = Place.CAMERAS
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a robot with cameras."""
        rig = active_rig(context)
        return rig is not None and bool(cameras_of(rig))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw one button for each camera."""
        column = self.layout.column(align=True)
        for obj in cameras_of(active_rig(context)):
            width, height = object_data(obj).resolution
            button = column.operator(
                "urdf_rig.use_camera",
                text=f"{obj.name} ({width} × {height})",
                icon="CAMERA_DATA",
                translate=False,
                depress=obj is context.scene.camera,
            )
            button.camera = obj.name


register, unregister = class_registration(URDF_RIG_PT_cameras)
