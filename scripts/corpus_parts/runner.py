# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the workers: a crash or a hang costs one robot, and the others go on in a new process."""

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

PROGRAM = Path(__file__).resolve().parents[1] / "corpus.py"
_START = 180.0
"""Seconds that a worker may take until its first robot."""
Result = dict[str, Any]


def run_all(
    paths: Sequence[Path], *, poses: int, batch: int, limit: float, tell: Callable[[int, Result], None]
) -> list[Result]:
    """Return one result a description, in their order.

    Args:
        paths: The descriptions.
        poses: Number of poses to verify.
        batch: Robots a process.
        limit: Seconds for one robot.
        tell: Called with the number done and the latest result.
    """
    results: list[Result] = []

    def keep(result: Result) -> None:
        results.append(result)
        tell(len(results), result)

    for start in range(0, len(paths), batch):
        end = min(start + batch, len(paths))
        while len(results) < end:
            _run_batch([str(path) for path in paths[len(results) : end]], poses, limit, keep)
    return results


def _run_batch(paths: list[str], poses: int, limit: float, keep: Callable[[Result], None]) -> None:
    """Run one worker; it does all of ``paths``, or all up to and including the first that ends it."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [sys.executable, str(PROGRAM), "--worker"],
            env=clean_environment(),
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
            json.dump({"paths": paths, "poses": poses}, stdin)
        left = list(paths)
        why = _follow(lines, left, limit, keep)
        status = ended(process)
        if left:
            errors.seek(0)
            last = errors.read().decode("utf-8", "replace").strip().splitlines()[-12:]
            why = why or f"the process ended with status {status}"
            keep({"path": left[0], "lost": why, "output": last})


def _follow(lines: queue.Queue[str], left: list[str], limit: float, keep: Callable[[Result], None]) -> str:
    """Take results off ``left`` as they come; return why the worker has to be ended early, or an empty text."""
    patience = _START
    while left:
        try:
            line = lines.get(timeout=patience)
        except queue.Empty:
            return f"no result within {patience:.0f} s"
        if not line:
            return ""
        patience = limit
        message = json.loads(line)
        if "path" in message:
            left.pop(0)
            keep(message)
    return ""
