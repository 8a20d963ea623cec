# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar's list of all solutions for a goal."""

from __future__ import annotations

from typing import Any

import bpy

from ..classes import class_registration
from ..ik.choosing import are_current, count_text, difference_texts
from ..ik.goals import goals_of
from ..ik.settings import URDF_RIG_PG_ik_solution, goal_data, remembered_values
from ..rig import active_rig
from .section import RobotSection

_ROWS = 6
_STEPS: tuple[tuple[int, str, Any], ...] = ((-1, "Previous", "TRIA_LEFT"), (1, "Next", "TRIA_RIGHT"))


class URDF_RIG_UL_ik_solutions(bpy.types.UIList):
    """Configurations with the link at the goal, and the joint by which each differs most from the one shown"""

    bl_idname = "URDF_RIG_UL_ik_solutions"

    def draw_item(
        self,
        _context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: bpy.types.AnyType,
        item: bpy.types.AnyType,
        _icon: int | None,
        _active_data: bpy.types.AnyType,
        _active_property: str | None,
        index: int | None = 0,
        _flag: int | None = 0,
    ) -> None:
        """Draw a button that sets the joints to one solution."""
        goal = data.id_data
        text = solution_text(goal_data(goal).rig, item)  # type: ignore[arg-type]
        button = layout.operator(
            "urdf_rig.choose_ik_solution", text=f"{(index or 0) + 1}   {text}", emboss=False, translate=False
        )
        button.goal, button.index = goal.name, index or 0  # type: ignore[attr-defined,union-attr]


def solution_text(rig: bpy.types.Object, solution: URDF_RIG_PG_ik_solution) -> str:
    """Return by which joint a solution differs most from the pose shown, and how many others differ."""
    texts = difference_texts(rig, remembered_values(solution.values))
    if not texts:
        return "as shown"
    return f"{texts[0]}, {len(texts) - 1} more" if len(texts) > 1 else texts[0]


class URDF_RIG_PT_ik_solutions(RobotSection, bpy.types.Panel):
    """Every configuration that puts the link at its goal"""

    bl_label = "All Solutions"
    bl_idname = "URDF_RIG_PT_ik_solutions"
    bl_parent_id = "URDF_RIG_PT_ik"
    bl_order = 1
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the list for the active goal, or the only one."""
        layout, rig = self.layout, active_rig(context)
        poses = [goal for goal in goals_of(rig, context.view_layer) if goal_data(goal).kind == "POSE"]
        if context.object in poses:
            poses = [context.object]
        if len(poses) != 1:
            layout.label(text="Select the goal that is meant" if poses else "No goal for a whole pose", icon="INFO")
            return
        goal = poses[0]
        data = goal_data(goal)
        find = layout.operator("urdf_rig.find_ik_solutions", icon="VIEWZOOM")
        find.goal = goal.name  # type: ignore[attr-defined]
        row = layout.row(align=True)
        for step, text, icon in _STEPS:
            button = row.operator("urdf_rig.step_ik_solution", text=text, icon=icon)
            button.goal, button.step = goal.name, step  # type: ignore[attr-defined]
        row.operator("urdf_rig.key_ik_joints", text="", icon="KEY_HLT")
        if not data.solutions:
            return
        column = layout.column()
        graph = context.view_layer.depsgraph  # as it is: drawing must not evaluate anything
        column.active = graph is None or are_current(rig, goal, graph)
        if not column.active:
            column.label(text="The goal has moved since", icon="INFO")
        column.template_list(
            URDF_RIG_UL_ik_solutions.bl_idname, "", data, "solutions", data, "solution_index", rows=_ROWS
        )
        column.label(text=count_text(goal), translate=False)


register, unregister = class_registration(URDF_RIG_UL_ik_solutions, URDF_RIG_PT_ik_solutions)
