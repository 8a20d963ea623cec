# SPDX-License-Identifier: GPL-3.0-or-later
"""From goals to a problem: paths, variables and bounds, remembered for the next goals of the same frames."""

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
from ..spatial import Array
from .bounds import joint_bounds
from .goals import CenterOfMassGoal, Goal, PostureGoal, SwivelGoal, checked
from .kernels import kernel_of
from .mass_term import mass_term
from .path import Path, path_of
from .problem import Problem
from .swivel import SwivelArm, swivel_arm
from .terms import FrameTerm, PostureTerm, SwivelTerm, Term, Variables


@dataclass(frozen=True, slots=True, eq=False)
class _Layout:
    """What is the same for all problems with the same frames and joints; the values of the goals don't matter."""

    variables: Variables
    paths: tuple[Path | SwivelArm | None, ...]
    folds: tuple[Array | None, ...]
    lower: Array
    upper: Array
    damping: Array
    spread: Array
    circling: NDArray[np.intp]


_LAYOUTS: WeakKeyDictionary[Robot, dict[Hashable, _Layout]] = WeakKeyDictionary()
_CACHED_LAYOUTS = 64
_AT_LINK = np.eye(4).tobytes()


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
        elif isinstance(goal, SwivelGoal):
            if isinstance(path, SwivelArm):
                angle = float(checked(goal.angle, (), "the goal's swivel angle"))
                terms.append(SwivelTerm(goal, np.array([goal.weight]), 0, angle, path, fold))
        elif isinstance(path, Path):
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
    if isinstance(goal, PostureGoal):
        return tuple(goal.q)
    key = frame_key(robot, goal.frame)
    return FrameKey(key.link, key.offset, True) if isinstance(goal, SwivelGoal) else key


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
    paths: list[Path | SwivelArm | None] = []
    folded: list[Path | None] = []
    used: set[int] = set()
    for place in places:
        if isinstance(place, FrameKey):
            frame = place.link, np.frombuffer(place.offset).reshape(4, 4)
            path = path_of(robot, frame, base, spatial)
            paths.append(swivel_arm(robot, frame, base, path) if place.swivel else path)
            folded.append(path)
            used.update(path.columns.tolist())
        else:
            paths.append(None)
            folded.append(None)
            used.update(_column(robot, name) for name in place)
    variables = Variables(np.array(sorted(used - fixed), dtype=np.intp), floating)
    folds = tuple(
        None if path is None else _unless_same(variables.fold(path.columns.tolist(), path.multipliers))
        for path in folded
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
    """A frame that can be looked up: its link, the bytes of ``L_H_F``, and whether the elbow of its arm is meant."""

    link: str
    offset: bytes
    swivel: bool = False


def frame_key(robot: Robot, frame: Frame) -> FrameKey:
    """Return a frame's link and the bytes of ``L_H_F``.

    Raises:
        UnknownNameError: If there is no such link.
        ModelError: If the offset is no rigid transform.
    """
    if isinstance(frame, str):
        return FrameKey(robot.link(frame).name, _AT_LINK)
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
