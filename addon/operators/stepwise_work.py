# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators whose work takes long: a bit of it between two redraws, with a bar, and Esc cancels."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import TYPE_CHECKING

import bpy

_SLICE = 0.05  # seconds of work between two redraws


def _show_progress(context: bpy.types.Context, share: float, text: str) -> None:
    """Show a bar in the status bar."""

    def draw(header: bpy.types.Header, _context: bpy.types.Context) -> None:
        row = header.layout.row()
        row.ui_units_x = 24
        row.progress(text=f"{text}   (Esc cancels)", factor=share)

    context.workspace.status_text_set(draw)


class StepwiseWork:
    """Mixed into operators whose ``execute`` returns ``start_work``.

    Attributes:
        cancelled: What to report when the user stops it.
    """

    cancelled = "Cancelled"
    if TYPE_CHECKING:
        options: bpy.types.OperatorOptions

        def report(self, kind: set[str], message: str) -> None:
            """Say something; of ``bpy.types.Operator``."""

    def work_result(self) -> set[str]:
        """Return what the operator returns when its work is done; it may say first how that went."""
        return {"FINISHED"}

    def start_work(self, context: bpy.types.Context, work: Generator[tuple[float, str], None, None]) -> set[str]:
        """Do the work, from now on if there is a window, else at once.

        Args:
            context: The context.
            work: Yields the share done, 0 to 1, and what is being done. It reports errors itself.
        """
        self._work = work
        if context.window is not None and self.options.is_invoke:
            manager = context.window_manager
            self._timer = manager.event_timer_add(0.01, window=context.window)
            manager.modal_handler_add(self)  # type: ignore[arg-type]  # it is mixed into an operator
            return {"RUNNING_MODAL"}
        for share, _text in work:
            context.window_manager.progress_update(share)
        return self.work_result()

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Go on with the work; everything but Esc and the timer waits until it is done."""
        if event.type == "ESC":
            self._work.close()
            self.report({"WARNING"}, self.cancelled)
            return self._end(context, {"CANCELLED"})
        if event.type == "TIMER":
            until = time.monotonic() + _SLICE
            for share, text in self._work:
                _show_progress(context, share, text)
                if time.monotonic() > until:
                    return {"RUNNING_MODAL"}
            return self._end(context, self.work_result())
        return {"RUNNING_MODAL"}

    def _end(self, context: bpy.types.Context, result: set[str]) -> set[str]:
        context.window_manager.event_timer_remove(self._timer)
        context.workspace.status_text_set(None)
        return result
