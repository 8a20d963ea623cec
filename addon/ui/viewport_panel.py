# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar's section on what is drawn over the robot."""

from __future__ import annotations

import bpy

from ..classes import class_registration
from ..viewport.settings import viewport_settings
from .section import Place, RobotSection


class URDF_RIG_PT_viewport(RobotSection, bpy.types.Panel):
    """Handles, names and axes over the robot"""

    bl_label = "In the Viewport"
    bl_idname = "URDF_RIG_PT_viewport"
    bl_order = Place.VIEWPORT
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw a switch for each, with its options where it is on."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        state = viewport_settings(context.window_manager)
        for switch, options in (
            ("handles", ("handle_size",)),
            ("names", ("named", "name_size")),
            ("axes", ("axis_size",)),
        ):
            column = layout.column(align=True)
            column.prop(state, switch)
            if getattr(state, switch):
                for option in options:
                    column.prop(state, option)
        row = layout.row()
        row.active = state.handles or state.names or state.axes
        row.prop(state, "which", text="Show for")
        _draw_what_hides(layout, context.space_data, handles=state.handles, overlays=state.names or state.axes)


def _draw_what_hides(layout: bpy.types.UILayout, space: bpy.types.Space, *, handles: bool, overlays: bool) -> None:
    """Say which of the viewport's own switches keeps from being drawn what is on."""
    if not isinstance(space, bpy.types.SpaceView3D):
        return
    if handles and not space.show_gizmo:
        layout.label(text="This viewport hides gizmos", icon="INFO")
    if overlays and not space.overlay.show_overlays:
        layout.label(text="This viewport hides overlays", icon="INFO")


register, unregister = class_registration(URDF_RIG_PT_viewport)
