# SPDX-License-Identifier: GPL-3.0-or-later
"""Remarks on a description that can still be used: collected, handed on, never printed here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum


class Level(StrEnum):
    """How much a remark matters."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One remark: ``line`` is 1-based (0: not known), ``element`` such as ``joint 'elbow'``."""

    level: Level
    message: str
    file: str = ""
    line: int = 0
    element: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.file and self.line else self.file
        return ": ".join(part for part in (place, self.element, self.message) if part)

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form used by reports."""
        return {**asdict(self), "level": self.level.value}


class Diagnostics:
    """A list of remarks about one file. The same remark is kept once."""

    def __init__(self, file: str = "") -> None:
        self.file = file
        self._items: dict[Diagnostic, None] = {}

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def _add(self, level: Level, message: str, line: int, element: str) -> None:
        self._items.setdefault(Diagnostic(level, message, self.file, line, element))

    def info(self, message: str, line: int = 0, element: str = "") -> None:
        """Note something that worked, but that a reader may want to know."""
        self._add(Level.INFO, message, line, element)

    def warning(self, message: str, line: int = 0, element: str = "") -> None:
        """Note something that was put right or left out."""
        self._add(Level.WARNING, message, line, element)

    def error(self, message: str, line: int = 0, element: str = "") -> None:
        """Note something that makes the input unusable."""
        self._add(Level.ERROR, message, line, element)

    def extend(self, items: Iterable[Diagnostic]) -> None:
        """Take over remarks from another list."""
        for item in items:
            self._items.setdefault(item)
