# SPDX-License-Identifier: GPL-3.0-or-later
"""Every configuration that reaches a pose: by a closed form where there is one, else by search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike

from ..errors import JointValueError, ModelError
from ..kinematics.chain import Frame
from ..kinematics.configuration import JointValue, coupling
from ..model import Robot
from ..spatial import Array, transform
from .arm import EXACT, NEARLY, Arm, arm_of
from .bounds import joint_bounds
from .closed_form import all_angles
from .few_joints import FewJoints, few_joints_of
from .goals import PoseGoal, PositionGoal, checked, pose
from .levenberg import descend
from .path import Path, path_of
from .preparation import FrameKey, frame_key, make_problem
from .result import IkSolutions
from .solve import affordable, random_states, starting_point
from .terms import State
from .whole_turns import within_limits

_CACHED_ARMS = 64
_SEARCHED = 1e-4
_STEPS = 60

_ArmKey = tuple[FrameKey, str | None, tuple[tuple[str, float], ...], bool, float]
_ARMS: WeakKeyDictionary[Robot, dict[_ArmKey, Arm | FewJoints | None]] = WeakKeyDictionary()
_PATHS: WeakKeyDictionary[Robot, dict[tuple[FrameKey, str | None], Path]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    """What is asked.

    Attributes:
        target: ``B_H_F*``, of which only the position counts where ``position_only``.
        start: The values of all joints that don't move, and the choice for free ones, T = 1.
        given: Joints of the path that keep their value.
        tolerance: How nearly an arm has to have a closed form.
        most: Largest number of rows.
        copies: Whether rows that differ by whole turns count.
    """

    robot: Robot
    frame: Frame
    target: Array
    position_only: bool
    base: str | None
    start: State
    spatial: Mapping[str, Array]
    given: Mapping[str, float]
    tolerance: float
    most: int
    copies: bool


def solve_ik_all(
    robot: Robot,
    frame: Frame,
    base_h_frame: ArrayLike,
    q0: JointValue | None = None,
    *,
    base: str | None = None,
    given: Mapping[str, float] | None = None,
    tolerance: float = NEARLY,
    sweep: int = 16,
    copies: bool = True,
    most: int = 1024,
    starts: int = 64,
    seed: int = 0,
) -> IkSolutions:
    """Return all configurations within limits that put a frame at a pose or a position, nearest to ``q0`` first.

    Solved in closed form are paths of six turning joints with three neighbouring axes that meet in a point or are
    parallel, planar arms of two and three joints, any three turning joints to a position, and longer paths once enough
    of their joints are given. Of seven joints to a pose, none of which is given, one is swept. Everything else is
    searched from many starts, which can miss solutions.

    >>> from urdf_rig import core
    >>> robot = core.load("examples/arm6/arm6.urdf")
    >>> target = core.forward_kinematics(robot, {"joint_2": 0.5, "joint_3": -0.3, "joint_5": 0.4})["tool0"]
    >>> solutions = core.solve_ik_all(robot, "tool0", target)
    >>> solutions.complete, len(solutions.q) > 1
    (True, True)

    Args:
        robot: Any robot.
        frame: A link's name, or the name and ``L_H_F``, shape (4, 4).
        base_h_frame: The pose ``B_H_F*``, shape (4, 4), or the position of the frame's origin alone, shape (3,) [m].
        q0: Values of the joints that are not on the path, and of a joint that is free at a singularity.
        base: The base link B; the root where None.
        given: Values of joints of the path that must not move.
        tolerance: How far three axes may be from meeting, as a part of the arm's size, or from being parallel [rad]:
            what is nearly so is solved as if it were and then polished.
        sweep: Number of values that a seventh joint is given in turn.
        copies: Whether angles that differ by whole turns count as different; else the nearest to ``q0`` is returned.
            Joints without limits always have the one value nearest to ``q0``.
        most: Largest number of rows.
        starts: Number of random starts of a search.
        seed: Which random starts.

    Raises:
        UnknownNameError: If a link or joint does not exist.
        JointValueError: If a joint value is not finite or beyond its limits, or is given for a joint that has none.
        ModelError: If the pose is not finite or no rigid transform, or a number is not positive.
    """
    if min(sweep, most, starts) < 1:
        raise ModelError("the numbers of values, rows and starts have to be positive")
    if not 0.0 <= tolerance < 1.0:
        raise ModelError(f"the tolerance {tolerance} is not between 0 and 1")
    position_only = np.shape(base_h_frame) == (3,)
    target = transform(np.eye(3), checked(base_h_frame, (3,), "the position")) if position_only else None
    target = pose(base_h_frame, "the pose") if target is None else target
    start, spatial = starting_point(robot, q0, None)
    fixed = {name: float(value) for name, value in (given or {}).items()}
    start.q[0] = _with_given(robot, start.q[0], fixed)
    asked = _Question(robot, frame, target, position_only, base, start, spatial, fixed, tolerance, most, copies)
    path = _path(asked)
    arm = _arm(asked, path, fixed)
    if arm is not None:
        return _closed_form(asked, arm)
    seventh = _joint_to_sweep(asked, path)
    return _search(asked, starts, seed) if seventh is None else _swept(asked, path, seventh, sweep)


def _with_given(robot: Robot, q: Array, given: Mapping[str, float]) -> Array:
    lower, upper = joint_bounds(robot)
    column = coupling(robot).column
    q = q.copy()
    for name, value in given.items():
        robot.joint(name)
        place = column.get(name)
        if place is None:
            raise JointValueError(f"joint {name!r} is no free joint and can't be given a value")
        if not lower[place] - 1e-9 <= value <= upper[place] + 1e-9 or not np.isfinite(value):
            raise JointValueError(f"joint {name!r} can't be at {value}: its range is {lower[place]} .. {upper[place]}")
        q[place] = value
    return q


def _path(asked: _Question) -> Path:
    if asked.spatial:
        return path_of(asked.robot, asked.frame, asked.base, asked.spatial)
    known = _PATHS.setdefault(asked.robot, {})
    key = frame_key(asked.robot, asked.frame), asked.base
    if key not in known:
        if len(known) >= _CACHED_ARMS:
            known.clear()
        known[key] = path_of(asked.robot, asked.frame, asked.base)
    return known[key]


def _arm(asked: _Question, path: Path, given: Mapping[str, float]) -> Arm | FewJoints | None:
    """Return the path as an arm with a closed form, remembered as long as planar and floating joints are at zero."""
    known = _ARMS.setdefault(asked.robot, {}) if not asked.spatial else {}
    key = (
        frame_key(asked.robot, asked.frame),
        asked.base,
        tuple(given.items()),
        asked.position_only,
        asked.tolerance,
    )
    if key not in known:
        if len(known) >= _CACHED_ARMS:
            known.clear()
        places = _given_places(asked.robot, path, given)
        few = few_joints_of(path, places, asked.position_only)
        known[key] = few if few or asked.position_only else arm_of(path, places, asked.tolerance)
    return known[key]


def _given_places(robot: Robot, path: Path, given: Mapping[str, float]) -> dict[int, float]:
    dofs = coupling(robot).dofs
    return {
        place: float(path.multipliers[place, 0] * given[dofs[column]] + path.offsets[place, 0])
        for place, column in enumerate(path.columns.tolist())
        if dofs[column] in given
    }


def _joint_to_sweep(asked: _Question, path: Path) -> str | None:
    """Return the joint whose value makes the other six an arm with a closed form, the last one if there are several."""
    dofs = coupling(asked.robot).dofs
    names = [dofs[column] for column in path.columns.tolist() if dofs[column] not in asked.given]
    if len(names) != 7 or asked.position_only:
        return None
    for name in reversed(names):
        at = {**asked.given, name: float(asked.start.q[0, coupling(asked.robot).column[name]])}
        arm = _arm(asked, path, at)
        if arm is not None and arm.deviation <= EXACT:
            return str(name)
    return None


def _closed_form(asked: _Question, arm: Arm | FewJoints) -> IkSolutions:
    rows, free_joints, left_out, found = _rows(asked, arm, asked.start.q[0])
    singular = sorted({name for joints in set(free_joints) for name in joints})
    exact = arm.deviation <= EXACT
    notes = [f"closed form ({arm.family})"]
    if not exact:
        notes.append(f"nearly so (off by {arm.deviation:.1g}), polished: near singularities a solution may be missing")
    if not len(rows):
        notes.append("out of reach" if not found else f"none of {found} configurations is within limits")
    if singular:
        notes.append(f"singular: {', '.join(singular)} may have any value, of which one is returned")
    if left_out:
        notes.append(f"whole turns were left out: there are more than {asked.most} rows")
    return _ordered(asked, rows, exact and not left_out and not singular, "; ".join(notes), free_joints)


def _rows(asked: _Question, arm: Arm | FewJoints, reference: Array) -> tuple[Array, list[tuple[str, ...]], bool, int]:
    """Return rows of q within limits, the free joints of each, whether some were left out, and the number before."""
    path = arm.path
    values = reference[path.columns] * path.multipliers[:, 0] + path.offsets[:, 0]
    angles, free = all_angles(arm, asked.target, values)
    moving = list(arm.moving)
    columns = path.columns[moving]
    q = (angles[:, moving] - path.offsets[moving, 0]) / path.multipliers[moving, 0]
    lower, upper = joint_bounds(asked.robot)
    six, origin, left_out = within_limits(
        q, lower[columns], upper[columns], reference[columns], asked.most, asked.copies
    )
    rows = np.repeat(reference[None], len(six), axis=0)
    rows[:, columns] = six
    dofs = coupling(asked.robot).dofs
    named = [tuple(dofs[path.columns[place]] for place in places) for places in free]
    return rows, [named[index] for index in origin.tolist()], left_out, len(angles)


def _ordered(
    asked: _Question, rows: Array, complete: bool, note: str, free: Sequence[tuple[str, ...]] = ()
) -> IkSolutions:
    """Return the rows, nearest to the start first."""
    order = np.argsort(np.linalg.norm(rows - asked.start.q, axis=1), kind="stable")
    free = free or [()] * len(rows)
    return IkSolutions(rows[order], complete, note, tuple([free[index] for index in order.tolist()]))


def _swept(asked: _Question, path: Path, name: str, sweep: int) -> IkSolutions:
    """Return the closed form's solutions for several values of one joint."""
    column = coupling(asked.robot).column[name]
    lower, upper = joint_bounds(asked.robot)
    at = float(asked.start.q[0, column])
    low, high = float(lower[column]), float(upper[column])
    ends = (low, high) if np.isfinite(low) and np.isfinite(high) else (at - np.pi, at + np.pi)
    found = []
    for value in (at, *np.linspace(*ends, sweep).tolist()):
        places = _given_places(asked.robot, path, {**asked.given, name: value})
        arm = arm_of(path, places)
        if arm is not None:
            reference = asked.start.q[0].copy()
            reference[column] = value
            found.append(_rows(asked, arm, reference)[0])
    rows = np.concatenate(found)[: asked.most] if found else np.zeros((0, asked.start.q.shape[1]))
    note = f"a family without end: {name} was given {sweep + 1} values, and the others solved in closed form"
    return _ordered(asked, _distinct_rows(rows, 1e-6), False, note)


