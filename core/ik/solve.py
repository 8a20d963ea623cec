# SPDX-License-Identifier: GPL-3.0-or-later
"""Inverse kinematics for any robot and any goals, by numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import ArrayLike

from ..errors import ModelError
from ..kinematics.configuration import JointValue, coupling, resolve_configuration
from ..model import Robot
from ..spatial import Array, rotation_about_axis, transform
from .bounds import joint_bounds
from .goals import Goal, PostureGoal, pose
from .levenberg import Descent, descend
from .preparation import make_problem
from .problem import Problem
from .result import IkResult, Residual
from .secondary import refine
from .terms import State, Term

_FIRST_STEPS, _STEPS = 30, 40
_BATCH, _REPEATED = 16, 4
_AFFORDED = 20_000_000  # starts times the cube of the number of variables
_AT_LIMIT = 1e-9
_MARGIN = 0.3
_AT_ORIGIN = np.eye(4)[None]
_AT_ORIGIN.setflags(write=False)


def solve_ik(
    robot: Robot,
    goals: Goal | Iterable[Goal],
    q0: JointValue | None = None,
    *,
    base: str | None = None,
    W_H_B: ArrayLike | None = None,
    floating: bool = False,
    locked: Sequence[str] = (),
    weights: Mapping[str, float] | None = None,
    tolerance: float = 1e-6,
    restarts: int = 96,
    max_iterations: int = 4000,
    seed: int = 0,
) -> IkResult:
    """Return a configuration that meets the goals, or the best one found with how far it is from each.

    Joint limits hold always, those of mimic joints too. The start is tried first, then random starts that depend on
    ``seed`` alone. Only joints on the paths to the goals move.

    >>> from urdf_rig import core
    >>> from urdf_rig.core.ik import PoseGoal
    >>> robot = core.load("examples/arm6/arm6.urdf")
    >>> target = core.forward_kinematics(robot, {"joint_2": 0.5, "joint_3": -0.3})["tool0"]
    >>> found = core.solve_ik(robot, PoseGoal("tool0", target))
    >>> found.reached, np.allclose(core.forward_kinematics(robot, found.q)["tool0"], target, atol=1e-6)
    (True, True)

    Args:
        robot: Any robot.
        goals: One goal or several; goals of a higher ``priority`` number are met as far as the lower ones allow.
        q0: Where to start, as ``forward_kinematics`` takes it, brought within limits first; joints that don't move
            keep it. One configuration.
        base: The link that stands still, or floats; the root where None.
        W_H_B: Pose of the base in the world, shape (4, 4), where the base floats its start; the identity where None.
        floating: Whether the base's pose is to be found too.
        locked: Joints that must not move.
        weights: How unwillingly a joint moves; 1 where it is not named.
        tolerance: How near a goal counts as reached, in metres and radians.
        restarts: Number of random starts, fewer for hundreds of joints; 0 for a solution near the start or none.
        max_iterations: Largest number of steps over all starts.
        seed: Which random starts.

    Raises:
        UnknownNameError: If a link or joint does not exist.
        JointValueError: If a joint value has the wrong shape or is not finite.
        ModelError: If a goal is not finite or no rigid transform, or there is none.
    """
    wanted: tuple[Goal, ...] = tuple(goals) if isinstance(goals, Iterable) else (goals,)
    if not wanted:
        raise ModelError("there is no goal")
    if not (math.isfinite(tolerance) and tolerance > 0.0):
        raise ModelError(f"the tolerance {tolerance} is not a positive number")
    start, spatial = starting_point(robot, q0, W_H_B)
    problem = make_problem(robot, wanted, base, spatial, floating, locked, weights or {})
    first = min(goal.priority for goal in wanted)
    terms = [term for term in problem.terms if term.goal.priority == first]
    search = _search if len(terms) == len(problem.terms) else _ranked
    found = search(problem, terms, start, tolerance, (restarts, max_iterations, seed))
    return _result(problem, found, tolerance, first)


def _enough(terms: Sequence[Term], tolerance: float) -> float:
    """Return the cost at which each goal is met, whatever share of it is whose."""
    return (_MARGIN * tolerance * min(float(term.weights.min()) for term in terms)) ** 2


def _ranked(
    problem: Problem, terms: Sequence[Term], start: State, tolerance: float, effort: tuple[int, int, int]
) -> Descent:
    """Return the best state for goals of several ranks; arguments as for ``_search``, the terms those of the first.

    Where all can be met at once, none has to give way to another: tried near the start first, and from random starts
    when the lower ranks get no further. With more equations than variables that would be a coincidence.
    """
    restarts, most, seed = effort
    possible = sum(len(term.weights) for term in problem.terms) <= problem.variables.count
    all_met = _enough(problem.terms, tolerance)
    if possible:
        together = _search(problem, problem.terms, start, tolerance, (0, most, seed))
        if together.cost[0] <= all_met:
            return together
    found = _search(problem, terms, start, tolerance, effort)
    state, more = refine(problem, found.state, tolerance)
    residual = problem.evaluate(state, problem.terms)[0]
    if possible and restarts and float(np.vdot(residual, residual)) > all_met:
        together = _search(problem, problem.terms, start, tolerance, (min(restarts, 2 * _BATCH), most, seed))
        if together.cost[0] <= all_met:
            return together
    return Descent(state, residual, found.cost, found.iterations + more)


def starting_point(robot: Robot, q0: JointValue | None, W_H_B: ArrayLike | None) -> tuple[State, dict[str, Array]]:
    """Return the start within limits, and the values of planar and floating joints.

    Raises:
        UnknownNameError: If a joint does not exist.
        JointValueError: If a value has the wrong shape or is not finite.
        ModelError: If there are several configurations, or ``W_H_B`` is no rigid transform.
    """
    given = resolve_configuration(robot, q0)
    if given.batched:
        raise ModelError("inverse kinematics starts from one configuration, not from several")
    lower, upper = joint_bounds(robot)
    q = np.minimum(np.maximum(given.free[:, 0], lower), upper)
    spatial = {name: np.asarray(value)[0] for name, value in given.spatial.items()}
    if W_H_B is None:
        return State(q[None], _AT_ORIGIN, placed=False), spatial
    return State(q[None], pose(W_H_B, "W_H_B")[None]), spatial


def _search(
    problem: Problem, terms: Sequence[Term], start: State, tolerance: float, effort: tuple[int, int, int]
) -> Descent:
    """Return the best state (T = 1) of the start and as many random ones as it takes.

    Args:
        problem: The problem.
        terms: The goals that count.
        start: Where to start, T = 1.
        tolerance: How near is near enough.
        effort: Number of random starts, largest number of steps, and the seed.
    """
    restarts, most, seed = effort
    restarts, enough = affordable(restarts, problem), _enough(terms, tolerance)
    best = descend(problem, terms, start, enough, min(most, _FIRST_STEPS) if problem.variables.count else 0)
    iterations = best.iterations
    random = np.random.default_rng(seed) if best.cost[0] > enough and restarts and problem.variables.count else None
    ends = best.cost
    while random is not None and best.cost[0] > enough and restarts > 0 and iterations < most:
        if _is_floor(ends, enough):
            break
        count = min(_BATCH, restarts)
        restarts -= count
        starts = random_states(problem, start, count, random)
        found = descend(problem, terms, starts, enough, min(_STEPS, most - iterations))
        iterations += found.iterations
        ends = np.concatenate([ends, found.cost])
        which = np.array([found.best])
        if found.cost[which[0]] < best.cost[0]:
            best = Descent(found.state.part(which), found.residual[which], found.cost[which], 0)
    return Descent(problem.near(best.state, start), best.residual, best.cost, iterations)


def _is_floor(ends: Array, enough: float) -> bool:
    """Whether so many starts ended at the same least cost that there is none lower to be expected."""
    least = float(ends.min())
    return len(ends) > 2 * _BATCH and least > 1e4 * enough and int((ends <= 1.001 * least).sum()) >= _REPEATED


def affordable(starts: int, problem: Problem) -> int:
    """Return how many starts to make: as many as asked for, but for robots with hundreds of joints."""
    return min(starts, max(1, _AFFORDED // max(1, problem.variables.count) ** 3))


def random_states(problem: Problem, start: State, count: int, random: np.random.Generator) -> State:
    """Return states at random within bounds; what has no bounds is near the start."""
    variables = problem.variables
    first = 6 * variables.floating
    at = start.q[0, variables.columns]
    low = np.where(np.isfinite(problem.lower[first:]), problem.lower[first:], at - problem.spread[first:])
    high = np.where(np.isfinite(problem.upper[first:]), problem.upper[first:], at + problem.spread[first:])
    q = np.repeat(start.q, count, axis=0)
    q[:, variables.columns] = low + random.random((count, len(at))) * (high - low)
    if not variables.floating:
        return State(q, start.W_H_B, start.placed)
    axes = random.normal(size=(count, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    turned = rotation_about_axis(axes, random.uniform(0.0, 0.5, count))
    return State(q, start.W_H_B @ transform(turned, random.uniform(-0.3, 0.3, (count, 3))))


def _result(problem: Problem, found: Descent, tolerance: float, first: int) -> IkResult:
    ends = accumulate((len(term.weights) for term in problem.terms), initial=0)
    rows = [found.residual[0, start:end] for start, end in pairwise(ends)]
    residuals = tuple(_measured(term, row, tolerance) for term, row in zip(problem.terms, rows, strict=True))
    q = found.state.q[0]
    lower, upper = joint_bounds(problem.robot)
    at_limit = ((q <= lower + _AT_LIMIT) | (q >= upper - _AT_LIMIT))[problem.variables.columns]
    moving = problem.variables.columns[at_limit].tolist() if at_limit.any() else []
    pairs = zip(problem.terms, residuals, strict=True)
    missed = [residual for term, residual in pairs if term.goal.priority == first and not residual.reached]
    return IkResult(
        q=q,
        reached=not missed,
        residuals=residuals,
        active_limits=tuple(coupling(problem.robot).dofs[column] for column in moving),
        iterations=found.iterations,
        W_H_B=found.state.W_H_B[0].copy(),
        note="; ".join(f"{item.goal}: not reached, off by {_distance(item)}" for item in missed),
    )


def _distance(residual: Residual) -> str:
    parts = []
    if residual.position > 0.0:
        parts.append(f"{residual.position * 1e3:.3g} mm")
    if residual.rotation > 0.0:
        parts.append(f"{math.degrees(residual.rotation):.3g}°")
    return " and ".join(parts) or "0"


def _measured(term: Term, weighted: Array, tolerance: float) -> Residual:
    """Return how far one goal is from being met, from its weighted residual (m,)."""
    rows = (weighted / term.weights).tolist()
    lengths, angles = rows[: term.lengths], rows[term.lengths :]
    rotation = math.hypot(*angles)
    largest = isinstance(term.goal, PostureGoal)
    position = max(map(abs, lengths), default=0.0) if largest else math.hypot(*lengths)
    if term.difference_of_directions:
        rotation = 2.0 * math.asin(min(1.0, 0.5 * rotation))
    return Residual(_name(term.goal), position, rotation, max(position, rotation) <= tolerance)


def _name(goal: Goal) -> str:
    kind = type(goal).__name__.removesuffix("Goal").lower()
    frame = getattr(goal, "frame", None)
    if frame is None:
        return "centre of mass" if kind == "centerofmass" else kind
    return f"{'look-at' if kind == 'lookat' else kind} of {frame if isinstance(frame, str) else frame[0]}"
