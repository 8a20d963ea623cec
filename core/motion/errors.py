# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with a recorded motion, and where."""

from __future__ import annotations

from ..errors import UrdfRigError


class MotionError(UrdfRigError):
    """A recording of joint values that cannot be read, used or written.

    Args:
        message: What is wrong.
        file: Path of the recording, or empty.
        line: 1-based line in the file, or 0 where it is not known.
        column: 1-based character of the line in JSON and YAML, cell of the line in CSV, or 0.
        element: The entry concerned, such as ``points[3].positions``.
    """

    def __init__(self, message: str, *, file: str = "", line: int = 0, column: int = 0, element: str = "") -> None:
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.element = element
        place = ":".join(str(part) for part in (file, line, column) if part)
        super().__init__(": ".join(part for part in (place, element, message) if part))
