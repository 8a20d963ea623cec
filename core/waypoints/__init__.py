# SPDX-License-Identifier: GPL-3.0-or-later
"""Taught poses and the moves between them: joint moves, and straight-line moves of a tool, as keys for every joint."""

from .errors import WaypointError
from .planning import JointKeys, WaypointPlan, plan_waypoints
from .waypoint import Move, Waypoint, tool_pose

__all__ = [
    "JointKeys",
    "Move",
    "Waypoint",
    "WaypointError",
    "WaypointPlan",
    "plan_waypoints",
    "tool_pose",
]
