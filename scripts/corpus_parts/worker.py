# SPDX-License-Identifier: GPL-3.0-or-later
"""The child process: imports and verifies descriptions in one Blender, one JSON line for each.

Errors of the project's own kind are results. Anything else ends the process, which the parent notices.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any, NoReturn, TextIO

import bpy

from urdf_rig.addon.importer import ImportOptions, import_robot
from urdf_rig.addon.verify import verify_rig
from urdf_rig.cli.report import make_report, rig_counts
from urdf_rig.cli.session import extension_registered
from urdf_rig.core.diagnostics import Diagnostic
from urdf_rig.core.errors import UrdfError, UrdfRigError


def work() -> NoReturn:
    """Do the jobs that stdin gives as one JSON object: ``paths`` and the number of ``poses``."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what Blender says is not for the parent
    job = json.load(sys.stdin)
    with extension_registered():
        for path in job["paths"]:
            _tell(out, {"start": path})
            _tell(out, {"path": path, **_result(Path(path), int(job["poses"]))})
    sys.stdout.flush()
    os._exit(0)  # some versions of bpy crash in Python's own way out


def _tell(out: TextIO, message: dict[str, Any]) -> None:
    print(json.dumps(message), file=out, flush=True)


def _result(path: Path, poses: int) -> dict[str, Any]:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True, load_ui=False)
    context = bpy.context
    started = time.perf_counter()
    try:
        imported = import_robot(context, path, ImportOptions())
        seconds = {**imported.seconds, "total": time.perf_counter() - started}
        verified = verify_rig(context, imported.rig, poses)
    except UrdfRigError as error:
        remarks: tuple[Diagnostic, ...] = error.diagnostics if isinstance(error, UrdfError) else ()
        reason = error.message if isinstance(error, UrdfError) else str(error)
        place = f":{error.line}" if isinstance(error, UrdfError) and error.line else ""
        return {"refused": reason, "line": place, "diagnostics": [item.as_dict() for item in remarks]}
    robot = imported.plan.robot
    counts = rig_counts(robot, imported.rig)
    return make_report(path, None, robot, counts, seconds, verified, imported.diagnostics)
