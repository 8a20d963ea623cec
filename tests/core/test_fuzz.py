# SPDX-License-Identifier: GPL-3.0-or-later
"""A short form of ``scripts/fuzz.py``, and whether it would find what it looks for."""

from __future__ import annotations

import random
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from urdf_rig.core.errors import UrdfRigError

ROOT = Path(__file__).resolve().parents[2]
ARM = ROOT / "examples" / "arm6"


@pytest.fixture(autouse=True)
def scripts(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))


def test_hundreds_of_mutations_raise_no_foreign_exception():
    command = [sys.executable, str(ROOT / "scripts" / "fuzz.py"), str(ROOT / "examples"), str(ROOT / "tests" / "data")]
    counts = ["--descriptions", "200", "--meshes", "100", "--seed", "1"]
    done = subprocess.run([*command, *counts], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout == "descriptions: 200 trials, 0 findings\nmeshes: 100 trials, 0 findings\n", done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize(
    "path", [ARM / "arm6.urdf", ARM / "meshes/base_link.dae", ARM / "meshes/cap.stl", ARM / "meshes/wrist_1.obj"]
)
def test_mutations_depend_on_the_seed_alone_and_change_the_file(path):
    from fuzz_parts.kinds import mutated

    data = path.read_bytes()
    made = [mutated(data, path.suffix, random.Random(seed), data) for seed in range(60)]
    assert made == [mutated(data, path.suffix, random.Random(seed), data) for seed in range(60)]
    assert len(set(made) - {data}) > 30


def test_mutations_of_elements_get_past_the_parser():
    from fuzz_parts.trees import mutated_tree

    data = (ARM / "arm6.urdf").read_bytes()
    well_formed = 0
    for seed in range(60):
        try:
            ET.fromstring(mutated_tree(data, random.Random(seed), data))
            well_formed += 1
        except ET.ParseError:
            pass
    assert well_formed > 45


def test_what_is_judged(monkeypatch, tmp_path):
    from fuzz_parts import child

    def foreign(number, folder):
        raise KeyError(number)

    def slow(number, folder):
        started = time.process_time()
        while time.process_time() < started + 0.05:
            pass
        return ""

    assert "KeyError: 7" in child.judged(foreign, 7, tmp_path)
    assert child.judged(slow, 0, tmp_path) == ""
    monkeypatch.setattr(child, "MAX_SECONDS", 0.01)
    assert child.judged(slow, 0, tmp_path).startswith("took 0.")
    assert child.judged(lambda number, folder: "bad mesh", 0, tmp_path) == "bad mesh"


def test_errors_of_the_project_are_no_findings_but_all_others_are(monkeypatch, tmp_path):
    from fuzz_parts import child, trials

    for error, finding in ((UrdfRigError("refused"), ""), (ValueError("not ours"), "ValueError: not ours")):

        def load(path, error=error):
            raise error

        monkeypatch.setattr(trials, "load", load)
        trial = trials.trial_of("descriptions", [ARM / "arm6.urdf"], 0)
        assert child.judged(trial, 3, tmp_path / "deep" / "enough").rstrip().endswith(finding)


def test_the_end_of_a_process_is_a_finding_and_the_rest_goes_on(monkeypatch, tmp_path):
    from fuzz_parts import runner

    program = tmp_path / "worker.py"
    program.write_text(
        "import json, os, sys\n"
        "for number in json.load(sys.stdin)['numbers']:\n"
        "    print(json.dumps({'start': number}), flush=True)\n"
        "    if number == 2:\n"
        "        sys.stderr.write('out of memory')\n"
        "        sys.stderr.flush()\n"
        "        os._exit(9)\n"
        "    print(json.dumps({'end': number, 'finding': ''}), flush=True)\n"
    )
    monkeypatch.setattr(runner, "PROGRAM", program)
    told = []
    findings = runner.run_trials("meshes", [], range(5), 0, 10, lambda done, finding: told.append(done))
    assert findings == {2: "the process ended with status 9\nout of memory"}
    assert told == [1, 2, 3, 4, 5]
