# SPDX-License-Identifier: GPL-3.0-or-later
"""Configurations: from what a caller writes to the value of every joint, mimic joints included."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import JointValueError
from ..model import Joint, JointType, Robot

Array = NDArray[np.float64]
JointValue = Mapping[str, ArrayLike] | ArrayLike


@dataclass(frozen=True, slots=True, eq=False)
class Coupling:
    """Every scalar joint as an affine function of the free ones: ``q = matrix @ q_free + offset``.

    Rows are the scalar joints in document order (``names``), columns the robot's ``dofs``. Chains of mimic joints
    are multiplied out, so that each row has at most one entry that is not zero: ``multiplier`` in column ``leader``.
    """

    names: tuple[str, ...]
    row: Mapping[str, int]
    dofs: tuple[str, ...]
    column: Mapping[str, int]
    leader: NDArray[np.intp]
    multiplier: Array
    offset: Array


@dataclass(frozen=True, slots=True, eq=False)
class Configuration:
    """The values of the joints that move by themselves, for T configurations.

    Attributes:
        free: Values [rad or m] of the free scalar joints, in the order of ``robot.dofs``, shape (n, T).
        spatial: Values of the planar (T, 3) and floating (T, 7) joints that are not at zero, by name.
        batched: Whether the caller gave T configurations rather than one.
    """

    free: Array
    spatial: Mapping[str, Array]
    batched: bool

    def part(self, which: slice) -> Configuration:
        """Return some of the configurations."""
        spatial = {name: value[which] for name, value in self.spatial.items()}
        return Configuration(self.free[:, which], spatial, self.batched)

    def repeated(self, count: int) -> Configuration:
        """Return ``count`` times the one configuration, or these where they are that many."""
        if self.free.shape[1] == count:
            return self
        spatial = {name: np.broadcast_to(value, (count, value.shape[-1])) for name, value in self.spatial.items()}
        return Configuration(np.broadcast_to(self.free, (len(self.free), count)), spatial, self.batched)


@dataclass(frozen=True, slots=True, eq=False)
class Rates:
    """Velocities or accelerations of the free joints, behind the base's six where it floats.

    Attributes:
        rows: Shape (n, T) or (6 + n, T).
        batched: Whether the caller gave T of them rather than one.
    """

    rows: Array
    batched: bool


# shape of the value of the joints that need more than one number
_SIZES = {JointType.PLANAR: (3,), JointType.FLOATING: (7,)}

_COUPLINGS: WeakKeyDictionary[Robot, Coupling] = WeakKeyDictionary()


def coupling(robot: Robot) -> Coupling:
    """Return how the robot's scalar joints follow its free joints; computed once a robot."""
    known = _COUPLINGS.get(robot)
    if known is None:
        known = _COUPLINGS[robot] = _couple(robot)
    return known


def _couple(robot: Robot) -> Coupling:
    scalar = [joint for joint in robot.joints if joint.type.is_scalar]
    dofs = robot.dofs
    column = {name: index for index, name in enumerate(dofs)}
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
    row_of = {name: row for row, name in enumerate(names)}
    return Coupling(names, row_of, dofs, column, leader, multiplier, offset)


def resolve_configuration(robot: Robot, q: JointValue | None = None) -> Configuration:
    """Return the values of the joints that move by themselves.

    Args:
        robot: Any robot.
        q: A mapping from joint name to value, missing joints 0, or an array (n,) or (T, n) in the order of
            ``robot.dofs``. Mapped values are numbers or arrays (T,); planar joints take (3,) or (T, 3), floating
            joints (7,) or (T, 7), see ``joint_motion``. None is all zeros.

    Raises:
        UnknownNameError: If a name is not a joint of the robot.
        JointValueError: If a value has the wrong shape, is not finite, or is given for a fixed or mimic joint.
    """
    return Configuration(*(_from_mapping(robot, q) if q is None or isinstance(q, Mapping) else _from_array(robot, q)))


def _from_array(robot: Robot, q: ArrayLike) -> tuple[Array, dict[str, Array], bool]:
    values = _numbers(q, "joint values are not numbers")
    count = len(coupling(robot).dofs)
    if values.ndim not in (1, 2) or values.shape[-1] != count:
        raise JointValueError(f"joint values have shape {values.shape}; expected ({count},) or (T, {count})")
    if not np.isfinite(values).all():
        raise JointValueError("joint values hold NaN or infinity")
    return np.atleast_2d(values).T, {}, values.ndim == 2


