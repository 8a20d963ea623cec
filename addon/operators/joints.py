# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on joint values."""

from __future__ import annotations

import bpy

from ..classes import class_registration
from ..rig import active_rig, reset_joints
from .on_robot import OnLocalRobot


class URDF_RIG_OT_reset_joints(OnLocalRobot, bpy.types.Operator):
    """Set every joint to zero, or to the nearest value that its range allows"""

    bl_idname = "urdf_rig.reset_joints"
    bl_label = "Reset to Zero"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Reset the active robot."""
        reset_joints(active_rig(context))
        return {"FINISHED"}


register, unregister = class_registration(URDF_RIG_OT_reset_joints)
