# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables as plain text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .timing import Times

OURS = "urdf_rig"


def table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table whose first column is flush left and the others flush right."""
    widths = [max(len(row[column]) for row in [heads, *rows]) for column in range(len(heads))]
    lines = [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [heads, *rows]
    ]
    return "\n".join([title, *("  " + line for line in lines), ""])


def comparison(title: str, times: Mapping[str, Times], missing: Mapping[str, str] | None = None) -> str:
    """Return a table of times in which every peer stands beside how many times ours it takes.

    Args:
        title: What was measured.
        times: By name; ours is called ``urdf_rig``.
        missing: What could not be measured, and how it is installed.
    """
    ours = times[OURS]
    rows = [
        (
            name,
            milliseconds(t.best),
            milliseconds(t.median),
            f"{t.best / ours.best:.2f}",
            f"{t.median / ours.median:.2f}",
        )
        for name, t in times.items()
    ]
    text = table(title, ("", "best ms", "median ms", "× ours (best)", "× ours (median)"), rows)
    return text + "".join(f"  {name}: not here; {how}\n" for name, how in (missing or {}).items())


def milliseconds(seconds: float) -> str:
    """Return a time with three significant digits."""
    return f"{seconds * 1e3:.3g}" if seconds < 1.0 else f"{seconds * 1e3:.0f}"


def two_percentiles(seconds: Sequence[float]) -> tuple[str, str]:
    """Return the median and the 95th percentile in milliseconds."""
    return f"{np.median(seconds) * 1e3:.2f}", f"{np.percentile(seconds, 95) * 1e3:.2f}"
