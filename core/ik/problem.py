# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot, goals and what may move, as one least-squares problem with bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model import Robot
from ..spatial import Array, transform
from .terms import Slopes, State, Term, Variables


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Goals of one or more priorities as residuals of the variables.

    Attributes:
        robot: The robot.
        terms: The goals, in the caller's order.
        variables: What may move.
        lower: Lower bounds of the variables, shape (N,); -inf where there are none.
        upper: Upper bounds, shape (N,).
        damping: Factor of each variable's damping, shape (N,): the square of its weight.
        spread: Half the range that random starts cover where there are no bounds [rad or m], shape (N,).
        circling: The columns of ``State.q`` that may be changed by whole turns without changing anything else.
    """

    robot: Robot
    terms: tuple[Term, ...]
    variables: Variables
    lower: Array
    upper: Array
    damping: Array
    spread: Array
    circling: NDArray[np.intp]

    def evaluate(self, state: State, terms: Sequence[Term]) -> tuple[Array, Array]:
        """Return the weighted residual (T, M) and its transposed Jacobian (T, N, M) of some of the goals."""
        residual, slopes = self.residual(state, terms)
        return residual, slopes()

    def residual(self, state: State, terms: Sequence[Term]) -> tuple[Array, Slopes]:
        """Return the weighted residual (T, M) of some of the goals, and what computes its transposed Jacobian."""
        if len(terms) == 1:
            residual, slopes = terms[0].evaluate(state)
            if terms[0].unit:
                return residual, slopes
            weights = terms[0].weights
            return residual * weights, lambda: slopes() * weights
        parts = [term.evaluate(state) for term in terms]
        all_weights = np.concatenate([term.weights for term in terms])
        return (
            np.concatenate([part[0] for part in parts], axis=1) * all_weights,
            lambda: np.concatenate([part[1]() for part in parts], axis=2) * all_weights,
        )

    def moved(self, state: State, step: Array) -> State:
        """Return the states after a step of the variables, shape (T, N): joints add, the base turns in its own axes."""
        first, columns = 6 * self.variables.floating, self.variables.columns
        q = state.q.copy()
        # a step to a bound ends there exactly
        values = np.maximum(q[:, columns] + step[:, first:], self.lower[first:])
        q[:, columns] = np.minimum(values, self.upper[first:])
        return State(q, state.W_H_B @ _displacement(step[:, :6])) if first else State(q, state.W_H_B, state.placed)

    def inside(self, state: State, step: Array) -> State | None:
        """Return the state (T = 1) after a step, shape (N,), or None where that is beyond a bound."""
        first, columns = 6 * self.variables.floating, self.variables.columns
        values = state.q[0, columns] + step[first:]
        lower, upper = (self.lower[first:], self.upper[first:]) if first else (self.lower, self.upper)
        if not (np.minimum(np.maximum(values, lower), upper) == values).all():
            return None
        q = state.q.copy()
        q[0, columns] = values
        if not first:
            return State(q, state.W_H_B, state.placed)
        return State(q, state.W_H_B @ _displacement(step[None, :6]))

    def at_bound(self, state: State) -> bool:
        """Whether a joint stands at a bound (T = 1)."""
        first, values = 6 * self.variables.floating, state.q[0, self.variables.columns]
        return not ((values > self.lower[first:]) & (values < self.upper[first:])).all()

    def near(self, state: State, start: State) -> State:
        """Return the state with unlimited joints within half a turn of where they started."""
        if not len(self.circling):
            return state
        q = state.q.copy()
        turns = np.round((q[:, self.circling] - start.q[:, self.circling]) / (2.0 * np.pi))
        q[:, self.circling] -= 2.0 * np.pi * turns
        return State(q, state.W_H_B, state.placed)

    def room(self, state: State) -> tuple[Array, Array]:
        """Return how far each variable may go down and up, shapes (T, N)."""
        values = state.q[:, self.variables.columns]
        if self.variables.floating:
            values = np.concatenate([np.zeros((len(values), 6)), values], axis=1)
        return self.lower - values, self.upper - values


def _displacement(twist: Array) -> Array:
    """Return a rigid motion for small linear and angular parts (T, 6), exactly a rotation."""
    angle = np.linalg.norm(twist[:, 3:], axis=1)
    safe = np.maximum(angle, 1e-12)
    axis = twist[:, 3:] / safe[:, None]
    x, y, z = axis.T
    s, c = np.sin(angle), np.cos(angle)
    t = 1.0 - c
    rotation = np.empty((len(twist), 3, 3))
    rotation[:, 0, 0], rotation[:, 0, 1], rotation[:, 0, 2] = c + t * x * x, t * x * y - s * z, t * x * z + s * y
    rotation[:, 1, 0], rotation[:, 1, 1], rotation[:, 1, 2] = t * x * y + s * z, c + t * y * y, t * y * z - s * x
    rotation[:, 2, 0], rotation[:, 2, 1], rotation[:, 2, 2] = t * x * z - s * y, t * y * z + s * x, c + t * z * z
    return transform(rotation, twist[:, :3])
