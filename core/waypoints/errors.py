# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a move between waypoints is refused."""

from __future__ import annotations

from ..errors import ModelError


class WaypointError(ModelError):
    """Waypoints that no motion can be made of.

    Args:
        message: What is wrong and how to put it right.
        joint: The joint that stands in the way; empty where it is none in particular.
        waypoint: The waypoint that the refused move leads to, or that is wrong itself.
    """

    def __init__(self, message: str, *, joint: str = "", waypoint: str = "") -> None:
        self.message = message
        self.joint = joint
        self.waypoint = waypoint
        super().__init__(f"waypoint {waypoint!r}: {message}" if waypoint else message)
