# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar's section on inverse kinematics: goals, how well they are met, pins and buttons."""

from __future__ import annotations

import bpy

from ..classes import class_registration
from ..ik.goals import goals_of, ik_rig
from ..ik.settings import goal_data, ik_data, pin_data
from ..ik.solving import status_text
from ..rig import joint_bones
from .section import RobotSection


class _OfGoals(RobotSection):
    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a robot, or a goal of one is active."""
        return ik_rig(context) is not None


class URDF_RIG_PT_ik(_OfGoals, bpy.types.Panel):
    """Links that follow objects"""

    bl_label = "Inverse Kinematics"
    bl_idname = "URDF_RIG_PT_ik"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the goals and what can be done with them."""
        layout, rig = self.layout, ik_rig(context)
        goals = goals_of(rig, context.view_layer)
        layout.operator("urdf_rig.add_ik_goal", icon="EMPTY_ARROWS")
        if not goals:
            layout.label(text="No goals. Select bones in Pose Mode,", icon="INFO")
            layout.label(text="then add a goal for each to follow")
            return
        column = layout.column(align=True)
        for goal in goals:
            _draw_goal(column, goal)
        limits = goal_data(goals[0]).at_limits
        if limits:
            column.label(text=f"At limits: {limits}", icon="CON_ROTLIMIT", translate=False)
        settings = ik_data(rig)
        row = layout.row(align=True)
        row.prop(settings, "live", toggle=True, icon="PLAY")
        row.operator("urdf_rig.solve_ik")
        layout.prop(settings, "base_free")
        row = layout.row(align=True)
        row.operator("urdf_rig.step_ik_solution", text="Previous", icon="TRIA_LEFT").step = -1
        row.operator("urdf_rig.step_ik_solution", text="Next", icon="TRIA_RIGHT").step = 1
        if settings.solution:
            layout.label(text=settings.solution, translate=False)
        layout.operator("urdf_rig.bake_ik", text="Bake to Keyframes…", icon="KEYINGSET")


def _draw_goal(layout: bpy.types.UILayout, goal: bpy.types.Object) -> None:
    data = goal_data(goal)
    row = layout.row(align=True)
    row.label(text=f"{goal.name} → {data.link}", icon="EMPTY_ARROWS", translate=False)
    row.prop(data, "use_position", text="", icon="CON_LOCLIKE", toggle=True)
    row.prop(data, "use_orientation", text="", icon="CON_ROTLIKE", toggle=True)
    row.operator("urdf_rig.remove_ik_goal", text="", icon="X").goal = goal.name
    status = layout.row(align=True)
    status.alert = bool(data.problem) or (data.solved and not data.reached)
    status.label(text=status_text(goal), icon="CHECKMARK" if data.reached else "BLANK1", translate=False)


class URDF_RIG_PT_ik_goal(_OfGoals, bpy.types.Panel):
    """Tool and weight of each goal"""

    bl_label = "Tools and Weights"
    bl_idname = "URDF_RIG_PT_ik_goal"
    bl_parent_id = "URDF_RIG_PT_ik"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings of each goal."""
        layout = self.layout
        for goal in goals_of(ik_rig(context), context.view_layer):
            data = goal_data(goal)
            column = layout.column(align=True)
            column.label(text=goal.name, translate=False)
            column.prop(data, "weight")
            column.prop(data, "tool_xyz")
            column.prop(data, "tool_rpy")


class URDF_RIG_PT_ik_pins(_OfGoals, bpy.types.Panel):
    """Joints that inverse kinematics leaves alone"""

    bl_label = "Pinned Joints"
    bl_idname = "URDF_RIG_PT_ik_pins"
    bl_parent_id = "URDF_RIG_PT_ik"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw a switch for each free joint."""
        column = self.layout.column(align=True)
        for joint in joint_bones(ik_rig(context)):
            if not joint.data.leader:
                pin = pin_data(joint.bone.bone)
                column.prop(
                    pin,
                    "pinned",
                    text=joint.data.joint,
                    icon="PINNED" if pin.pinned else "UNPINNED",
                    toggle=True,
                    translate=False,
                )


register, unregister = class_registration(URDF_RIG_PT_ik, URDF_RIG_PT_ik_goal, URDF_RIG_PT_ik_pins)
