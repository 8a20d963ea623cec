# SPDX-License-Identifier: GPL-3.0-or-later
"""All solutions for a goal: found, and chosen from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, IntProperty, StringProperty

from ...core.errors import RigError, UrdfRigError
from ..classes import class_registration
from ..ik.choosing import choose_solution, count_text, difference_texts, find_solutions, step_solution
from ..ik.goals import goals_of, is_goal
from ..ik.settings import goal_data, remembered_values
from ..ik.solving import joints_that_serve
from ..keying import key_joints, key_joints_if_wanted
from ..rig import active_rig
from .ik_goals import OnGoals


def chosen_goal(context: bpy.types.Context, rig: bpy.types.Object, name: str) -> bpy.types.Object:
    """Return the goal of a name; without one the active goal, or the only one that is a pose.

    Raises:
        RigError: If there is none.
    """
    goals = goals_of(rig, context.view_layer)
    if name:
        goals = [goal for goal in goals if goal.name == name]
    elif context.object in goals:
        return context.object
    elif len(goals) > 1:
        goals = [goal for goal in goals if goal_data(goal).kind == "POSE"]
    if len(goals) != 1:
        raise RigError("select the goal that is meant")
    return goals[0]


class OnOneGoal(OnGoals):
    """Mixed into operators on the solutions for one goal."""

    if TYPE_CHECKING:
        goal: str

        def report(self, type: set[str], message: str) -> None:
            """Tell the user; of ``bpy.types.Operator``."""

        def act(self, rig: bpy.types.Object, goal: bpy.types.Object, graph: bpy.types.Depsgraph) -> str:
            """Do it, and return what there is to tell."""
    else:
        goal: StringProperty(
            name="Goal",
            description="The goal's object. Empty: the active one, or the only one",
            options={"SKIP_SAVE"},
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Do it to the goal that is meant."""
        rig = active_rig(context)
        context.view_layer.update()
        try:
            goal = chosen_goal(context, rig, self.goal)
            text = self.act(rig, goal, context.evaluated_depsgraph_get())
            self.key_joints(context, rig, joints_that_serve(rig, [goal]))
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, text)
        return {"FINISHED"}

    def key_joints(self, context: bpy.types.Context, rig: bpy.types.Object, joints: Sequence[str]) -> None:
        """Key the joints afterwards; nothing to do where they are not set."""


class SetsJoints(OnOneGoal):
    """Mixed into operators that set the joints, and key them if asked to."""

    if TYPE_CHECKING:
        key: bool
    else:
        key: BoolProperty(
            name="Insert Keyframes",
            description="Key the joints at this frame. Done anyway while auto keying is on",
            options={"SKIP_SAVE"},
        )

    def key_joints(self, context: bpy.types.Context, rig: bpy.types.Object, joints: Sequence[str]) -> None:
        """Key the joints if that is asked for, or by auto keying."""
        if self.key:
            key_joints(rig, joints, context.scene.frame_current_final)
        else:
            key_joints_if_wanted(context, rig, joints)


class URDF_RIG_OT_find_ik_solutions(OnOneGoal, bpy.types.Operator):
    """List all configurations with the link at the goal. The robot stays as it is"""

    bl_idname = "urdf_rig.find_ik_solutions"
    bl_label = "Find All Solutions"
    bl_options = {"REGISTER", "UNDO"}

    def act(self, rig: bpy.types.Object, goal: bpy.types.Object, graph: bpy.types.Depsgraph) -> str:
        """Find them."""
        find_solutions(rig, goal, graph)
        return count_text(goal)


class URDF_RIG_OT_choose_ik_solution(SetsJoints, bpy.types.Operator):
    """Set the joints to this configuration"""

    bl_idname = "urdf_rig.choose_ik_solution"
    bl_label = "Choose Solution"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        index: int
    else:
        index: IntProperty(
            name="Index", min=0, description="Which of the solutions in the list, from 0", options={"SKIP_SAVE"}
        )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """Say which joints will move, and by how much."""
        text = "Set the joints to this configuration"
        rig = active_rig(context)
        button: Any = properties  # the operator's own properties, of which the stubs know nothing
        goal: bpy.types.Object | None = context.view_layer.objects.get(button.goal)
        if rig is None or goal is None or not is_goal(goal):
            return text
        solutions: Any = goal_data(goal).solutions
        if button.index >= len(solutions):
            return text
        moves = difference_texts(rig, remembered_values(solutions[button.index].values))
        return f"{text}: {', '.join(moves)}" if moves else text

    def act(self, rig: bpy.types.Object, goal: bpy.types.Object, graph: bpy.types.Depsgraph) -> str:
        """Set the joints."""
        return choose_solution(rig, goal, graph, self.index)


class URDF_RIG_OT_step_ik_solution(SetsJoints, bpy.types.Operator):
    """Another configuration that puts the link at the same pose"""

    bl_idname = "urdf_rig.step_ik_solution"
    bl_label = "Next Solution"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        step: int
    else:
        step: IntProperty(
            name="Step", default=1, description="1 for the next, -1 for the previous", options={"SKIP_SAVE"}
        )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """Say which way."""
        way = "next" if properties.step > 0 else "previous"  # type: ignore[attr-defined]
        return f"Set the joints to the {way} configuration with the link at the goal"

    def act(self, rig: bpy.types.Object, goal: bpy.types.Object, graph: bpy.types.Depsgraph) -> str:
        """Set the joints."""
        return step_solution(rig, goal, graph, self.step)


register, unregister = class_registration(
    URDF_RIG_OT_find_ik_solutions, URDF_RIG_OT_choose_ik_solution, URDF_RIG_OT_step_ik_solution
)
