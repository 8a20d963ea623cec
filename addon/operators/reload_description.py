# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a changed description onto a rig."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, StringProperty

from ...core.diagnostics import Level
from ...core.errors import UrdfRigError
from ..classes import class_registration
from ..preferences import package_folders
from ..properties import armature_data
from ..rebuild.reload import described, reload_description, reload_options
from ..rig import active_rig, armature_of
from .on_robot import OnLocalRobot

_SHOWN = 5


class URDF_RIG_OT_reload_description(OnLocalRobot, bpy.types.Operator):
    """Read the robot's description again, or that of another file. Motion, goals and what the robot carries are kept"""

    bl_idname = "urdf_rig.reload_description"
    bl_label = "Reload Description"
    bl_options = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        filepath: str
        choose: bool
        package_path: str
        meshes: bool
    else:
        filepath: StringProperty(
            name="File",
            subtype="FILE_PATH",
            description="The description. Empty: the file that the robot was read from",
            options={"SKIP_SAVE"},
        )
        choose: BoolProperty(name="Choose", description="Ask for the file", options={"HIDDEN", "SKIP_SAVE"})
        filter_glob: StringProperty(default="*.urdf;*.xacro", options={"HIDDEN"})
        package_path: StringProperty(
            name="Package Folder",
            subtype="DIR_PATH",
            description="A folder that holds packages, beside those of the import and those in the preferences",
        )
        meshes: BoolProperty(
            name="Read Meshes Again",
            description="Read all mesh files again, not only those whose description has changed",
        )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the file where that is wanted or needed."""
        source = armature_data(armature_of(active_rig(context))).source
        if self.filepath or (source and not self.choose):
            return self.execute(context)
        self.filepath = source
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Read the description of the active robot."""
        rig = active_rig(context)
        options = reload_options(rig)
        own = (Path(bpy.path.abspath(self.package_path)),) if self.package_path else ()
        folders = dict.fromkeys((*own, *options.package_paths, *package_folders(context)))
        options = replace(options, package_paths=tuple(folders))
        try:
            done = reload_description(rig, self.filepath or None, context, options=options, meshes=self.meshes)
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        warnings = [str(item) for item in done.diagnostics if item.level is not Level.INFO]
        for text in (*done.remarks, *warnings[:_SHOWN]):
            self.report({"WARNING"}, text)
        lines = described(done)
        more = f" … and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""
        self.report({"INFO"}, f"Reloaded: {'; '.join(lines[:_SHOWN])}{more}")
        return {"FINISHED"}


register, unregister = class_registration(URDF_RIG_OT_reload_description)
