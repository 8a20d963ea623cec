# SPDX-License-Identifier: GPL-3.0-or-later
"""Velocities and accelerations from samples: central differences of fourth order on five equidistant instants."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..spatial import Array, quaternion_from_rotation

OFFSETS = (-2, -1, 0, 1, 2)
"""The instants that the differences take, in steps from the one asked for."""

_FIRST = np.array([1.0, -8.0, 0.0, 8.0, -1.0]) / 12.0
_SECOND = np.array([-1.0, 16.0, -30.0, 16.0, -1.0]) / 12.0


def value_rates(samples: ArrayLike, step: float) -> tuple[Array, Array]:
    """Return first and second time derivative, shape (...), of samples (5, ...) at ``OFFSETS`` steps [s].

    The error is of the order ``step**4``. At a corner of the motion the first is the mean of the slopes on both sides.
    """
    values = np.asarray(samples, dtype=np.float64)
    first, second = np.tensordot(_FIRST, values, 1) / step, np.tensordot(_SECOND, values, 1) / step**2
    return np.asarray(first), np.asarray(second)


def pose_rates(samples: ArrayLike, step: float) -> tuple[Array, Array]:
    """Return ``W_v_{W,B}`` (inertial) and its derivative, shape (..., 6), of poses ``W_H_B``, shape (5, ..., 4, 4).

    Between two samples the frame must turn by less than a quarter turn. The rotation is differentiated as the rotation
    vector from the middle sample, whose first two derivatives there are the body's angular velocity and acceleration.

    Source: formalism, section 7, for the representation.
    """
    poses = np.asarray(samples, dtype=np.float64)
    rotation, origin = poses[2, ..., :3, :3], poses[2, ..., :3, 3]
    linear, linear_rate = value_rates(poses[..., :3, 3], step)
    body = value_rates(_rotation_vector(np.swapaxes(rotation, -1, -2) @ poses[..., :3, :3]), step)
    angular, angular_rate = ((rotation @ rate[..., None])[..., 0] for rate in body)
    # to the point of the body that passes the world's origin
    velocity = np.concatenate([linear + np.cross(origin, angular), angular], axis=-1)
    at_origin = linear_rate + np.cross(linear, angular) + np.cross(origin, angular_rate)
    return velocity, np.concatenate([at_origin, angular_rate], axis=-1)


def _rotation_vector(rotation: Array) -> Array:
    """Return axis times angle, shape (..., 3), of rotations (..., 3, 3) by less than half a turn."""
    quaternion = quaternion_from_rotation(rotation)
    sine = np.linalg.norm(quaternion[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, quaternion[..., :1])
    # both vanish together, and then the one is twice the other
    factor = np.where(sine > 1e-12, angle / np.where(sine > 1e-12, sine, 1.0), 2.0)
    return np.asarray(quaternion[..., 1:] * factor)
