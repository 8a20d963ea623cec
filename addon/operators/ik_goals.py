# SPDX-License-Identifier: GPL-3.0-or-later
"""Making and removing goals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import EnumProperty, FloatVectorProperty, StringProperty

from ...core.errors import RigError, UrdfRigError
from ..classes import ROBOT_WORDS, class_registration
from ..convert import to_array
from ..ik.adding import Wish, add_goal
from ..ik.goals import goals_of, is_goal
from ..ik.kinds import AXIS_ITEMS, KIND_ITEMS, KINDS
from ..ik.settings import ik_data
from ..ik.tool import tool_at
from ..kinematics_settings import links_of_active_rig
from ..properties import bone_data
from ..rig import active_rig, armature_of, robot_of
from .on_robot import OnLocalRobot


class OnGoals(OnLocalRobot):
    """Mixed into operators that need goals."""

    @classmethod
    def obstacle(cls, context: bpy.types.Context, rig: bpy.types.Object) -> str:
        """Return that the robot has no goal, if so."""
        found = super().obstacle(context, rig)
        return found or ("" if goals_of(rig, context.view_layer) else "The robot has no goal")


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


class ToolFromScene:
    """Mixed into operators that take a tool's pose from somewhere."""

    if TYPE_CHECKING:
        tool_object: str
    else:
        tool_object: StringProperty(
            name="Tool's Object",
            description="The object that is where the tool is",
            search=_objects,
            options={"SKIP_SAVE"},
        )

    def tool_from(
        self, context: bpy.types.Context, rig: bpy.types.Object, link: str, source: str
    ) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return xyz [m] and rpy [rad] in the link of the 3D cursor, or of the object.

        Raises:
            UrdfRigError: If there is no such object, it has no pose, or no bone carries the link.
        """
        robot = robot_of(rig)
        if source == "CURSOR":
            return tool_at(rig, robot, link, to_array(context.scene.cursor.matrix))
        obj: bpy.types.Object | None = context.view_layer.objects.get(self.tool_object)
        if obj is None:
            raise RigError(f"there is no object {self.tool_object!r}")
        return tool_at(rig, robot, link, to_array(obj.matrix_world))


class URDF_RIG_OT_add_ik_goal(OnLocalRobot, ToolFromScene, bpy.types.Operator):
    """Add an empty for each selected bone, which the link follows: move, key, parent or constrain it"""

    bl_idname = "urdf_rig.add_ik_goal"
    bl_label = "Add IK Goal"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        kind: str
        link: str
        tool: str
        tool_axis: str
        tool_xyz: tuple[float, float, float]
        tool_rpy: tuple[float, float, float]
    else:
        kind: EnumProperty(name="Kind", items=KIND_ITEMS, description="What the robot does about the empty")
        link: StringProperty(
            name="Link",
            translation_context=ROBOT_WORDS,
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
        tool_xyz: FloatVectorProperty(
            name="Tool Position",
            size=3,
            subtype="XYZ",
            precision=4,
            description="Where the tool's point is in the link's frame, in metres",
            options={"SKIP_SAVE"},
        )
        tool_rpy: FloatVectorProperty(
            name="Tool Rotation",
            size=3,
            subtype="EULER",
            description="How the tool is turned in the link's frame: roll, pitch and yaw as in URDF",
            options={"SKIP_SAVE"},
        )
        tool_axis: EnumProperty(
            name="Tool Axis",
            items=AXIS_ITEMS,
            description="The axis of the tool that is directed, for kinds that are about one",
            options={"SKIP_SAVE"},
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add them."""
        rig = active_rig(context)
        context.view_layer.update()
        made: list[bpy.types.Object] = []
        try:
            robot = robot_of(rig)
            for wish in self._wishes(context, rig):
                made.append(add_goal(context, rig, robot, wish))
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

    def _wishes(self, context: bpy.types.Context, rig: bpy.types.Object) -> list[Wish]:
        if not KINDS[self.kind].frame:
            return [Wish(self.kind, "")]
        wishes = []
        for link in [self.link] if self.link else chosen_links(context, rig):
            xyz, rpy = tuple(self.tool_xyz), tuple(self.tool_rpy)
            if self.tool != "TYPED":
                xyz, rpy = self.tool_from(context, rig, link, self.tool)
            wishes.append(Wish(self.kind, link, xyz, rpy, self.tool_axis))
        return wishes


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
        rig = active_rig(context)
        goals = all_goals = goals_of(rig, context.view_layer)
        if self.goal:
            goals = [goal for goal in goals if goal.name == self.goal]
        elif is_goal(context.object):
            goals = [goal for goal in goals if goal == context.object]
        if not goals:
            self.report({"ERROR"}, f"The robot has no goal {self.goal!r}")
            return {"CANCELLED"}
        if len(goals) == len(all_goals):
            ik_data(rig).live = False  # there is nothing left to follow
        for goal in goals:
            bpy.data.objects.remove(goal)
        return {"FINISHED"}


register, unregister = class_registration(URDF_RIG_OT_add_ik_goal, URDF_RIG_OT_remove_ik_goal)
