# SPDX-License-Identifier: GPL-3.0-or-later
"""``verify``: rigs of a .blend, or the rig that a description gives, against forward kinematics."""

from __future__ import annotations

import json
import sys
import time
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from ..core.errors import UrdfRigError
from .session import blender_session  # first: it says what to do where there is no Blender

# isort: split
import bpy

from ..addon.importer import import_robot
from ..addon.rig import robot_of, set_joint_values
from ..addon.verify import verify_rig
from .blend_file import open_blend, rigs_in
from .options import import_options
from .report import make_report, rig_counts


def run(arguments: Namespace) -> int:
    """Verify a file; return 0, or 3 where a rig fails."""
    with blender_session() as context:
        if arguments.input.suffix.lower() == ".blend":
            reports = _verify_blend(arguments.input, arguments.samples)
        else:
            reports = [_verify_description(context, arguments)]
    # the worst first: what a caller reads at the top level is what needs attention
    reports.sort(key=_passed)
    if arguments.json:
        print(json.dumps({**reports[0], "rigs": reports}, ensure_ascii=False))
    else:
        for report in reports:
            _say(report)
    return 0 if _passed(reports[0]) else 3


def _passed(report: Mapping[str, object]) -> bool:
    result = report["verify"]
    return isinstance(result, dict) and bool(result["passed"])


def _verify_blend(path: Path, samples: int) -> list[dict[str, object]]:
    context = open_blend(path)
    reports = []
    for rig in rigs_in(context, path).values():
        started = time.perf_counter()
        robot = robot_of(rig)
        result = verify_rig(context, rig, samples)
        seconds = {"verify": time.perf_counter() - started}
        reports.append(make_report(path, None, robot, rig_counts(robot, rig), seconds, result, robot.diagnostics))
    return reports


def _verify_description(context: bpy.types.Context, arguments: Namespace) -> dict[str, object]:
    options = import_options(arguments)
    started = time.perf_counter()
    imported = import_robot(context, arguments.input, options)
    set_joint_values(imported.rig, dict(arguments.values))
    at = time.perf_counter()
    result = verify_rig(context, imported.rig, arguments.samples)
    now = time.perf_counter()
    seconds = {**imported.seconds, "verify": now - at, "total": now - started}
    robot = imported.plan.robot
    counts = rig_counts(robot, imported.rig)
    return make_report(arguments.input, None, robot, counts, seconds, result, imported.diagnostics)


def _say(report: dict[str, object]) -> None:
    result = report["verify"]
    if not isinstance(result, dict):
        raise UrdfRigError("the report holds no verification")
    word = "verified" if result["passed"] else "not verified"
    print(
        f"{report['robot']}: {word}, {result['links']} links in {result['samples']} poses, "
        f"largest error {result['max_position_error']:.2g} m, {result['max_rotation_error']:.2g} rad",
        file=sys.stdout,
    )
    for problem in result["problems"]:
        print(f"  {problem}")
