# SPDX-License-Identifier: GPL-3.0-or-later
"""The inputs in tests/data/cases that break tools of this kind, through the command ``inspect``."""

from __future__ import annotations

import io
import json
import math
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from urdf_rig.cli.main import main

FOLDER = Path(__file__).parent.parent / "data" / "cases"
LEVELS = {"info": 0, "warning": 1, "warning_or_error": 1, "error": 2}
ASKED = {
    "import", "robot_name", "root_link", "links", "dofs", "joints", "fk", "rest_fk", "visuals", "visual_count",
    "colors_urdf_rgba", "colors_urdf_rgba_per_visual", "diagnostics",
}  # fmt: skip


def collect():
    """Yield each input that ``inspect`` can answer, with what is expected of it."""
    for expect in sorted(FOLDER.glob("*/expect.md")):
        block = re.search(r"```json\n(.*?)\n```", expect.read_text(encoding="utf-8"), re.DOTALL)
        checks = json.loads(block.group(1))
        for number, case in enumerate(checks.get("cases", [checks])):
            # playback needs an animation: it is tested inside Blender
            if ASKED & set(case) and "input" in case and "trajectory" not in case:
                yield pytest.param(
                    expect.parent, {"tol": checks.get("tol", 1e-5), **case}, id=f"{expect.parent.name}-{number}"
                )


def inspect(folder, case, values=None):
    """Return exit status and parsed JSON of one call."""
    arguments = ["inspect", str(folder / case["input"]), "--json", "--fk"]
    for name, value in case.get("xacro_args", {}).items():
        arguments += ["--xacro-arg", f"{name}:={value}"]
    for name, value in case.get("options", {}).items():
        arguments += [f"--{name.replace('_', '-')}", str(value)]
    for name, value in (values or {}).items():
        arguments += ["--set", f"{name}={value!r}"]
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(arguments)
    assert "Traceback" not in out.getvalue() + err.getvalue()
    return status, json.loads(out.getvalue())


def messages(data):
    """Return the level and the lower-case text of every message."""
    found = [(LEVELS[item["level"]], json.dumps(item, ensure_ascii=False).lower()) for item in data["diagnostics"]]
    return found + ([(2, data["error"].lower())] if "error" in data else [])


def check_messages(case, data):
    said = messages(data)
    for wanted in case.get("diagnostics", []):
        words = [json.dumps(word, ensure_ascii=False)[1:-1].lower() for word in wanted["mentions"]]
        level = LEVELS[wanted["level"]]
        assert any(at >= level and all(word in text for word in words) for at, text in said), (wanted, said)
    if "no_diagnostic_at_or_above" in case:
        ceiling = LEVELS[case["no_diagnostic_at_or_above"]]
        assert all(at < ceiling for at, _ in said)


def check_frames(found, frames, tolerance):
    for link, want in frames.items():
        got = found[link]
        assert got["xyz"] == pytest.approx(want["xyz"], abs=tolerance)
        dot = abs(sum(a * b for a, b in zip(got["quat_wxyz"], want["quat_wxyz"], strict=True)))
        norm = math.sqrt(sum(b * b for b in want["quat_wxyz"]))
        assert 2 * math.acos(min(1.0, dot / norm)) < max(tolerance, 1e-6)


def check_model(case, data):
    for key, ours in (("robot_name", "robot"), ("root_link", "root"), ("dofs", "dofs")):
        if key in case:
            assert data[ours] == case[key]
    if "links" in case:
        assert sorted(data["links"]) == sorted(case["links"])
    joints = {joint["name"]: joint for joint in data["joints"]}
    for name, want in case.get("joints", {}).items():
        got = joints[name]
        assert got["type"] == want.get("type", got["type"])
        if "axis" in want:
            assert got["axis"] == pytest.approx(want["axis"], abs=1e-6)
        if "origin_xyz" in want:
            assert got["origin"]["xyz"] == pytest.approx(want["origin_xyz"])
        if "limits" in want:
            limit = got["limit"] or {}
            ends = None if limit.get("lower") is None else [limit["lower"], limit["upper"]]
            assert ends == (want["limits"] and pytest.approx(want["limits"]))


def check_shapes(case, data):
    shown = {}
    for visual in data["visuals"]:
        shown.setdefault(visual["link"], []).append(visual)
    for link, count in case.get("visual_count", {}).items():
        assert len([visual for visual in shown.get(link, []) if visual["found"]]) == count
    for link, wanted in case.get("visuals", {}).items():
        for got, want in zip(shown[link], wanted, strict=True):
            check_visual(got, want, case["tol"])
    for link, want in case.get("colors_urdf_rgba", {}).items():
        assert shown[link][0]["color"] == (want and pytest.approx(want, abs=1e-3))
    for link, wanted in case.get("colors_urdf_rgba_per_visual", {}).items():
        assert [visual["color"] for visual in shown[link]] == wanted


def check_visual(got, want, tolerance):
    tolerance = want.get("tol", tolerance)
    if "bbox_min" in want:
        assert got["bounds"][0] == pytest.approx(want["bbox_min"], abs=tolerance)
        assert got["bounds"][1] == pytest.approx(want["bbox_max"], abs=tolerance)
    if "triangles" in want:
        assert got["triangles"] == want["triangles"]
    if "signed_volume" in want:
        assert got["signed_volume"] == pytest.approx(want["signed_volume"], rel=1e-3)


@pytest.mark.parametrize(("folder", "case"), list(collect()))
def test_case(folder, case, monkeypatch):
    for name, value in case.get("env", {}).items():
        monkeypatch.setenv(name, value)
    if "cwd" in case:
        monkeypatch.chdir(case["cwd"])
    status, data = inspect(folder, case)
    if case.get("import", "ok") == "error":
        assert status == 1 and data["error"]
        check_messages(case, data)
        return
    assert status == 0, data
    check_messages(case, data)
    check_model(case, data)
    check_shapes(case, data)
    for key in ("fk", "rest_fk"):
        for item in case.get(key, []):
            found = inspect(folder, case, item["q"])[1]["fk"] if item["q"] else data["fk"]
            check_frames(found, item["frames"], item["tol_m_rad"])
