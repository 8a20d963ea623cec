# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing the motion of a frame to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from ...core.errors import UrdfRigError
from ..classes import class_registration
from ..frame_csv import frame_motion_csv, frame_range, write_csv
from ..kinematics_settings import REPRESENTATIONS, chosen_frame, kinematics_settings, links_of_active_rig
from ..rig import active_rig, robot_of
from .on_robot import OnRobot


class URDF_RIG_OT_export_frame_motion(OnRobot, bpy.types.Operator, ExportHelper):
    """Write pose, velocity and acceleration of a frame over the animation to a CSV file, in metres and radians"""

    bl_idname = "urdf_rig.export_frame_motion"
    bl_label = "Export Frame Motion"
    bl_options = {"REGISTER"}

    filename_ext = ".csv"

    if TYPE_CHECKING:
        filepath: str  # of ExportHelper
        frame: str
        reference: str
        representation: str
        start: float
        end: float
        step: float
    else:
        filter_glob: StringProperty(default="*.csv", options={"HIDDEN"})
        frame: StringProperty(name="Frame", description="The link whose frame it is", search=links_of_active_rig)
        reference: StringProperty(
            name="Seen from", description="The link it is seen from. Empty: the world", search=links_of_active_rig
        )
        representation: EnumProperty(
            name="Velocities", items=REPRESENTATIONS, description="How velocities and accelerations are written"
        )
        start: FloatProperty(name="Start", default=1.0, description="First frame")
        end: FloatProperty(name="End", default=250.0, description="Last frame")
        step: FloatProperty(name="Step", default=1.0, min=1e-3, description="Frames from one line to the next")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start from what the panel shows and the scene's range."""
        rig, scene = active_rig(context), context.scene
        try:
            chosen = chosen_frame(context, rig, robot_of(rig))
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.frame, self.reference = chosen.link, chosen.reference or ""
        self.representation = kinematics_settings(context.window_manager).representation
        self.start, self.end = scene.frame_start, scene.frame_end
        return set(super().invoke(context, event))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Play the animation and write the file."""
        try:
            frames = frame_range(self.start, self.end, self.step)
            text = frame_motion_csv(
                context, active_rig(context), self.frame, self.reference or None, self.representation, frames
            )
            write_csv(Path(bpy.path.abspath(self.filepath)), text)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"Wrote {len(frames)} frames to {Path(self.filepath).name}")
        return {"FINISHED"}


register, unregister = class_registration(URDF_RIG_OT_export_frame_motion)
