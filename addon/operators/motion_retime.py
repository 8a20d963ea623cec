# SPDX-License-Identifier: GPL-3.0-or-later
"""Slowing the active robot's motion down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import FloatProperty

from ...core.errors import UrdfRigError
from ..classes import class_registration
from ..motion.check_settings import check_data
from ..motion.findings import store_check
from ..motion.retiming import retime
from ..motion.rig_check import check_rig, frame_limits
from ..rig import active_rig, require_local
from .on_robot import OnRobot


class URDF_RIG_OT_retime_motion(OnRobot, bpy.types.Operator):
    """Stretch a range of frames by the smallest factor that keeps velocity and acceleration limits. The path stays"""

    bl_idname = "urdf_rig.retime_motion"
    bl_label = "Retime"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        start: float
        end: float
    else:
        start: FloatProperty(name="Start", default=1.0, description="First frame to stretch")
        end: FloatProperty(name="End", default=250.0, description="Last frame to stretch; later keys are put off")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start from the scene's range, or its preview range."""
        self.start, self.end = frame_limits(context.scene)
        return set(context.window_manager.invoke_props_dialog(self, confirm_text="Retime"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Move the keys, and check again."""
        rig = active_rig(context)
        settings = check_data(rig)
        try:
            require_local(rig)
            done = retime(context, rig, self.start, self.end)
            if settings.checked:
                start, end = frame_limits(context.scene)
                again = check_rig(
                    context, rig, start=start, end=end, rate=settings.rate, collisions=settings.collisions
                )
                store_check(context, rig, again)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if done.factor == 1.0:
            self.report({"INFO"}, "The robot can follow it: nothing was stretched")
            return {"FINISHED"}
        why = f"{done.demand.joint}'s {done.demand.by}"
        self.report({"INFO"}, f"Stretched {done.factor:.4g} times for {why}: ends at frame {done.end:.6g}")
        return {"FINISHED"}


register, unregister = class_registration(URDF_RIG_OT_retime_motion)
