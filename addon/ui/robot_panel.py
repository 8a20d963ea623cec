# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar tab "Robot": joint sliders and verification."""

from __future__ import annotations

import bpy

from ..classes import class_registration
from ..handlers import define_soon
from ..ik.goals import goals_of
from ..ik.settings import pin_data
from ..motion.findings import offending_joints
from ..properties import SCHEMA_VERSION, armature_data, window_data
from ..rig import JointBone, active_rig, armature_of, joint_bones, rigs_of
from ..sliders import slider_name
from .section import Place, RobotSection, RobotTab, draw_text, fitted, line_length

_LINES = 6
_MOST_ROBOTS = 20
_SLIDER = 13  # characters that the value and the buttons need beside the joint's name


class URDF_RIG_PT_robot(RobotTab, bpy.types.Panel):
    """The active robot"""

    bl_label = "Robot"
    bl_idname = "URDF_RIG_PT_robot"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw what the robot is, or how to get one."""
        layout = self.layout
        rig = active_rig(context)
        if rig is None:
            _draw_choice(layout, rigs_of(context.view_layer))
            return
        data = armature_data(armature_of(rig))
        layout.label(text=data.robot, icon="ARMATURE_DATA", translate=False)
        joints = joint_bones(rig)
        followers = sum(bool(joint.data.leader) for joint in joints)
        column = layout.column(align=True)
        column.label(text=f"Base: {data.base}", translate=False)
        text = f"Joints: {len(joints) - followers}"
        column.label(text=f"{text} free, {followers} following" if followers else text)
        if data.schema_version > SCHEMA_VERSION:
            draw_text(column, context, "Made by a newer URDF Rig: update it", "ERROR")
        if rig.library is not None:
            draw_text(
                column, context, "Linked from another file. To pose it, make a library override", "LIBRARY_DATA_DIRECT"
            )


def _draw_choice(layout: bpy.types.UILayout, rigs: list[bpy.types.Object]) -> None:
    """Draw what there is to select, and how to get a robot."""
    column = layout.column(align=True)
    column.label(text="No robot selected.", icon="INFO")
    if not rigs:
        column.label(text="Import one or drop a .urdf file", icon="BLANK1")
    else:
        column.label(text="Select one of these:", icon="BLANK1")
        column = layout.column(align=True)
        for rig in rigs[:_MOST_ROBOTS]:
            button = column.operator("urdf_rig.select_robot", text=rig.name, icon="ARMATURE_DATA", translate=False)
            button.name = rig.name  # type: ignore[attr-defined]
    layout.operator("urdf_rig.import_robot", text="Import Robot…", icon="IMPORT")


class URDF_RIG_PT_joints(RobotSection, bpy.types.Panel):
    """One slider for each free joint"""

    bl_label = "Joints"
    bl_idname = "URDF_RIG_PT_joints"
    bl_order = Place.JOINTS

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the sliders."""
        layout = self.layout
        rig = active_rig(context)
        state = window_data(context.window_manager)
        row = layout.row(align=True)
        row.prop(state, "filter", text="", icon="VIEWZOOM", placeholder="Filter joints")
        row.operator("urdf_rig.reset_joints", text="", icon="LOOP_BACK")
        wanted = state.filter.strip().lower()
        column = layout.column(align=True)
        joints = joint_bones(rig)
        _attach_dots(column, joints)
        pins = bool(goals_of(rig, context.view_layer))
        offending = offending_joints(rig, context.scene.frame_current_final)
        found = [joint for joint in joints if wanted in joint.data.joint.lower()]
        for joint in found:
            _draw_joint(column, context, joint, pins, joint.data.joint in offending)
        if not found:
            text = "No joint has this in its name" if joints else "This robot has no moving joints"
            column.label(text=text, icon="INFO")


def _draw_joint(
    layout: bpy.types.UILayout, context: bpy.types.Context, joint: JointBone, pins: bool, alert: bool
) -> None:
    name = slider_name(joint, context.scene)
    if name is None:  # a rig appended or linked just now, or another scene unit
        define_soon()
        layout.label(text=joint.data.joint, translate=False)
        return
    row = layout.row(align=True)
    leader = joint.data.leader
    value = row.row(align=True)
    value.enabled = not leader
    value.alert = alert
    room = line_length(context) - _SLIDER
    text = f"{joint.data.joint} ← {leader}" if leader else joint.data.joint
    if len(text) > room:
        text = fitted(joint.data.joint, room)
    value.prop(joint.bone, name, text=text, slider=True, translate=False)
    if leader:
        row.label(text="", icon="DRIVER")
    else:
        if pins:
            pin = pin_data(joint.bone)
            row.prop(pin, "pinned", text="", icon="PINNED" if pin.pinned else "UNPINNED")
        row.prop_decorator(joint.bone, joint.data_path, index=1)


def _attach_dots(layout: bpy.types.UILayout, joints: list[JointBone]) -> None:
    """Draw the channels themselves first, without height: Blender ties a keyframe dot to a button of its property."""
    hidden = layout.row(align=True)
    hidden.scale_y = 0.001
    hidden.emboss = "NONE"
    for joint in joints:
        if not joint.data.leader:
            hidden.prop(joint.bone, joint.data_path, index=1, text="")


class URDF_RIG_PT_verify(RobotSection, bpy.types.Panel):
    """Does the rig do what the description says?"""

    bl_label = "Verification"
    bl_idname = "URDF_RIG_PT_verify"
    bl_order = Place.VERIFY

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the button and the last result."""
        layout = self.layout
        layout.operator("urdf_rig.verify", icon="CHECKMARK")
        rig = active_rig(context)
        data = armature_data(armature_of(rig))
        if not data.verified:
            layout.label(text="Not verified yet", icon="INFO")
            return
        column = layout.column(align=True)
        column.alert = not data.verify_passed
        column.label(
            text="Passed" if data.verify_passed else "Failed", icon="CHECKMARK" if data.verify_passed else "ERROR"
        )
        for line in data.verify_text.splitlines()[:_LINES]:
            draw_text(column, context, line)


register, unregister = class_registration(URDF_RIG_PT_robot, URDF_RIG_PT_joints, URDF_RIG_PT_verify)
