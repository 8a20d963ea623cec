# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture as plain data: lines, rectangles and words, in pixels from the upper left corner."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A polyline, shape (k, 2)."""

    points: Array
    colour: Colour
    width: float
    dashed: bool


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Text:
    """A line of words on a base line y; ``size`` of the font; ``anchor`` is ``start``, ``middle`` or ``end``."""

    x: float
    y: float
    text: str
    size: float
    colour: Colour
    anchor: str
    bold: bool


@dataclass(slots=True)
class Figure:
    """A picture with a white ground."""

    width: int
    height: int
    items: list[Line | Rectangle | Text] = field(default_factory=list)

    def line(self, points: ArrayLike, colour: Colour, width: float = 1.0, dashed: bool = False) -> None:
        """Add a polyline, shape (k, 2)."""
        self.items.append(Line(np.asarray(points, dtype=np.float64), colour, width, dashed))

    def rectangle(self, x: float, y: float, width: float, height: float, colour: Colour) -> None:
        """Add a filled rectangle."""
        self.items.append(Rectangle(x, y, width, height, colour))

    def text(
        self, x: float, y: float, text: str, size: float, colour: Colour, anchor: str = "start", bold: bool = False
    ) -> None:
        """Add a line of words."""
        self.items.append(Text(x, y, text, size, colour, anchor, bold))


def nice_ticks(low: float, high: float, most: int) -> Sequence[float]:
    """Return round numbers from ``low`` to ``high``, steps of 1, 2 or 5 times a power of ten, about ``most``."""
    span = high - low
    if not math.isfinite(span) or span <= 0.0:
        return [low]
    raw = span / max(most, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= raw * (1.0 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(index * step, 12) + 0.0 for index in range(first, last + 1)]
