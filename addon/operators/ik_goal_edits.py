# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be done to a goal that is there: its tool, its posture, selecting it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty
from mathutils import Matrix

from ...core.errors import RigError, UrdfRigError
from ..classes import class_registration
from ..convert import to_array, to_matrix
from ..ik.kinds import KINDS
from ..ik.settings import goal_data, remember_values
from ..ik.tool import tool_pose
from ..rig import active_rig, joint_values, robot_of
from ..world import armature_pose, nearest_rigid
from .ik_goals import OnGoals, ToolFromScene
from .ik_solutions import chosen_goal


class _OnNamedGoal(OnGoals):
    if TYPE_CHECKING:
        goal: str
    else:
        goal: StringProperty(
            name="Goal",
            description="The goal's object. Empty: the active one, or the only one",
            options={"SKIP_SAVE"},
        )


class URDF_RIG_OT_set_ik_tool(_OnNamedGoal, ToolFromScene, bpy.types.Operator):
    """Put the tool of a goal where the 3D cursor or an object is. The robot stays as it is"""

    bl_idname = "urdf_rig.set_ik_tool"
    bl_label = "Set Tool"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        source: str
        move_goal: bool
    else:
        source: EnumProperty(
            name="From",
            items=(
                ("CURSOR", "3D Cursor", "The tool is where the 3D cursor is"),
                ("OBJECT", "Object", "The tool is where an object is"),
            ),
            description="Where the tool's point is",
            options={"SKIP_SAVE"},
        )
        move_goal: BoolProperty(
            name="Move the Goal",
            default=True,
            description="The goal goes to where the tool is now, so that the robot stays. Keys and constraints win",
        )

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Ask which object it is, unless the cursor is meant."""
        if self.source == "CURSOR":
            return self.execute(context)
        others = [obj.name for obj in context.selected_objects if obj != context.object]
        self.tool_object = others[0] if len(others) == 1 else ""
        return set(context.window_manager.invoke_props_dialog(self, confirm_text="Set"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Set it."""
        rig = active_rig(context)
        context.view_layer.update()
        try:
            goal = chosen_goal(context, rig, self.goal)
            data = goal_data(goal)
            if not KINDS[data.kind].frame:
                raise RigError(f"{goal.name!r} is about the whole robot: it has no tool")
            xyz, rpy = self.tool_from(context, rig, data.link, self.source)
            link = armature_pose(rig, robot_of(rig), data.link)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        data.tool_xyz, data.tool_rpy = xyz, rpy
        if self.move_goal and data.kind in ("POSE", "POSITION", "ORIENTATION"):
            world = to_array(rig.matrix_world) @ link @ tool_pose(xyz, rpy)
            scale = goal.matrix_world.to_scale()
            sized = Matrix.Diagonal((scale.x, scale.y, scale.z)).to_4x4()
            goal.matrix_world = to_matrix(nearest_rigid(world)) @ sized
        return {"FINISHED"}


class URDF_RIG_OT_take_ik_posture(_OnNamedGoal, bpy.types.Operator):
    """The joint values of now become the posture that the goal wishes for"""

    bl_idname = "urdf_rig.take_ik_posture"
    bl_label = "Take Pose"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Take it."""
        rig = active_rig(context)
        try:
            data = goal_data(chosen_goal(context, rig, self.goal))
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        remember_values(data.posture, joint_values(rig))
        return {"FINISHED"}


class URDF_RIG_OT_select_ik_goal(_OnNamedGoal, bpy.types.Operator):
    """Make the goal the active object, alone selected, so that it can be moved and its settings are shown"""

    bl_idname = "urdf_rig.select_ik_goal"
    bl_label = "Select IK Goal"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Select it."""
        try:
            goal = chosen_goal(context, active_rig(context), self.goal)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        for obj in context.selected_objects:
            obj.select_set(False)
        goal.hide_set(False)
        goal.select_set(True)
        context.view_layer.objects.active = goal
        return {"FINISHED"}


register, unregister = class_registration(
    URDF_RIG_OT_set_ik_tool, URDF_RIG_OT_take_ik_posture, URDF_RIG_OT_select_ik_goal
)
