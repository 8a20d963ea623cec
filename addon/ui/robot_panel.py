# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar tab "Robot": joint sliders and verification."""

from __future__ import annotations

from textwrap import wrap

import bpy

from ..classes import class_registration
from ..handlers import define_soon
from ..ik.goals import goals_of
from ..ik.settings import pin_data
from ..motion.findings import offending_joints
from ..properties import SCHEMA_VERSION, armature_data, window_data
from ..rig import JointBone, active_rig, armature_of, joint_bones
from ..sliders import slider_name
from .section import RobotSection, RobotTab

_CHARACTER_WIDTH = 6.5  # in the units of Blender's interface, on average
_LINES = 6
_FEWEST = 24  # characters in a line


class URDF_RIG_PT_robot(RobotTab, bpy.types.Panel):
    """The active robot"""

    bl_label = "Robot"
    bl_idname = "URDF_RIG_PT_robot"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw what the robot is, or how to get one."""
        layout = self.layout
        rig = active_rig(context)
        if rig is None:
            layout.label(text="No robot selected.", icon="INFO")
            layout.operator("urdf_rig.import_robot", text="Import Robot…", icon="IMPORT")
            return
        data = armature_data(armature_of(rig))
        layout.label(text=data.robot, icon="ARMATURE_DATA", translate=False)
        column = layout.column(align=True)
        column.label(text=f"Base: {data.base}", translate=False)
        if data.schema_version > SCHEMA_VERSION:
            column.label(text="Made by a newer URDF Rig: update it", icon="ERROR")


class URDF_RIG_PT_joints(RobotSection, bpy.types.Panel):
    """One slider for each free joint"""

    bl_label = "Joints"
    bl_idname = "URDF_RIG_PT_joints"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the sliders."""
        layout = self.layout
        rig = active_rig(context)
        state = window_data(context.window_manager)
        row = layout.row(align=True)
        row.prop(state, "filter", text="", icon="VIEWZOOM")
        row.operator("urdf_rig.reset_joints", text="", icon="LOOP_BACK")
        wanted = state.filter.strip().lower()
        column = layout.column(align=True)
        joints = joint_bones(rig)
        _attach_dots(column, joints)
        pins = bool(goals_of(rig, context.view_layer))
        offending = offending_joints(rig, context.scene.frame_current_final)
        for joint in joints:
            if wanted in joint.data.joint.lower():
                _draw_joint(column, joint, context.scene, pins, joint.data.joint in offending)
        if not joints:
            column.label(text="This robot has no moving joints", icon="INFO")


def _draw_joint(layout: bpy.types.UILayout, joint: JointBone, scene: bpy.types.Scene, pins: bool, alert: bool) -> None:
    name = slider_name(joint, scene)
    if name is None:  # a rig appended or linked just now, or another scene unit
        define_soon()
        layout.label(text=joint.data.joint, translate=False)
        return
    row = layout.row(align=True)
    leader = joint.data.leader
    value = row.row(align=True)
    value.enabled = not leader
    value.alert = alert
    text = f"{joint.data.joint} ← {leader}" if leader else joint.data.joint
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

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the button and the last result."""
        layout = self.layout
        layout.operator("urdf_rig.verify", icon="CHECKMARK")
        rig = active_rig(context)
        data = armature_data(armature_of(rig))
        if not data.verified:
            layout.label(text="Not verified yet")
            return
        column = layout.column(align=True)
        column.alert = not data.verify_passed
        column.label(
            text="Passed" if data.verify_passed else "Failed", icon="CHECKMARK" if data.verify_passed else "ERROR"
        )
        for line in data.verify_text.splitlines()[:_LINES]:
            for part in wrap(line, _wrap_width(context)):
                column.label(text=part, translate=False)


def _wrap_width(context: bpy.types.Context) -> int:
    """Return about how many characters fit beside each other in the region."""
    width = context.region.width / context.preferences.system.ui_scale if context.region is not None else 0.0
    return max(_FEWEST, int((width - 60.0) / _CHARACTER_WIDTH))


register, unregister = class_registration(URDF_RIG_PT_robot, URDF_RIG_PT_joints, URDF_RIG_PT_verify)
