# SPDX-License-Identifier: GPL-3.0-or-later
"""Applying named poses, at once, in part, or by dragging."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, FloatProperty, StringProperty

from ...core.errors import UrdfRigError
from ..classes import class_registration
from ..poses.dragging import PoseDrag
from ..poses.joint_state import blend_joint_state, joint_state
from ..poses.named import find_pose
from ..rig import active_rig
from .on_robot import OnLocalRobot

CONFIRM = {"LEFTMOUSE", "RET", "NUMPAD_ENTER"}
CANCEL = {"ESC", "RIGHTMOUSE"}


class _OfPose(OnLocalRobot):
    if TYPE_CHECKING:
        name: str
        group: str
        srdf: bool
        factor: float

        def report(self, kind: set[str], message: str) -> None:
            """Tell the user; of ``bpy.types.Operator``."""
    else:
        name: StringProperty(name="Pose", description="The pose's name", options={"SKIP_SAVE"})
        group: StringProperty(
            name="Group",
            description="The group that a pose of the SRDF file is of. Empty: the first pose of the name",
            options={"SKIP_SAVE", "HIDDEN"},
        )
        srdf: BoolProperty(
            name="Of the SRDF File",
            description="Whether the pose is one of the SRDF file, else one that was saved",
            options={"SKIP_SAVE", "HIDDEN"},
        )
        factor: FloatProperty(
            name="Factor",
            default=1.0,
            min=0.0,
            max=1.0,
            subtype="FACTOR",
            description="How far the joints go from where they are to the pose",
            options={"SKIP_SAVE"},
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Set the joints."""
        rig = active_rig(context)
        try:
            pose = find_pose(rig, self.name, self.group, srdf=self.srdf)
            fitted = blend_joint_state(context, rig, joint_state(rig), pose.joints, self.factor)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.tell(fitted.remarks)
        return {"FINISHED"}

    def tell(self, remarks: Iterable[str]) -> None:
        """Report what was changed or left out."""
        for text in remarks:
            self.report({"INFO"}, f"{self.name}: {text}")


class URDF_RIG_OT_apply_pose(_OfPose, bpy.types.Operator):
    """Set the joints to this pose, within their limits"""

    bl_idname = "urdf_rig.apply_pose"
    bl_label = "Apply Pose"
    bl_options = {"REGISTER", "UNDO"}


class URDF_RIG_OT_blend_pose(_OfPose, bpy.types.Operator):
    """Blend this pose in: drag to the right for more of it, click to confirm, Esc to cancel"""

    bl_idname = "urdf_rig.blend_pose"
    bl_label = "Blend Pose"
    bl_options = {"REGISTER", "UNDO", "BLOCKING", "GRAB_CURSOR"}

    if TYPE_CHECKING:
        _drag: PoseDrag

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start to drag."""
        rig = active_rig(context)
        try:
            pose = find_pose(rig, self.name, self.group, srdf=self.srdf)
            self._drag = PoseDrag(rig, pose, event.mouse_x, context.preferences.system.ui_scale)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._show(context, self._drag.text)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Follow the mouse."""
        if event.type == "MOUSEMOVE":
            self._drag.move(event.mouse_x)
            self._show(context, self._drag.text)
        elif event.type in CONFIRM and event.value == "PRESS":
            self.factor = self._drag.factor
            self._show(context, None)
            self.tell(self._drag.finish(context))
            return {"FINISHED"}
        elif event.type in CANCEL and event.value == "PRESS":
            self.cancel(context)
            return {"CANCELLED"}
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Put the joints back."""
        self._drag.cancel()
        self._show(context, None)

    def _show(self, context: bpy.types.Context, text: str | None) -> None:
        context.workspace.status_text_set(text)
        if context.area is not None:
            context.area.header_text_set(text)


register, unregister = class_registration(URDF_RIG_OT_apply_pose, URDF_RIG_OT_blend_pose)
