# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinematics section's buttons: copy a pose, measure a motion, switch the overlay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty

from ...core.errors import UrdfRigError
from ..classes import class_registration
from ..kinematics_settings import chosen_frame
from ..live_motion import measure
from ..overlay import hide_overlay, overlay_is_on, show_overlay
from ..pose_text import pose_text
from ..rig import active_rig, robot_of
from ..world import link_pose
from .on_robot import OnRobot


def _redraw_views(context: bpy.types.Context) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


class URDF_RIG_OT_copy_pose(OnRobot, bpy.types.Operator):
    """Copy the pose of the chosen frame, in metres and radians, to the clipboard"""

    bl_idname = "urdf_rig.copy_pose"
    bl_label = "Copy Pose"
    bl_options = {"REGISTER"}

    if TYPE_CHECKING:
        form: str
    else:
        form: EnumProperty(
            name="Form",
            description="How the pose is written",
            items=(
                ("TEXT", "Text", "Copy for people to read"),
                ("PYTHON", "Python", "Copy as Python assignments"),
                ("JSON", "JSON", "Copy as a JSON object"),
            ),
        )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """Say which form is copied."""
        forms = {"TEXT": "as text", "PYTHON": "as Python", "JSON": "as JSON"}
        return f"Copy the frame's pose {forms[properties.form]}, in metres and radians"  # type: ignore[attr-defined]

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Copy it."""
        rig = active_rig(context)
        context.view_layer.update()
        try:
            robot = robot_of(rig)
            chosen = chosen_frame(context, rig, robot)
            pose = link_pose(rig, context.scene, robot, chosen.link, chosen.reference)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        context.window_manager.clipboard = pose_text(pose, chosen.link, chosen.reference, self.form)
        self.report({"INFO"}, f"Copied the pose of {chosen.text}")
        return {"FINISHED"}


class URDF_RIG_OT_measure_motion(OnRobot, bpy.types.Operator):
    """Measure how the robot moves at this frame of its animation; may play the frames next to it"""

    bl_idname = "urdf_rig.measure_motion"
    bl_label = "Measure"
    bl_options = {"REGISTER"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Measure it."""
        try:
            measure(context, active_rig(context))
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        _redraw_views(context)
        return {"FINISHED"}


class URDF_RIG_OT_toggle_overlay(bpy.types.Operator):
    """Draw the chosen frame, its velocity and its manipulability in the viewport, or stop drawing them"""

    bl_idname = "urdf_rig.toggle_overlay"
    bl_label = "Show in Viewport"
    bl_options = {"REGISTER"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Switch the overlay."""
        if overlay_is_on():
            hide_overlay()
        else:
            show_overlay()
        _redraw_views(context)
        return {"FINISHED"}


register, unregister = class_registration(URDF_RIG_OT_copy_pose, URDF_RIG_OT_measure_motion, URDF_RIG_OT_toggle_overlay)
