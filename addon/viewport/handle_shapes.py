# SPDX-License-Identifier: GPL-3.0-or-later
"""What a handle looks like: its range, where its value stands, and what can be hit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...core.viewport import arc, sector
from .drawing import blending, draw_lines, draw_triangles, lines_batch, placed, triangles_batch
from .handles import Handle

Array = NDArray[np.float64]

_WIDTH, _BOLD = 2.0, 3.0  # px
_HIT_WIDTH = 12.0  # px
_FAINT, _FILLED, _PLAIN = 0.2, 0.35, 0.9
_INNER = 0.72  # of the ring that shows the range
_KNOB = 0.11
_HEAD_START, _HEAD_END, _HEAD_WIDE = 0.25, 0.8, 0.16
_MARK = 0.16  # length of the marks at the ends of a slide
_WHOLE = 2.0 * math.pi


class HandleShapes:
    """The shapes of one handle; each is made when it is drawn first, and again when the joint's range is another."""

    def __init__(self) -> None:
        self._batches: dict[object, Any] = {}

    def _shape(self, key: object, make: Callable[[], Any]) -> Any:  # noqa: ANN401  # the gpu module is imported late
        if key not in self._batches:
            self._batches[key] = make()
        return self._batches[key]

    def draw(self, handle: Handle, color: tuple[float, float, float], *, active: bool) -> None:
        """Draw a handle."""
        with blending(), placed(handle.place):
            (self._draw_dial if handle.turns else self._draw_arrow)(handle, color, active)

    def draw_to_select(self, handle: Handle, select_id: int) -> None:
        """Draw what can be hit, for Blender to find which handle is under the pointer."""
        import gpu

        gpu.select.load_id(select_id)
        with placed(handle.place):
            if handle.turns:
                draw_lines(self._ring(handle), _HIT_WIDTH, (1.0, 1.0, 1.0, 1.0))
                with placed(Matrix.Rotation(handle.value, 4, "Z")):
                    draw_lines(self._shape("pointer", _pointer), _HIT_WIDTH, (1.0, 1.0, 1.0, 1.0))
            else:
                with placed(Matrix.Translation((0.0, 0.0, handle.value * handle.length))):
                    draw_lines(self._shape("stem", _stem), _HIT_WIDTH, (1.0, 1.0, 1.0, 1.0))
                    draw_triangles(self._shape("heads", _heads), (1.0, 1.0, 1.0, 1.0))

    def _ring(self, handle: Handle) -> Any:  # noqa: ANN401
        return self._shape(("ring", handle.lower, handle.upper), lambda: _ring(*_range_of(handle)))

    def _draw_dial(self, handle: Handle, color: tuple[float, float, float], active: bool) -> None:
        lower, upper = _range_of(handle)
        fill = self._shape(("fill", lower, upper), lambda: triangles_batch(sector(lower, upper, _INNER, 1.0)))
        draw_triangles(fill, (*color, _FILLED if active else _FAINT))
        if active and handle.value:
            draw_triangles(triangles_batch(sector(0.0, handle.value, 0.0, _INNER)), (*color, _FILLED))
        width, alpha = (_BOLD, 1.0) if active else (_WIDTH, _PLAIN)
        draw_lines(self._ring(handle), width, (*color, alpha))
        with placed(Matrix.Rotation(handle.value, 4, "Z")):
            draw_lines(self._shape("pointer", _pointer), width + 1.0, (*color, alpha))
            draw_triangles(self._shape("knob", _knob), (*color, alpha))

    def _draw_arrow(self, handle: Handle, color: tuple[float, float, float], active: bool) -> None:
        width, alpha = (_BOLD, 1.0) if active else (_WIDTH, _PLAIN)
        if handle.lower is not None and handle.upper is not None:
            key = ("slide", handle.lower, handle.upper, handle.length)
            if key not in self._batches:  # the view was zoomed: the former one is no longer needed
                self._batches = {kept: batch for kept, batch in self._batches.items() if isinstance(kept, str)}
            ends = (handle.lower * handle.length, handle.upper * handle.length)
            draw_lines(self._shape(key, lambda: _slide(*ends)), width, (*color, alpha))
        with placed(Matrix.Translation((0.0, 0.0, handle.value * handle.length))):
            draw_lines(self._shape("stem", _stem), width + 1.0, (*color, alpha))
            draw_triangles(self._shape("heads", _heads), (*color, alpha))


def _range_of(handle: Handle) -> tuple[float, float]:
    """Return the part of the turn that a dial shows: all of it for ranges of a turn or more."""
    if handle.lower is None or handle.upper is None or handle.upper - handle.lower >= _WHOLE:
        return 0.0, _WHOLE
    return handle.lower, handle.upper


def _pairs(strip: Array) -> Array:
    return np.stack([strip[:-1], strip[1:]], axis=1).reshape(-1, 3)


def _ring(lower: float, upper: float) -> Any:  # noqa: ANN401
    parts = [_pairs(arc(lower, upper)), np.array([(1.0, 0.0, 0.0), (1.12, 0.0, 0.0)])]  # with a mark at zero
    if upper - lower < _WHOLE:
        for end in (lower, upper):
            outwards = np.array([math.cos(end), math.sin(end), 0.0])
            parts.append(np.stack([_INNER * outwards, outwards]))
    return lines_batch(np.concatenate(parts))


def _pointer() -> Any:  # noqa: ANN401
    return lines_batch(np.array([(0.0, 0.0, 0.0), (1.0 - _KNOB, 0.0, 0.0)]))


def _knob() -> Any:  # noqa: ANN401
    return triangles_batch(sector(0.0, _WHOLE, 0.0, _KNOB) + np.array([1.0, 0.0, 0.0]))


def _slide(lower: float, upper: float) -> Any:  # noqa: ANN401
    crosses = [[(-_MARK, 0.0, z), (_MARK, 0.0, z)] for z in (lower, upper)]
    crosses += [[(0.0, -_MARK, z), (0.0, _MARK, z)] for z in (lower, upper)]
    zero = [(-0.5 * _MARK, 0.0, 0.0), (0.5 * _MARK, 0.0, 0.0)]
    return lines_batch(np.concatenate([[(0.0, 0.0, lower), (0.0, 0.0, upper)], *crosses, zero]))


def _stem() -> Any:  # noqa: ANN401
    return lines_batch(np.array([(0.0, 0.0, -_HEAD_START), (0.0, 0.0, _HEAD_START)]))


def _heads() -> Any:  # noqa: ANN401
    rim = arc(0.0, _WHOLE, _HEAD_WIDE)
    parts = []
    for side in (-1.0, 1.0):
        base = rim + np.array([0.0, 0.0, side * _HEAD_START])
        for middle in ((0.0, 0.0, side * _HEAD_END), (0.0, 0.0, side * _HEAD_START)):
            parts.append(np.stack([base[:-1], base[1:], np.tile(middle, (len(base) - 1, 1))], axis=1).reshape(-1, 3))
    return triangles_batch(np.concatenate(parts))
