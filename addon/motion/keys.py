# SPDX-License-Identifier: GPL-3.0-or-later
"""All that the keys of an F-curve are, as arrays: read, split, stretched in time, and written back in bulk."""

from __future__ import annotations

from dataclasses import dataclass, replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import RigError
from ..fcurves import key_code, shorten_handle

Array = NDArray[np.float64]

_PLACES = ("co", "handle_left", "handle_right")
_NUMBERS = ("interpolation", "easing", "handle_left_type", "handle_right_type", "type")
_SHAPES = ("back", "amplitude", "period")
_ON_KEY = 1e-4  # frames
_BISECTIONS = 60


@dataclass(frozen=True, slots=True, eq=False)
class Keys:
    """The keys of a curve.

    Attributes:
        places: Key, left and right handle as frame and value, shape (3, k, 2).
        numbers: Interpolation, easing, types of the left and right handle and kind of key, shape (5, k).
        shapes: Back, amplitude and period of easings, shape (3, k).
    """

    places: Array
    numbers: NDArray[np.int32]
    shapes: Array

    @classmethod
    def of(cls, curve: bpy.types.FCurve) -> Keys:
        """Return those of a curve."""
        points, count = curve.keyframe_points, len(curve.keyframe_points)
        places = np.empty((3, 2 * count), dtype=np.float32)
        numbers = np.empty((len(_NUMBERS), count), dtype=np.int32)
        shapes = np.empty((len(_SHAPES), count), dtype=np.float32)
        for names, rows in ((_PLACES, places), (_NUMBERS, numbers), (_SHAPES, shapes)):
            for name, row in zip(names, rows, strict=True):
                points.foreach_get(name, row)
        return cls(places.astype(np.float64).reshape(3, count, 2), numbers, shapes.astype(np.float64))

    @property
    def frames(self) -> Array:
        """Frames of the keys, shape (k,)."""
        return self.places[0, :, 0]

    def write(self, curve: bpy.types.FCurve) -> None:
        """Make them the keys of a curve."""
        points, count = curve.keyframe_points, len(self.frames)
        if len(points) != count:
            points.clear()
            points.add(count)
        places = self.places.reshape(3, -1).astype(np.float32)
        shapes = self.shapes.astype(np.float32)
        for names, rows in ((_NUMBERS, self.numbers), (_SHAPES, shapes), (_PLACES, places)):
            for name, row in zip(names, rows, strict=True):
                points.foreach_set(name, np.ascontiguousarray(row))
        curve.update()

    def split_at(self, frame: float, what: str) -> Keys:
        """Return the same curve with a key at a frame, unless it has one or is constant there for lack of keys.

        Raises:
            RigError: If the frame lies in an easing, which no two keys can stand for; ``what`` names the curve.
        """
        frames = self.frames
        after = int(np.searchsorted(frames, frame))
        if after in (0, len(frames)) or np.abs(frames[after - 1 : after + 1] - frame).min() <= _ON_KEY:
            return self
        before = after - 1
        kind = int(self.numbers[0, before])
        places = np.insert(self.places, after, self.places[:, before], axis=1)
        if kind == key_code("interpolation", "BEZIER"):
            _split_bezier(places, before, frame)
        elif kind in (key_code("interpolation", "LINEAR"), key_code("interpolation", "CONSTANT")):
            share = (frame - frames[before]) / (frames[after] - frames[before])
            start, end = self.places[0, before, 1], self.places[0, after, 1]
            value = start if kind == key_code("interpolation", "CONSTANT") else start + share * (end - start)
            places[:, after] = [[frame, value], [frame - 1.0 / 3.0, value], [frame + 1.0 / 3.0, value]]
        else:
            raise RigError(f"{what} eases across frame {frame:g}: begin and end the range at its keys")
        numbers = np.insert(self.numbers, after, self.numbers[:, before], axis=1)
        return Keys(places, numbers, np.insert(self.shapes, after, self.shapes[:, before], axis=1))

    def with_fixed_handles(self, free_at: tuple[float, ...]) -> Keys:
        """Return the same curve with handles that Blender does not move by itself, free ones at some frames."""
        numbers = self.numbers.copy()
        for row, name in ((2, "handle_left_type"), (3, "handle_right_type")):
            for kind, fixed in (("AUTO", "ALIGNED"), ("AUTO_CLAMPED", "ALIGNED"), ("VECTOR", "FREE")):
                numbers[row, numbers[row] == key_code(name, kind)] = key_code(name, fixed)
            for frame in free_at:
                numbers[row, np.abs(self.frames - frame) <= _ON_KEY] = key_code(name, "FREE")
        return replace(self, numbers=numbers)

    def stretched(self, start: float, end: float, factor: float) -> Keys:
        """Return it with the time from ``start`` to ``end`` stretched and what is behind put off.

        Segments lie in the range or out of it: where they cross its ends, ``split_at`` has made keys.
        """
        frames = self.frames
        places = self.places.copy()
        inside = np.clip(frames, start, end) - start
        places[0, :, 0] = frames + inside * (factor - 1.0)
        middle = 0.5 * (frames[1:] + frames[:-1])
        first = [bool(frames[0] > start + _ON_KEY and frames[0] <= end)]
        last = [bool(frames[-1] >= start and frames[-1] < end - _ON_KEY)]
        slow = np.concatenate([first, (middle > start) & (middle < end), last])
        for handle, scaled in ((1, slow[:-1]), (2, slow[1:])):
            reach = self.places[handle, :, 0] - frames
            places[handle, :, 0] = places[0, :, 0] + reach * np.where(scaled, factor, 1.0)
        return replace(self, places=places)


def _split_bezier(places: Array, before: int, frame: float) -> None:
    """Set the key put behind key ``before`` and the handles around it so that the curve stays (de Casteljau)."""
    start, end = places[0, before], places[0, before + 2]
    right, left = places[2, before].copy(), places[1, before + 2].copy()
    length = end[0] - start[0]
    for handle, key in ((right, start), (left, end)):
        shorten_handle(handle, key, length)
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        t = 0.5 * (low + high)
        a, b, c = start + t * (right - start), right + t * (left - right), left + t * (end - left)
        d, e = a + t * (b - a), b + t * (c - b)
        point = d + t * (e - d)
        low, high = (t, high) if point[0] < frame else (low, t)
    places[2, before], places[1, before + 2] = a, c
    places[:, before + 1] = [point, d, e]
