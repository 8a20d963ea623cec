# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar's section on masses."""

from __future__ import annotations

import bpy

from ...core.errors import UrdfRigError
from ...core.kinematics import total_mass
from ...core.model import Robot
from ..build.inertia import inertia_objects
from ..classes import class_registration
from ..display_units import display_units
from ..properties import bone_data
from ..rig import active_rig, armature_of, robot_of
from .section import Place, RobotSection


class URDF_RIG_PT_inertia(RobotSection, bpy.types.Panel):
    """Masses of the robot and of the active bone's link"""

    bl_label = "Inertia"
    bl_idname = "URDF_RIG_PT_inertia"
    bl_order = Place.INERTIA
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
        layout.label(text=f"Total mass: {_mass(context.scene, total_mass(robot))}", translate=False)
        bone = armature_of(rig).bones.active
        if bone is not None:
            _draw_link(layout.column(align=True), context.scene, robot, bone_data(bone).link)
        if inertia_objects(rig):
            layout.operator("urdf_rig.show_inertia", text="Hide Inertia", icon="HIDE_ON")
        else:
            layout.operator("urdf_rig.show_inertia", text="Show Inertia", icon="HIDE_OFF")


def _mass(scene: bpy.types.Scene, mass: float) -> str:
    units = display_units(scene)
    return f"{mass * units.mass:.6g} {units.mass_name}"


def _draw_link(layout: bpy.types.UILayout, scene: bpy.types.Scene, robot: Robot, name: str) -> None:
    inertial = next((link.inertial for link in robot.links if link.name == name), None)
    layout.label(text=name, icon="BONE_DATA", translate=False)
    if inertial is None:
        layout.label(text="Mass: none given")
        return
    units = display_units(scene)
    layout.label(text=f"Mass: {_mass(scene, inertial.mass)}", translate=False)
    layout.label(text=f"Center of mass ({units.length_name}):", translate=False)
    layout.label(text=", ".join(f"{value * units.length:.4g}" for value in inertial.origin.xyz), translate=False)


register, unregister = class_registration(URDF_RIG_PT_inertia)
