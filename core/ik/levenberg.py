# SPDX-License-Identifier: GPL-3.0-or-later
"""Levenberg-Marquardt with hard bounds, from many starts at once.

A step solves the damped normal equations of the variables that are free: one that stands at a bound and is pushed
against it is held; one that the step would take beyond its bound goes to the bound and the others are solved for again.
So no iterate is ever outside, and a bound costs the others nothing. The damping follows the residual, which keeps the
convergence of Newton's method at solutions and stays calm at singularities.

Sources: T. Sugihara, "Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method", IEEE T-RO 2011
(damping by the residual); J. Nocedal, S. Wright, "Numerical optimization", 2006, ch. 10, 16.7 (bounds).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..spatial import Array
from .problem import Problem
from .terms import State, Term

_FLOOR = 1e-12  # of the trace: a singular matrix stays just solvable, and what moves nothing stays where it is
_SLOW = 1e-3
_PATIENCE = 4
_HOPELESS = 1e7
_FIRST, _LESS, _MORE, _LEAST = 0.1, 0.2, 6.0, 1e-4
_ROUNDS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Descent:
    """Where the starts ended.

    Attributes:
        state: T configurations.
        residual: Weighted residuals, shape (T, M).
        cost: Sum of their squares, shape (T,).
        iterations: Steps taken.
    """

    state: State
    residual: Array
    cost: Array
    iterations: int

    @property
    def best(self) -> int:
        """The start that came nearest."""
        return int(np.argmin(self.cost))


def descend(
    problem: Problem, terms: Sequence[Term], state: State, enough: float, most: int, all_of_them: bool = False
) -> Descent:
    """Improve T states until one of them is good enough, or all of them, or none gets better.

    Args:
        problem: The problem.
        terms: The goals that count.
        state: Starts within bounds.
        enough: Cost at which a state is good enough.
        most: Largest number of steps.
        all_of_them: Whether to go on until every state is good enough or stuck.
    """
    if len(state.q) == 1:
        return _descend_one(problem, terms, state, enough, most)
    residual, jacobian = problem.evaluate(state, terms)
    cost = _squares(residual)
    factor = np.full(len(cost), _FIRST)
    slow = np.zeros(len(cost), dtype=np.intp)
    iterations = 0
    while iterations < most:
        good = cost <= enough
        going = ~good & (slow < _PATIENCE) & (factor < _HOPELESS)
        if (good.any() and not all_of_them) or not going.any():
            break
        iterations += 1
        step = bounded_step(problem, state, residual, jacobian, factor * cost)
        tried = problem.moved(state, step)
        tried_residual, tried_jacobian = problem.evaluate(tried, terms)
        tried_cost = _squares(tried_residual)
        better = tried_cost < cost
        slow = np.where(np.abs(cost - tried_cost) < _SLOW * cost, slow + 1, np.where(better, 0, slow))
        factor = np.where(better, np.maximum(_LESS * factor, _LEAST), _MORE * factor)
        state = _chosen(better, tried, state)
        residual = np.where(better[:, None], tried_residual, residual)
        jacobian = np.where(better[:, None, None], tried_jacobian, jacobian)
        cost = np.where(better, tried_cost, cost)
    return Descent(state, residual, cost, iterations)


def _descend_one(problem: Problem, terms: Sequence[Term], state: State, enough: float, most: int) -> Descent:
    """Improve one state: the same steps as for many, without the bookkeeping in arrays.

    Where the steps shrink so fast that another one with the same Jacobian will do, it is not computed again.
    """
    residual, slopes = problem.residual(state, terms)
    cost = float(np.vdot(residual, residual))
    factor, slow, iterations = _FIRST, 0, 0
    jacobian: Array | None = None
    reusable: Array | None = None
    while iterations < most and cost > enough and slow < _PATIENCE and factor < _HOPELESS:
        iterations += 1
        again = reusable is not None
        tried = None if reusable is None else problem.inside(state, -reusable.dot(residual[0]))
        if tried is None:
            jacobian = slopes() if jacobian is None else jacobian
            tried, reusable = _one_step(problem, state, residual, jacobian, factor * cost)
        tried_residual, tried_slopes = problem.residual(tried, terms)
        tried_cost = float(np.vdot(tried_residual, tried_residual))
        slow = slow + 1 if abs(cost - tried_cost) < _SLOW * cost else 0 if tried_cost < cost else slow
        # steps with one Jacobian shrink by the same ratio each
        promising = not again and tried_cost * tried_cost < enough * cost
        reusable = reusable if promising else None
        if tried_cost < cost:
            state, residual, slopes, cost, jacobian = tried, tried_residual, tried_slopes, tried_cost, None
            factor = max(_LESS * factor, _LEAST)
        elif not again:
            factor *= _MORE
    return Descent(state, residual, np.array([cost]), iterations)


def _one_step(
    problem: Problem, state: State, residual: Array, jacobian: Array, damping: float
) -> tuple[State, Array | None]:
    """Return one state after its ``bounded_step``, and what makes that from the residual where no bound is met."""
    slopes = jacobian[0]
    square = slopes.dot(slopes.T)
    diagonal = square.reshape(-1)[:: len(square) + 1]
    diagonal += (damping + _FLOOR * (1e-3 + float(np.vdot(slopes, slopes)))) * problem.damping
    if not problem.at_bound(state):
        inverse: Array = np.linalg.solve(square, slopes)
        tried = problem.inside(state, -inverse.dot(residual[0]))
        if tried is not None:
            return tried, inverse
    gradient = slopes.dot(residual[0])
    tried = problem.inside(state, -np.linalg.solve(square, gradient))
    if tried is not None:
        return tried, None
    down, up = (room[0] for room in problem.room(state))
    held = ((down >= 0.0) & (gradient > 0.0)) | ((up <= 0.0) & (gradient < 0.0))
    return problem.moved(state, _bounded(square, gradient, down, up, held)[None]), None


def _bounded(square: Array, gradient: Array, down: Array, up: Array, held: NDArray[np.bool_]) -> Array:
    """Return the step (N,) within bounds for the damped square matrix (N, N), some variables held to begin with."""
    step = np.zeros(len(gradient))
    for _ in range(_ROUNDS + 1):
        free = np.flatnonzero(~held)
        if not len(free):
            break
        rows = square[free]
        step[free] = 0.0
        step[free] = np.linalg.solve(rows[:, free], -gradient[free] - rows.dot(step))
        clipped = np.minimum(np.maximum(step, down), up)
        beyond = clipped != step
        step = clipped
        if not beyond.any():
            break
        held = held | beyond
    return step


def _squares(residual: Array) -> Array:
    return np.asarray(np.einsum("tm,tm->t", residual, residual))


def _chosen(which: NDArray[np.bool_], first: State, second: State) -> State:
    q = np.where(which[:, None], first.q, second.q)
    if len(first.W_H_B) != len(q):
        return State(q, second.W_H_B, second.placed)
    return State(q, np.where(which[:, None, None], first.W_H_B, second.W_H_B))


def bounded_step(problem: Problem, state: State, residual: Array, jacobian: Array, damping: Array) -> Array:
    """Return the step (T, N) that the damped equations ask for, within bounds.

    Args:
        problem: The problem.
        state: T states within bounds.
        residual: Shape (T, M).
        jacobian: Transposed, shape (T, N, M).
        damping: Shape (T,).
    """
    gradient = (jacobian @ residual[:, :, None])[:, :, 0]
    square = jacobian @ jacobian.transpose(0, 2, 1)
    count = square.shape[1]
    diagonal = square.reshape(-1, count * count)[:, :: count + 1]  # a view
    floor = _FLOOR * (1e-3 + np.add.reduce(diagonal, axis=1))
    diagonal += (damping + floor)[:, None] * problem.damping
    down, up = problem.room(state)
    held = (down >= 0.0) | (up <= 0.0)
    any_held = bool(held.any())
    if any_held:
        held = ((down >= 0.0) & (gradient > 0.0)) | ((up <= 0.0) & (gradient < 0.0))
    step = _solved(square, gradient, np.zeros_like(gradient), held) if any_held else -_divided(square, gradient)
    for _ in range(_ROUNDS):
        beyond = (step < down) | (step > up)
        if not beyond.any():
            return step
        held = held | beyond
        step = _solved(square, gradient, np.clip(step, down, up), held)
    return np.asarray(np.clip(step, down, up))


def _divided(square: Array, right: Array) -> Array:
    return np.asarray(np.linalg.solve(square, right[:, :, None])[:, :, 0])


def _solved(square: Array, gradient: Array, step: Array, held: NDArray[np.bool_]) -> Array:
    """Return the step with the held variables as they are and the others solved for."""
    fixed = np.where(held, step, 0.0)
    right = -gradient - (square @ fixed[:, :, None])[:, :, 0]
    free = ~held
    reduced = np.where(free[:, :, None] & free[:, None, :], square, 0.0)
    diagonal = np.arange(square.shape[1])
    reduced[:, diagonal, diagonal] += held
    return np.where(held, fixed, _divided(reduced, np.where(free, right, 0.0)))
