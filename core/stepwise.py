# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work is written as generators that yield before each step; this runs one to its end."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

_Result = TypeVar("_Result")


def finished(
    steps: Generator[tuple[object, ...], None, _Result], progress: Callable[..., None] | None = None
) -> _Result:
    """Return what the generator returns.

    Args:
        steps: The work.
        progress: Called with the items of each tuple that it yields.
    """
    while True:
        try:
            step = next(steps)
        except StopIteration as stop:
            result: _Result = stop.value
            return result
        if progress is not None:
            progress(*step)
