# SPDX-License-Identifier: GPL-3.0-or-later
"""Entry point of ``urdf-rig``: exit status 0 done, 1 input refused, 2 wrong usage, 3 written but not verified."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import NoReturn

from ..core.errors import ModelError, UrdfError, UrdfRigError
from .arguments import USAGE_STATUS, make_parser

DONE, REFUSED, NOT_VERIFIED = 0, 1, 3
UNREAD = 141
"""As for programs that the signal SIGPIPE ends."""


def _command(name: str) -> Callable[[Namespace], int]:
    # imported when asked for: inspect must not need Blender, and should start fast
    if name == "inspect":
        from .inspect import run
    elif name == "ik":
        from .ik import run
    elif name == "frames":
        from .frames import run
    elif name == "export-motion":
        from .export_motion import run
    elif name == "play-motion":
        from .play_motion import run
    elif name == "check-motion":
        from .check_motion import run
    elif name == "convert":
        from .convert import run
    else:
        from .verify import run
    return run


def main(argv: Sequence[str] | None = None, program: str = "urdf-rig") -> int:
    """Run one subcommand and return its exit status; bad input is one line on stderr, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # names are not limited to the platform's encoding
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        arguments = make_parser(program).parse_args(argv)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else USAGE_STATUS
    try:
        return _command(arguments.command)(arguments)
    except UrdfRigError as error:
        if getattr(arguments, "json", False):
            print(json.dumps(refusal(error), ensure_ascii=False))
        print(f"{program}: {error}", file=sys.stderr)
        return USAGE_STATUS if isinstance(error, ModelError) else REFUSED
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return 130


def refusal(error: UrdfRigError) -> dict[str, object]:
    """Return the JSON object that says why an input is refused."""
    remarks = [item.as_dict() for item in error.diagnostics] if isinstance(error, UrdfError) else []
    place = {"file": "", "line": 0, "element": ""}
    if isinstance(error, UrdfError):
        place = {"file": error.file, "line": error.line, "element": error.element}
    remarks.append({"level": "error", "message": str(error), **place})
    return {"error": str(error), "diagnostics": remarks}


def entry() -> NoReturn:
    """Run as a program.

    The bpy wheels of some versions crash while Python shuts down, after all work is done and all files are written
    (4.2: a factory start-up, then a glTF export). The exit status is a promise, so the process ends here.
    """
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read has had enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = UNREAD
    sys.stderr.flush()
    blender = sys.modules.get("bpy")
    if blender is not None and not blender.app.binary_path:  # the wheel, not the application
        os._exit(status)
    sys.exit(status)


if __name__ == "__main__":
    entry()
