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


def scaled(
    steps: Generator[tuple[float] | tuple[float, str], None, _Result], low: float, high: float, text: str = ""
) -> Generator[tuple[float, str], None, _Result]:
    """Yield the shares of a part of the work as shares of the whole; return its result.

    Args:
        steps: The part; it yields the share done, 0 to 1, and perhaps a text.
        low: Share of the whole at its beginning.
        high: Share of the whole at its end.
        text: What is said where it yields none.
    """
    try:
        while True:
            try:
                share, *words = next(steps)
            except StopIteration as stop:
                result: _Result = stop.value
                return result
            yield low + (high - low) * share, words[0] if words else text
    finally:
        steps.close()
