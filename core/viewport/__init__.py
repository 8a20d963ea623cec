# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry of what is drawn over a robot: the handles of its joints, how a drag moves them, names and axes."""

from .drags import Ray, slid, turned
from .handles import dial_frames, dial_radii, limit_on_screen, pixel_sizes
from .labels import ScreenPoints, on_screen, place_labels
from .lines import arc, axes_lines, sector

__all__ = [
    "Ray",
    "ScreenPoints",
    "arc",
    "axes_lines",
    "dial_frames",
    "dial_radii",
    "limit_on_screen",
    "on_screen",
    "pixel_sizes",
    "place_labels",
    "sector",
    "slid",
    "turned",
]
