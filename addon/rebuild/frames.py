# SPDX-License-Identifier: GPL-3.0-or-later
"""The frames at which a motion has to be written again, so that it is the same at all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import RigError

Array = NDArray[np.float64]

_MOST = 200_000
_WHOLE = 1e-4


def curve_time(scene: bpy.types.Scene) -> float:
    """Return by what a frame of the scene is multiplied to get the time at which curves are read."""
    return scene.render.frame_map_old / scene.render.frame_map_new


def frames_to_keep(scene: bpy.types.Scene, curves: Iterable[Any]) -> Array:
    """Return all whole frames of the scene's range and of the curves' keys, and the keys between them, rising.

    Raises:
        RigError: If there are too many.
    """
    keyed = [np.zeros(0)]
    for curve in curves:
        points = curve.keyframe_points
        numbers = np.empty(2 * len(points), dtype=np.float32)
        points.foreach_get("co", numbers)
        keyed.append(numbers[0::2].astype(np.float64))
    keys = np.unique(np.concatenate(keyed)) / curve_time(scene)
    ends = [scene.frame_start, scene.frame_end]
    if scene.use_preview_range:
        ends += [scene.frame_preview_start, scene.frame_preview_end]
    if len(keys):
        ends += [int(np.floor(keys[0])), int(np.ceil(keys[-1]))]
    first, last = min(ends), max(ends)
    between = keys[np.abs(keys - np.round(keys)) > _WHOLE]
    if last - first + len(between) > _MOST:
        raise RigError(f"the animation lasts from frame {first} to {last}: that is too much to write again")
    return np.unique(np.concatenate([np.arange(first, last + 1, dtype=np.float64), between]))
