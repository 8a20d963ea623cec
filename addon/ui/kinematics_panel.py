# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar's section on one frame: where it is, how it moves, how well it can be moved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import UrdfRigError
from ...core.spatial import quaternion_from_rotation, rpy_from_rotation
from ..classes import ROBOT_WORDS, class_registration
from ..display_units import display_units, shown
from ..kinematics_settings import chosen_frame, kinematics_settings
from ..live_motion import current_frame, measured, motion_seen
from ..overlay import overlay_is_on
from ..readout import read_frame
from ..rig import active_rig
from ..world import is_scaled
from .section import Place, RobotSection, draw_text

Array = NDArray[np.float64]


class _Part(RobotSection):
    bl_parent_id = "URDF_RIG_PT_kinematics"


def _table(layout: bpy.types.UILayout, *rows: Sequence[str]) -> None:
    grid = layout.grid_flow(row_major=True, columns=len(rows[0]), even_columns=True, align=True)
    for text in chain.from_iterable(rows):
        cell = grid.row(align=True)
        cell.alignment = "RIGHT"
        cell.label(text=text, translate=False)


def _block(layout: bpy.types.UILayout, title: str, *rows: Sequence[str]) -> None:
    column = layout.column(align=True)
    column.label(text=title, translate=False)
    _table(column, *rows)


class URDF_RIG_PT_kinematics(RobotSection, bpy.types.Panel):
    """Pose of the active bone's link, or of a chosen one"""

    bl_label = "Kinematics"
    bl_idname = "URDF_RIG_PT_kinematics"
    bl_order = Place.KINEMATICS
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw which frame it is, and its pose."""
        layout, rig = self.layout, active_rig(context)
        state = kinematics_settings(context.window_manager)
        column = layout.column(align=True)
        column.prop(state, "frame", text="", icon="EMPTY_AXIS", placeholder="Active bone's link")
        column.row(align=True).prop(state, "seen_from", expand=True)
        if state.seen_from == "LINK":
            column.prop(state, "reference", text="", icon="EMPTY_AXIS", placeholder="Seen from link")
        try:
            readout = read_frame(context, rig)
        except UrdfRigError as error:
            draw_text(layout, context, str(error).split(";")[0], "ERROR")
            return
        layout.label(text=readout.chosen.text, icon="BONE_DATA", translate=False)
        if is_scaled(rig, context.scene):
            layout.label(text="Armature is scaled, values are not", icon="INFO")
        layout.prop(state, "rotation", text="")
        _draw_pose(layout, readout.pose, context.scene, state.rotation)
        row = layout.row(align=True)
        row.label(text="", icon="COPYDOWN")
        for form, name in (("TEXT", "Text"), ("PYTHON", "Python"), ("JSON", "JSON")):
            row.operator("urdf_rig.copy_pose", text=name).form = form


def _draw_pose(layout: bpy.types.UILayout, pose: Array, scene: bpy.types.Scene, rotation: str) -> None:
    units = display_units(scene)
    if rotation == "MATRIX":
        _block(layout, "Matrix (m)", *(shown(row) for row in pose))
        return
    _block(layout, f"Position ({units.length_name})", shown(pose[:3, 3], units.length))
    if rotation == "QUATERNION":
        _block(layout, "Rotation (w, x, y, z)", shown(quaternion_from_rotation(pose[:3, :3])))
    else:
        _block(layout, f"Rotation ({units.angle_name})", shown(rpy_from_rotation(pose[:3, :3]), units.angle))


class URDF_RIG_PT_frame_motion(_Part, bpy.types.Panel):
    """Velocity and acceleration of the frame in the animation"""

    bl_label = "Motion"
    bl_idname = "URDF_RIG_PT_frame_motion"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw what was measured last."""
        layout, rig = self.layout, active_rig(context)
        state = kinematics_settings(context.window_manager)
        layout.prop(state, "representation", text="")
        row = layout.row(align=True)
        row.operator("urdf_rig.measure_motion", icon="DRIVER_DISTANCE")
        row.prop(state, "live", text="Live", toggle=True)
        found = measured(rig)
        if found is None:
            layout.label(text="Not measured yet", icon="INFO")
        else:
            try:
                chosen = chosen_frame(context, rig, found.robot)
                motion = motion_seen(found, chosen.link, chosen.reference, state.representation)
            except UrdfRigError as error:
                draw_text(layout, context, str(error).split(";")[0], "ERROR")
                return
            column = layout.column(align=True)
            column.active = abs(found.frame - current_frame(context.scene)) < 1e-6
            column.label(text=f"At frame {found.frame:g}", icon="TIME", translate=False)
            _draw_motion(column, motion.velocity[0], motion.acceleration[0], context.scene)
        layout.operator("urdf_rig.export_frame_motion", text="Export CSV…", icon="EXPORT")


def _draw_motion(layout: bpy.types.UILayout, velocity: Array, acceleration: Array, scene: bpy.types.Scene) -> None:
    units = display_units(scene)
    for name, values, per in (("velocity", velocity, "/s"), ("acceleration", acceleration, "/s²")):
        _block(layout, f"Linear {name} ({units.length_name}{per})", shown(values[:3], units.length))
        _block(layout, f"Angular {name} ({units.angle_name}{per})", shown(values[3:], units.angle))


class URDF_RIG_PT_manipulability(_Part, bpy.types.Panel):
    """How well the joints can move the frame"""

    bl_label = "Manipulability"
    bl_idname = "URDF_RIG_PT_manipulability"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw measure and condition number of the linear and of the angular part."""
        layout, rig = self.layout, active_rig(context)
        try:
            readout = read_frame(context, rig)
        except UrdfRigError:
            layout.label(text="There is no such frame", icon="ERROR")
            return
        columns = (readout.dexterity.linear, readout.dexterity.angular)
        measures, conditions = zip(*columns, strict=True)
        _table(
            layout,
            ("", "Linear", "Angular"),
            ("Measure", *map(_significant, measures)),
            ("Condition", *map(_significant, conditions)),
        )
        if readout.strayed:
            layout.label(text="Bones are not where joints say", icon="ERROR")


def _significant(value: float) -> str:
    return "∞" if math.isinf(value) else f"{value:.4g}"


class URDF_RIG_PT_overlay(_Part, bpy.types.Panel):
    """The frame in the viewport"""

    bl_label = "Overlay"
    bl_translation_context = ROBOT_WORDS
    bl_idname = "URDF_RIG_PT_overlay"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the switch, and what is drawn."""
        layout = self.layout
        state = kinematics_settings(context.window_manager)
        layout.operator("urdf_rig.toggle_overlay", icon="OVERLAY", depress=overlay_is_on())
        column = layout.column(align=True)
        column.active = overlay_is_on()
        for name in ("axes", "velocity", "ellipsoid"):
            column.prop(state, name)
        column.prop(state, "length")


register, unregister = class_registration(
    URDF_RIG_PT_kinematics, URDF_RIG_PT_frame_motion, URDF_RIG_PT_manipulability, URDF_RIG_PT_overlay
)
