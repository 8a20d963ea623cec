# SPDX-License-Identifier: GPL-3.0-or-later
"""Checking the active robot's motion, going to what was found, and reading joint limits."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import IntProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from ...core.diagnostics import Level
from ...core.errors import UrdfRigError
from ...core.motion.limits_file import read_joint_limits
from ..classes import class_registration
from ..motion.check_settings import check_data, store_overrides
from ..motion.findings import clear_check, store_check
from ..motion.rig_check import check_rig_stepwise, frame_limits
from ..motion.showing import show_finding
from ..rig import active_rig, require_local, robot_of
from .on_robot import OnRobot
from .stepwise_work import StepwiseWork


class URDF_RIG_OT_check_motion(OnRobot, StepwiseWork, bpy.types.Operator):
    """Look for what the robot cannot do in the scene's range, or its preview range: limits, jumps, self-collision"""

    bl_idname = "urdf_rig.check_motion"
    bl_label = "Check Motion"
    bl_options = {"REGISTER", "UNDO"}

    cancelled = "Check cancelled"

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Check the active robot's motion."""
        self._done = False
        return self.start_work(context, self._all(context, active_rig(context)))

    def work_result(self) -> set[str]:
        """Say whether the motion was checked."""
        return {"FINISHED"} if self._done else {"CANCELLED"}

    def _all(self, context: bpy.types.Context, rig: bpy.types.Object) -> Generator[tuple[float, str], None, None]:
        settings = check_data(rig)
        start, end = frame_limits(context.scene)
        try:
            require_local(rig)
            result = yield from check_rig_stepwise(
                context, rig, start=start, end=end, rate=settings.rate, collisions=settings.collisions
            )
            store_check(context, rig, result)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return
        self._done = True
        for item in result.check.diagnostics:
            self.report({"INFO" if item.level is Level.INFO else "WARNING"}, str(item))
        self.report({"INFO" if result.check.passed else "WARNING"}, f"Frames {start} to {end}: {settings.summary}")


class URDF_RIG_OT_clear_motion_check(OnRobot, bpy.types.Operator):
    """Forget what the last check of the motion found, and remove its markers"""

    bl_idname = "urdf_rig.clear_motion_check"
    bl_label = "Clear Check"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Take the result away."""
        try:
            clear_check(active_rig(context))
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class URDF_RIG_OT_show_finding(OnRobot, bpy.types.Operator):
    """Go to the frame where it is worst, and select the bone"""

    bl_idname = "urdf_rig.show_finding"
    bl_label = "Go to Finding"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        index: int
    else:
        index: IntProperty(name="Finding", min=0, description="Its place in the list")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Show it."""
        rig = active_rig(context)
        findings = check_data(rig).findings
        if self.index >= len(findings):
            self.report({"ERROR"}, f"There are only {len(findings)} findings")
            return {"CANCELLED"}
        item = findings[self.index]
        show_finding(context, rig, item.frame, item.joint, item.other)
        return {"FINISHED"}


class URDF_RIG_OT_read_joint_limits(OnRobot, bpy.types.Operator, ImportHelper):
    """Read a joint_limits.yaml of MoveIt or ros2_control; what it says wins over the description"""

    bl_idname = "urdf_rig.read_joint_limits"
    bl_label = "Read Joint Limits"
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ".yaml"

    if TYPE_CHECKING:
        filepath: str  # of ImportHelper
    else:
        filter_glob: StringProperty(default="*.yaml;*.yml", options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read the file."""
        rig = active_rig(context)
        path = Path(bpy.path.abspath(self.filepath))
        try:
            found = read_joint_limits(path, robot_of(rig))
            store_overrides(rig, found.overrides, path.name)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for item in found.diagnostics:
            self.report({"INFO" if item.level is Level.INFO else "WARNING"}, str(item))
        self.report({"INFO"}, f"{path.name}: limits of {len(found.overrides)} joints")
        return {"FINISHED"}


class URDF_RIG_OT_clear_joint_limits(OnRobot, bpy.types.Operator):
    """Forget the joint limits that were read from a file; the description's count again"""

    bl_idname = "urdf_rig.clear_joint_limits"
    bl_label = "Clear Joint Limits"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Forget them."""
        try:
            store_overrides(active_rig(context), {}, "")
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


register, unregister = class_registration(
    URDF_RIG_OT_check_motion,
    URDF_RIG_OT_clear_motion_check,
    URDF_RIG_OT_show_finding,
    URDF_RIG_OT_read_joint_limits,
    URDF_RIG_OT_clear_joint_limits,
)
