# SPDX-License-Identifier: GPL-3.0-or-later
"""The motion ``S_H(q)`` of one joint, in the joint frame: ``P_H_C(q) = P_H_C(0) S_H(q)``.

Source: wiki.ros.org/urdf/XML/joint; Rodrigues' formula for the turning joints.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import JointValueError
from ..model import Joint, JointType
from ..spatial import (
    quaternion_from_rotation,
    rotation_about_axis,
    rotation_between,
    rotation_from_quaternion,
    transform,
)

Array = NDArray[np.float64]


def planar_basis(axis: ArrayLike) -> Array:
    """Return the plane's frame ``J_R_plane``, shape (3, 3): columns x, y in the plane, z the normal ``axis``.

    It is the smallest turn that takes the joint frame's z to the normal, so that for the usual normal z the
    plane's x and y are the joint frame's own. For the normal -z it is the half turn about x.
    """
    axis = np.asarray(axis, dtype=np.float64)
    if axis[2] < 0.0 and np.hypot(axis[0], axis[1]) < 1e-11:
        return np.diag([1.0, -1.0, -1.0])
    return rotation_between([0.0, 0.0, 1.0], axis)


def joint_motion(joint: Joint, value: ArrayLike) -> Array:
    """Return ``S_H(q)``, shape (..., 4, 4).

    Args:
        joint: Any joint.
        value: Shape (...) for a scalar joint: the angle [rad] or distance [m]. Planar: (..., 3), x and y [m] along
            ``planar_basis`` and the angle [rad]. Floating: (..., 7), position [m] and quaternion ``w x y z``.
            Fixed: ignored but for its leading shape.

    Raises:
        JointValueError: If the last axis has the wrong length for a planar or floating joint.
    """
    q = np.asarray(value, dtype=np.float64)
    if joint.type is JointType.FIXED:
        return np.broadcast_to(np.eye(4), (*q.shape, 4, 4))
    if joint.type.turns:
        return transform(rotation_about_axis(np.asarray(joint.axis), q), np.zeros(3))
    if joint.type is JointType.PRISMATIC:
        return transform(np.eye(3), q[..., None] * np.asarray(joint.axis))
    size = 3 if joint.type is JointType.PLANAR else 7
    if q.ndim == 0 or q.shape[-1] != size:
        raise JointValueError(f"joint {joint.name!r} is {joint.type.value} and takes {size} numbers, not {q.shape}")
    if joint.type is JointType.PLANAR:
        in_plane = q[..., :2] @ planar_basis(np.asarray(joint.axis))[:, :2].T
        return transform(rotation_about_axis(np.asarray(joint.axis), q[..., 2]), in_plane)
    return transform(rotation_from_quaternion(q[..., 3:]), q[..., :3])


def spatial_value(joint: Joint, motion: ArrayLike) -> Array:
    """Return the value of a planar (3,) or floating (7,) joint from its motion ``S_H``, shape (4, 4).

    What a planar joint can't do (leave its plane, tilt) is left out of its value.

    Raises:
        JointValueError: If the joint is neither.
    """
    h = np.asarray(motion, dtype=np.float64)
    if joint.type is JointType.FLOATING:
        return np.concatenate([h[:3, 3], quaternion_from_rotation(h[:3, :3])])
    if joint.type is not JointType.PLANAR:
        raise JointValueError(f"joint {joint.name!r} is {joint.type.value}, not planar or floating")
    axis = np.asarray(joint.axis)
    twice_sine = np.array([h[2, 1] - h[1, 2], h[0, 2] - h[2, 0], h[1, 0] - h[0, 1]]) @ axis
    angle = np.arctan2(twice_sine, np.trace(h[:3, :3]) - 1.0)
    return np.array([*(planar_basis(axis)[:, :2].T @ h[:3, 3]), angle])
