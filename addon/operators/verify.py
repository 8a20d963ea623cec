# SPDX-License-Identifier: GPL-3.0-or-later
"""The Verify operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import IntProperty

from ...core.errors import UrdfRigError
from ...core.verification import Verification
from ..classes import class_registration
from ..properties import armature_data
from ..rig import active_rig, armature_of
from ..verify import verify_rig
from .on_robot import OnRobot


def remember(rig: bpy.types.Object, result: Verification) -> None:
    """Store a result for the panel."""
    data = armature_data(armature_of(rig))
    data.verified, data.verify_passed = True, result.passed
    errors = f"{result.max_position_error:.2g} m, {result.max_rotation_error:.2g} rad"
    if result.passed:
        data.verify_text = f"{result.links} links in {result.samples} poses\nwithin {errors}"
    else:
        data.verify_text = "\n".join(result.problems)


class URDF_RIG_OT_verify(OnRobot, bpy.types.Operator):
    """Pose the robot in many ways and compare every link and mesh with forward kinematics of its description"""

    bl_idname = "urdf_rig.verify"
    bl_label = "Verify"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        samples: int
    else:
        samples: IntProperty(name="Poses", default=20, min=1, max=1000, description="Number of poses to try")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Verify the active robot."""
        rig = active_rig(context)
        try:
            result = verify_rig(context, rig, self.samples)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        remember(rig, result)
        if result.passed:
            self.report({"INFO"}, f"Verified: {armature_data(armature_of(rig)).verify_text}".replace("\n", " "))
        else:
            self.report({"WARNING"}, f"Verification failed: {'; '.join(result.problems[:3])}")
        return {"FINISHED"}


register, unregister = class_registration(URDF_RIG_OT_verify)
