# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture of the active robot's motion against its limits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import StringProperty
from bpy_extras.io_utils import ExportHelper

from ...core.errors import UrdfRigError
from ...core.motion.plot import PICTURES, write_plot
from ..classes import class_registration
from ..display_units import display_units
from ..motion.check_settings import check_data
from ..motion.rig_check import check_rig, frame_limits
from ..rig import active_rig
from .on_robot import OnRobot


class URDF_RIG_OT_plot_motion(OnRobot, bpy.types.Operator, ExportHelper):
    """Draw position, velocity and acceleration of all joints against their limits, as a PNG or SVG file"""

    bl_idname = "urdf_rig.plot_motion"
    bl_label = "Plot Motion"
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ".png"

    if TYPE_CHECKING:
        filepath: str  # of ExportHelper
    else:
        filter_glob: StringProperty(default="*.png;*.svg", options={"HIDDEN"})

    def check(self, context: bpy.types.Context) -> bool:
        """Add the suffix where there is none that is known."""
        path = Path(self.filepath)
        if not path.name or path.suffix.lower() in PICTURES:
            return False
        self.filepath = f"{self.filepath}.png"
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Sample the motion and write the picture; a PNG is shown in the image editors."""
        rig = active_rig(context)
        settings = check_data(rig)
        path = Path(bpy.path.abspath(self.filepath))
        start, end = frame_limits(context.scene)
        try:
            result = check_rig(context, rig, start=start, end=end, rate=settings.rate, collisions=settings.collisions)
            degrees = display_units(context.scene).angle_name == "°"
            write_plot(path, result.check, title=f"{rig.name}: frames {start} to {end}", degrees=degrees)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if path.suffix.lower() == ".png":
            _show(context, path)
        self.report({"INFO"}, f"Wrote {path.name}")
        return {"FINISHED"}


def _show(context: bpy.types.Context, path: Path) -> None:
    """Load the picture, and put it in the image editors that are open."""
    image = bpy.data.images.load(str(path), check_existing=True)
    image.reload()
    if context.screen is None:
        return
    for area in context.screen.areas:
        if area.type == "IMAGE_EDITOR":
            space: Any = area.spaces.active
            space.image = image


register, unregister = class_registration(URDF_RIG_OT_plot_motion)
