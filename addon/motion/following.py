# SPDX-License-Identifier: GPL-3.0-or-later
"""The motion of a rig that follows its IK goals by itself: each frame is solved as it is played."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.kinematics import value_rates
from ..ik.settings import ik_data
from ..motion_rates import SUBFRAME
from ..rig import joint_values
from ..world import world_pose
from .played import Progress, around, read_played

Array = NDArray[np.float64]


def following_motion(
    context: bpy.types.Context, rig: bpy.types.Object, frames: Array, rates: bool
) -> Generator[Progress, None, tuple[dict[str, Sequence[Array]], Array | None]]:
    """Return value, velocity and acceleration by the frame of each free joint, and ``W_H_B`` where the base is free.

    The rig solves when the frame changes, in its own handler; the channels hold what it found.

    Args:
        context: Its scene is the one that is animated.
        rig: The armature object, which is live.
        frames: Shape (T,).
        rates: Whether rates are wanted; without, they are zero.
    """
    distinct, places = around(frames, rates)

    def read(_evaluated: bpy.types.Object) -> tuple[dict[str, float], Array]:
        context.view_layer.update()
        return joint_values(rig), world_pose(rig, context.scene)

    seen = yield from read_played(context, rig, distinct, read)
    still = np.zeros(len(frames))
    found: dict[str, Sequence[Array]] = {}
    for name in seen[0][0]:
        samples = np.array([values[name] for values, _ in seen])[places]
        found[name] = (samples[2], *value_rates(samples, SUBFRAME)) if rates else (samples[0], still, still)
    poses = np.array([pose for _, pose in seen])[places[len(places) // 2]]
    return found, poses if ik_data(rig).base_free else None
