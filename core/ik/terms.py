# SPDX-License-Identifier: GPL-3.0-or-later
"""Goals made ready for solving: residuals and their derivatives by the variables, for T states at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..spatial import Array
from .goals import AxisGoal, Goal, LookAtGoal
from .kernels import Kernel
from .path import Path
from .swivel import Elbow, SwivelArm


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """T configurations.

    Attributes:
        q: Values of ``robot.dofs``, shape (T, n).
        W_H_B: The base's pose, shape (T, 4, 4), or (1, 4, 4) where it does not float.
        placed: Whether that is anything but the identity.
    """

    q: Array
    W_H_B: Array
    placed: bool = True

    def part(self, which: slice | NDArray[np.intp]) -> State:
        """Return some of the configurations."""
        return State(self.q[which], self.W_H_B[which] if len(self.W_H_B) == len(self.q) else self.W_H_B, self.placed)


@dataclass(frozen=True, slots=True, eq=False)
class Variables:
    """What may move.

    Attributes:
        columns: The free joints, by their place in ``robot.dofs``, shape (k,).
        floating: Whether the base moves too: six variables before those of the joints, its velocity in its own axes.
    """

    columns: NDArray[np.intp]
    floating: bool

    @property
    def count(self) -> int:
        """Number of variables."""
        return len(self.columns) + 6 * self.floating

    def fold(self, columns: Sequence[int], multipliers: Array) -> Array:
        """Return the matrix from the values of some joints to the variables, shape (N, k), transposed Jacobian."""
        place = {int(column): index for index, column in enumerate(self.columns)}
        out = np.zeros((self.count, len(columns)))
        for index, (column, multiplier) in enumerate(zip(columns, multipliers.ravel(), strict=True)):
            if column in place:
                out[6 * self.floating + place[column], index] = multiplier
        return out


Slopes = Callable[[], Array]


class Term(Protocol):
    """One goal as equations."""

    @property
    def goal(self) -> Goal:
        """The goal."""

    @property
    def weights(self) -> Array:
        """The weight of each row, shape (m,)."""

    @property
    def lengths(self) -> int:
        """How many of the rows, the first ones, are lengths; the rest are angles."""

    @property
    def unit(self) -> bool:
        """Whether all weights are 1."""

    @property
    def difference_of_directions(self) -> bool:
        """Whether the angular rows are the difference of two unit vectors rather than an angle."""

    def evaluate(self, state: State) -> tuple[Array, Slopes]:
        """Return the residual (T, m), without weights, and what computes its transposed Jacobian (T, N, m)."""


@dataclass(frozen=True, slots=True, eq=False)
class FrameTerm:
    """A goal of one frame; ``fold`` leads from the path's joints to the variables, None where those are the same."""

    goal: Goal
    weights: Array
    lengths: int
    unit: bool
    kernel: Kernel
    path: Path
    fold: Array | None
    floating: bool

    @property
    def difference_of_directions(self) -> bool:
        """Whether the angular rows are the difference of two unit vectors rather than an angle."""
        return isinstance(self.goal, AxisGoal | LookAtGoal)

    def evaluate(self, state: State) -> tuple[Array, Slopes]:
        """Return the residual (T, m), without weights, and what computes its transposed Jacobian (T, N, m)."""
        base_h_frame, seen = self.path.pose(self.path.values(state.q))
        residual, factor = self.kernel(state.W_H_B @ base_h_frame if state.placed else base_h_frame)
        return residual, lambda: self._by_variable(base_h_frame, seen) @ factor()

    def _by_variable(self, base_h_frame: Array, seen: Array) -> Array:
        """Return the frame's body Jacobian by the variables, transposed, shape (T, N, 6)."""
        columns = self.path.slopes(seen)
        joints, width = columns.shape[:2]
        if self.fold is not None:
            columns = (self.fold @ columns.reshape(joints, width * 6)).reshape(len(self.fold), width, 6)
        by_variable = columns.transpose(1, 0, 2)
        if self.floating:
            by_variable[:, :3, :3] = by_variable[:, 3:6, 3:] = base_h_frame[:, :3, :3]
            p = base_h_frame[:, :3, 3:]
            by_variable[:, 3:6, :3] = np.cross(np.eye(3), p.transpose(0, 2, 1)) @ base_h_frame[:, :3, :3]
        return by_variable


@dataclass(frozen=True, slots=True, eq=False)
class PostureTerm:
    """Wished values of joints; all rows count as lengths."""

    goal: Goal
    weights: Array
    lengths: int
    columns: NDArray[np.intp]
    target: Array
    fold: Array
    unit: bool = False
    difference_of_directions: bool = False

    def evaluate(self, state: State) -> tuple[Array, Slopes]:
        """Return the residual (T, m), without weights, and what computes its transposed Jacobian (T, N, m)."""
        residual = state.q[:, self.columns] - self.target
        return residual, lambda: np.broadcast_to(self.fold, (len(residual), *self.fold.shape))


@dataclass(frozen=True, slots=True, eq=False)
class SwivelTerm:
    """A wished swivel angle, by the shorter way around; ``fold`` leads from the path's joints to the variables."""

    goal: Goal
    weights: Array
    lengths: int
    target: float
    arm: SwivelArm
    fold: Array | None
    unit: bool = False
    difference_of_directions: bool = False

    def evaluate(self, state: State) -> tuple[Array, Slopes]:
        """Return the residual (T, 1), without weights, and what computes its transposed Jacobian (T, N, 1)."""
        path = self.arm.path
        _, seen = path.pose(path.values(state.q))
        elbows = self.arm.elbows(seen)
        residual = np.array([[math.remainder(elbow.angle - self.target, math.tau)] for elbow in elbows])
        return residual, lambda: self._by_variable(seen, elbows)

    def _by_variable(self, seen: Array, elbows: Sequence[Elbow]) -> Array:
        columns = self.arm.slopes(seen, elbows)
        if self.fold is not None:
            columns = self.fold @ columns
        return columns.T[:, :, None]
