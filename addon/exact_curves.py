# SPDX-License-Identifier: GPL-3.0-or-later
"""F-curves in double precision: exact values and derivatives, and which channels these tell everything of.

Source: the Blender manual, *F-Curves*, for interpolation and extrapolation; handles that reach beyond the neighbouring
key are shortened as Blender does, so that a curve never turns back in time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

import bpy
import numpy as np
from numpy.typing import NDArray

from .fcurves import Channel, acts, curves_by_channel, shorten_handle

Array = NDArray[np.float64]

Point = tuple[float, float, float]
"""Value, first and second derivative by the frame."""

_AT_KEY = 1e-4  # frames; as near as that Blender gives the key's own value
_BISECTIONS = 60
_STEEP = 1e-9


@dataclass(frozen=True, slots=True)
class ExactCurve:
    """A channel's curve in double precision.

    Attributes:
        times: The keys' frames, shape (k,).
        values: Their values, shape (k,).
        left: Their left handles, shape (k, 2).
        right: Their right handles, shape (k, 2).
        kinds: The interpolation that starts at each.
        goes_on: Whether it goes on with its slope before the first key and behind the last.
    """

    times: Array
    values: Array
    left: Array
    right: Array
    kinds: tuple[str, ...]
    goes_on: bool

    @classmethod
    def of(cls, curve: bpy.types.FCurve) -> ExactCurve:
        """Return a copy of an F-curve that has keys."""
        keys = curve.keyframe_points
        read = {name: np.empty(2 * len(keys), dtype=np.float32) for name in ("co", "handle_left", "handle_right")}
        for name, numbers in read.items():
            keys.foreach_get(name, numbers)
        co, left, right = (np.reshape(numbers, (-1, 2)).astype(np.float64) for numbers in read.values())
        kinds = tuple(key.interpolation for key in keys)
        return cls(co[:, 0], co[:, 1], left, right, kinds, curve.extrapolation == "LINEAR")

    def at(self, frame: float) -> Point | None:
        """Return value and derivatives; None inside an easing, or where the curve is vertical.

        On a key, derivatives are the mean of those on both sides.
        """
        following = int(np.searchsorted(self.times, frame, side="right"))
        for key in (following - 1, following):
            if 0 <= key < len(self.times) and abs(self.times[key] - frame) <= _AT_KEY:
                sides = [self._segment(key, self.times[key]), self._segment(key + 1, self.times[key])]
                if sides[0] is None or sides[1] is None:
                    return None
                return cast("Point", tuple(0.5 * (a + b) for a, b in zip(*sides, strict=True)))
        return self._segment(following, frame)

    def _segment(self, index: int, frame: float) -> Point | None:
        """Return the point on the segment that ends at key ``index``."""
        if index in (0, len(self.times)):
            return self._beyond(0 if index == 0 else index - 1, frame)
        first = index - 1
        kind = self.kinds[first]
        length, rise = self.times[index] - self.times[first], self.values[index] - self.values[first]
        if kind == "CONSTANT":
            return float(self.values[first]), 0.0, 0.0
        if kind == "LINEAR":
            slope = float(rise / length)
            return float(self.values[first] + slope * (frame - self.times[first])), slope, 0.0
        if kind != "BEZIER":
            return None
        start = np.array([self.times[first], self.values[first]])
        end = np.array([self.times[index], self.values[index]])
        controls = [np.zeros(2), self.right[first] - start, self.left[index] - start, end - start]
        for control, key in ((controls[1], controls[0]), (controls[2], controls[3])):
            shorten_handle(control, key, length)
        point = _on_bezier(np.array(controls), frame - start[0])
        return None if point is None else (point[0] + float(start[1]), *point[1:])

    def _beyond(self, key: int, frame: float) -> Point:
        """Return the point before the first or behind the last key."""
        time, value, kind = self.times[key], self.values[key], self.kinds[key]
        slope = 0.0
        if self.goes_on and kind != "CONSTANT":
            towards = np.array([time, value])
            if kind != "LINEAR":
                towards = self.left[key] if key == 0 and frame <= time else self.right[key]
            elif len(self.times) > 1:
                near = 1 if key == 0 else key - 1
                towards = np.array([self.times[near], self.values[near]])
            if towards[0] != time:
                slope = float((towards[1] - value) / (towards[0] - time))
        return float(value + slope * (frame - time)), slope, 0.0


def _on_bezier(controls: Array, x: float) -> Point | None:
    """Return y and its derivatives by x on a cubic (4, 2) that starts at 0 and never turns back in x."""
    a, b = 3.0 * controls[1], 3.0 * (controls[2] - 2.0 * controls[1])
    c = controls[3] - a - b
    low, high = 0.0, 1.0
    t = min(max(x / controls[3, 0], 0.0), 1.0)
    for _ in range(_BISECTIONS):
        off = ((c[0] * t + b[0]) * t + a[0]) * t - x
        low, high = (t, high) if off < 0.0 else (low, t)
        slope = (3.0 * c[0] * t + 2.0 * b[0]) * t + a[0]
        newton = t - off / slope if slope > 0.0 else -1.0
        before, t = t, newton if low <= newton <= high else 0.5 * (low + high)
        if abs(t - before) < 1e-15:
            break
    y = ((c[1] * t + b[1]) * t + a[1]) * t
    first, second = (3.0 * c * t + 2.0 * b) * t + a, 6.0 * c * t + 2.0 * b
    if first[0] < _STEEP * controls[3, 0]:
        return None
    rate = first[1] / first[0]
    return float(y), float(rate), float((second[1] - rate * second[0]) / first[0] ** 2)


class Channels:
    """Which channels of a datablock follow F-curves alone, so that their derivatives are known."""

    def __init__(self, owner: bpy.types.Object) -> None:
        animation = owner.animation_data
        self._blended = animation is not None and animation.use_nla and len(animation.nla_tracks) > 0
        drivers: Iterable[bpy.types.FCurve] = () if animation is None else animation.drivers
        self._driven = {(curve.data_path, curve.array_index) for curve in drivers}
        self._curves = {channel: curve for channel, curve in curves_by_channel(owner).items() if acts(curve)}

    def rest(self, paths: Iterable[str]) -> bool:
        """Whether nothing animates the properties with these paths."""
        wanted = set(paths)
        return not self._blended and not any(path in wanted for path, _ in (*self._curves, *self._driven))

    def is_exact(self, channel: Channel) -> bool:
        """Whether the channel stands still, or follows a curve whose derivative is known but for easings."""
        if self._blended or channel in self._driven:
            return False
        curve = self._curves.get(channel)
        return curve is None or (len(curve.keyframe_points) > 0 and all(modifier.mute for modifier in curve.modifiers))

    def points(self, channel: Channel, resting: float, frames: Iterable[float]) -> list[Point] | None:
        """Return the channel's values and derivatives at frames; None where these are not known exactly.

        Args:
            channel: The channel.
            resting: Its value where nothing animates it.
            frames: The frames, time remapping applied.
        """
        if not self.is_exact(channel):
            return None
        curve = self._curves.get(channel)
        if curve is None:
            return [(resting, 0.0, 0.0) for _ in frames]
        exact = ExactCurve.of(curve)
        points = [exact.at(frame) for frame in frames]
        return None if None in points else cast("list[Point]", points)
