# SPDX-License-Identifier: GPL-3.0-or-later
"""Showing and hiding the links' masses."""

from __future__ import annotations

import bpy

from ...core.errors import UrdfRigError
from ..build.inertia import hide_inertia, inertia_objects, show_inertia
from ..classes import class_registration
from ..rig import active_rig, robot_of
from .on_robot import OnLocalRobot

_SHOWN = 3


class URDF_RIG_OT_show_inertia(OnLocalRobot, bpy.types.Operator):
    """Show each link's centre of mass and the solid box that has its mass and inertia, or hide them again"""

    bl_idname = "urdf_rig.show_inertia"
    bl_label = "Show Inertia"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Show what is not shown, or hide it."""
        rig = active_rig(context)
        if inertia_objects(rig):
            hide_inertia(rig)
            return {"FINISHED"}
        try:
            remarks = show_inertia(rig, robot_of(rig))
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if not inertia_objects(rig):
            self.report({"INFO"}, "No link of this robot has a mass")
            return {"CANCELLED"}
        if remarks:
            more = f" … and {len(remarks) - _SHOWN} more" if len(remarks) > _SHOWN else ""
            self.report({"INFO"}, f"Not as described: {'; '.join(remarks[:_SHOWN])}{more}")
        return {"FINISHED"}


register, unregister = class_registration(URDF_RIG_OT_show_inertia)
