# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs children over the numbers of the trials; what ends a child is a finding, and the next one goes on behind it."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from _process import clean_environment, ended, pass_lines

PROGRAM = Path(__file__).resolve().parents[1] / "fuzz.py"
_HANG = 60.0
"""Seconds without a word, on a computer that may be busy, after which a child is ended."""
# numpy's libraries take address space for each thread
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def run_trials(
    kind: str, sources: Sequence[Path], numbers: Sequence[int], seed: int, batch: int, tell: Callable[[int, str], None]
) -> dict[int, str]:
    """Return the findings by the trial's number.

    Args:
        kind: ``descriptions`` or ``meshes``.
        sources: The files that are mutated.
        numbers: The trials.
        seed: Together with the kind and the number it decides what a trial does.
        batch: Trials for each process.
        tell: Called with the number of trials done and the latest finding.
    """
    findings: dict[int, str] = {}
    done = 0
    while done < len(numbers):
        job = {"kind": kind, "sources": [str(path) for path in sources], "seed": seed}
        for number, finding in _batch({**job, "numbers": list(numbers[done : done + batch])}):
            done += 1
            if finding:
                findings[number] = finding
            tell(done, finding)
    return findings


def _batch(job: dict[str, Any]) -> list[tuple[int, str]]:
    """Return number and finding of each trial that was begun."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [sys.executable, str(PROGRAM), "--worker"],
            env=clean_environment(_ONE_THREAD),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
        )
        assert process.stdin is not None
        assert process.stdout is not None
        lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=pass_lines, args=(process.stdout, lines), daemon=True).start()
        with process.stdin as stdin:
            json.dump(job, stdin)
        results, begun, hangs = _follow(lines, len(job["numbers"]))
        status = ended(process)
        if len(results) < len(job["numbers"]):
            errors.seek(0)
            said = errors.read().decode("utf-8", "replace")[-800:]
            why = f"no word for {_HANG:.0f} s" if hangs else f"the process ended with status {status}"
            results.append((job["numbers"][len(results)] if begun is None else begun, f"{why}\n{said}"))
    return results


def _follow(lines: queue.Queue[str], count: int) -> tuple[list[tuple[int, str]], int | None, bool]:
    """Return the results, the trial that was begun and did not end, and whether it hangs."""
    results: list[tuple[int, str]] = []
    begun = None
    while len(results) < count:
        try:
            line = lines.get(timeout=_HANG)
        except queue.Empty:
            return results, begun, True
        if not line:
            break
        message = json.loads(line)
        if "start" in message:
            begun = message["start"]
        else:
            results.append((message["end"], message["finding"]))
            begun = None
    return results, begun, False
