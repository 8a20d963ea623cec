# SPDX-License-Identifier: GPL-3.0-or-later
"""As few linear keys as keep a tool on its line between them."""

from __future__ import annotations

import math

import numpy as np

from ..spatial import Array, rotation_angle
from .errors import WaypointError
from .line import LineMove

SHORTEST = 1.0 / 64.0
"""Frames between keys; Blender takes keys nearer than 1/100 for one."""
_MOST_KEYS = 20_000
_ROTATION = 1e-3  # rad
_ALONG = 10.0  # times as far may it be from its place on the line as from the line
_BETWEEN = np.array([0.25, 0.5, 0.75])


def smooth_share(u: Array) -> Array:
    """Return ``3 u^2 - 2 u^3``: what a Bézier curve with level handles, a third of its length long, does."""
    return u * u * (3.0 - 2.0 * u)


def line_keys(move: LineMove, first: float, last: float, smooth: bool, tolerance: float) -> tuple[Array, Array]:
    """Return frames (m,) and joint values (m, k), the ends included, linear between which the tool keeps to its line.

    The tool's pose is compared at every half frame and at three places between every two keys.
    Whole frames are taken first, parts of frames where these are not enough.

    Args:
        move: The configurations.
        first: Frame of the start.
        last: Frame of the end.
        smooth: Whether it starts and stops gently.
        tolerance: How far the tool may be from the line [m].

    Raises:
        WaypointError: If a joint would have to jump, or the move takes too many keys.
    """

    def share(frames: Array) -> Array:
        u = np.clip((frames - first) / (last - first), 0.0, 1.0)
        return np.asarray(smooth_share(u) if smooth else u)

    def rounded(values: Array) -> Array:
        return values.astype(np.float32).astype(np.float64)  # as Blender keeps them

    halves = 0.5 * np.arange(math.ceil(2.0 * first), math.floor(2.0 * last) + 1)
    halves = halves[(halves > first) & (halves < last)]
    frames = rounded(np.array([first, last]))
    x = rounded(move.at(share(frames)))
    while True:
        tests = np.unique(np.concatenate([halves, (frames[:-1, None] + np.diff(frames)[:, None] * _BETWEEN).ravel()]))
        between = np.column_stack([np.interp(tests, frames, column) for column in x.T])
        bad = tests[_is_off(move, between, share(tests), tolerance)]
        if not len(bad):
            return frames, x
        new = _split(move, frames, x, np.unique(np.searchsorted(frames, bad) - 1))
        if len(frames) + len(new) > _MOST_KEYS:
            raise WaypointError(f"the line takes more than {_MOST_KEYS} keys; make it slower", waypoint=move.waypoint)
        more = rounded(move.at(share(new)))
        order = np.argsort(np.concatenate([frames, new]))
        frames, x = np.concatenate([frames, new])[order], np.concatenate([x, more])[order]


def _is_off(move: LineMove, x: Array, s: Array, tolerance: float) -> Array:
    pose, wanted = move.tool.pose(x), move.line.at(s)
    apart = pose[:, :3, 3] - wanted[:, :3, 3]
    way = move.line.end[:3, 3] - move.line.start[:3, 3]
    length = float(np.linalg.norm(way))
    along = apart @ (way / length) if length > tolerance else np.zeros(len(x))
    off = (np.abs(along) > _ALONG * tolerance) | (np.sum(apart * apart, axis=1) - along * along > tolerance * tolerance)
    if move.tool.rows == 6:
        off |= rotation_angle(np.swapaxes(pose[:, :3, :3], 1, 2) @ wanted[:, :3, :3]) > _ROTATION
    return np.asarray(off)


def _split(move: LineMove, frames: Array, x: Array, intervals: Array) -> Array:
    """Return a frame in each of the intervals: the whole frame nearest to its middle, else the middle."""
    low, high = frames[intervals], frames[intervals + 1]
    short = high - low < 2.0 * SHORTEST
    if short.any():
        at = int(intervals[int(np.argmax(short))])
        joint = move.tool.names[int(np.abs(x[at + 1] - x[at]).argmax())]
        message = (
            f"on the straight line to the taught configuration joint {joint!r} would have to jump near frame "
            f"{frames[at]:.6g}; make it a joint move, slower, or teach a waypoint between"
        )
        raise WaypointError(message, joint=joint, waypoint=move.waypoint)
    middle = 0.5 * (low + high)
    whole = np.round(middle)
    return np.asarray(np.where((whole - low > 0.25) & (high - whole > 0.25), whole, middle))
