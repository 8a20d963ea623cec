# SPDX-License-Identifier: GPL-3.0-or-later
"""Goals of lower rank: met as far as they leave those above them alone.

For one rank after another: a step of the rank's own equations within the null space of all above it, then steps that
bring those above back to where they were; kept if the rank gained and those above lost nothing.

Source: Y. Nakamura, H. Hanafusa, T. Yoshikawa, "Task-priority based redundancy control of robot manipulators", 1987.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..spatial import Array
from .levenberg import bounded_step
from .problem import Problem
from .terms import State, Term

_STEPS = 40
_SHORTEST = 1e-4
_STILL = 1e-10
_RANK = 1e-6
_GAIN = 1e-9
_REPAIRS = 4


def refine(problem: Problem, state: State, tolerance: float) -> tuple[State, int]:
    """Return the state (T = 1) improved for all ranks behind the first, and the number of steps."""
    ranks = sorted({term.goal.priority for term in problem.terms})
    iterations = 0
    for place in range(1, len(ranks)):
        above = [[term for term in problem.terms if term.goal.priority == rank] for rank in ranks[:place]]
        own = [term for term in problem.terms if term.goal.priority == ranks[place]]
        state, taken = _improve(problem, state, above, own, tolerance)
        iterations += taken
    return state, iterations


def _improve(
    problem: Problem, state: State, above: Sequence[Sequence[Term]], own: Sequence[Term], tolerance: float
) -> tuple[State, int]:
    higher = [term for rank in above for term in rank]
    ends = np.cumsum([0, *(sum(len(term.weights) for term in rank) for rank in above)])[:-1]
    wanted, jacobian = problem.evaluate(state, higher)
    residual, slopes = problem.residual(state, own)
    allowed = np.add.reduceat(wanted[0] ** 2, ends) + (0.1 * tolerance) ** 2
    cost = float(np.vdot(residual, residual))
    step: Array | None = None
    length, iterations = 1.0, 0
    while iterations < _STEPS and length > _SHORTEST and cost > 0.0:
        iterations += 1
        if step is None:
            step = _null_step(problem, state, jacobian[0], residual[0], slopes()[0])
            if np.abs(step).max(initial=0.0) < _STILL:
                break
        tried, reached, tried_jacobian = _repaired(problem, _clipped(problem, state, length * step), wanted, higher)
        tried_residual, tried_slopes = problem.residual(tried, own)
        gained = float(np.vdot(tried_residual, tried_residual))
        if gained < cost and (np.add.reduceat(reached[0] ** 2, ends) <= allowed).all():
            done = cost - gained <= _GAIN * cost
            state, wanted, jacobian, residual, slopes = tried, reached, tried_jacobian, tried_residual, tried_slopes
            step, cost, length = None, gained, min(1.0, 2.0 * length)
            if done:
                break
        else:
            length *= 0.3
    return state, iterations


def _null_step(problem: Problem, state: State, above: Array, residual: Array, own: Array) -> Array:
    """Return the Gauss-Newton step (N,) of the rank's own goals that the goals above don't feel, within bounds.

    Args:
        problem: The problem.
        state: The state, T = 1.
        above: Transposed Jacobian of the goals above, shape (N, M).
        residual: What is left of the own goals, shape (m,).
        own: Their transposed Jacobian, shape (N, m).
    """
    down, up = (room[0] for room in problem.room(state))
    held: NDArray[np.bool_] = np.zeros(len(down), dtype=bool)
    weight = np.sqrt(problem.damping)
    step = np.zeros(len(down))
    for _ in range(len(down)):
        free = ~held
        step = np.zeros(len(down))
        step[free] = _projected(above[free], own[free], residual, weight[free])
        pushed = free & (((down >= 0.0) & (step < -1e-12)) | ((up <= 0.0) & (step > 1e-12)))
        if not pushed.any():
            break
        held |= pushed
    return step


def _projected(above: Array, jacobian: Array, residual: Array, weight: Array) -> Array:
    """Return the step for some of the variables; Jacobians are transposed, shape (N, M)."""
    if not len(above):
        return np.zeros(0)
    scaled = above / weight[:, None]
    left, sizes, _ = np.linalg.svd(scaled, full_matrices=True)
    rank = int(np.sum(sizes > _RANK * max(1.0, float(sizes.max(initial=0.0)))))
    null = left[:, rank:]
    if not null.shape[1]:
        return np.zeros(len(above))
    reduced = (null.T @ (jacobian / weight[:, None])).T
    size = float(residual @ residual)
    normal = reduced.T @ reduced + (1e-9 + 1e-3 * min(1.0, size)) * np.eye(null.shape[1])
    return np.asarray(-(null @ np.linalg.solve(normal, reduced.T @ residual)) / weight)


def _clipped(problem: Problem, state: State, step: Array) -> State:
    down, up = problem.room(state)
    return problem.moved(state, np.clip(step[None], down, up))


def _repaired(problem: Problem, tried: State, wanted: Array, higher: Sequence[Term]) -> tuple[State, Array, Array]:
    """Return a state near ``tried`` in which the goals above have the residual ``wanted``, theirs, and the Jacobian."""
    residual, jacobian = problem.evaluate(tried, higher)
    for _ in range(_REPAIRS):
        lost = residual - wanted
        size = float(np.vdot(lost, lost))
        if size < 1e-18:
            break
        tried = problem.moved(tried, bounded_step(problem, tried, lost, jacobian, np.array([1e-3 * size])))
        residual, jacobian = problem.evaluate(tried, higher)
    return tried, residual, jacobian
