# SPDX-License-Identifier: GPL-3.0-or-later
"""Each robot becomes a rig that does what forward kinematics says, with all its meshes, from its root and elsewhere."""

from __future__ import annotations

import json
import math

import bpy

from urdf_rig.cli.arguments import make_parser
from urdf_rig.cli.convert import run


def test_it_converts_and_verifies(corpus_path, tmp_path):
    report = tmp_path / "report.json"
    arguments = ["convert", str(corpus_path), str(tmp_path / "robot.blend"), "--verify", "20", "--report", str(report)]
    assert run(make_parser().parse_args([*arguments, "--collisions"])) == 0
    data = json.loads(report.read_text())
    assert data["verify"]["passed"]
    assert data["verify"]["links"] == data["counts"]["links"] == data["counts"]["bones"]
    warnings = [item["message"] for item in data["diagnostics"] if item["level"] != "info"]
    lost = [text for text in warnings if "placeholder" in text or "not found" in text or "missing" in text]
    assert lost == []


def test_it_verifies_from_its_farthest_link(corpus_path):
    from urdf_rig.addon.importer import ImportOptions, import_robot
    from urdf_rig.addon.verify import verify_rig
    from urdf_rig.core import load
    from urdf_rig.core.tree import steps_from

    base = steps_from(load(corpus_path))[-1].link
    made = import_robot(bpy.context, corpus_path, ImportOptions(base=base, visuals=False))
    result = verify_rig(bpy.context, made.rig, 10)
    assert result.passed, result.problems
    assert math.isfinite(result.max_position_error)
