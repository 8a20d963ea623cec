# SPDX-License-Identifier: GPL-3.0-or-later
"""A motion's positions, velocities and accelerations against their limits, one row a joint, as PNG or SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..figures import Figure, nice_ticks, png_bytes, rasterised, svg_text
from ..figures.figure import Colour
from .checking import Finding, Kind, motion_rates
from .errors import MotionError
from .joint_motion import Array
from .robot_check import MotionCheck

PICTURES = (".png", ".svg")
MAX_JOINTS = 60
_LEFT, _TOP, _BOTTOM, _RIGHT = 74, 118, 8, 20
_PANEL, _BETWEEN = (330, 96), (76, 42)
_INK: Colour = (32, 36, 44)
_GREY: Colour = (110, 116, 126)
_PALE: Colour = (226, 229, 234)
_GROUND: Colour = (249, 250, 251)
_BLUE: Colour = (31, 98, 172)
_RED: Colour = (204, 36, 36)
_ALARM: Colour = (252, 222, 220)
_CURVES: Sequence[tuple[str, frozenset[Kind], str]] = (
    ("Position", frozenset({Kind.POSITION, Kind.JUMP, Kind.FLIP}), ""),
    ("Velocity", frozenset({Kind.VELOCITY, Kind.JUMP, Kind.FLIP}), "/s"),
    ("Acceleration", frozenset({Kind.ACCELERATION}), "/s²"),
)
_WITHIN = 6.0
"""A limit this many times farther than the curve reaches is told in words, so that the curve can be seen."""
_TICKS = 5
_STEP = 4.0
"""Steps of a velocity are drawn where they are this wide at least [pixels]."""


@dataclass(frozen=True, slots=True, eq=False)
class _Curve:
    """What one panel shows: its times and values, shape (k,), limits, and the stretches that are beyond them [s]."""

    times: Array
    values: Array
    low: float
    high: float
    bad: Sequence[tuple[float, float]]
    stepped: bool


def write_plot(path: Path, check: MotionCheck, *, title: str, degrees: bool = True) -> None:
    """Write the picture of a motion against its limits; the suffix says which kind.

    Args:
        path: File to write, .png or .svg.
        check: The motion with its limits and findings.
        title: Words above it, such as the robot's name.
        degrees: Whether angles are in degrees, not radians.

    Raises:
        MotionError: If that is not possible.
    """
    suffix = path.suffix.lower()
    if suffix not in PICTURES:
        raise MotionError(f"unknown kind of picture; known: {', '.join(PICTURES)}", file=str(path))
    figure = motion_figure(check, title=title, degrees=degrees)
    data = svg_text(figure).encode() if suffix == ".svg" else png_bytes(rasterised(figure, 1.5))
    try:
        path.write_bytes(data)
    except OSError as error:
        raise MotionError(f"cannot be written: {error.strerror}", file=str(path)) from None


def motion_figure(check: MotionCheck, *, title: str, degrees: bool = True) -> Figure:
    """Return the picture: joints that move or are beyond a limit, at most ``MAX_JOINTS``; the others are named."""
    motion = check.motion
    blamed = {item.joint for item in check.findings.items if item.kind is not Kind.COLLISION}
    moving = np.ptp(motion.positions, axis=0) > 1e-6
    shown = [name for name, moves in zip(motion.joints, moving, strict=True) if moves or name in blamed]
    still = [name for name in motion.joints if name not in shown]
    dropped, shown = shown[MAX_JOINTS:], shown[:MAX_JOINTS]
    width = _LEFT + 3 * _PANEL[0] + 2 * _BETWEEN[0] + _RIGHT
    figure = Figure(width, _TOP + max(len(shown), 1) * (_PANEL[1] + _BETWEEN[1]) + _BOTTOM)
    _head(figure, check, title, still, dropped)
    rates = motion_rates(motion) if len(motion.times) > 1 else None
    middle = 0.5 * (motion.times[1:] + motion.times[:-1])
    for row, name in enumerate(shown):
        column = motion.joints.index(name)
        turns = bool(check.limits.turns[column])
        factor, unit = (math.degrees(1.0), "°") if turns and degrees else (1.0, "rad" if turns else "m")
        y = _TOP + row * (_PANEL[1] + _BETWEEN[1])
        figure.text(14, y - 9, name, 14, _INK, bold=True)
        for place, (_, kinds, per) in enumerate(_CURVES):
            limit = (check.limits.upper, check.limits.velocity, check.limits.acceleration)[place][column]
            low = check.limits.lower[column] if place == 0 else -limit
            values, times = motion.positions[:, column], motion.times
            if place and rates is not None:
                values, times = (
                    (rates.velocity[:, column], middle) if place == 1 else (rates.acceleration[:, column], times[1:-1])
                )
            elif place:
                values, times = np.empty(0), np.empty(0)
            bad = [
                _span(motion.times, item) for item in check.findings.items if item.joint == name and item.kind in kinds
            ]
            curve = _Curve(times, values * factor, low * factor, limit * factor, bad, stepped=place == 1)
            _panel(figure, _LEFT + place * (_PANEL[0] + _BETWEEN[0]), y, curve, motion.times, unit + per)
    bottom = figure.height - 14
    for place in range(3):
        figure.text(_LEFT + place * (_PANEL[0] + _BETWEEN[0]) + _PANEL[0] / 2, bottom, "Time [s]", 13, _GREY, "middle")
    return figure


def _span(times: Array, item: Finding) -> tuple[float, float]:
    return float(times[item.first]), float(times[item.last])


def _head(figure: Figure, check: MotionCheck, title: str, still: list[str], dropped: list[str]) -> None:
    figure.text(14, 30, title, 20, _INK, bold=True)
    found = len(check.findings.items) + check.findings.left_out
    verdict = "all limits are kept" if not found else f"{found} finding{'s' if found > 1 else ''}"
    touching = sum(item.kind is Kind.COLLISION for item in check.findings.items)
    if touching:
        verdict += f", {touching} of them self-collisions"
    figure.text(14, 52, verdict, 14, _RED if found else _GREY)
    notes = [f"not moving: {', '.join(still)}"] if still else []
    notes += [f"left out: {', '.join(dropped)}"] if dropped else []
    if notes:
        text = "; ".join(notes)
        figure.text(14, 72, text if len(text) < 150 else text[:149] + "…", 12, _GREY)
    right = figure.width - _RIGHT
    figure.line([[right - 318, 26], [right - 288, 26]], _BLUE, 2.0)
    figure.text(right - 282, 30, "motion", 13, _INK)
    figure.line([[right - 222, 26], [right - 192, 26]], _RED, 1.3, dashed=True)
    figure.text(right - 186, 30, "limit", 13, _INK)
    figure.rectangle(right - 138, 18, 26, 16, _ALARM)
    figure.text(right - 106, 30, "beyond limits", 13, _INK)
    for place, (name, _, _) in enumerate(_CURVES):
        x = _LEFT + place * (_PANEL[0] + _BETWEEN[0]) + _PANEL[0] / 2
        figure.text(x, 92, name, 15, _INK, "middle", bold=True)


def _panel(figure: Figure, x: float, y: float, curve: _Curve, times: Array, unit: str) -> None:
    width, height = _PANEL
    figure.rectangle(x, y, width, height, _GROUND)
    start, span = float(times[0]), max(float(times[-1] - times[0]), 1e-9)
    low, high, hidden = _range(curve)

    def across(time: Array | float) -> Array:
        return np.asarray(x + (np.asarray(time) - start) / span * width)

    def down(value: Array | float) -> Array:
        return np.asarray(y + (high - np.asarray(value)) / (high - low) * height)

    def level(value: float) -> Array:
        return np.array([[x, down(value)], [x + width, down(value)]])

    for begin, end in curve.bad:
        left, right = float(across(begin)), float(across(end))
        figure.rectangle(left - 1.0, y, max(right - left, 0.0) + 2.0, height, _ALARM)
    for tick in nice_ticks(low, high, _TICKS):
        figure.line(level(tick), _PALE)
        figure.text(x - 6, float(down(tick)) + 4, f"{tick:.6g}".replace("-", "−"), 11, _GREY, "end")
    for tick in nice_ticks(start, start + span, 6):
        at = float(across(tick))
        figure.line([[at, y], [at, y + height]], _PALE)
        figure.text(at, y + height + 14, f"{tick:.6g}".replace("-", "−"), 11, _GREY, "middle")
    for limit in (curve.low, curve.high):
        if low <= limit <= high:
            figure.line(level(limit), _RED, 1.3, dashed=True)
    if len(curve.values):
        points = np.column_stack([across(curve.times), down(curve.values)])
        figure.line(_thinned(_stepped(points) if curve.stepped else points, width), _BLUE, 1.6)
    figure.line([[x, y], [x, y + height], [x + width, y + height]], _GREY)
    words = f"{hidden}  [{unit}]" if hidden else f"[{unit}]"
    figure.text(x + width, y - 8, words, 11, _GREY, "end")


def _range(curve: _Curve) -> tuple[float, float, str]:
    """Return the lowest and highest value of the panel, and what is said of limits that are not in it."""
    values = curve.values if len(curve.values) else np.zeros(1)
    low, high = float(values.min()), float(values.max())
    reach = max(high - low, abs(high), abs(low), 1e-6)
    ends = [end for end in (curve.low, curve.high) if math.isfinite(end)]
    near = [end for end in ends if min(abs(end - low), abs(end - high)) <= _WITHIN * reach or low <= end <= high]
    words = ""
    if not ends:
        words = "no limit"
    elif len(near) < len(ends):
        words = f"limits {curve.low:.4g} … {curve.high:.4g}" if curve.low != -curve.high else f"limit ±{curve.high:.4g}"
        words = words.replace("-", "−")
    low, high = min([low, *near]), max([high, *near])
    margin = 0.08 * (high - low) if high > low else max(0.5 * abs(high), 1e-3)
    return low - margin, high + margin, words


def _stepped(points: Array) -> Array:
    """Return the steps of a velocity that is constant from sample to sample, from those at the middles."""
    if len(points) < 2 or np.ptp(points[:, 0]) < _STEP * len(points):
        return points
    between = 0.5 * (points[1:, 0] + points[:-1, 0])
    edges = np.concatenate([[2 * points[0, 0] - between[0]], between, [2 * points[-1, 0] - between[-1]]])
    return np.column_stack([np.repeat(edges, 2)[1:-1], np.repeat(points[:, 1], 2)])


def _thinned(points: Array, width: int) -> Array:
    """Return at most four points for each pixel across: the first, lowest, highest and last."""
    if len(points) <= 4 * width:
        return points
    column = np.floor(points[:, 0]).astype(int)
    starts = np.flatnonzero(np.diff(column, prepend=column[0] - 1))
    kept: set[int] = set()
    for begin, end in zip(starts, [*starts[1:], len(points)], strict=True):
        values = points[begin:end, 1]
        kept |= {int(begin), int(begin + values.argmin()), int(begin + values.argmax()), int(end) - 1}
    return points[sorted(kept)]
