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
from .on_robot import OnRobot


class URDF_RIG_OT_use_camera(OnRobot, bpy.types.Operator):
    """Render through this camera of the robot, at the resolution that its sensor has"""

    bl_idname = "urdf_rig.use_camera"
    bl_label = "Use Camera"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        camera: str
    else:
        camera: StringProperty(name="Camera", description="Name of the camera object", options={"SKIP_SAVE"})

    @classmethod
    def obstacle(cls, context: bpy.types.Context, rig: bpy.types.Object) -> str:
        """Return that the robot has no cameras, if so."""
        return super().obstacle(context, rig) or ("" if cameras_of(rig) else "The robot has no cameras")

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
