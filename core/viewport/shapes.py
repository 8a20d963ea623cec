# SPDX-License-Identifier: GPL-3.0-or-later
"""What handles look like: lines and triangles of all of them at once.

A dial is a ring over the joint's range with a pointer at its value; an arrow slides along a bar from end to end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .lines import arc, sector

Array = NDArray[np.float64]
_Numbers = NDArray[np.intp]
Look = tuple[bool, float, float]
"""Whether a handle is a dial, and the lowest and highest value; infinite where there is none."""

_FAINT, _PLAIN = 0.2, 0.9  # opacity
_INNER = 0.72  # of the ring that shows the range
_KNOB = 0.11
_HEAD_START, _HEAD_END, _HEAD_WIDE = 0.25, 0.8, 0.16
_MARK = 0.16  # half the length of the marks at the ends of a bar
_WHOLE = 2.0 * math.pi
_COARSE = _WHOLE / 12.0  # for what is small


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """Points of lines, two each, or of triangles, three each.

    Attributes:
        points: The points, shape (k, 3).
        owners: Which handle each belongs to, shape (k,).
        opacities: How opaque each is, shape (k,).
    """

    points: Array
    owners: _Numbers
    opacities: Array


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Points (k, 3) of one handle, whether they go with its value, and how opaque they are."""

    points: Array
    moves: bool
    opacity: float = _PLAIN


def handle_places(
    frames: ArrayLike, radii: ArrayLike, metres: ArrayLike, looks: Sequence[Look], values: Array
) -> Array:
    """Return where the parts of n handles are drawn, shape (2, n, 4, 4): those that stay, and those that move.

    Args:
        frames: The handles' frames, shape (n, 4, 4), their axes of length 1.
        radii: Their radii, shape (n,).
        metres: How long a metre is along each, shape (n,).
        looks: What they look like.
        values: Of the joints, shape (n,) [rad or m].
    """
    frames, radii = np.asarray(frames, dtype=np.float64).reshape(-1, 4, 4), np.asarray(radii, dtype=np.float64)
    metres, turns = np.asarray(metres, dtype=np.float64), np.array([look[0] for look in looks], dtype=bool)
    out = np.stack([frames, frames])
    angles = np.where(turns, values, 0.0)
    x, y, z = frames[:, :3, 0], frames[:, :3, 1], frames[:, :3, 2]
    cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]
    out[1, :, :3, 0], out[1, :, :3, 1] = cosine * x + sine * y, cosine * y - sine * x
    out[1, :, :3, 3] += np.where(turns, 0.0, values * metres)[:, None] * z
    out[:, :, :3, :3] *= radii[:, None, None]
    out[0, :, :3, 2] = np.where(turns, radii, metres)[:, None] * z
    return out


def handle_lines(places: Array, looks: Sequence[Look]) -> Figure:
    """Return the lines of n handles at ``places``, shape (2, n, 4, 4)."""
    return _figure(places, [_lines(look) for look in looks])


def handle_triangles(places: Array, looks: Sequence[Look]) -> Figure:
    """Return the triangles of n handles at ``places``, shape (2, n, 4, 4)."""
    return _figure(places, [_triangles(look) for look in looks])


def swept(place: Array, value: float) -> Array:
    """Return the triangles between a dial's zero and its value, shape (3 k, 3), at its place, shape (4, 4)."""
    return sector(0.0, value, 0.0, _INNER) @ place[:3, :3].T + place[:3, 3]


def _figure(places: Array, handles: Sequence[tuple[_Part, ...]]) -> Figure:
    parts = [(owner, part) for owner, of_handle in enumerate(handles) for part in of_handle]
    counts = [len(part.points) for _, part in parts]
    owners = np.repeat(np.array([owner for owner, _ in parts], dtype=np.intp), counts)
    moves = np.repeat(np.array([part.moves for _, part in parts], dtype=np.intp), counts)
    opacities = np.repeat(np.array([part.opacity for _, part in parts], dtype=np.float64), counts)
    points = np.concatenate([np.empty((0, 3)), *(part.points for _, part in parts)])
    at = places[moves, owners, :3]
    return Figure((at[:, :, :3] @ points[:, :, None])[:, :, 0] + at[:, :, 3], owners, opacities)


@lru_cache(maxsize=512)
def _lines(look: Look) -> tuple[_Part, ...]:
    turns, lower, upper = look
    if turns:
        pointer = np.array([(0.0, 0.0, 0.0), (1.0 - _KNOB, 0.0, 0.0)])
        return _Part(_ring(*_shown_range(look)), False), _Part(pointer, True)
    stem = np.array([(0.0, 0.0, -_HEAD_END), (0.0, 0.0, _HEAD_END)])
    if not math.isfinite(upper - lower):
        return (_Part(stem, True),)
    marks = [
        [(-_MARK * x, -_MARK * y, z), (_MARK * x, _MARK * y, z)] for z in (lower, upper) for x, y in ((1, 0), (0, 1))
    ]
    zero = [(-0.5 * _MARK, 0.0, 0.0), (0.5 * _MARK, 0.0, 0.0)]
    return _Part(np.concatenate([[(0.0, 0.0, lower), (0.0, 0.0, upper)], *marks, zero]), False), _Part(stem, True)


@lru_cache(maxsize=512)
def _triangles(look: Look) -> tuple[_Part, ...]:
    if look[0]:
        knob = sector(0.0, _WHOLE, 0.0, _KNOB, _COARSE) + np.array([1.0, 0.0, 0.0])
        return _Part(sector(*_shown_range(look), _INNER, 1.0), False, _FAINT), _Part(knob, True)
    return (_Part(_heads(), True),)


def _shown_range(look: Look) -> tuple[float, float]:
    """Return the part of the turn that a dial shows: all of it for ranges of a turn or more."""
    _, lower, upper = look
    return (lower, upper) if upper - lower < _WHOLE else (0.0, _WHOLE)


def _ring(lower: float, upper: float) -> Array:
    strip = arc(lower, upper)
    parts = [np.stack([strip[:-1], strip[1:]], axis=1).reshape(-1, 3), np.array([(1.0, 0.0, 0.0), (1.12, 0.0, 0.0)])]
    if upper - lower < _WHOLE:
        parts += [np.stack([_INNER * end, end]) for end in (strip[0], strip[-1])]
    return np.concatenate(parts)


def _heads() -> Array:
    rim = arc(0.0, _WHOLE, _HEAD_WIDE, _COARSE)
    parts = []
    for side in (-1.0, 1.0):
        base = rim + np.array([0.0, 0.0, side * _HEAD_START])
        for middle in (_HEAD_END, _HEAD_START):
            tips = np.tile([0.0, 0.0, side * middle], (len(base) - 1, 1))
            parts.append(np.stack([base[:-1], base[1:], tips], axis=1).reshape(-1, 3))
    return np.concatenate(parts)
