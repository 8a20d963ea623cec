# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > Robot, and the same by drag and drop."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import CollectionProperty, StringProperty
from bpy_extras.io_utils import ImportHelper, poll_file_object_drop

from ...core.diagnostics import Diagnostic, Level
from ...core.errors import UrdfRigError
from ..classes import class_registration
from ..importer import Imported, import_stepwise
from ..verify import verify_rig
from .import_options import ImportOptionsMixin
from .stepwise_work import StepwiseWork
from .verify import remember

_SHOWN = 5


class URDF_RIG_OT_import_robot(StepwiseWork, bpy.types.Operator, ImportHelper, ImportOptionsMixin):
    """Import a robot description (URDF or xacro) as an armature that moves as the robot does"""

    bl_idname = "urdf_rig.import_robot"
    bl_label = "Import Robot"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filename_ext = ".urdf"
    cancelled = "Import cancelled; nothing was added"

    if TYPE_CHECKING:
        filepath: str  # of ImportHelper
        directory: str
        files: list[bpy.types.OperatorFileListElement]
    else:
        filter_glob: StringProperty(default="*.urdf;*.xacro", options={"HIDDEN"})
        directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
        files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for the file, or, for a dropped one, only for the options."""
        if self.filepath:
            self.offer_arguments(context, Path(self.filepath))
        return self.invoke_popup(context)

    def check(self, context: bpy.types.Context) -> bool:
        """Look at the file that is chosen now."""
        return self.offer_arguments(context, Path(self.filepath))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the options."""
        self.draw_options(self.layout)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Import the robots; what was chosen or dropped may be several files."""
        paths = [Path(self.directory) / item.name for item in self.files if item.name] or [Path(self.filepath)]
        return self.start_work(context, self._all(context, paths))

    def work_result(self) -> set[str]:
        """Say whether anything was imported."""
        return {"FINISHED"} if self._imported else {"CANCELLED"}

    def _all(self, context: bpy.types.Context, paths: list[Path]) -> Generator[tuple[float, str], None, None]:
        """Import one file after the other; yield the share done, 0..1, and what is being done."""
        self._imported = 0
        options = self.import_options(context)
        for index, path in enumerate(paths):
            steps = import_stepwise(context, path, options)
            try:
                while True:
                    share, text = next(steps)
                    yield (index + share) / len(paths), text
            except StopIteration as stop:
                self._finish(context, stop.value)
            except UrdfRigError as error:
                self.report({"ERROR"}, str(error))
            finally:
                steps.close()

    def _finish(self, context: bpy.types.Context, imported: Imported) -> None:
        """Verify if asked to, and report."""
        self._imported += 1
        self._report(imported.diagnostics)
        robot = imported.plan.robot
        text = f"Imported {robot.name}: {len(robot.links)} links, {len(robot.dofs)} joints"
        if self.verify:
            result = verify_rig(context, imported.rig, samples=5)
            remember(imported.rig, result)
            if not result.passed:
                self.report({"WARNING"}, f"{text}; verification failed: {result.problems[0]}")
                return
        self.report({"INFO"}, text)

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
    bl_file_extensions = ".urdf;.xacro"

    @classmethod
    def poll_drop(cls, context: bpy.types.Context) -> bool:
        """Whether the pointer is where objects can be dropped."""
        return bool(poll_file_object_drop(context))


def _menu_entry(self: bpy.types.Menu, context: bpy.types.Context) -> None:
    self.layout.operator(URDF_RIG_OT_import_robot.bl_idname, text="Robot (.urdf, .xacro)")


_register_classes, _unregister_classes = class_registration(URDF_RIG_OT_import_robot, URDF_RIG_FH_robot)


def register() -> None:
    """Register the operator and its menu entry."""
    _register_classes()
    bpy.types.TOPBAR_MT_file_import.append(_menu_entry)  # type: ignore[arg-type]  # the stubs forget the menu itself


def unregister() -> None:
    """Remove both."""
    bpy.types.TOPBAR_MT_file_import.remove(_menu_entry)  # type: ignore[arg-type]
    _unregister_classes()
