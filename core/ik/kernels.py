# SPDX-License-Identifier: GPL-3.0-or-later
"""Goals of one frame as equations: what is left, and how the frame's own velocity changes it.

A kernel maps poses ``W_H_F``, shape (T, 4, 4), to a residual (T, m) and to a function that returns, when it is needed,
the factor A, shape (T, 6, m), for which ``d/dt residual = A^T (linear, angular velocity in the frame's axes)``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import ModelError
from ..spatial import Array, skew
from .goals import (
    AxisGoal,
    FrameGoal,
    LineGoal,
    LookAtGoal,
    OrientationGoal,
    PlaneGoal,
    PoseGoal,
    PositionGoal,
    checked,
    direction,
    pose,
    rotation,
)
from .rotation_error import inverse_of_one, inverse_right_jacobian, rotation_vector, vector_of_one

Factor = Callable[[], Array]
_EYE = np.eye(4)
_OOO = (0.0, 0.0, 0.0)
Kernel = Callable[[Array], tuple[Array, Factor]]


def kernel_of(goal: FrameGoal) -> tuple[Kernel, Array, int]:
    """Return the kernel, the weight of each of its rows, and how many of them are lengths; the rest are angles.

    Raises:
        ModelError: If the goal holds something that is not finite or not what it should be.
    """
    made = _oriented(goal) if isinstance(goal, PoseGoal | OrientationGoal) else _directed(goal)
    kernel, rows, lengths = made
    weights = np.full(rows, goal.weight)
    if isinstance(goal, PoseGoal) and goal.rotation_weight != 1.0:
        if not float(checked(goal.rotation_weight, (), "rotation_weight")) > 0.0:
            raise ModelError(f"the rotation_weight {goal.rotation_weight} of a goal is not a positive number")
        weights[3:] *= goal.rotation_weight
    return kernel, weights, lengths


def _oriented(goal: PoseGoal | OrientationGoal) -> tuple[Kernel, int, int]:
    if isinstance(goal, PoseGoal):
        return _pose(pose(goal.W_H_F, "the goal's pose")), 6, 3
    return _orientation(rotation(goal.W_R_F, "the goal's orientation")), 3, 0


def _directed(
    goal: PositionGoal | AxisGoal | LookAtGoal | LineGoal | PlaneGoal,
) -> tuple[Kernel, int, int]:
    if isinstance(goal, PositionGoal):
        return _offset(checked(goal.W_p, (3,), "the goal's position"), np.eye(3)), 3, 3
    if isinstance(goal, AxisGoal):
        return _axis(direction(goal.F_axis, "F_axis"), direction(goal.W_direction, "W_direction")), 3, 0
    point = checked(goal.W_point, (3,), "the goal's point")
    if isinstance(goal, LookAtGoal):
        return _look_at(direction(goal.F_axis, "F_axis"), point), 3, 0
    if isinstance(goal, PlaneGoal):
        return _offset(point, direction(goal.W_normal, "W_normal")[:, None]), 1, 1
    along = direction(goal.W_direction, "W_direction")
    across = np.linalg.svd(along[None])[2][1:].T
    return _offset(point, across), 2, 2


def _pose(target: Array) -> Kernel:
    back = _EYE.copy()
    back[:3, :3] = target[:3, :3].T
    back[:3, 3] = -(back[:3, :3] @ target[:3, 3])

    def kernel(poses: Array) -> tuple[Array, Factor]:
        if len(poses) == 1:
            return _pose_of_one(back, poses[0])
        difference = back @ poses
        residual = np.empty((len(poses), 6))
        residual[:, :3] = difference[:, :3, 3]
        residual[:, 3:] = turned = rotation_vector(difference[:, :3, :3])

        def factor() -> Array:
            out = np.zeros((len(poses), 6, 6))
            out[:, :3, :3] = difference[:, :3, :3].transpose(0, 2, 1)
            out[:, 3:, 3:] = inverse_right_jacobian(turned).transpose(0, 2, 1)
            return out

        return residual, factor

    return kernel


def _pose_of_one(back: Array, pose: Array) -> tuple[Array, Factor]:
    difference = back.dot(pose)
    a, b, c, x, d, e, f, y, g, h, i, z = difference[:3].ravel().tolist()
    u, v, w = vector_of_one((a, b, c, d, e, f, g, h, i))

    def factor() -> Array:
        j = inverse_of_one(-u, -v, -w)  # the transposed
        rows = (a, d, g, *_OOO, b, e, h, *_OOO, c, f, i, *_OOO, *_OOO, *j[:3], *_OOO, *j[3:6], *_OOO, *j[6:])
        return np.array(rows).reshape(1, 6, 6)

    return np.array(((x, y, z, u, v, w),)), factor


def _orientation(target: Array) -> Kernel:
    def kernel(poses: Array) -> tuple[Array, Factor]:
        residual = rotation_vector(target.T @ poses[:, :3, :3])
        return residual, lambda: _of_turning(inverse_right_jacobian(residual).transpose(0, 2, 1))

    return kernel


def _of_turning(angular: Array) -> Array:
    """Return the factor of a residual that only turning changes, shape (T, 6, m)."""
    out = np.zeros((len(angular), 6, angular.shape[2]))
    out[:, 3:] = angular
    return out


def _offset(point: Array, across: Array) -> Kernel:
    """Return the kernel for the origin's distance from a point along the columns of ``across``, shape (3, m)."""

    def kernel(poses: Array) -> tuple[Array, Factor]:
        def factor() -> Array:
            out = np.zeros((len(poses), 6, across.shape[1]))
            out[:, :3] = poses[:, :3, :3].transpose(0, 2, 1) @ across
            return out

        return (poses[:, :3, 3] - point) @ across, factor

    return kernel


def _axis(axis: Array, target: Array) -> Kernel:
    """Return the kernel for the difference of two unit vectors, whose length grows with the angle up to a half turn."""
    crossed = skew(axis)

    def kernel(poses: Array) -> tuple[Array, Factor]:
        residual = poses[:, :3, :3] @ axis - target
        return residual, lambda: _of_turning(crossed @ poses[:, :3, :3].transpose(0, 2, 1))

    return kernel


def _look_at(axis: Array, point: Array) -> Kernel:
    crossed = skew(axis)

    def kernel(poses: Array) -> tuple[Array, Factor]:
        view = point - poses[:, :3, 3]
        distance = np.maximum(np.linalg.norm(view, axis=1, keepdims=True), 1e-9)
        view = view / distance

        def factor() -> Array:
            back = poses[:, :3, :3].transpose(0, 2, 1)
            out = _of_turning(crossed @ back)
            across = np.eye(3) - view[:, :, None] * view[:, None, :]
            out[:, :3] = back @ (across / distance[:, :, None])
            return out

        return poses[:, :3, :3] @ axis - view, factor

    return kernel
