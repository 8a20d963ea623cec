# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of several ways to do the same, taken in turns so that all see the same machine."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple


class Times(NamedTuple):
    """Seconds for one call: the best and the median."""

    best: float
    median: float


def take_turns(
    ways: Mapping[str, Callable[[], object]],
    *,
    rounds: int,
    clock: Callable[[], float] = time.process_time,
    least: float = 2e-2,
) -> dict[str, Times]:
    """Return the times of each way.

    Args:
        ways: What to call, by name.
        rounds: How often each has its turn, after one call that is not counted.
        clock: Processor time, unless told otherwise: it is hardly disturbed by what else the machine does.
        least: Seconds that a turn lasts at least; quick calls are repeated within it.
    """
    repeats = {}
    for name, call in ways.items():
        call()
        started = clock()
        call()
        repeats[name] = max(1, round(least / max(clock() - started, 1e-7)))
    samples: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, call in ways.items():
            started = clock()
            for _ in range(repeats[name]):
                call()
            samples[name].append((clock() - started) / repeats[name])
    return {name: Times(min(values), statistics.median(values)) for name, values in samples.items()}
