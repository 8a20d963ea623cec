# SPDX-License-Identifier: GPL-3.0-or-later
"""Solving for goals: once, another solution, and over a range of frames."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import bpy
from bpy.props import IntProperty, StringProperty

from ...core.errors import RigError, UrdfRigError
from ..classes import class_registration
from ..ik.baking import Baked, bake
from ..ik.choosing import step_solution
from ..ik.goals import goals_of, ik_rig
from ..ik.settings import goal_data
from ..ik.solving import CERTAIN, follow, status_text
from .ik_goals import OnGoals

_MOST_FRAMES = 100_000


class URDF_RIG_OT_solve_ik(OnGoals, bpy.types.Operator):
    """Move the joints so that the links are at their goals, from many starts if need be"""

    bl_idname = "urdf_rig.solve_ik"
    bl_label = "Solve"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Solve once."""
        rig = ik_rig(context)
        context.view_layer.update()
        goals = goals_of(rig, context.view_layer)
        result = follow(rig, goals, context.evaluated_depsgraph_get(), CERTAIN)
        if result is None:
            self.report({"ERROR"}, goal_data(goals[0]).problem)
            return {"CANCELLED"}
        if not result.reached:
            missed = [f"{goal.name}: {status_text(goal)}" for goal in goals if not goal_data(goal).reached]
            self.report({"WARNING"}, "; ".join(missed))
        return {"FINISHED"}


class URDF_RIG_OT_step_ik_solution(OnGoals, bpy.types.Operator):
    """Another configuration that puts the link at the same pose. Key the joints to keep it"""

    bl_idname = "urdf_rig.step_ik_solution"
    bl_label = "Next Solution"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        step: int
        goal: str
    else:
        step: IntProperty(
            name="Step", default=1, description="1 for the next, -1 for the previous", options={"SKIP_SAVE"}
        )
        goal: StringProperty(
            name="Goal",
            description="The goal's object. Empty: the active one, or the only one",
            options={"SKIP_SAVE"},
        )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """Say which way."""
        way = "next" if properties.step > 0 else "previous"  # type: ignore[attr-defined]
        return f"Set the joints to the {way} configuration with the link at the goal"

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Set the joints."""
        rig = ik_rig(context)
        context.view_layer.update()
        try:
            goal = self._chosen(context, rig)
            text = step_solution(rig, goal, context.evaluated_depsgraph_get(), self.step)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, text)
        return {"FINISHED"}

    def _chosen(self, context: bpy.types.Context, rig: bpy.types.Object) -> bpy.types.Object:
        goals = goals_of(rig, context.view_layer)
        active = [goal for goal in goals if (goal.name == self.goal if self.goal else goal == context.object)]
        if not self.goal and not active and len(goals) == 1:
            return goals[0]
        if not active:
            raise RigError("select the goal that is meant")
        return active[0]


class URDF_RIG_OT_bake_ik(OnGoals, bpy.types.Operator):
    """Key the joints at every frame so that the links follow their goals without this extension"""

    bl_idname = "urdf_rig.bake_ik"
    bl_label = "Bake to Keyframes"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        start: int
        end: int
        step: int
    else:
        start: IntProperty(name="Start", default=1, description="First frame")
        end: IntProperty(name="End", default=250, description="Last frame")
        step: IntProperty(name="Step", default=1, min=1, description="Frames from one key to the next")

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Ask for the range, starting from the scene's."""
        self.start, self.end = context.scene.frame_start, context.scene.frame_end
        return set(context.window_manager.invoke_props_dialog(self))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Bake."""
        frames = range(self.start, self.end + 1, self.step)
        try:
            if not 0 < len(frames) <= _MOST_FRAMES:
                raise RigError(f"from {self.start} to {self.end} there are no frames, or too many")
            baked = bake(context, ik_rig(context), frames)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"WARNING" if baked.missed else "INFO"}, _report(baked))
        return {"FINISHED"}


def _report(baked: Baked) -> str:
    worst = f"at worst off by {baked.position * 1e3:.3g} mm and {math.degrees(baked.rotation):.3g}°"
    missed = f", goals missed at {baked.missed}" if baked.missed else ""
    return f"Baked {baked.frames} frames{missed}, {worst}"


register, unregister = class_registration(URDF_RIG_OT_solve_ik, URDF_RIG_OT_step_ik_solution, URDF_RIG_OT_bake_ik)
