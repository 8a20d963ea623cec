# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry of what is drawn over a robot: the handles of its joints, how a drag moves them, names and axes."""

from .drags import Ray, slid, turned
from .handles import dial_frames, dial_radii, limit_on_screen, pixel_sizes
from .labels import ScreenPoints, on_screen, place_labels, project
from .lines import arc, axes_lines, sector
from .picking import Targets
from .shapes import Figure, Look, handle_lines, handle_places, handle_triangles, swept

__all__ = [
    "Figure",
    "Look",
    "Ray",
    "ScreenPoints",
    "Targets",
    "arc",
    "axes_lines",
    "dial_frames",
    "dial_radii",
    "handle_lines",
    "handle_places",
    "handle_triangles",
    "limit_on_screen",
    "on_screen",
    "pixel_sizes",
    "place_labels",
    "project",
    "sector",
    "slid",
    "swept",
    "turned",
]
