# SPDX-License-Identifier: GPL-3.0-or-later
"""The pose of a rig, kept while it is moved for a measurement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
import numpy as np

BONE_CHANNELS = (("location", 3), ("rotation_euler", 3), ("rotation_quaternion", 4))


@contextmanager
def kept_pose(context: bpy.types.Context, rig: bpy.types.Object) -> Iterator[None]:
    """Put the channels of all bones back at the end: what they hold need not be what the animation says."""
    bones = rig.pose.bones
    kept = {name: np.empty(size * len(bones), dtype=np.float32) for name, size in BONE_CHANNELS}
    for name, values in kept.items():
        bones.foreach_get(name, values)
    try:
        yield
    finally:
        for name, values in kept.items():
            bones.foreach_set(name, values)
        rig.update_tag()
        context.view_layer.update()
