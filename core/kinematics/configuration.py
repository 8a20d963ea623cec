# SPDX-License-Identifier: GPL-3.0-or-later
"""Configurations: from what a caller writes to the value of every joint, mimic joints included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import JointValueError
from ..model import JointType, Robot

Array = NDArray[np.float64]
JointValue = Mapping[str, ArrayLike] | ArrayLike


@dataclass(frozen=True, slots=True, eq=False)
class Coupling:
    """Every scalar joint as an affine function of the free ones: ``q = matrix @ q_free + offset``.

    Rows are the scalar joints in document order (``names``), columns the robot's ``dofs``. Chains of mimic joints
    are multiplied out, so that each row has at most one entry that is not zero.
    """

    names: tuple[str, ...]
    row: Mapping[str, int]
    leader: NDArray[np.intp]
    multiplier: Array
    offset: Array


@dataclass(frozen=True, slots=True, eq=False)
class Configuration:
    """The value of every joint for T configurations.

    Attributes:
        scalars: Values [rad or m] of all scalar joints (``Coupling.names``), shape (m, T).
        spatial: Values of the planar (T, 3) and floating (T, 7) joints that are not at zero, by name.
        batched: Whether the caller gave T configurations rather than one.
    """

    scalars: Array
    spatial: Mapping[str, Array]
    batched: bool


_COUPLINGS: WeakKeyDictionary[Robot, Coupling] = WeakKeyDictionary()


def coupling(robot: Robot) -> Coupling:
    """Return how the robot's scalar joints follow its free joints; computed once a robot."""
    known = _COUPLINGS.get(robot)
    if known is None:
        known = _COUPLINGS[robot] = _couple(robot)
    return known


def _couple(robot: Robot) -> Coupling:
    scalar = [joint for joint in robot.joints if joint.type.is_scalar]
    column = {name: index for index, name in enumerate(robot.dofs)}
    leader = np.empty(len(scalar), dtype=np.intp)
    multiplier, offset = np.empty(len(scalar)), np.empty(len(scalar))
    for row, joint in enumerate(scalar):
        factor, shift, at = 1.0, 0.0, joint
        while at.mimic is not None:  # q = factor * q(at) + shift, one link of the chain further each time
            shift += factor * at.mimic.offset
            factor *= at.mimic.multiplier
            at = robot.joint(at.mimic.joint)
        leader[row], multiplier[row], offset[row] = column[at.name], factor, shift
    names = tuple(joint.name for joint in scalar)
    return Coupling(names, {name: row for row, name in enumerate(names)}, leader, multiplier, offset)


def resolve_configuration(robot: Robot, q: JointValue | None = None) -> Configuration:
    """Return the value of every joint.

    Args:
        robot: Any robot.
        q: A mapping from joint name to value, missing joints 0, or an array (n,) or (T, n) in the order of
            ``robot.dofs``. Mapped values are numbers or arrays (T,); planar joints take (3,) or (T, 3), floating
            joints (7,) or (T, 7), see ``joint_motion``. None is all zeros.

    Raises:
        UnknownNameError: If a name is not a joint of the robot.
        JointValueError: If a value has the wrong shape, is not finite, or is given for a fixed or mimic joint.
    """
    free, spatial, batched = _from_mapping(robot, q) if q is None or isinstance(q, Mapping) else _from_array(robot, q)
    rule = coupling(robot)
    if not len(rule.names):
        return Configuration(np.zeros((0, free.shape[1])), spatial, batched)
    scalars = free[rule.leader] * rule.multiplier[:, None] + rule.offset[:, None]
    return Configuration(scalars, spatial, batched)


def _from_array(robot: Robot, q: ArrayLike) -> tuple[Array, dict[str, Array], bool]:
    values = np.asarray(q, dtype=np.float64)
    count = len(robot.dofs)
    if values.ndim not in (1, 2) or values.shape[-1] != count:
        raise JointValueError(f"joint values have shape {values.shape}; expected ({count},) or (T, {count})")
    if not np.isfinite(values).all():
        raise JointValueError("joint values hold NaN or infinity")
    return np.atleast_2d(values).T, {}, values.ndim == 2


def _from_mapping(robot: Robot, q: Mapping[str, ArrayLike] | None) -> tuple[Array, dict[str, Array], bool]:
    given = {name: _checked(robot, name, value) for name, value in (q or {}).items()}
    sizes = {value.shape[0] for value, is_many in given.values() if is_many}
    if len(sizes) > 1:
        raise JointValueError(f"joint values are given for different numbers of configurations: {sorted(sizes)}")
    count = sizes.pop() if sizes else 1
    column = {name: index for index, name in enumerate(robot.dofs)}
    free = np.zeros((len(column), count))
    spatial: dict[str, Array] = {}
    for name, (value, is_many) in given.items():
        if name in column:
            free[column[name]] = value
        else:
            spatial[name] = value if is_many else np.broadcast_to(value, (count, value.shape[-1]))
    return free, spatial, any(is_many for _, is_many in given.values())


def _checked(robot: Robot, name: str, value: ArrayLike) -> tuple[Array, bool]:
    """Return the value as an array, and whether it is for many configurations."""
    joint = robot.joint(name)
    if joint.mimic is not None:
        raise JointValueError(f"joint {name!r} follows {joint.mimic.joint!r}: set that one")
    if joint.type is JointType.FIXED:
        raise JointValueError(f"joint {name!r} is fixed and has no value")
    values = np.asarray(value, dtype=np.float64)
    size = {JointType.PLANAR: (3,), JointType.FLOATING: (7,)}.get(joint.type, ())
    if values.ndim not in (len(size), len(size) + 1) or values.shape[values.ndim - len(size) :] != size:
        raise JointValueError(f"the value of joint {name!r} has shape {values.shape}; expected {size} or (T, *{size})")
    if not np.isfinite(values).all():
        raise JointValueError(f"the value of joint {name!r} is not finite")
    return values, values.ndim == len(size) + 1


def joint_positions(robot: Robot, q: JointValue | None = None) -> dict[str, Array]:
    """Return the value [rad or m] of every scalar joint, followers included: shape () or (T,) by name.

    Raises:
        UnknownNameError: If a name is not a joint of the robot.
        JointValueError: As ``resolve_configuration``.
    """
    configuration = resolve_configuration(robot, q)
    rows = configuration.scalars if configuration.batched else configuration.scalars[:, 0]
    return dict(zip(coupling(robot).names, rows, strict=True))
