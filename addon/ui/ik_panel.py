# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar's section on inverse kinematics: goals, how well they are met, their settings, and pins."""

from __future__ import annotations

from typing import Any

import bpy

from ..classes import class_registration
from ..ik.asked import may_swivel
from ..ik.goals import goals_of
from ..ik.kinds import KINDS
from ..ik.settings import goal_data, ik_data, pin_data
from ..ik.status import is_missed, status_text
from ..rig import active_rig, joint_bones
from .section import Place, RobotSection, draw_pose, draw_text

_TOOL_SOURCES: tuple[tuple[str, str, Any], ...] = (
    ("CURSOR", "From Cursor", "PIVOT_CURSOR"),
    ("OBJECT", "From Object…", "OBJECT_DATA"),
)
_NO_GOALS = "No goals. Select bones in Pose", "Mode, then add a goal for each"
_LINKED = "Linked from another file. Make", "a library override of it first"


class URDF_RIG_PT_ik(RobotSection, bpy.types.Panel):
    """Links that follow objects"""

    bl_label = "Inverse Kinematics"
    bl_idname = "URDF_RIG_PT_ik"
    bl_order = Place.IK
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the goals and what can be done with them."""
        layout, rig = self.layout, active_rig(context)
        goals = goals_of(rig, context.view_layer)
        row = layout.row(align=True)
        row.operator("urdf_rig.add_ik_goal", icon="EMPTY_ARROWS").kind = "POSE"  # type: ignore[attr-defined]
        row.operator_menu_enum("urdf_rig.add_ik_goal", "kind", text="", icon="DOWNARROW_HLT")
        if not goals:
            lines = _LINKED if rig.library is not None else _NO_GOALS
            column = layout.column(align=True)
            column.label(text=lines[0], icon="INFO")
            column.label(text=lines[1], icon="BLANK1")
            return
        column = layout.column(align=True)
        for goal in goals:
            _draw_goal(column, context, goal)
        settings = ik_data(rig)
        row = layout.row(align=True)
        row.prop(settings, "live", toggle=True, icon="PLAY")
        row.operator("urdf_rig.solve_ik")
        layout.prop(settings, "base_free")
        row = layout.row(align=True)
        row.operator("urdf_rig.key_ik_joints", icon="KEY_HLT")
        row.operator("urdf_rig.bake_ik", text="Bake…", icon="KEYINGSET")


def _draw_goal(layout: bpy.types.UILayout, context: bpy.types.Context, goal: bpy.types.Object) -> None:
    data = goal_data(goal)
    kind = KINDS[data.kind]
    active = goal == context.object
    row = layout.row(align=True)
    name = goal.name if not kind.frame or data.link in goal.name else f"{goal.name} → {data.link}"
    select = row.operator(
        "urdf_rig.select_ik_goal", text=name, icon=kind.icon, emboss=active, depress=active, translate=False
    )
    select.goal = goal.name  # type: ignore[attr-defined]
    row.operator("urdf_rig.remove_ik_goal", text="", icon="X").goal = goal.name  # type: ignore[attr-defined]
    status = layout.column(align=True)
    status.alert = is_missed(goal)
    icon: Any = "CHECKMARK" if data.reached else "ERROR" if is_missed(goal) else "BLANK1"
    draw_text(status, context, status_text(goal), icon)
    if data.at_limits:
        draw_text(layout, context, f"At limits: {data.at_limits}", "CON_ROTLIMIT")


class URDF_RIG_PT_ik_goal(RobotSection, bpy.types.Panel):
    """Kind, weight and tool of the active goal, or of the only one"""

    bl_label = "Goal Settings"
    bl_idname = "URDF_RIG_PT_ik_goal"
    bl_parent_id = "URDF_RIG_PT_ik"
    bl_order = 0
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the settings."""
        rig = active_rig(context)
        goals = goals_of(rig, context.view_layer)
        if context.object in goals:
            goals = [context.object]
        if len(goals) != 1:
            self.layout.label(text="Select a goal in the list above" if goals else "No goals", icon="INFO")
            return
        (goal,) = goals
        column = self.layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.label(text=goal.name, icon=KINDS[goal_data(goal).kind].icon, translate=False)
        _draw_settings(column, rig, goal)


def _draw_settings(layout: bpy.types.UILayout, rig: bpy.types.Object, goal: bpy.types.Object) -> None:
    data = goal_data(goal)
    kind = KINDS[data.kind]
    layout.prop(data, "kind")
    if kind.frame:
        layout.prop(data, "link", icon="BONE_DATA")
    weights = layout.column(align=True)
    weights.prop(data, "weight")
    if kind.lengths and kind.angles:
        weights.prop(data, "rotation_weight", text="Of Rotation")
    layout.prop(data, "priority")
    if data.kind == "MASS":
        layout.prop(data, "use_height")
    if data.kind == "POSTURE":
        take = layout.operator("urdf_rig.take_ik_posture", text=f"Take Pose of {len(data.posture)} Joints")  # type: ignore[arg-type]
        take.goal = goal.name  # type: ignore[attr-defined]
    if kind.frame:
        _draw_tool(layout, goal)
        if data.use_swivel or may_swivel(rig, goal):
            layout.prop(data, "use_swivel")
            if data.use_swivel:
                layout.prop(data, "swivel", slider=True)


def _draw_tool(layout: bpy.types.UILayout, goal: bpy.types.Object) -> None:
    data = goal_data(goal)
    if KINDS[data.kind].axis:
        layout.prop(data, "tool_axis")
    draw_pose(layout, data, "tool_xyz", "tool_rpy", title="Tool")
    row = layout.row(align=True)
    for source, text, icon in _TOOL_SOURCES:
        button = row.operator("urdf_rig.set_ik_tool", text=text, icon=icon)
        button.goal, button.source = goal.name, source  # type: ignore[attr-defined]


class URDF_RIG_PT_ik_pins(RobotSection, bpy.types.Panel):
    """Joints that inverse kinematics leaves alone"""

    bl_label = "Pinned Joints"
    bl_idname = "URDF_RIG_PT_ik_pins"
    bl_parent_id = "URDF_RIG_PT_ik"
    bl_order = 2
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw a switch for each free joint."""
        column = self.layout.column(align=True)
        for joint in joint_bones(active_rig(context)):
            if not joint.data.leader:
                pin = pin_data(joint.bone)
                column.prop(
                    pin,
                    "pinned",
                    text=joint.data.joint,
                    icon="PINNED" if pin.pinned else "UNPINNED",
                    toggle=True,
                    translate=False,
                )


register, unregister = class_registration(URDF_RIG_PT_ik, URDF_RIG_PT_ik_goal, URDF_RIG_PT_ik_pins)
