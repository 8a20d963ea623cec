# SPDX-License-Identifier: GPL-3.0-or-later
"""Hanging a rig from another of its links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import StringProperty

from ...core.errors import UrdfRigError
from ..classes import ROBOT_WORDS, class_registration
from ..kinematics_settings import links_of_active_rig
from ..properties import bone_data
from ..rebuild.change_base import change_base
from ..rig import active_rig, armature_of
from .on_robot import OnLocalRobot


class URDF_RIG_OT_change_base(OnLocalRobot, bpy.types.Operator):
    """Let the armature hang from another link. Nothing moves: where the new base moves, the armature gets keyframes"""

    bl_idname = "urdf_rig.change_base"
    bl_label = "Change Base Link"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        link: str
    else:
        link: StringProperty(
            name="Link",
            translation_context=ROBOT_WORDS,
            description="The link that the armature is to hang from",
            search=links_of_active_rig,
            options={"SKIP_SAVE"},
        )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the link; that of the active bone is offered."""
        bone = armature_of(active_rig(context)).bones.active
        if not self.link and bone is not None:
            self.link = bone_data(bone).link
        return set(context.window_manager.invoke_props_dialog(self, confirm_text="Change Base"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Change the base of the active robot."""
        try:
            done = change_base(active_rig(context), self.link, context)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for remark in done.remarks:
            self.report({"WARNING"}, remark)
        keyed = f", the armature keyed at {done.keys} frames" if done.keys else ""
        self.report({"INFO"}, f"Base: {done.base} → {self.link}{keyed}")
        return {"FINISHED"}


register, unregister = class_registration(URDF_RIG_OT_change_base)
