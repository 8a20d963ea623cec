# SPDX-License-Identifier: GPL-3.0-or-later
"""An animation played frame by frame, with something read at each."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.kinematics import OFFSETS
from ..motion_rates import SUBFRAME, kept_frame

Array = NDArray[np.float64]
Progress = tuple[float, str]
_Read = TypeVar("_Read")


def read_played(
    context: bpy.types.Context, rig: bpy.types.Object, frames: Array, read: Callable[[bpy.types.Object], _Read]
) -> Generator[Progress, None, list[_Read]]:
    """Play frames, yielding the share done before each; return what was read of the evaluated rig at each.

    Current frame and pose are put back, also when it is closed before its end.

    Args:
        context: Its scene is the one that is animated.
        rig: The armature object.
        frames: In their order, parts of frames allowed, shape (T,).
        read: Called with the evaluated rig.
    """
    scene = context.scene
    found: list[_Read] = []
    with kept_frame(context, rig):
        for index, frame in enumerate(frames.tolist()):
            yield index / len(frames), f"Frame {frame:g}"
            whole = int(np.floor(frame))
            scene.frame_set(whole, subframe=frame - whole)
            found.append(read(rig.evaluated_get(context.evaluated_depsgraph_get())))
    return found


def around(frames: Array, rates: bool) -> tuple[Array, NDArray[np.intp]]:
    """Return the frames to play, and which of them are each frame's: the frame itself, or five around it for its rates.

    The places have the shape (1, T), or (5, T), as ``value_rates`` takes samples.
    """
    offsets = np.array(OFFSETS if rates else (0,)) * SUBFRAME
    wanted = np.round(frames + offsets[:, None], 6)
    distinct, places = np.unique(wanted, return_inverse=True)
    return distinct, places.reshape(wanted.shape)
