# SPDX-License-Identifier: GPL-3.0-or-later
"""A progress line on a terminal; nothing where stderr is a file or a pipe."""

from __future__ import annotations

import shutil
import sys

_BAR = 24


class ProgressLine:
    """One line on stderr that is written over until ``close``."""

    def __init__(self) -> None:
        self._stream = sys.stderr
        self._shown = self._stream.isatty()

    def __call__(self, share: float, text: str) -> None:
        """Show the share done, 0..1, and what is being done."""
        if self._shown:
            filled = round(_BAR * min(max(share, 0.0), 1.0))
            line = f"[{'#' * filled}{'.' * (_BAR - filled)}] {share:4.0%} {text}"
            width = shutil.get_terminal_size().columns - 1
            self._stream.write("\r" + line[:width].ljust(width))
            self._stream.flush()

    def close(self) -> None:
        """Clear the line."""
        if self._shown:
            self._stream.write("\r" + " " * (shutil.get_terminal_size().columns - 1) + "\r")
            self._stream.flush()
