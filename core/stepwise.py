# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work is written as generators that yield before each step; this runs one to its end."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

_Step = TypeVar("_Step")
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


def scaled(
    steps: Generator[_Step, None, _Result], low: float, high: float, tell: Callable[[_Step], tuple[float, str]]
) -> Generator[tuple[float, str], None, _Result]:
    """Yield the steps of a part of the work as shares of the whole, each with a text; return its result.

    Args:
        steps: The part.
        low: Share of the whole at its beginning.
        high: Share of the whole at its end.
        tell: Makes of what it yields the share of it that is done, 0 to 1, and the text.
    """
    try:
        while True:
            try:
                share, text = tell(next(steps))
            except StopIteration as stop:
                result: _Result = stop.value
                return result
            yield low + (high - low) * share, text
    finally:
        steps.close()
