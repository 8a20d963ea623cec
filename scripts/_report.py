# SPDX-License-Identifier: GPL-3.0-or-later
"""Count tests and say what came of the steps."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Outcome(NamedTuple):
    """Numbers of tests; a step without tests that fails counts as one failure."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    @property
    def ran(self) -> int:
        """All tests that a report knows of."""
        return self.passed + self.failed + self.skipped

    def __str__(self) -> str:
        counts = f"{self.passed} passed, {self.failed} failed"
        return f"{counts}, {self.skipped} skipped" if self.skipped else counts


def read_junit(path: Path) -> Outcome:
    """Sum up a JUnit file of pytest; nothing is counted if there is no whole file."""
    try:
        suites = list(ElementTree.parse(path).getroot().iter("testsuite"))
    except (OSError, ElementTree.ParseError):
        return Outcome()
    counts = {
        key: sum(int(suite.get(key, "0")) for suite in suites) for key in ("tests", "failures", "errors", "skipped")
    }
    failed = counts["failures"] + counts["errors"]
    return Outcome(counts["tests"] - failed - counts["skipped"], failed, counts["skipped"])


def total(outcomes: Sequence[Outcome], left_out: Sequence[str]) -> str:
    """Return the closing line; a step that could not run counts as one failure."""
    return str(
        Outcome(
            sum(item.passed for item in outcomes),
            sum(item.failed for item in outcomes) + len(left_out),
            sum(item.skipped for item in outcomes),
        )
    )


def summary(
    done: Sequence[str],
    left_out: Sequence[str],
    outcomes: Mapping[str, Outcome],
    results: Mapping[str, bool],
    seconds: Mapping[str, float],
    notes: Mapping[str, str],
) -> str:
    """Return a table of steps, seconds and results; a note stands instead of the result."""
    rows = [("step", "seconds", "result")]
    for name in done:
        counts = outcomes.get(name, Outcome())
        verdict = notes.get(name) or ("ok" if results[name] else "FAILED")
        rows.append(
            (name, f"{seconds[name]:.0f}", f"{verdict}, {counts}" if counts.ran > 1 or counts.passed else verdict)
        )
    rows += [(name, "-", "not run") for name in left_out]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    return "\n".join(f"{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]}" for row in rows)
