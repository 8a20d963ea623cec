# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Export > Joint States: the active robot's motion for a real robot."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from ...core.errors import UrdfRigError
from ...core.motion import write_motion
from ..classes import class_registration
from ..motion.sampling import record_stepwise
from ..rig import active_rig
from .on_robot import OnRobot
from .stepwise_work import StepwiseWork

_FORMATS = (
    (".csv", "CSV", "One line for each instant, one column for each joint"),
    (".json", "JSON", "Joints, times and positions in one table"),
    (".yaml", "YAML: JointTrajectory", "One message of ROS"),
    ("states.yaml", "YAML: JointStates", "A message of ROS for each instant; without accelerations"),
    (".mcap", "MCAP", "A bag of ROS 2 with JointStates on /joint_states, and the base on /tf"),
)


class URDF_RIG_OT_export_joint_states(OnRobot, StepwiseWork, bpy.types.Operator, ExportHelper):
    """Write the joints' values and the base's pose over the animation to a CSV, JSON, YAML or MCAP file"""

    bl_idname = "urdf_rig.export_joint_states"
    bl_label = "Export Joint States"
    bl_options = {"REGISTER"}

    filename_ext = ".csv"
    cancelled = "Export cancelled; nothing was written"

    if TYPE_CHECKING:
        filepath: str  # of ExportHelper
        format: str
        start: float
        end: float
        rate: float
        degrees: bool
        followers: bool
        rates: bool
        base: bool
    else:
        filter_glob: StringProperty(default="*.csv;*.json;*.yaml;*.yml;*.mcap", options={"HIDDEN"})
        format: EnumProperty(name="Format", items=_FORMATS, description="What kind of file is written")
        start: FloatProperty(name="Start", default=1.0, description="First frame; time 0 of the file")
        end: FloatProperty(name="End", default=250.0, description="Last frame")
        rate: FloatProperty(
            name="Rate", default=0.0, min=0.0, description="Samples a second. 0: one for each frame of the scene"
        )
        degrees: BoolProperty(name="Degrees", description="Write angles in degrees, not in radians")
        followers: BoolProperty(name="Followers", description="Write joints too that follow another one")
        rates: BoolProperty(name="Velocities and Accelerations", description="Write these too")
        base: BoolProperty(name="Base", default=True, description="Write the pose of the base where it moves")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Start from the scene's range."""
        self.start, self.end = context.scene.frame_start, context.scene.frame_end
        return set(super().invoke(context, event))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the options."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(self, "format")
        column = layout.column(align=True)
        column.prop(self, "start", text="Frame Start")
        column.prop(self, "end", text="End")
        layout.prop(self, "rate", text="Rate (Hz)")
        layout.column(heading="Angles").prop(self, "degrees", text="In Degrees")
        column = layout.column(heading="Include")
        column.prop(self, "followers")
        column.prop(self, "rates", text="Derivatives")
        column.prop(self, "base")

    def check(self, context: bpy.types.Context) -> bool:
        """Let the file's suffix follow the format."""
        path = Path(self.filepath)
        suffix = self._suffix()
        if path.suffix.lower() == suffix or not path.name:
            return False
        self.filepath = str(path.with_suffix(suffix))
        return True

    def _suffix(self) -> str:
        return Path(f"x{self.format}").suffix

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Play the animation and write the file."""
        self._done = False
        return self.start_work(context, self._all(context, Path(bpy.path.abspath(self.filepath))))

    def work_result(self) -> set[str]:
        """Say whether the file was written."""
        return {"FINISHED"} if self._done else {"CANCELLED"}

    def _all(self, context: bpy.types.Context, path: Path) -> Generator[tuple[float, str], None, None]:
        try:
            motion = yield from record_stepwise(
                context,
                active_rig(context),
                start=self.start,
                end=self.end,
                rate=self.rate,
                degrees=self.degrees,
                followers=self.followers,
                rates=self.rates,
                base=self.base,
            )
            write_motion(path, motion, states=self.format == "states.yaml")
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return
        self._done = True
        what = f"{len(motion.joints)} joints" + (" and the base" if motion.base is not None else "")
        self.report({"INFO"}, f"Wrote {len(motion.times)} samples of {what} to {path.name}")


def _menu_entry(self: bpy.types.Menu, context: bpy.types.Context) -> None:
    self.layout.operator(URDF_RIG_OT_export_joint_states.bl_idname, text="Joint States (.csv, .json, .yaml, .mcap)")


_register_classes, _unregister_classes = class_registration(URDF_RIG_OT_export_joint_states)


def register() -> None:
    """Register the operator and its menu entry."""
    _register_classes()
    bpy.types.TOPBAR_MT_file_export.append(_menu_entry)  # type: ignore[arg-type]  # the stubs forget the menu itself


def unregister() -> None:
    """Remove both."""
    bpy.types.TOPBAR_MT_file_export.remove(_menu_entry)  # type: ignore[arg-type]
    _unregister_classes()
