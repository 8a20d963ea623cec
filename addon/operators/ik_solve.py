# SPDX-License-Identifier: GPL-3.0-or-later
"""Solving for goals, once and over a range of frames."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import bpy
from bpy.props import IntProperty

from ...core.errors import RigError, UrdfRigError
from ..classes import class_registration
from ..ik.baking import Baked, bake
from ..ik.goals import goals_of
from ..ik.settings import goal_data
from ..ik.solving import CERTAIN, follow, joints_that_serve
from ..ik.status import is_missed, status_text
from ..keying import key_joints
from ..rig import active_rig
from .ik_goals import OnGoals

_MOST_FRAMES = 100_000


class URDF_RIG_OT_solve_ik(OnGoals, bpy.types.Operator):
    """Move the joints so that the links are at their goals, from many starts if need be"""

    bl_idname = "urdf_rig.solve_ik"
    bl_label = "Solve"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Solve once."""
        rig = active_rig(context)
        context.view_layer.update()
        goals = goals_of(rig, context.view_layer)
        result = follow(rig, goals, context.evaluated_depsgraph_get(), CERTAIN)
        if result is None:
            self.report({"ERROR"}, goal_data(goals[0]).problem)
            return {"CANCELLED"}
        missed = [f"{goal.name}: {status_text(goal)}" for goal in goals if is_missed(goal)]
        if missed:
            self.report({"WARNING"}, "; ".join(missed))
        return {"FINISHED"}


class URDF_RIG_OT_key_ik_joints(OnGoals, bpy.types.Operator):
    """Insert keyframes at this frame for the joints that serve the goals: those keep the configuration chosen"""

    bl_idname = "urdf_rig.key_ik_joints"
    bl_label = "Key Joints"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Key them."""
        rig = active_rig(context)
        try:
            names = joints_that_serve(rig, goals_of(rig, context.view_layer))
            key_joints(rig, names, context.scene.frame_current_final)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"Keyed {len(names)} joints")
        return {"FINISHED"}


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
        return set(context.window_manager.invoke_props_dialog(self, confirm_text="Bake"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Bake."""
        frames = range(self.start, self.end + 1, self.step)
        try:
            if not 0 < len(frames) <= _MOST_FRAMES:
                raise RigError(f"from {self.start} to {self.end} there are no frames, or too many")
            baked = bake(context, active_rig(context), frames)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"WARNING" if baked.missed else "INFO"}, _report(baked))
        return {"FINISHED"}


def _report(baked: Baked) -> str:
    worst = f"at worst off by {baked.position * 1e3:.3g} mm and {math.degrees(baked.rotation):.3g}°"
    missed = f", goals missed at {baked.missed}" if baked.missed else ""
    return f"Baked {baked.frames} frames{missed}, {worst}"


register, unregister = class_registration(URDF_RIG_OT_solve_ik, URDF_RIG_OT_key_ik_joints, URDF_RIG_OT_bake_ik)
