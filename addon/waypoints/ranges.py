# SPDX-License-Identifier: GPL-3.0-or-later
"""Which keys were made of waypoints, so that making them anew touches no others."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

import bpy

from .settings import waypoints_data

Range = tuple[float, float]
"""Frames of a first and a last key."""


def generated_keys(rig: bpy.types.Object) -> dict[str, Range]:
    """Return between which frames each joint's keys were made of waypoints last."""
    try:
        found = json.loads(waypoints_data(rig).generated or "{}")
        ranges = {str(name): (float(first), float(last)) for name, (first, last) in found.items()}
    except (ValueError, TypeError, AttributeError, RecursionError):  # damaged in the file
        return {}
    return {name: ends for name, ends in ranges.items() if all(map(math.isfinite, ends))}


def store_generated(rig: bpy.types.Object, ranges: Mapping[str, Range]) -> None:
    """Remember between which frames each joint's keys were made."""
    waypoints_data(rig).generated = json.dumps(dict(ranges), ensure_ascii=False) if ranges else ""
