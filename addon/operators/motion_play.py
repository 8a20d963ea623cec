# SPDX-License-Identifier: GPL-3.0-or-later
"""Playing recorded joint states on the active robot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from ...core.diagnostics import Level
from ...core.errors import UrdfRigError
from ...core.motion import read_motion
from ..classes import class_registration
from ..motion.playback import play_motion, show_all
from ..rig import active_rig
from .on_robot import OnRobot


class URDF_RIG_OT_play_joint_states(OnRobot, bpy.types.Operator, ImportHelper):
    """Read recorded joint values from a CSV, JSON or YAML file as keyframes, in a new action of the robot"""

    bl_idname = "urdf_rig.play_joint_states"
    bl_label = "Play Joint States"
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ".csv"

    if TYPE_CHECKING:
        filepath: str  # of ImportHelper
        start: float
        degrees: bool
        offset: float
        rate: float
        set_range: bool
    else:
        filter_glob: StringProperty(default="*.csv;*.json;*.yaml;*.yml", options={"HIDDEN"})
        start: FloatProperty(name="Start Frame", default=1.0, description="The frame at time 0")
        degrees: BoolProperty(name="Degrees", description="Angles in the file are in degrees, not in radians")
        offset: FloatProperty(name="Time Offset", default=0.0, description="Seconds to add to the times of the file")
        rate: FloatProperty(
            name="Resample",
            default=0.0,
            min=0.0,
            description="Keys a second, linear between the samples of the file. 0: a key for each sample",
        )
        set_range: BoolProperty(
            name="Extend Frame Range", default=True, description="Let the scene's frame range hold the whole motion"
        )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start where the scene does."""
        if not self.properties.is_property_set("start"):
            self.start = context.scene.frame_start
        return set(super().invoke(context, event))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read the file and write the keys."""
        path = Path(bpy.path.abspath(self.filepath))
        try:
            recording = read_motion(path)
            played = play_motion(
                context,
                active_rig(context),
                recording.motion,
                start=self.start,
                degrees=self.degrees,
                offset=self.offset,
                rate=self.rate,
                file=path.name,
            )
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if self.set_range:
            show_all(context.scene, played)
        for item in (*recording.diagnostics, *played.diagnostics):
            self.report({"INFO" if item.level is Level.INFO else "WARNING"}, str(item))
        self.report({"INFO"}, f"{played.joints} joints move from frame {played.first:g} to {played.last:g}")
        return {"FINISHED"}


register, unregister = class_registration(URDF_RIG_OT_play_joint_states)
