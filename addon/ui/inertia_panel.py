# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar's section on masses."""

from __future__ import annotations

import bpy

from ...core.errors import UrdfRigError
from ...core.kinematics import total_mass
from ...core.model import Robot
from ..build.inertia import inertia_objects
from ..classes import class_registration
from ..properties import bone_data
from ..rig import active_rig, armature_of, robot_of
from .section import RobotSection


class URDF_RIG_PT_inertia(RobotSection, bpy.types.Panel):
    """Masses of the robot and of the active bone's link"""

    bl_label = "Inertia"
    bl_idname = "URDF_RIG_PT_inertia"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the masses and the button."""
        layout = self.layout
        rig = active_rig(context)
        try:
            robot = robot_of(rig)
        except UrdfRigError:
            layout.label(text="The stored description is damaged", icon="ERROR")
            return
        layout.label(text=f"Total mass: {total_mass(robot):.6g} kg")
        bone = armature_of(rig).bones.active
        if bone is not None:
            _draw_link(layout.column(align=True), robot, bone_data(bone).link)
        if inertia_objects(rig):
            layout.operator("urdf_rig.show_inertia", text="Hide Inertia", icon="HIDE_ON")
        else:
            layout.operator("urdf_rig.show_inertia", text="Show Inertia", icon="HIDE_OFF")


def _draw_link(layout: bpy.types.UILayout, robot: Robot, name: str) -> None:
    inertial = next((link.inertial for link in robot.links if link.name == name), None)
    layout.label(text=name, icon="BONE_DATA", translate=False)
    if inertial is None:
        layout.label(text="Mass: none given")
        return
    x, y, z = inertial.origin.xyz
    layout.label(text=f"Mass: {inertial.mass:.6g} kg")
    layout.label(text=f"Center of mass: {x:.4g}, {y:.4g}, {z:.4g} m")


register, unregister = class_registration(URDF_RIG_PT_inertia)
