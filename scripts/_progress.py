# SPDX-License-Identifier: GPL-3.0-or-later
"""Tell the user what is going on: a line that renews itself on a terminal, plain lines elsewhere."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from typing import TextIO

_FRAMES = "|/-\\"


def is_terminal(stream: TextIO) -> bool:
    """Return whether ``stream`` can redraw a line."""
    return bool(getattr(stream, "isatty", lambda: False)())


class Progress:
    """A context that shows ``title``, the seconds that went by, and the latest detail, on stderr.

    On a terminal one line is redrawn five times a second and wiped at the end. Elsewhere the title is printed at the
    start and the seconds at the end, unless ``quiet``.
    """

    def __init__(self, title: str, *, quiet: bool = False) -> None:
        self._title = title
        self._detail = ""
        self._quiet = quiet
        self._stream = sys.stderr
        self._live = is_terminal(self._stream)
        self._started = time.monotonic()
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._redraw, daemon=True)

    def __enter__(self) -> Progress:
        if self._live:
            self._thread.start()
        elif not self._quiet:
            print(self._title + " …", file=self._stream, flush=True)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._stop.set()
        if self._live:
            self._thread.join()
            self._wipe()
        if not self._quiet and kind is None:
            print(f"{self._title}: done in {self.seconds:.0f} s", file=self._stream, flush=True)

    @property
    def seconds(self) -> float:
        """Seconds since the object was made."""
        return time.monotonic() - self._started

    def detail(self, text: str) -> None:
        """Show ``text`` behind the title from now on."""
        self._detail = text

    def print(self, text: str, stream: TextIO) -> None:
        """Print lasting text without leaving pieces of the status line in it."""
        with self._lock:
            if self._live:
                self._wipe()
            print(text, file=stream, flush=True)

    def _wipe(self) -> None:
        self._stream.write("\r\x1b[K")
        self._stream.flush()

    def _redraw(self) -> None:
        turn = 0
        while not self._stop.wait(0.2):
            turn += 1
            line = f"{_FRAMES[turn % 4]} {self._title} ({self.seconds:.0f} s) {self._detail}"
            with self._lock:
                self._stream.write("\r\x1b[K" + line[: shutil.get_terminal_size().columns - 1])
                self._stream.flush()
