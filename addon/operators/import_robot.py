# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > Robot, and the same by drag and drop."""

from __future__ import annotations

import time
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
from .verify import remember

_SHOWN = 5
_SLICE = 0.05  # seconds of work between two redraws


def _show_progress(context: bpy.types.Context, share: float, text: str) -> None:
    """Show a bar in the status bar."""

    def draw(header: bpy.types.Header, _context: bpy.types.Context) -> None:
        row = header.layout.row()
        row.ui_units_x = 24
        row.progress(text=f"{text}   (Esc cancels)", factor=share)

    context.workspace.status_text_set(draw)


class URDF_RIG_OT_import_robot(bpy.types.Operator, ImportHelper, ImportOptionsMixin):
    """Import a robot description (URDF or xacro) as an armature that moves as the robot does"""

    bl_idname = "urdf_rig.import_robot"
    bl_label = "Import Robot"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filename_ext = ".urdf"

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
        self._work = self._all(context, paths)
        if context.window is not None and self.options.is_invoke:
            # a mesh at a time, so that the window stays alive and Esc cancels
            manager = context.window_manager
            self._timer = manager.event_timer_add(0.01, window=context.window)
            manager.modal_handler_add(self)
            return {"RUNNING_MODAL"}
        for share, _text in self._work:
            context.window_manager.progress_update(share)
        return self._result()

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Go on with the import; everything but Esc and the timer waits until it is done."""
        if event.type == "ESC":
            self._work.close()
            self.report({"WARNING"}, "Import cancelled; nothing was added")
            return self._end(context, {"CANCELLED"})
        if event.type == "TIMER":
            until = time.monotonic() + _SLICE
            for share, text in self._work:
                _show_progress(context, share, text)
                if time.monotonic() > until:
                    return {"RUNNING_MODAL"}
            return self._end(context, self._result())
        return {"RUNNING_MODAL"}

    def _end(self, context: bpy.types.Context, result: set[str]) -> set[str]:
        context.window_manager.event_timer_remove(self._timer)
        context.workspace.status_text_set(None)
        return result

    def _result(self) -> set[str]:
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
