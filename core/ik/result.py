# SPDX-License-Identifier: GPL-3.0-or-later
"""What the solvers return."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..spatial import Array


@dataclass(frozen=True, slots=True)
class Residual:
    """How far one goal is from being met.

    Attributes:
        goal: What was asked, for people.
        position: Distance [m]; for a posture the largest joint difference [rad or m]; 0 where it does not matter.
        rotation: Angle [rad]; 0 where it does not matter.
        reached: Whether both are within the tolerance.
    """

    goal: str
    position: float
    rotation: float
    reached: bool


@dataclass(frozen=True, slots=True, eq=False)
class IkResult:
    """The configuration found, within limits; the best there is where the goals can't be reached.

    Attributes:
        q: Joint values in the order of ``robot.dofs``, shape (n,).
        reached: Whether every goal of the first priority is met.
        residuals: One entry for each goal, in their order.
        active_limits: The joints, of those that were free to move, that stand at a limit.
        iterations: Steps taken, over all starts.
        W_H_B: The base's pose, shape (4, 4): found where the base floats, else as given.
        note: What there is to say, such as how far a goal is; empty where all are reached.
    """

    q: Array
    reached: bool
    residuals: tuple[Residual, ...]
    active_limits: tuple[str, ...]
    iterations: int
    W_H_B: Array = field(default_factory=lambda: np.eye(4))
    note: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class IkSolutions:
    """All configurations found for one pose.

    Attributes:
        q: One row each, in the order of ``robot.dofs``, shape (k, n).
        complete: Whether these are all there are (whole turns within limits included); otherwise a lower bound.
        note: How they were found, and what is special: nothing in reach, a joint free, an infinite family.
        free_joints: For each row the joints that may have any value there, at a singularity; the row holds one choice.
    """

    q: Array
    complete: bool
    note: str
    free_joints: tuple[tuple[str, ...], ...] = ()

    def __len__(self) -> int:
        """Return the number of configurations."""
        return len(self.q)
