# SPDX-License-Identifier: GPL-3.0-or-later
"""Rendering through a robot's camera."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import StringProperty

from ..build.cameras import cameras_of
from ..classes import class_registration
from ..properties import object_data
from ..rig import active_rig


class URDF_RIG_OT_use_camera(bpy.types.Operator):
    """Render through this camera of the robot, at the resolution that its sensor has"""

    bl_idname = "urdf_rig.use_camera"
    bl_label = "Use Camera"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        camera: str
    else:
        camera: StringProperty(name="Camera", description="Name of the camera object", options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a robot with cameras."""
        rig = active_rig(context)
        if rig is None or not cameras_of(rig):
            cls.poll_message_set("The selected robot has no cameras")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make it the scene's camera."""
        cameras = {obj.name: obj for obj in cameras_of(active_rig(context))}
        if self.camera not in cameras:
            self.report({"ERROR"}, f"The robot has no camera {self.camera!r}; it has {', '.join(cameras)}")
            return {"CANCELLED"}
        obj = cameras[self.camera]
        context.scene.camera = obj
        render = context.scene.render
        render.resolution_x, render.resolution_y = object_data(obj).resolution
        render.resolution_percentage = 100
        render.pixel_aspect_x = render.pixel_aspect_y = 1.0
        view = context.space_data
        if isinstance(view, bpy.types.SpaceView3D):
            view.region_3d.view_perspective = "CAMERA"
        return {"FINISHED"}


register, unregister = class_registration(URDF_RIG_OT_use_camera)
