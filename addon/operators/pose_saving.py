# SPDX-License-Identifier: GPL-3.0-or-later
"""Saving, renaming and removing poses, and making assets of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, StringProperty

from ...core.errors import UrdfRigError
from ..classes import class_registration
from ..poses.asset import make_pose_asset
from ..poses.named import find_pose, remove_pose, rename_pose, save_pose
from ..poses.settings import poses_data
from ..rig import active_rig
from .on_robot import OnLocalRobot


def _free_name(rig: bpy.types.Object, stem: str) -> str:
    names = {item.name for item in poses_data(rig).poses}
    return next(name for name in (stem, *(f"{stem} {n}" for n in range(2, len(names) + 3))) if name not in names)


def _saved_names(_operator: object, context: bpy.types.Context, text: str) -> list[str]:
    rig = active_rig(context)
    names = [] if rig is None else [item.name for item in poses_data(rig).poses]
    return [name for name in names if text.lower() in name.lower()]


class URDF_RIG_OT_save_pose(OnLocalRobot, bpy.types.Operator):
    """Save the values of all joints as a pose. A pose of that name is replaced"""

    bl_idname = "urdf_rig.save_pose"
    bl_label = "Save Pose"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        name: str
    else:
        name: StringProperty(
            name="Name",
            default="Pose",
            description="The pose's name",
            search=_saved_names,
            search_options={"SUGGESTION"},
        )

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Ask for the name."""
        self.name = _free_name(active_rig(context), "Pose")
        return set(context.window_manager.invoke_props_dialog(self, confirm_text="Save"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Save it."""
        try:
            replaced = save_pose(active_rig(context), self.name)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{'Replaced' if replaced else 'Saved'} {self.name.strip()}")
        return {"FINISHED"}


class URDF_RIG_OT_rename_pose(OnLocalRobot, bpy.types.Operator):
    """Give a saved pose another name"""

    bl_idname = "urdf_rig.rename_pose"
    bl_label = "Rename Pose"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        name: str
        new_name: str
    else:
        name: StringProperty(name="Pose", description="The pose", search=_saved_names, options={"SKIP_SAVE"})
        new_name: StringProperty(name="New Name", description="What it is called then", options={"SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Ask for the name."""
        self.new_name = self.new_name or self.name
        return set(context.window_manager.invoke_props_dialog(self, confirm_text="Rename"))

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the new name."""
        self.layout.prop(self, "new_name")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Rename it."""
        try:
            rename_pose(active_rig(context), self.name, self.new_name)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class URDF_RIG_OT_remove_pose(OnLocalRobot, bpy.types.Operator):
    """Remove a saved pose"""

    bl_idname = "urdf_rig.remove_pose"
    bl_label = "Remove Pose"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        name: str
    else:
        name: StringProperty(name="Pose", description="The pose", search=_saved_names, options={"SKIP_SAVE"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it."""
        try:
            remove_pose(active_rig(context), self.name)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class URDF_RIG_OT_make_pose_asset(OnLocalRobot, bpy.types.Operator):
    """Make an action of a pose and mark it as an asset, so that Blender's pose library can apply and blend it"""

    bl_idname = "urdf_rig.make_pose_asset"
    bl_label = "Make Pose Asset"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        name: str
        group: str
        srdf: bool
    else:
        name: StringProperty(name="Pose", description="The pose's name", options={"SKIP_SAVE"})
        group: StringProperty(name="Group", description="The group of a pose of the SRDF file", options={"SKIP_SAVE"})
        srdf: BoolProperty(
            name="Of the SRDF File", description="Whether the pose is one of the SRDF file", options={"SKIP_SAVE"}
        )

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make it."""
        rig = active_rig(context)
        try:
            action = make_pose_asset(context, rig, find_pose(rig, self.name, self.group, srdf=self.srdf))
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"{action.name} is in this file's assets")
        return {"FINISHED"}


register, unregister = class_registration(
    URDF_RIG_OT_save_pose,
    URDF_RIG_OT_rename_pose,
    URDF_RIG_OT_remove_pose,
    URDF_RIG_OT_make_pose_asset,
)
