# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyframes from waypoints."""

from __future__ import annotations

import bpy

from ...core.diagnostics import Level
from ...core.errors import UrdfRigError
from ..classes import class_registration
from ..rig import active_rig
from ..waypoints.generating import clear_motion, generate_motion
from ..waypoints.settings import waypoints_data
from .on_robot import OnLocalRobot
from .waypoints import OnWaypoints


class URDF_RIG_OT_generate_waypoint_motion(OnWaypoints, bpy.types.Operator):
    """Make ordinary keyframes of the waypoints. Those made before are replaced, all others stay"""

    bl_idname = "urdf_rig.generate_waypoint_motion"
    bl_label = "Generate"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make them."""
        try:
            made = generate_motion(context, active_rig(context))
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for item in made.diagnostics:
            self.report({"INFO" if item.level is Level.INFO else "WARNING"}, str(item))
        span = f"from frame {made.first:g} to {made.last:g}"
        self.report({"INFO"}, f"{made.keys} keys for {made.joints} joints {span}")
        return {"FINISHED"}


class URDF_RIG_OT_clear_waypoint_motion(OnLocalRobot, bpy.types.Operator):
    """Remove the keyframes that were made of the waypoints"""

    bl_idname = "urdf_rig.clear_waypoint_motion"
    bl_label = "Clear Generated Keyframes"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def obstacle(cls, context: bpy.types.Context, rig: bpy.types.Object) -> str:
        """Return that there are none, if so."""
        return super().obstacle(context, rig) or (
            "" if waypoints_data(rig).generated else "No keyframes were generated"
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove them."""
        try:
            count = clear_motion(active_rig(context))
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"Removed {count} keys")
        return {"FINISHED"}


register, unregister = class_registration(URDF_RIG_OT_generate_waypoint_motion, URDF_RIG_OT_clear_waypoint_motion)
