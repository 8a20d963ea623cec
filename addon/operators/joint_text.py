# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint values to and from the clipboard, and at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty

from ...core.errors import RigError, UrdfRigError
from ...core.poses import joint_text, parse_joint_text, random_values
from ..classes import class_registration
from ..keying import key_joints_if_wanted
from ..poses.joint_state import joint_state, joints_of_selected_bones, set_joint_state
from ..rig import active_rig, robot_of
from .on_robot import OnLocalRobot, OnRobot


class URDF_RIG_OT_copy_joints(OnRobot, bpy.types.Operator):
    """Copy the values of all joints to the clipboard, in radians and metres"""

    bl_idname = "urdf_rig.copy_joints"
    bl_label = "Copy Joint Values"

    if TYPE_CHECKING:
        form: str
    else:
        form: EnumProperty(
            name="Form",
            items=(
                ("JSON", "JSON", "A JSON object"),
                ("PYTHON", "Python", "A Python dict"),
                ("YAML", "YAML", "A YAML mapping, as ROS tools read it"),
            ),
            description="How the values are written",
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Copy them."""
        try:
            values = joint_state(active_rig(context))
            context.window_manager.clipboard = joint_text(values, self.form)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"Copied {len(values)} joint values")
        return {"FINISHED"}


class URDF_RIG_OT_paste_joints(OnLocalRobot, bpy.types.Operator):
    """Set joints to the values in the clipboard: JSON, a Python dict or YAML, in radians and metres"""

    bl_idname = "urdf_rig.paste_joints"
    bl_label = "Paste Joint Values"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        text: str
        degrees: bool
    else:
        text: StringProperty(
            name="Text", description="The text to read. Empty: the clipboard's", options={"SKIP_SAVE", "HIDDEN"}
        )
        degrees: BoolProperty(name="Degrees", description="Angles in the text are in degrees, not in radians")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Set them."""
        rig = active_rig(context)
        try:
            # kept, so that changing an option afterwards reads the same text
            self.text = self.text or context.window_manager.clipboard
            fitted = set_joint_state(rig, parse_joint_text(self.text), degrees=self.degrees)
            joints = {**fitted.values, **fitted.spatial}
            if not joints:
                raise RigError("; ".join(fitted.remarks))
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        key_joints_if_wanted(context, rig, joints)
        for remark in fitted.remarks:
            self.report({"WARNING"}, remark[:1].upper() + remark[1:])
        self.report({"INFO"}, f"Set {len(joints)} joints")
        return {"FINISHED"}


class URDF_RIG_OT_randomize_joints(OnLocalRobot, bpy.types.Operator):
    """Set the joints to random values within their limits"""

    bl_idname = "urdf_rig.randomize_joints"
    bl_label = "Randomize"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        seed: int
        selected: bool
    else:
        seed: IntProperty(name="Seed", default=0, min=0, description="Which random values")
        selected: BoolProperty(name="Selected Bones", description="Only the joints of the bones selected in Pose Mode")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Set them."""
        rig = active_rig(context)
        try:
            joints = joints_of_selected_bones(context, rig) if self.selected else None
            values = random_values(robot_of(rig), self.seed, joints)
            set_joint_state(rig, values)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        key_joints_if_wanted(context, rig, values)
        return {"FINISHED"}


register, unregister = class_registration(
    URDF_RIG_OT_copy_joints, URDF_RIG_OT_paste_joints, URDF_RIG_OT_randomize_joints
)
