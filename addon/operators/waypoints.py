# SPDX-License-Identifier: GPL-3.0-or-later
"""Recording and changing waypoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from ...core.errors import UrdfRigError
from ..classes import class_registration
from ..live_motion import current_frame
from ..poses.joint_state import joints_of_selected_bones
from ..rig import active_rig
from ..waypoints.settings import MOVES, waypoints_data
from ..waypoints.teaching import apply_waypoint, move_waypoint, record_waypoint, remove_waypoint, update_waypoint
from .on_robot import OnLocalRobot


class OnWaypoints(OnLocalRobot):
    """Mixed into operators that need waypoints."""

    @classmethod
    def obstacle(cls, context: bpy.types.Context, rig: bpy.types.Object) -> str:
        """Return that there is no waypoint, if so."""
        found = super().obstacle(context, rig)
        return found or ("" if len(waypoints_data(rig).waypoints) else "The robot has no waypoint")


class _OnOneWaypoint(OnWaypoints):
    if TYPE_CHECKING:
        index: int
    else:
        index: IntProperty(
            name="Waypoint",
            default=-1,
            min=-1,
            description="Its place in the list. -1: the active one",
            options={"SKIP_SAVE"},
        )

    def place(self, context: bpy.types.Context) -> int:
        """Return which waypoint is meant."""
        return self.index if self.index >= 0 else waypoints_data(active_rig(context)).active


class URDF_RIG_OT_record_waypoint(OnLocalRobot, bpy.types.Operator):
    """Record the joints and the tool as they are as a waypoint"""

    bl_idname = "urdf_rig.record_waypoint"
    bl_label = "Record Waypoint"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        name: str
        use_frame: bool
        frame: float
        move: str
        smooth: bool
        selected: bool
    else:
        name: StringProperty(name="Name", default="Waypoint", description="What it is called", options={"SKIP_SAVE"})
        use_frame: BoolProperty(
            name="At a Frame", description="At the frame given here, else at the current one", options={"SKIP_SAVE"}
        )
        frame: FloatProperty(name="Frame", description="When it is reached", options={"SKIP_SAVE"})
        move: EnumProperty(name="Move", items=MOVES, description="How it is reached from the waypoint before")
        smooth: BoolProperty(name="Smooth", default=True, description="The move starts and stops gently")
        selected: BoolProperty(
            name="Selected Bones",
            description="Only the joints of the bones selected in Pose Mode; others are left to other animation",
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Record it."""
        rig = active_rig(context)
        context.view_layer.update()
        frame = self.frame if self.use_frame else current_frame(context.scene)
        try:
            joints = joints_of_selected_bones(context, rig) if self.selected else None
            item = record_waypoint(rig, self.name, frame, move=self.move, smooth=self.smooth, joints=joints)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"Recorded {item.name} at frame {item.frame:g}")
        return {"FINISHED"}


class URDF_RIG_OT_update_waypoint(_OnOneWaypoint, bpy.types.Operator):
    """Teach the waypoint anew: the joints and the tool as they are. Name, frame and move stay"""

    bl_idname = "urdf_rig.update_waypoint"
    bl_label = "Update Waypoint"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Update it."""
        try:
            update_waypoint(active_rig(context), self.place(context))
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class URDF_RIG_OT_apply_waypoint(_OnOneWaypoint, bpy.types.Operator):
    """Set the joints to this waypoint"""

    bl_idname = "urdf_rig.apply_waypoint"
    bl_label = "Apply Waypoint"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Set the joints."""
        try:
            fitted = apply_waypoint(context, active_rig(context), self.place(context))
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for remark in fitted.remarks:
            self.report({"WARNING"}, remark)
        return {"FINISHED"}


class URDF_RIG_OT_remove_waypoint(_OnOneWaypoint, bpy.types.Operator):
    """Remove the waypoint. Keyframes made of it stay until the next Generate"""

    bl_idname = "urdf_rig.remove_waypoint"
    bl_label = "Remove Waypoint"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it."""
        try:
            remove_waypoint(active_rig(context), self.place(context))
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class URDF_RIG_OT_move_waypoint(_OnOneWaypoint, bpy.types.Operator):
    """Let the waypoint and its neighbour change places and frames"""

    bl_idname = "urdf_rig.move_waypoint"
    bl_label = "Move Waypoint"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        step: int
    else:
        step: IntProperty(
            name="Step", default=1, min=-1, max=1, description="-1 for earlier, 1 for later", options={"SKIP_SAVE"}
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Move it."""
        try:
            move_waypoint(active_rig(context), self.place(context), self.step)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


register, unregister = class_registration(
    URDF_RIG_OT_record_waypoint,
    URDF_RIG_OT_update_waypoint,
    URDF_RIG_OT_apply_waypoint,
    URDF_RIG_OT_remove_waypoint,
    URDF_RIG_OT_move_waypoint,
)
