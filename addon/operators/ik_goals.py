# SPDX-License-Identifier: GPL-3.0-or-later
"""Making and removing goals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty, FloatVectorProperty, StringProperty

from ...core.errors import RigError, UrdfRigError
from ...core.model import Robot
from ..classes import class_registration
from ..convert import to_array
from ..ik.goals import add_goal, goals_of, ik_rig, is_goal, tool_at
from ..kinematics_settings import links_of_active_rig
from ..properties import bone_data
from ..rig import armature_of, robot_of
from .on_robot import OnRobot


class OnIkRobot(OnRobot):
    """Mixed into operators that need a robot, or a goal of one."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a robot that can be changed."""
        rig = ik_rig(context)
        if rig is None or rig.library is not None:
            cls.poll_message_set("No robot selected" if rig is None else "The robot is linked from another file")
            return False
        return True


class OnGoals(OnIkRobot):
    """Mixed into operators that need goals."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the robot has a goal."""
        if not super().poll(context):
            return False
        if not goals_of(ik_rig(context), context.view_layer):
            cls.poll_message_set("The robot has no goal")
            return False
        return True


def chosen_links(context: bpy.types.Context, rig: bpy.types.Object) -> list[str]:
    """Return the links of the selected bones in Pose Mode, else that of the active bone.

    Raises:
        RigError: If there is none.
    """
    bones = [bone.bone for bone in context.selected_pose_bones or () if bone.id_data == rig]
    active = armature_of(rig).bones.active
    if not bones and active is not None:
        bones = [active]
    links = [bone_data(bone).link for bone in bones if bone_data(bone).link]
    if not links:
        raise RigError("no bone is selected: select those that should follow goals in Pose Mode")
    return links


def _objects(_operator: object, context: bpy.types.Context, text: str) -> list[str]:
    return [obj.name for obj in context.view_layer.objects if text.lower() in obj.name.lower()]


class URDF_RIG_OT_add_ik_goal(OnIkRobot, bpy.types.Operator):
    """Add an empty for each selected bone, which the link follows: move, key, parent or constrain it"""

    bl_idname = "urdf_rig.add_ik_goal"
    bl_label = "Add IK Goal"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        link: str
        tool: str
        tool_object: str
        tool_xyz: tuple[float, float, float]
        tool_rpy: tuple[float, float, float]
    else:
        link: StringProperty(
            name="Link",
            description="The link that follows. Empty: those of the selected bones",
            search=links_of_active_rig,
            options={"SKIP_SAVE"},
        )
        tool: EnumProperty(
            name="Tool",
            items=(
                ("TYPED", "Typed", "The tool's pose in the link's frame is typed in"),
                ("CURSOR", "3D Cursor", "The tool is where the 3D cursor is"),
                ("OBJECT", "Object", "The tool is where an object is"),
            ),
            description="Where the tool's point is",
            options={"SKIP_SAVE"},
        )
        tool_object: StringProperty(
            name="Tool's Object",
            description="The object that is where the tool is",
            search=_objects,
            options={"SKIP_SAVE"},
        )
        tool_xyz: FloatVectorProperty(
            name="Tool XYZ",
            size=3,
            precision=4,
            description="Where the tool's point is in the link's frame, in metres",
            options={"SKIP_SAVE"},
        )
        tool_rpy: FloatVectorProperty(
            name="Tool RPY",
            size=3,
            subtype="EULER",
            description="How the tool is turned in the link's frame: roll, pitch and yaw as in URDF",
            options={"SKIP_SAVE"},
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add them."""
        rig = ik_rig(context)
        context.view_layer.update()
        made: list[bpy.types.Object] = []
        try:
            robot = robot_of(rig)
            links = [self.link] if self.link else chosen_links(context, rig)
            for link in links:
                xyz, rpy = self._tool(context, rig, robot, link)
                made.append(add_goal(context, rig, robot, link, xyz, rpy))
        except UrdfRigError as error:
            for goal in made:
                bpy.data.objects.remove(goal)
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if context.mode == "OBJECT":  # as all that adds objects there
            for obj in context.selected_objects:
                obj.select_set(False)
            for goal in made:
                goal.select_set(True)
            context.view_layer.objects.active = made[-1]
        self.report({"INFO"}, "Added " + ", ".join(goal.name for goal in made))
        return {"FINISHED"}

    def _tool(
        self, context: bpy.types.Context, rig: bpy.types.Object, robot: Robot, link: str
    ) -> tuple[tuple[float, ...], tuple[float, ...]]:
        if self.tool == "CURSOR":
            return tool_at(rig, robot, link, to_array(context.scene.cursor.matrix))
        if self.tool == "OBJECT":
            obj: bpy.types.Object | None = context.view_layer.objects.get(self.tool_object)
            if obj is None:
                raise RigError(f"there is no object {self.tool_object!r}")
            return tool_at(rig, robot, link, to_array(obj.matrix_world))
        return tuple(self.tool_xyz), tuple(self.tool_rpy)


class URDF_RIG_OT_remove_ik_goal(OnGoals, bpy.types.Operator):
    """Remove a goal. The robot stays as it is"""

    bl_idname = "urdf_rig.remove_ik_goal"
    bl_label = "Remove IK Goal"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        goal: str
    else:
        goal: StringProperty(
            name="Goal",
            description="The goal's object. Empty: the active object if it is one, else all goals of the robot",
            options={"SKIP_SAVE"},
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it."""
        goals = goals_of(ik_rig(context), context.view_layer)
        if self.goal:
            goals = [goal for goal in goals if goal.name == self.goal]
        elif is_goal(context.object):
            goals = [context.object]
        if not goals:
            self.report({"ERROR"}, f"The robot has no goal {self.goal!r}")
            return {"CANCELLED"}
        for goal in goals:
            bpy.data.objects.remove(goal)
        return {"FINISHED"}


register, unregister = class_registration(URDF_RIG_OT_add_ik_goal, URDF_RIG_OT_remove_ik_goal)
