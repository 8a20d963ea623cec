# SPDX-License-Identifier: GPL-3.0-or-later
"""``scripts/corpus.py`` apart from Blender: which files it takes, how it gets over a crash, what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def scripts(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))


def test_of_generated_sets_a_sample_is_taken_and_names_begin_at_the_package(tmp_path):
    from corpus_parts.files import descriptions, shown

    arm = tmp_path / "lib/python3.11/site-packages/cmeel.prefix/share/arm/arm.URDF"
    many = [tmp_path / f"many/{index:03d}/{index:03d}.urdf" for index in range(200)]
    for path in (arm, tmp_path / "arm.stl", *many):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    found = descriptions([tmp_path], 4)
    assert found == sorted([arm, many[0], many[50], many[100], many[150]])
    assert [shown(path, [tmp_path]) for path in found] == [
        "arm/arm.URDF",
        *(f"many/{n}/{n}.urdf" for n in names(found)),
    ]


def names(found):
    return [path.stem for path in found if path.stem != "arm"]


def test_a_crash_and_a_hang_cost_one_robot_each(monkeypatch, tmp_path):
    from corpus_parts import runner

    program = tmp_path / "worker.py"
    program.write_text(
        "import json, os, sys, time\n"
        "for path in json.load(sys.stdin)['paths']:\n"
        "    print(json.dumps({'start': path}), flush=True)\n"
        "    if path.endswith('crash'):\n"
        "        sys.stderr.write('Traceback\\nbroken')\n"
        "        sys.stderr.flush()\n"
        "        os._exit(11)\n"
        "    if path.endswith('hang'):\n"
        "        time.sleep(60)\n"
        "    print(json.dumps({'path': path, 'refused': 'no'}), flush=True)\n"
    )
    monkeypatch.setattr(runner, "PROGRAM", program)
    monkeypatch.setattr(runner, "ended", lambda process: (process.kill(), process.wait())[1])
    paths = [Path(name) for name in ("a", "crash", "b", "hang", "c")]
    told = []
    results = runner.run_all(paths, poses=1, batch=4, limit=1.0, tell=lambda done, result: told.append(done))
    assert [item["path"] for item in results] == ["a", "crash", "b", "hang", "c"]
    assert ["refused" in item for item in results] == [True, False, True, False, True]
    assert results[1]["output"] == ["Traceback", "broken"]
    assert results[3]["lost"] == "no result within 1 s"
    assert told == [1, 2, 3, 4, 5]


def test_warnings_of_one_kind_are_one_row():
    from corpus_parts.page import kind_of

    first = "'package://a/b.stl' is not found; looked in /x, /y; give the package's folder as a=DIR"
    assert kind_of(first) == kind_of("'c.stl' is not found; looked in /z; give the package's folder as a=DIR")
    assert (
        kind_of("lower 1.5 is above upper -2e-3; they are exchanged") == "lower N is above upper N; they are exchanged"
    )
    assert kind_of("link3 has no <inertia>") == "link3 has no <inertia>"


def test_the_page_counts_and_explains():
    from corpus_parts.page import is_fault, make_page

    counts = {"links": 2, "dofs": 1, "meshes": 3, "triangles": 1234}
    verify = {"passed": True, "max_position_error": 2e-7, "max_rotation_error": 0.0, "problems": []}
    warning = {"level": "warning", "message": "there is more than one <axis>; the first is used"}
    total = {"level": "warning", "message": "1 file(s) missing or unreadable"}
    good = {"path": "/r/a.urdf", "name": "a.urdf", "counts": counts, "verify": verify, "seconds": {"total": 0.5}}
    good["diagnostics"] = [warning, total, {"level": "info", "message": "more"}]
    bad = {**good, "name": "b.urdf", "verify": {**verify, "passed": False, "problems": ["off by a lot"]}}
    refused = {
        "path": "/r/c.urdf",
        "name": "c.urdf",
        "refused": "the robot has no links; it is empty",
        "diagnostics": [],
    }
    lost = {"path": "/r/d.urdf", "name": "d.urdf", "lost": "the process ended with status 11", "output": ["x", "y"]}
    assert [is_fault(item) for item in (good, bad, refused, lost)] == [False, True, False, True]
    page = make_page([good, bad, refused, lost], "5.3.0", "corpus")
    assert "4 robot descriptions: 1 imported and verified, 1 refused with a reason, 2 failed" in page
    assert "| `a.urdf` | 2 | 1 | 3 | 1,234 | 0.50 | 2e-07 | 0e+00 | 1 |" in page
    assert "| 2 | 2 | there is more than one `<axis>`; the first is used | `a.urdf`:" in page
    assert "off by a lot" in page
    assert "the process ended with status 11 x y" in page


def test_reasons_are_regular_expressions_that_are_used():
    import re

    from corpus_parts.page import REASONS

    page = (ROOT / "docs" / "corpus.md").read_text(encoding="utf-8")
    reasons = json.loads(REASONS.read_text(encoding="utf-8"))
    assert "not looked into yet" not in page
    for pattern, reason in [*reasons["refused"].items(), *reasons["warnings"].items()]:
        re.compile(pattern)
        assert reason in page
