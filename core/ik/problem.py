# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot, goals and what may move, as one least-squares problem with bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import JointValueError, ModelError
from ..kinematics.chain import Frame, frame_parts
from ..kinematics.configuration import coupling
from ..model import Robot
from ..spatial import Array, transform
from .goals import CenterOfMassGoal, Goal, PostureGoal
from .kernels import kernel_of
from .mass_term import mass_term
from .path import Path, cached_path
from .terms import FrameTerm, PostureTerm, State, Term, Variables


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
    """

    robot: Robot
    terms: tuple[Term, ...]
    variables: Variables
    lower: Array
    upper: Array
    damping: Array
    spread: Array

    def evaluate(self, state: State, terms: Sequence[Term]) -> tuple[Array, Array]:
        """Return the weighted residual (T, M) and its transposed Jacobian (T, N, M) of some of the goals."""
        if len(terms) == 1:
            residual, jacobian = terms[0].evaluate(state)
            weights = terms[0].weights
            return residual * weights, jacobian * weights
        parts = [term.evaluate(state) for term in terms]
        weights = np.concatenate([term.weights for term in terms])
        residual = np.concatenate([part[0] for part in parts], axis=1) * weights
        return residual, np.concatenate([part[1] for part in parts], axis=2) * weights

    def moved(self, state: State, step: Array) -> State:
        """Return the states after a step of the variables, shape (T, N): joints add, the base turns in its own axes."""
        q = state.q.copy()
        if not self.variables.floating:
            q[:, self.variables.columns] += step
            return State(q, state.W_H_B)
        q[:, self.variables.columns] += step[:, 6:]
        return State(q, state.W_H_B @ _displacement(step[:, :6]))

    def room(self, state: State) -> tuple[Array, Array]:
        """Return how far each variable may go down and up, shapes (T, N)."""
        first = 6 * self.variables.floating
        values = np.zeros((len(state.q), self.variables.count))
        values[:, first:] = state.q[:, self.variables.columns]
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


def joint_bounds(robot: Robot) -> tuple[Array, Array]:
    """Return the bounds of ``robot.dofs``, shapes (n,): their own limits and those of the joints that follow them.

    Raises:
        ModelError: If those leave a joint no value at all.
    """
    rule = coupling(robot)
    lower, upper = np.full(len(rule.dofs), -np.inf), np.full(len(rule.dofs), np.inf)
    for row, name in enumerate(rule.names):
        limits = robot.joint(name).range
        factor = float(rule.multiplier[row])
        if limits is None or factor == 0.0:
            continue
        ends = sorted((limit - float(rule.offset[row])) / factor for limit in limits)
        leader = rule.leader[row]
        lower[leader], upper[leader] = max(lower[leader], ends[0]), min(upper[leader], ends[1])
    for name, low, high in zip(rule.dofs, lower, upper, strict=True):
        if low > high:
            raise ModelError(f"the limits of joint {name!r} and of its followers leave it no value")
    return lower, upper


def make_problem(
    robot: Robot,
    goals: Sequence[Goal],
    base: str | None,
    spatial: Mapping[str, Array],
    floating: bool,
    locked: Sequence[str],
    weights: Mapping[str, float],
) -> Problem:
    """Return the problem.

    Raises:
        UnknownNameError: If a link or joint does not exist.
        ModelError: If a goal is not finite, or nothing can move.
        JointValueError: If a joint that is locked, weighed or wished for is not a free one.
    """
    rule = coupling(robot)
    fixed = {_column(robot, name) for name in locked}
    paths: dict[int, Path] = {}
    used: set[int] = set()
    for index, goal in enumerate(goals):
        if isinstance(goal, CenterOfMassGoal):
            used.update(range(len(rule.dofs)))
        elif isinstance(goal, PostureGoal):
            used.update(_column(robot, name) for name in goal.q)
        else:
            paths[index] = cached_path(robot, frame_key(robot, goal.frame), base, spatial)
            used.update(paths[index].columns.tolist())
    columns = np.array(sorted(used - fixed), dtype=np.intp)
    variables = Variables(columns, floating)
    terms: list[Term] = []
    for index, goal in enumerate(goals):
        if isinstance(goal, CenterOfMassGoal):
            terms.append(mass_term(robot, goal, variables, base, spatial))
        elif isinstance(goal, PostureGoal):
            terms.append(_posture(robot, goal, variables))
        else:
            path = paths[index]
            kernel, rows, lengths = kernel_of(goal)
            fold = variables.fold(path.columns.tolist(), path.multipliers)
            terms.append(FrameTerm(goal, rows, lengths, kernel, path, fold, floating))
    return _bounded(robot, tuple(terms), variables, weights)


def _bounded(robot: Robot, terms: tuple[Term, ...], variables: Variables, weights: Mapping[str, float]) -> Problem:
    first, columns = 6 * variables.floating, variables.columns
    low, high = joint_bounds(robot)
    lower, upper = np.full(variables.count, -np.inf), np.full(variables.count, np.inf)
    lower[first:], upper[first:] = low[columns], high[columns]
    factor = np.ones(len(robot.dofs))
    for name, weight in weights.items():
        if not (math.isfinite(weight) and weight > 0.0):
            raise ModelError(f"the weight {weight} of joint {name!r} is not a positive number")
        factor[_column(robot, name)] = weight
    damping = np.ones(variables.count)
    damping[first:] = factor[columns] ** 2
    spread = np.full(variables.count, 0.5)
    spread[first:] = [math.pi if robot.joint(robot.dofs[column]).type.turns else 1.0 for column in columns]
    return Problem(robot, terms, variables, lower, upper, damping, spread)


def frame_key(robot: Robot, frame: Frame) -> tuple[str, bytes]:
    """Return a frame as something that can be looked up: its link and the bytes of ``L_H_F``.

    Raises:
        UnknownNameError: If there is no such link.
        ModelError: If the offset is no rigid transform.
    """
    link, offset = frame_parts(robot, frame)
    return link, np.ascontiguousarray(offset, dtype=np.float64).tobytes()


def _column(robot: Robot, name: str) -> int:
    joint = robot.joint(name)
    column = coupling(robot).column.get(name)
    if column is None:
        follows = f"follows {joint.mimic.joint!r}" if joint.mimic else f"is {joint.type.value}"
        raise JointValueError(f"joint {name!r} {follows}: it is no free joint")
    return int(column)


def _posture(robot: Robot, goal: PostureGoal, variables: Variables) -> PostureTerm:
    columns: NDArray[np.intp] = np.array([_column(robot, name) for name in goal.q], dtype=np.intp)
    target = np.array([float(value) for value in goal.q.values()])
    if not np.isfinite(target).all():
        raise JointValueError("the goal's posture holds NaN or infinity")
    fold = variables.fold(columns.tolist(), np.ones(len(columns)))
    return PostureTerm(goal, np.full(len(columns), goal.weight), len(columns), columns, target, fold)
