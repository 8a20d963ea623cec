# SPDX-License-Identifier: GPL-3.0-or-later
"""Does a robot touch itself? Convex proxies of its collision shapes, and the distance between them."""

from __future__ import annotations

from .model import CollisionModel, collision_model, start_values
from .overlaps import overlap_depths, overlap_depths_stepwise
from .proxies import Proxy, proxies_of, proxy_of, proxy_of_points

__all__ = [
    "CollisionModel",
    "Proxy",
    "collision_model",
    "overlap_depths",
    "overlap_depths_stepwise",
    "proxies_of",
    "proxy_of",
    "proxy_of_points",
    "start_values",
]
