# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of F-curves at many frames at once."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ..fcurves import acts, is_muted, key_code

Array = NDArray[np.float64]


def curve_values(curve: bpy.types.FCurve, frames: Array) -> Array | None:
    """Return the values that Blender gives at frames, shape (T,); None where the curve has none."""
    if not acts(curve):
        return None
    read = on_linear_keys(curve, frames)
    return read[0] if read is not None else np.array([curve.evaluate(frame) for frame in frames.tolist()])


def on_linear_keys(curve: bpy.types.FCurve, frames: Array) -> Array | None:
    """Return value and first two derivatives by the frame, shape (3, T); None but for keys that are linear.

    On a key the slope is the mean of those on both sides.
    """
    keys = curve.keyframe_points
    if is_muted(curve) or len(curve.modifiers) or not len(keys) or curve.extrapolation != "CONSTANT":
        return None
    kinds = np.empty(len(keys), dtype=np.int32)
    keys.foreach_get("interpolation", kinds)
    if (kinds != key_code("interpolation", "LINEAR")).any():
        return None
    co = np.empty(2 * len(keys), dtype=np.float32)
    keys.foreach_get("co", co)
    times, values = co[0::2].astype(np.float64), co[1::2].astype(np.float64)
    steps = np.diff(times)
    if (steps <= 0.0).any():
        return None
    # keys lie at float32 frames: those that were written for the same instants are met exactly
    at = frames.astype(np.float32).astype(np.float64)
    slopes = np.concatenate([[0.0], np.diff(values) / steps, [0.0]])  # constant before the first key and after the last
    before, after = (slopes[np.searchsorted(times, at, side=side)] for side in ("left", "right"))
    return np.stack([np.interp(at, times, values), 0.5 * (before + after), np.zeros(len(at))])
