# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that a robot may be unable to do in a motion: limits, jumps, and touching itself."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass

import numpy as np

from ..collision import CollisionModel, overlap_depths_stepwise, start_values
from ..diagnostics import Diagnostic
from ..model import Robot
from ..stepwise import finished
from .checking import Finding, Findings, Kind, check_motion, gathered, stretches
from .fitting import with_followers
from .joint_motion import Array, JointMotion
from .limits import MotionLimits, Override, motion_limits


@dataclass(frozen=True, slots=True, eq=False)
class MotionCheck:
    """A motion held against a robot.

    Attributes:
        motion: The motion of the free joints, then of those that follow them.
        limits: For these.
        findings: What it cannot do.
        diagnostics: Remarks.
    """

    motion: JointMotion
    limits: MotionLimits
    findings: Findings
    diagnostics: tuple[Diagnostic, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing was found."""
        return not self.findings.items


def check_robot_motion(
    robot: Robot,
    motion: JointMotion,
    *,
    overrides: Mapping[str, Override] | None = None,
    collisions: CollisionModel | None = None,
    clock: float = 0.0,
) -> MotionCheck:
    """Return what a robot cannot do of a motion of its free joints; those that it lacks stand as near to 0 as allowed.

    Args:
        robot: The robot.
        motion: In radians and metres, of free joints only.
        overrides: What a file of joint limits says.
        collisions: What to look at for self-collision, at the motion's samples; None leaves that out.
        clock: By how much two samples may be off in time [s]; see ``checking``.

    Raises:
        UnknownNameError: If the robot has no such joint.
        ModelError: If there are too many samples to look for collisions.
    """
    steps = check_robot_motion_stepwise(robot, motion, overrides=overrides, collisions=collisions, clock=clock)
    return finished(steps)


def check_robot_motion_stepwise(
    robot: Robot,
    motion: JointMotion,
    *,
    overrides: Mapping[str, Override] | None = None,
    collisions: CollisionModel | None = None,
    clock: float = 0.0,
) -> Generator[tuple[float], None, MotionCheck]:
    """Do the work of ``check_robot_motion``, yielding the share done, 0 to 1, before each step; return its result."""
    whole = with_followers(motion, robot)
    limits = motion_limits(robot, whole.joints, overrides)
    parts = [check_motion(whole, limits, clock)]
    remarks = limits.diagnostics
    if collisions is not None:
        parts.append((yield from _collisions(robot, motion, collisions)))
        remarks += collisions.diagnostics
    return MotionCheck(whole, limits, gathered(parts), remarks)


def _collisions(
    robot: Robot, motion: JointMotion, collisions: CollisionModel
) -> Generator[tuple[float], None, Findings]:
    q = np.tile(start_values(robot), (len(motion.times), 1))
    column = {name: index for index, name in enumerate(robot.dofs)}
    q[:, [column[name] for name in motion.joints]] = motion.positions
    depths = yield from overlap_depths_stepwise(robot, collisions.proxies, collisions.pairs, q)
    if not depths:
        return Findings(())
    pairs, values = list(depths), np.column_stack(list(depths.values()))
    runs, left_out = stretches(values > 0.0)
    items = [_collision(pairs[place], values[:, place], first, last) for place, first, last in runs]
    return Findings(tuple(items), left_out)


def _collision(pair: tuple[str, str], depths: Array, first: int, last: int) -> Finding:
    index = int(np.argmax(depths[first : last + 1])) + first
    return Finding(Kind.COLLISION, pair[0], index, first, last, float(depths[index]), 0.0, other=pair[1])