def _from_mapping(robot: Robot, q: Mapping[str, ArrayLike] | None) -> tuple[Array, dict[str, Array], bool]:
    given = {name: _checked(robot.joint(name), value) for name, value in (q or {}).items()}
    sizes = {len(value) for value, is_many in given.values() if is_many}
    if len(sizes) > 1:
        raise JointValueError(f"joint values are given for different numbers of configurations: {sorted(sizes)}")
    count = sizes.pop() if sizes else 1
    column = coupling(robot).column
    free = np.zeros((len(column), count))
    spatial: dict[str, Array] = {}
    for name, (value, is_many) in given.items():
        if name in column:
            free[column[name]] = value
        else:
            spatial[name] = value if is_many else np.broadcast_to(value, (count, value.shape[-1]))
    return free, spatial, any(is_many for _, is_many in given.values())


def _checked(joint: Joint, value: ArrayLike) -> tuple[Array, bool]:
    """Return the value as an array, and whether it is for many configurations."""
    if joint.mimic is not None:
        raise JointValueError(f"joint {joint.name!r} follows {joint.mimic.joint!r}: set that one")
    if joint.type is JointType.FIXED:
        raise JointValueError(f"joint {joint.name!r} is fixed and has no value")
    size = _SIZES.get(joint.type, ())
    simple: object = value  # nearly always one number, and quicker so
    if isinstance(simple, float) and not size and math.isfinite(simple):
        return np.array(simple), False
    values = _numbers(value, f"the value of joint {joint.name!r} is not a number")
    if values.ndim not in (len(size), len(size) + 1) or values.shape[values.ndim - len(size) :] != size:
        raise JointValueError(
            f"the value of joint {joint.name!r} has shape {values.shape}; expected {size} or (T, *{size})"
        )
    if not np.isfinite(values).all():
        raise JointValueError(f"the value of joint {joint.name!r} is not finite")
    if joint.type is JointType.FLOATING and not np.any(values[..., 3:], axis=-1).all():
        raise JointValueError(f"the value of joint {joint.name!r} has a quaternion of length 0")
    return values, values.ndim == len(size) + 1


def _numbers(value: ArrayLike, complaint: str) -> Array:
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise JointValueError(complaint) from None


def resolve_rates(robot: Robot, v: JointValue, floating: bool = False) -> Rates:
    """Return velocities or accelerations of the free joints as rows.

    Args:
        robot: Any robot.
        v: An array (n,) or (T, n) in the order of ``robot.dofs``, with six numbers of the base before them where it
            floats; or, without those, a mapping from joint name to number or array (T,), missing joints 0.
        floating: Whether the base floats.

    Raises:
        UnknownNameError: If a name is not a joint of the robot.
        JointValueError: If a value has the wrong shape, is not finite, or is not one of a free scalar joint.
    """
    if isinstance(v, Mapping):
        if floating:
            raise JointValueError("with a floating base velocities are an array that starts with the base's six")
        rows, spatial, batched = _from_mapping(robot, v)
        if spatial:
            raise JointValueError(f"planar and floating joints have no velocity here: {', '.join(spatial)}")
        return Rates(rows, batched)
    values = _numbers(v, "velocities are not numbers")
    count = len(coupling(robot).dofs) + 6 * floating
    if values.ndim not in (1, 2) or values.shape[-1] != count:
        raise JointValueError(f"velocities have shape {values.shape}; expected ({count},) or (T, {count})")
    if not np.isfinite(values).all():
        raise JointValueError("velocities hold NaN or infinity")
    return Rates(np.atleast_2d(values).T, values.ndim == 2)


def joint_positions(robot: Robot, q: JointValue | None = None) -> dict[str, Array]:
    """Return the value [rad or m] of every scalar joint, followers included: shape () or (T,) by name.

    Raises:
        UnknownNameError: If a name is not a joint of the robot.
        JointValueError: As ``resolve_configuration``.
    """
    configuration, rule = resolve_configuration(robot, q), coupling(robot)
    rows = configuration.free[rule.leader] * rule.multiplier[:, None] + rule.offset[:, None]
    return dict(zip(rule.names, rows if configuration.batched else rows[:, 0], strict=True))
