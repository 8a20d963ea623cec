# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > Robot, and the same by drag and drop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ImportHelper, poll_file_object_drop

from ...core.diagnostics import Diagnostic, Level
from ...core.errors import UrdfRigError
from ..classes import class_registration
from ..importer import ImportOptions, import_robot
from ..preferences import package_folders
from ..verify import verify_rig
from .verify import remember

_SHOWN = 5


class URDF_RIG_OT_import_robot(bpy.types.Operator, ImportHelper):
    """Import a robot description (URDF) as an armature that moves as the robot does"""

    bl_idname = "urdf_rig.import_robot"
    bl_label = "Import Robot"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filename_ext = ".urdf"

    if TYPE_CHECKING:
        filepath: str  # of ImportHelper
        directory: str
        files: list[bpy.types.OperatorFileListElement]
        base: str
        package_path: str
        visuals: bool
        collisions: bool
        dae_up_axis: str
        verify: bool
    else:
        filter_glob: StringProperty(default="*.urdf", options={"HIDDEN"})
        directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
        files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})

        base: StringProperty(
            name="Base Link", description="The link that the armature hangs from. Empty: the robot's own root"
        )
        package_path: StringProperty(
            name="Package Folder",
            subtype="DIR_PATH",
            description="A folder that holds packages, beside the folders around the file and those in the preferences",
        )
        visuals: BoolProperty(name="Visuals", default=True, description="Import what the robot looks like")
        collisions: BoolProperty(
            name="Collisions", default=False, description="Import collision shapes as wires, in a hidden collection"
        )
        dae_up_axis: EnumProperty(
            name="COLLADA Up Axis",
            items=(
                ("ignore", "Ignore", "Take coordinates as they are, as RViz and Gazebo do"),
                ("obey", "Obey", "Turn meshes whose file says that Y or X is up"),
            ),
            default="ignore",
        )
        verify: BoolProperty(
            name="Verify",
            default=True,
            description="After the import, pose the rig and compare every link with forward kinematics",
        )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the file, or, for a dropped one, only for the options."""
        return self.invoke_popup(context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Import the robots; what was chosen or dropped may be several files."""
        paths = [Path(self.directory) / item.name for item in self.files if item.name] or [Path(self.filepath)]
        done = [self._import(context, path) for path in paths]
        return {"FINISHED"} if any(done) else {"CANCELLED"}

    def _import(self, context: bpy.types.Context, path: Path) -> bool:
        """Import one robot, report on it, and return whether it is there."""
        folders = [Path(bpy.path.abspath(self.package_path))] if self.package_path else []
        options = ImportOptions(
            base=self.base,
            package_paths=(*folders, *package_folders(context)),
            visuals=self.visuals,
            collisions=self.collisions,
            dae_up_axis=self.dae_up_axis,
        )
        manager = context.window_manager
        manager.progress_begin(0.0, 1.0)
        try:
            imported = import_robot(context, path, options, lambda share, _text: manager.progress_update(share))
        except UrdfRigError as error:
            self.report({"ERROR"}, str(error))
            return False
        finally:
            manager.progress_end()
        self._report(imported.diagnostics)
        robot = imported.plan.robot
        text = f"Imported {robot.name}: {len(robot.links)} links, {len(robot.dofs)} joints"
        if self.verify:
            result = verify_rig(context, imported.rig, samples=5)
            remember(imported.rig, result)
            if not result.passed:
                self.report({"WARNING"}, f"{text}; verification failed: {result.problems[0]}")
                return True
        self.report({"INFO"}, text)
        return True

    def _report(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        warnings = [item for item in diagnostics if item.level is not Level.INFO]
        for item in warnings[:_SHOWN]:
            self.report({"WARNING"}, str(item))
        if len(warnings) > _SHOWN:
            self.report({"WARNING"}, f"… and {len(warnings) - _SHOWN} more remarks")


class URDF_RIG_FH_robot(bpy.types.FileHandler):
    """Robot descriptions dropped into the viewport"""

    bl_idname = "URDF_RIG_FH_robot"
    bl_label = "Robot"
    bl_import_operator = "urdf_rig.import_robot"
    bl_file_extensions = ".urdf"

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        """Whether the pointer is where objects can be dropped."""
        return bool(poll_file_object_drop(context))


def _menu_entry(self: bpy.types.Menu, context: bpy.types.Context) -> None:
    self.layout.operator(URDF_RIG_OT_import_robot.bl_idname, text="Robot (.urdf)")


_register_classes, _unregister_classes = class_registration(URDF_RIG_OT_import_robot, URDF_RIG_FH_robot)


def register() -> None:
    """Register the operator and its menu entry."""
    _register_classes()
    bpy.types.TOPBAR_MT_file_import.append(_menu_entry)  # type: ignore[arg-type]  # the stubs forget the menu itself


def unregister() -> None:
    """Remove both."""
    bpy.types.TOPBAR_MT_file_import.remove(_menu_entry)  # type: ignore[arg-type]
    _unregister_classes()
