# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot, goals and what may move, as one least-squares problem with bounds."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..errors import JointValueError, ModelError
from ..kinematics.chain import Frame, frame_parts
from ..kinematics.configuration import coupling
from ..model import Robot
from ..spatial import Array, transform
from .bounds import joint_bounds
from .goals import CenterOfMassGoal, Goal, PostureGoal
from .kernels import kernel_of
from .mass_term import mass_term
from .path import Path, path_of
from .terms import FrameTerm, PostureTerm, Slopes, State, Term, Variables


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


@dataclass(frozen=True, slots=True, eq=False)
class _Layout:
    """What is the same for all problems with the same frames and joints; the values of the goals don't matter."""

    variables: Variables
    paths: tuple[Path | None, ...]
    folds: tuple[Array | None, ...]
    lower: Array
    upper: Array
    damping: Array
    spread: Array
    circling: NDArray[np.intp]


_LAYOUTS: WeakKeyDictionary[Robot, dict[Hashable, _Layout]] = WeakKeyDictionary()
_CACHED_LAYOUTS = 64


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
        ModelError: If a goal is not finite, or a weight is not positive.
        JointValueError: If a joint that is locked, weighed or wished for is not a free one.
    """
    places = tuple(_place(robot, goal) for goal in goals)
    key = (places, base, floating, tuple(locked), tuple(weights.items()))
    known = _LAYOUTS.setdefault(robot, {})
    layout = None if spatial else known.get(key)
    if layout is None:
        layout = _layout(robot, places, base, spatial, floating, locked, weights)
        if not spatial:
            if len(known) >= _CACHED_LAYOUTS:
                known.clear()
            known[key] = layout
    terms: list[Term] = []
    for goal, path, fold in zip(goals, layout.paths, layout.folds, strict=True):
        if isinstance(goal, CenterOfMassGoal):
            terms.append(mass_term(robot, goal, layout.variables, base, spatial))
        elif isinstance(goal, PostureGoal):
            terms.append(_posture(robot, goal, layout.variables))
        elif path is not None:
            kernel, rows, lengths = kernel_of(goal)
            terms.append(FrameTerm(goal, rows, lengths, bool((rows == 1.0).all()), kernel, path, fold, floating))
    return Problem(
        robot,
        tuple(terms),
        layout.variables,
        layout.lower,
        layout.upper,
        layout.damping,
        layout.spread,
        layout.circling,
    )


def _place(robot: Robot, goal: Goal) -> FrameKey | tuple[str, ...]:
    """Return what of the robot a goal needs: a frame's link and offset, or the names of free joints."""
    if isinstance(goal, CenterOfMassGoal):
        return coupling(robot).dofs
    return tuple(goal.q) if isinstance(goal, PostureGoal) else frame_key(robot, goal.frame)


def _layout(
    robot: Robot,
    places: Sequence[FrameKey | tuple[str, ...]],
    base: str | None,
    spatial: Mapping[str, Array],
    floating: bool,
    locked: Sequence[str],
    weights: Mapping[str, float],
) -> _Layout:
    fixed = {_column(robot, name) for name in locked}
    paths: list[Path | None] = []
    used: set[int] = set()
    for place in places:
        if isinstance(place, FrameKey):
            path = path_of(robot, (place.link, np.frombuffer(place.offset).reshape(4, 4)), base, spatial)
            paths.append(path)
            used.update(path.columns.tolist())
        else:
            paths.append(None)
            used.update(_column(robot, name) for name in place)
    variables = Variables(np.array(sorted(used - fixed), dtype=np.intp), floating)
    folds = tuple(
        None if path is None else _unless_same(variables.fold(path.columns.tolist(), path.multipliers))
        for path in paths
    )
    low, high = joint_bounds(robot)
    dofs, columns, free_base = coupling(robot).dofs, variables.columns, np.full(6 * floating, np.inf)
    factor = np.ones(len(dofs))
    for name, weight in weights.items():
        if not (math.isfinite(weight) and weight > 0.0):
            raise ModelError(f"the weight {weight} of joint {name!r} is not a positive number")
        factor[_column(robot, name)] = weight
    reach = [math.pi if robot.joint(dofs[column]).type.turns else 1.0 for column in columns]
    return _Layout(
        variables,
        tuple(paths),
        folds,
        lower=np.concatenate([-free_base, low[columns]]),
        upper=np.concatenate([free_base, high[columns]]),
        damping=np.concatenate([np.ones(6 * floating), factor[columns] ** 2]),
        spread=np.concatenate([np.full(6 * floating, 0.5), reach]),
        circling=_circling(robot, places, columns.tolist()),
    )


def _unless_same(fold: Array) -> Array | None:
    return None if np.array_equal(fold, np.eye(len(fold))) else fold


def _circling(robot: Robot, places: Sequence[FrameKey | tuple[str, ...]], columns: list[int]) -> NDArray[np.intp]:
    """Return the unlimited turning joints that no posture names and whose followers turn by whole turns with them."""
    rule = coupling(robot)
    lower, upper = joint_bounds(robot)
    wished = {name for place in places if not isinstance(place, FrameKey) for name in place}
    geared = set(rule.leader[np.round(rule.multiplier) != rule.multiplier].tolist())
    return np.array(
        [
            column
            for column in columns
            if robot.joint(rule.dofs[column]).type.turns
            and not np.isfinite(lower[column])
            and not np.isfinite(upper[column])
            and column not in geared
            and rule.dofs[column] not in wished
        ],
        dtype=np.intp,
    )


class FrameKey(NamedTuple):
    """A frame as something that can be looked up: its link and the bytes of ``L_H_F``."""

    link: str
    offset: bytes


def frame_key(robot: Robot, frame: Frame) -> FrameKey:
    """Return a frame's link and the bytes of ``L_H_F``.

    Raises:
        UnknownNameError: If there is no such link.
        ModelError: If the offset is no rigid transform.
    """
    link, offset = frame_parts(robot, frame)
    return FrameKey(link, np.ascontiguousarray(offset, dtype=np.float64).tobytes())


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
