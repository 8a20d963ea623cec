# SPDX-License-Identifier: GPL-3.0-or-later
"""A taught pose: joint values at a frame of the animation, and how it is reached from the one before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from ..kinematics import Frame, frame_pose
from ..model import Robot
from ..spatial import Array


class Move(StrEnum):
    """How a waypoint is reached."""

    JOINT = "joint"
    """Each joint goes from value to value by itself."""
    LINE = "line"
    """The tool's point stays on a straight line and the tool turns about one axis, both evenly."""


@dataclass(frozen=True, slots=True, eq=False)
class Waypoint:
    """A taught pose.

    Attributes:
        name: What people call it.
        frame: When it is reached, in frames of the animation; parts of frames allowed.
        q: Values [rad or m] of free scalar joints. A line needs those of all joints that move the tool.
        move: How it is reached from the waypoint before; the first has none before it.
        smooth: Whether the move starts and stops gently, else at a constant speed.
        tool: For a line: the frame that moves on it.
        reference: For a line: the link in whose frame it is straight; the robot's root where None.
        keep_orientation: For a line: whether the tool's orientation counts, else its point alone.
    """

    name: str
    frame: float
    q: Mapping[str, float]
    move: Move = Move.JOINT
    smooth: bool = True
    tool: Frame = ""
    reference: str | None = None
    keep_orientation: bool = True


def tool_pose(robot: Robot, waypoint: Waypoint, spatial: Mapping[str, Array] | None = None) -> Array:
    """Return where the waypoint's tool is in its reference link, shape (4, 4) [m].

    Args:
        robot: The robot.
        waypoint: The waypoint; joints that it does not name stand at 0.
        spatial: Values of planar (3,) and floating (7,) joints.

    Raises:
        UnknownNameError: If a link or joint does not exist.
        JointValueError: If a value is not finite, or not that of a free joint.
        ModelError: If the tool's offset is no rigid transform.
    """
    values: dict[str, ArrayLike] = {**(spatial or {}), **waypoint.q}
    return np.asarray(frame_pose(robot, values, waypoint.tool, base=waypoint.reference))
