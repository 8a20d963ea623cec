# SPDX-License-Identifier: GPL-3.0-or-later
"""``convert``: a robot description into a .blend, or through Blender's exporters into another format."""

from __future__ import annotations

import json
import sys
import time
from argparse import Namespace
from pathlib import Path

from ..core.diagnostics import Diagnostic, Diagnostics, Level
from ..core.errors import ModelError, RigError
from .session import blender_session  # first: it says what to do where there is no Blender

# isort: split
import bpy

from ..addon.importer import Imported, import_robot
from ..addon.rig import set_joint_values
from ..addon.verify import verify_rig
from .export import check_output, write
from .options import import_options
from .preview import render_preview
from .progress import ProgressLine
from .report import make_report, rig_counts


def run(arguments: Namespace) -> int:
    """Convert one description; return 0, or 3 where the result was written but failed verification."""
    check_output(arguments.output)
    for extra in (arguments.preview, arguments.report):
        if extra is not None and not extra.absolute().parent.is_dir():
            raise ModelError(f"the folder of {extra} does not exist")
    started = time.perf_counter()
    progress = ProgressLine()
    try:
        with blender_session() as context:
            return _convert(context, arguments, progress, started)
    finally:
        progress.close()


def _convert(context: bpy.types.Context, arguments: Namespace, progress: ProgressLine, started: float) -> int:
    options = import_options(arguments)
    imported = import_robot(context, arguments.input, options, lambda share, text: progress(0.7 * share, text))
    remarks = Diagnostics(str(arguments.input))
    remarks.extend(imported.diagnostics)
    _pose(imported, dict(arguments.values), remarks)
    context.view_layer.update()
    seconds = dict(imported.seconds)
    result = None
    at = time.perf_counter()
    if arguments.verify:
        progress(0.75, "Verifying")
        result = verify_rig(context, imported.rig, arguments.verify)
    seconds["verify"] = time.perf_counter() - at
    at = time.perf_counter()
    progress(0.85, f"Writing {arguments.output.name}")
    write(context, imported.rig, arguments.output)
    seconds["write"] = time.perf_counter() - at
    robot = imported.plan.robot
    counts = rig_counts(robot, imported.rig)
    if arguments.preview is not None:
        progress(0.9, "Rendering the preview")
        render_preview(context, imported.rig, arguments.preview)
    seconds["total"] = time.perf_counter() - started
    if arguments.report is not None:
        report = make_report(arguments.input, arguments.output, robot, counts, seconds, result, remarks)
        _save_text(arguments.report, json.dumps(report, indent=1, ensure_ascii=False))
    progress.close()
    _say(arguments, counts, list(remarks), seconds["total"])
    if result is None:
        return 0
    if result.passed:
        print(
            f"verified: {result.links} links in {result.samples} poses, largest error "
            f"{result.max_position_error:.2g} m, {result.max_rotation_error:.2g} rad",
            file=sys.stderr,
        )
        return 0
    for problem in result.problems[:10]:
        print(f"not verified: {problem}", file=sys.stderr)
    return 3


def _pose(imported: Imported, values: dict[str, float], remarks: Diagnostics) -> None:
    set_joint_values(imported.rig, values)
    for name, value in values.items():
        limits = imported.plan.robot.joint(name).range
        if limits is not None and not limits[0] <= value <= limits[1]:
            remarks.warning(
                f"{value:g} is outside the range {limits[0]:g} .. {limits[1]:g} and was clamped", 0, f"joint {name!r}"
            )


def _save_text(path: Path, text: str) -> None:
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise RigError(f"{path} cannot be written: {error.strerror}") from error


def _say(arguments: Namespace, counts: dict[str, int], remarks: list[Diagnostic], seconds: float) -> None:
    for item in remarks:
        if item.level is not Level.INFO:
            print(f"{item.level.value}: {item}", file=sys.stderr)
    print(
        f"{arguments.output}: {counts['links']} links, {counts['dofs']} free joints, {counts['visuals']} visuals, "
        f"{counts['triangles']} triangles in {seconds:.1f} s",
        file=sys.stderr,
    )
