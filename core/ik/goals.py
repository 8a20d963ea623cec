# SPDX-License-Identifier: GPL-3.0-or-later
"""What a configuration can be asked to do. Poses, points and directions are in the world frame W."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import ModelError
from ..kinematics.chain import Frame
from ..spatial import Array, why_not_so3

_LARGEST = 1e9
_ROTATION_TOLERANCE = 1e-5
_EYE = np.eye(3)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Weighted:
    """What all goals have.

    Attributes:
        weight: How much the goal counts against others of its priority, and against its own other half.
        priority: Goals of a higher number are met as far as those of lower numbers allow.
    """

    weight: float = 1.0
    priority: int = 0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.weight) and self.weight > 0.0):
            raise ModelError(f"the weight {self.weight} of a goal is not a positive number")


@dataclass(frozen=True, slots=True, eq=False)
class PoseGoal(_Weighted):
    """The frame has the pose ``W_H_F``, shape (4, 4); ``rotation_weight`` [1/rad] counts against positions [1/m]."""

    frame: Frame
    W_H_F: ArrayLike
    rotation_weight: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class PositionGoal(_Weighted):
    """The frame's origin is at ``W_p``, shape (3,) [m]."""

    frame: Frame
    W_p: ArrayLike


@dataclass(frozen=True, slots=True, eq=False)
class OrientationGoal(_Weighted):
    """The frame has the orientation ``W_R_F``, shape (3, 3)."""

    frame: Frame
    W_R_F: ArrayLike


@dataclass(frozen=True, slots=True, eq=False)
class AxisGoal(_Weighted):
    """The frame's direction ``F_axis``, shape (3,), points along ``W_direction``, shape (3,)."""

    frame: Frame
    F_axis: ArrayLike
    W_direction: ArrayLike


@dataclass(frozen=True, slots=True, eq=False)
class LookAtGoal(_Weighted):
    """The frame's direction ``F_axis``, shape (3,), points from its origin to ``W_point``, shape (3,) [m]."""

    frame: Frame
    F_axis: ArrayLike
    W_point: ArrayLike


@dataclass(frozen=True, slots=True, eq=False)
class LineGoal(_Weighted):
    """The frame's origin is on the line through ``W_point`` [m] along ``W_direction``, shapes (3,)."""

    frame: Frame
    W_point: ArrayLike
    W_direction: ArrayLike


@dataclass(frozen=True, slots=True, eq=False)
class PlaneGoal(_Weighted):
    """The frame's origin is on the plane through ``W_point`` [m] with the normal ``W_normal``, shapes (3,)."""

    frame: Frame
    W_point: ArrayLike
    W_normal: ArrayLike


@dataclass(frozen=True, slots=True, eq=False)
class CenterOfMassGoal(_Weighted):
    """The centre of mass is at ``W_p``, shape (3,) [m], in the coordinates that ``axes`` says; over it by default."""

    W_p: ArrayLike
    axes: tuple[bool, bool, bool] = (True, True, False)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PostureGoal(_Weighted):
    """The joints named have these values [rad or m]; a wish behind all others unless ``priority`` says otherwise."""

    q: Mapping[str, float]
    priority: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class SwivelGoal(_Weighted):
    """The elbow of the arm that ends in the frame has the swivel angle ``angle`` [rad], see ``swivel_angle``.

    A wish behind all others unless ``priority`` says otherwise.
    """

    frame: Frame
    angle: float
    _: KW_ONLY
    priority: int = 1


FrameGoal = PoseGoal | PositionGoal | OrientationGoal | AxisGoal | LookAtGoal | LineGoal | PlaneGoal
Goal = FrameGoal | CenterOfMassGoal | PostureGoal | SwivelGoal


def checked(value: ArrayLike, shape: tuple[int, ...], what: str) -> Array:
    """Return the value as an array of finite numbers.

    Raises:
        ModelError: If it is something else.
    """
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ModelError(f"{what} does not consist of numbers") from None
    if array.shape != shape:
        raise ModelError(f"{what} has shape {array.shape}; expected {shape}")
    largest = sum(map(abs, array.ravel().tolist()))
    if not largest < _LARGEST:  # NaN too
        raise ModelError(f"{what} holds NaN, infinity or an absurdly large number")
    return array


def direction(value: ArrayLike, what: str) -> Array:
    """Return a unit vector, shape (3,).

    Raises:
        ModelError: If the value is no direction.
    """
    vector = checked(value, (3,), what)
    size = float(np.linalg.norm(vector))
    if size < 1e-12:
        raise ModelError(f"{what} has no length")
    return vector / size


def rotation(value: ArrayLike, what: str) -> Array:
    """Return a rotation, shape (3, 3), the nearest one to a value that is nearly one.

    Raises:
        ModelError: If the value is none.
    """
    return _nearest_rotation(checked(value, (3, 3), what), what)


def _nearest_rotation(matrix: Array, what: str) -> Array:
    # in Python's own numbers: this is done for every goal, thirty times a second
    a, b, c, d, e, f, g, h, i = matrix.ravel().tolist()
    lengths = abs(a * a + b * b + c * c - 1.0), abs(d * d + e * e + f * f - 1.0), abs(g * g + h * h + i * i - 1.0)
    angles = abs(a * d + b * e + c * f), abs(a * g + b * h + c * i), abs(d * g + e * h + f * i)
    gap = max(*lengths, *angles)
    if gap > _ROTATION_TOLERANCE or a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g) < 0.0:
        reason = why_not_so3(matrix, 0.5 * _ROTATION_TOLERANCE)
        raise ModelError(f"{what} is no rotation: {reason}")
    while gap > 1e-14:  # twice as many digits each time
        matrix, gap = matrix @ (1.5 * _EYE - 0.5 * (matrix.T @ matrix)), gap * gap
    return matrix


def pose(value: ArrayLike, what: str) -> Array:
    """Return a rigid transform, shape (4, 4).

    Raises:
        ModelError: If the value is none.
    """
    h = checked(value, (4, 4), what).copy()
    h[:3, :3] = _nearest_rotation(h[:3, :3], what)
    x, y, z, one = h[3].tolist()
    if max(abs(x), abs(y), abs(z), abs(one - 1.0)) > _ROTATION_TOLERANCE:
        raise ModelError(f"the last row of {what} is not 0 0 0 1")
    h[3] = 0.0, 0.0, 0.0, 1.0
    return h
