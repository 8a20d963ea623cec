# SPDX-License-Identifier: GPL-3.0-or-later
"""Choosing one of several robots in the sidebar."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import StringProperty

from ..classes import class_registration
from ..rig import rigs_of


class URDF_RIG_OT_select_robot(bpy.types.Operator):
    """Select this robot and make it the active object"""

    bl_idname = "urdf_rig.select_robot"
    bl_label = "Select Robot"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        name: str
    else:
        name: StringProperty(name="Name", description="Name of the robot's armature object", options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether objects can be selected."""
        if context.mode != "OBJECT":
            cls.poll_message_set("Go to Object Mode first")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Select it alone."""
        rig = next((obj for obj in rigs_of(context.view_layer) if obj.name == self.name), None)
        if rig is None:
            self.report({"ERROR"}, f"There is no robot {self.name!r} in this view layer")
            return {"CANCELLED"}
        for obj in context.selected_objects:
            obj.select_set(False)
        rig.select_set(True)
        context.view_layer.objects.active = rig
        return {"FINISHED"}


register, unregister = class_registration(URDF_RIG_OT_select_robot)
