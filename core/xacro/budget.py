# SPDX-License-Identifier: GPL-3.0-or-later
"""How much work, output and time one expansion may take."""

from __future__ import annotations

import time

from ..errors import UrdfValueError

MAX_STEPS = 3_000_000
"""A step is about a microsecond: an element, an attribute, a node of an expression, a few characters of a text."""
MAX_SECONDS = 30.0
"""For computers so slow that the steps alone would be no bound."""
MAX_ELEMENTS = 200_000
MAX_CHARACTERS = 16 << 20
"""Of all attributes and texts that are written."""
_STEPS_PER_LOOK = 4_096


class Budget:
    """What is left. Every loop over untrusted input spends from it.

    Args:
        steps: Steps in all.
        seconds: Wall time in all.
    """

    def __init__(self, steps: int = MAX_STEPS, seconds: float = MAX_SECONDS) -> None:
        self._left = steps
        self._next_look = steps - _STEPS_PER_LOOK
        self._end = time.monotonic() + seconds
        self._elements = 0
        self._characters = 0

    def spend(self, steps: int = 1) -> None:
        """Take steps off.

        Raises:
            UrdfValueError: If there are none left, or the time is over.
        """
        self._left -= steps
        if self._left < self._next_look:
            self._look()

    def _look(self) -> None:
        self._next_look = self._left - _STEPS_PER_LOOK
        if self._left < 0:
            raise UrdfValueError("the expansion takes more steps than any robot needs; it may never end")
        if time.monotonic() > self._end:
            raise UrdfValueError("the expansion takes too long; it may never end")

    def write_element(self) -> None:
        """Count an element of the result.

        Raises:
            UrdfValueError: If there are too many.
        """
        self._elements += 1
        self.spend(4)
        if self._elements > MAX_ELEMENTS:
            raise UrdfValueError(f"the expansion has more than {MAX_ELEMENTS} elements")

    def write_text(self, text: str) -> None:
        """Count an attribute or text of the result.

        Raises:
            UrdfValueError: If there is too much of it.
        """
        self._characters += len(text)
        self.spend()
        if self._characters > MAX_CHARACTERS:
            raise UrdfValueError(f"the expansion is larger than {MAX_CHARACTERS >> 20} million characters")