def _search(asked: _Question, starts: int, seed: int) -> IkSolutions:
    """Return what many starts of the numeric solver find."""
    position = PositionGoal(asked.frame, asked.target[:3, 3])
    goal = position if asked.position_only else PoseGoal(asked.frame, asked.target)
    problem = make_problem(asked.robot, (goal,), asked.base, asked.spatial, False, tuple(asked.given), {})
    count = problem.variables.count
    note = "searched from many starts: a lower bound"
    if not count:
        reached = bool(np.abs(problem.evaluate(asked.start, problem.terms)[0]).max() <= 1e-9)
        note = "no joint can move the frame"
        return _ordered(asked, asked.start.q if reached else asked.start.q[:0], True, note)
    some = random_states(problem, asked.start, affordable(starts, problem), np.random.default_rng(seed))
    several = State(np.concatenate([asked.start.q, some.q]), asked.start.W_H_B, asked.start.placed)
    found = descend(problem, problem.terms, several, 1e-20, _STEPS, all_of_them=True)
    good = found.state.part(np.flatnonzero(found.cost <= 1e-14))
    rows = _distinct_rows(problem.near(good, asked.start).q, _SEARCHED)[: asked.most]
    if count > (3 if asked.position_only else 6):
        what = "position" if asked.position_only else "pose"
        note += f"; a family without end, as more joints move than a {what} has coordinates"
    return _ordered(asked, rows, False, note)


def _distinct_rows(rows: Array, tolerance: float) -> Array:
    kept: list[int] = []
    for index, row in enumerate(rows):
        if not kept or np.abs(rows[kept] - row).max(axis=1).min() > tolerance:
            kept.append(index)
    return rows[kept]
