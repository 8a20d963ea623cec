# SPDX-License-Identifier: GPL-3.0-or-later
"""From any joint values to those that a robot can take: within limits, at random, between two poses."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from ..ik.bounds import joint_bounds
from ..model import JointType, Robot
from ..urdf.remarks import listed
from .text import JointNumbers

_BEYOND = 1e-6
_SIZES = {JointType.PLANAR: 3, JointType.FLOATING: 7}
_FARTHEST = 1.0  # m, of a sliding joint without limits


@dataclass(frozen=True, slots=True, eq=False)
class FittedValues:
    """Joint values that a robot can take.

    Attributes:
        values: Of free scalar joints, within limits.
        spatial: Of planar and floating joints.
        remarks: What was changed or left out, one sentence each.
    """

    values: dict[str, float] = field(default_factory=dict)
    spatial: dict[str, tuple[float, ...]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def fit_values(robot: Robot, values: Mapping[str, JointNumbers], *, degrees: bool = False) -> FittedValues:
    """Return what of some joint values a robot can take; values outside its limits are put at the nearest limit.

    Args:
        robot: The robot.
        values: By joint name.
        degrees: Whether the values of joints that turn are in degrees; those of planar and floating ones never are.
    """
    lower, upper = joint_bounds(robot)
    column = {name: index for index, name in enumerate(robot.dofs)}
    joints = {joint.name: joint for joint in robot.joints}
    fitted = FittedValues()
    clamped, unknown, following, unfit = [], [], [], []
    for name, value in values.items():
        joint = joints.get(name)
        if joint is None or joint.type is JointType.FIXED:
            unknown.append(name)
        elif joint.mimic is not None:
            following.append(name)
        elif isinstance(value, tuple) == joint.type.is_scalar or not _fits(joint.type, value):
            unfit.append(name)
        elif isinstance(value, tuple):
            fitted.spatial[name] = value
        else:
            asked = math.radians(value) if degrees and joint.type.turns else value
            allowed = float(min(max(asked, lower[column[name]]), upper[column[name]]))
            fitted.values[name] = allowed
            if abs(allowed - asked) > _BEYOND * max(1.0, abs(asked)):
                clamped.append(f"{name} from {asked:.6g} to {allowed:.6g}")
    remarks = [
        (clamped, "put at the limit: " + ", ".join(clamped[:8]) + (" …" if len(clamped) > 8 else "")),
        (unknown, f"{robot.name} has no moving joint {listed(unknown, 8)}: left out"),
        (following, f"{listed(following, 8)}: left out, since the joint that they follow says where they are"),
        (unfit, f"{listed(unfit, 8)}: left out, since the number of values is not the joint's"),
    ]
    return FittedValues(fitted.values, fitted.spatial, tuple(text for names, text in remarks if names))


def _fits(kind: JointType, value: JointNumbers) -> bool:
    if not isinstance(value, tuple):
        return kind.is_scalar
    return len(value) == _SIZES.get(kind) and (len(value) == 3 or any(value[3:]))


def random_values(robot: Robot, seed: int, joints: Collection[str] | None = None) -> dict[str, float]:
    """Return values of free scalar joints at random within limits; without limits within half a turn, or 1 m, of 0.

    Args:
        robot: The robot.
        seed: Which random values; a joint's value does not depend on which others are asked for.
        joints: Which joints; all where None.
    """
    lower, upper = joint_bounds(robot)
    shares = np.random.default_rng(seed).random(len(robot.dofs))
    values = {}
    for index, name in enumerate(robot.dofs):
        if joints is None or name in joints:
            reach = math.pi if robot.joint(name).type.turns else _FARTHEST
            low = float(lower[index]) if np.isfinite(lower[index]) else -reach
            high = float(upper[index]) if np.isfinite(upper[index]) else reach
            values[name] = low + float(shares[index]) * (high - low)
    return values


def blended(
    start: Mapping[str, JointNumbers], end: Mapping[str, JointNumbers], factor: float
) -> dict[str, JointNumbers]:
    """Return the pose that is a part of the way from one to another, for the joints of ``end``.

    Quaternions, the last four of seven numbers, go the short way round and are brought back to length 1.

    Args:
        start: Values to start from; a joint that it does not have is at ``end`` at once.
        end: Values to arrive at.
        factor: How far: 0 at the start, 1 at the end.
    """
    return {name: _between(start.get(name, value), value, factor) for name, value in end.items()}


def _between(start: JointNumbers, end: JointNumbers, factor: float) -> JointNumbers:
    if factor >= 1.0:
        return end
    if not (isinstance(start, tuple) and isinstance(end, tuple)):
        return end if isinstance(start, tuple) or isinstance(end, tuple) else start + factor * (end - start)
    a, b = np.array(start), np.array(end)
    if len(a) != len(b):
        return end
    if len(a) == _SIZES[JointType.FLOATING] and a[3:] @ b[3:] < 0.0:
        a[3:] *= -1.0
    mixed = a + factor * (b - a)
    if len(a) == _SIZES[JointType.FLOATING]:
        mixed[3:] /= max(float(np.linalg.norm(mixed[3:])), 1e-12)
    return tuple(mixed.tolist())
