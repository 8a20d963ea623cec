# SPDX-License-Identifier: GPL-3.0-or-later
"""Preferences: folders in which packages are looked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import bpy
from bpy.props import CollectionProperty, IntProperty, StringProperty

from .. import __package__ as base_package
from .classes import class_registration


class URDF_RIG_PG_folder(bpy.types.PropertyGroup):
    """A folder that holds robot packages"""

    if TYPE_CHECKING:
        path: str
    else:
        path: StringProperty(name="Folder", subtype="DIR_PATH", description="Folder that holds robot packages")


class URDF_RIG_OT_add_package_folder(bpy.types.Operator):
    """Add a folder in which package:// names are looked for"""

    bl_idname = "urdf_rig.add_package_folder"
    bl_label = "Add Package Folder"
    bl_options = {"INTERNAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Add an empty row."""
        preferences(context).folders.add()
        return {"FINISHED"}


class URDF_RIG_OT_remove_package_folder(bpy.types.Operator):
    """Remove this folder from the list"""

    bl_idname = "urdf_rig.remove_package_folder"
    bl_label = "Remove Package Folder"
    bl_options = {"INTERNAL"}

    if TYPE_CHECKING:
        index: int
    else:
        index: IntProperty(options={"HIDDEN"})

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove the row."""
        preferences(context).folders.remove(self.index)
        return {"FINISHED"}


class URDF_RIG_AP_preferences(bpy.types.AddonPreferences):
    """Preferences of the extension"""

    bl_idname = base_package

    if TYPE_CHECKING:
        folders: bpy.types.bpy_prop_collection_idprop[URDF_RIG_PG_folder]  # type: ignore[name-defined]  # not in 4.2's stubs
    else:
        folders: CollectionProperty(type=URDF_RIG_PG_folder)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the list of folders."""
        layout = self.layout
        layout.label(text="Folders that hold robot packages", icon="FILE_FOLDER")
        column = layout.column(align=True)
        if not len(self.folders):
            column.label(text="None. Packages around an imported file are found without being listed", icon="INFO")
        for index, folder in enumerate(self.folders):
            row = column.row(align=True)
            row.prop(folder, "path", text="")
            row.operator("urdf_rig.remove_package_folder", text="", icon="X").index = index
        layout.operator("urdf_rig.add_package_folder", icon="ADD", text="Add Package Folder")


def preferences(context: bpy.types.Context) -> URDF_RIG_AP_preferences:
    """Return the extension's preferences."""
    return cast("URDF_RIG_AP_preferences", context.preferences.addons[base_package].preferences)


def package_folders(context: bpy.types.Context) -> tuple[Path, ...]:
    """Return the folders that the user has listed; none where the extension is used as a plain library."""
    if base_package not in context.preferences.addons:
        return ()
    return tuple(Path(bpy.path.abspath(folder.path)) for folder in preferences(context).folders if folder.path)


register, unregister = class_registration(
    URDF_RIG_PG_folder, URDF_RIG_OT_add_package_folder, URDF_RIG_OT_remove_package_folder, URDF_RIG_AP_preferences
)
