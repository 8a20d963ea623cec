# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's bone formalism in float64: head, tail and roll from joint frames, and back.

A rest bone is a head h, a tail t and a roll r. Its frame has its origin at h, its Y axis along t - h, and X and Z
fixed by the roll through ``M(y, r) = Rot(y, r) M0(y)``.

Source: Blender manual, "Armatures"; ``bpy.types.Bone.MatrixFromAxisRoll`` and ``AxisRollFromMatrix``; the behaviour of
``vec_roll_to_mat3_normalized`` in Blender's armature code.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .spatial import rotation_about_axis, rotation_between, transform

Array = NDArray[np.float64]

# Blender's own switch-over near the pole (0, -1, 0)
_SAFE_THETA = 6.1e-3
_CRITICAL_DISTANCE = 2.5e-4
# how far below the horizon a bone may point before its sign is turned: joints that are level up to noise keep sign +1
_LEVEL = 0.05
_LENGTHS = 128
# cosine of the angle to the parent bone below which the sign is turned
_AGAINST_PARENT = -0.5


@dataclass(frozen=True, slots=True, eq=False)
class Bone:
    """A rest bone in armature space: ``head`` and ``tail`` (3,) [m], ``roll`` [rad]."""

    head: Array
    tail: Array
    roll: float


def _roll_free(y: Array) -> Array:
    """Return ``M0(y)`` for a unit vector, with Blender's treatment of the pole."""
    x, _, z = y
    theta, off_pole = 1.0 + y[1], x * x + z * z
    if theta <= _SAFE_THETA:
        if off_pole <= _CRITICAL_DISTANCE**2:
            return np.diag([-1.0, -1.0, 1.0])
        theta = off_pole / 2.0 + off_pole * off_pole / 8.0
    return np.array(
        [[1.0 - x * x / theta, x, -x * z / theta], [-x, y[1], -z], [-x * z / theta, z, 1.0 - z * z / theta]]
    )


def matrix_from_axis_roll(y: ArrayLike, roll: float) -> Array:
    """Return the rest rotation ``M(y, r) = Rot(y, r) M0(y)``, shape (3, 3), as Blender computes it.

    >>> from urdf_rig import core
    >>> np.round(core.matrix_from_axis_roll((0.0, 0.0, 2.0), 0.0)) + 0.0
    array([[ 1.,  0.,  0.],
           [ 0.,  0., -1.],
           [ 0.,  1.,  0.]])

    Args:
        y: Direction of the bone, shape (3,), of any length but zero.
        roll: Roll [rad].

    Raises:
        ValueError: If ``y`` is zero or not finite.

    Source: formalism, section 5; equals ``bpy.types.Bone.MatrixFromAxisRoll`` up to its float32 rounding.
    """
    direction = np.asarray(y, dtype=np.float64)
    length = np.linalg.norm(direction)
    if not np.isfinite(length) or length == 0.0:
        raise ValueError(f"a bone needs a direction, not {direction.tolist()}")
    unit = np.asarray(direction / length)
    return np.asarray(rotation_about_axis(unit, roll) @ _roll_free(unit))


def axis_roll_from_matrix(rotation: ArrayLike) -> tuple[Array, float]:
    """Return the direction (3,) and the roll [rad] of a rest rotation (3, 3): the inverse of ``matrix_from_axis_roll``.

    >>> from urdf_rig import core
    >>> y, roll = core.axis_roll_from_matrix(core.matrix_from_axis_roll((1.0, 2.0, 3.0), 0.7))
    >>> round(roll, 12)
    0.7

    Source: formalism, section 5: ``roll = atan2(D[0, 2], D[2, 2])`` with ``D = M0(y)^T R``.
    """
    rotation = np.asarray(rotation, dtype=np.float64)
    y = rotation[:, 1] / np.linalg.norm(rotation[:, 1])
    d = _roll_free(y).T @ rotation
    return y, float(np.arctan2(d[0, 2], d[2, 2]))


def bone_from_frame(a_h_b: ArrayLike, length: float) -> Bone:
    """Return the rest bone of ``length`` [m] whose frame is ``A_H_b``, shape (4, 4).

    >>> from urdf_rig import core
    >>> bone = core.bone_from_frame(np.eye(4), 0.1)
    >>> bone.head.tolist(), bone.tail.tolist(), bone.roll
    ([0.0, 0.0, 0.0], [0.0, 0.1, 0.0], 0.0)

    Raises:
        ValueError: If the length is not positive.
    """
    if not length > 0.0:
        raise ValueError(f"a bone needs a positive length, not {length}")
    h = np.asarray(a_h_b, dtype=np.float64)
    y, roll = axis_roll_from_matrix(h[:3, :3])
    return Bone(h[:3, 3].copy(), h[:3, 3] + length * y, roll)


def tail_for_float32(head: ArrayLike, y: ArrayLike, length: float) -> Array:
    """Return the tail (3,) of a bone along the unit vector ``y``, at ``length`` [m] or up to half as much again.

    Blender rounds heads and tails to float32, which turns the bone's axis by up to one rounding step of its distance
    over its length. Of many lengths, the one whose rounded ends lie best along ``y`` is taken.
    """
    y = np.asarray(y, dtype=np.float64)
    stored_head = np.asarray(head, dtype=np.float32).astype(np.float64)
    lengths = length * np.linspace(1.0, 1.5, _LENGTHS)
    tails = np.asarray(head, dtype=np.float64) + lengths[:, None] * y
    along = tails.astype(np.float32).astype(np.float64) - stored_head
    off_axis = np.linalg.norm(np.cross(along, y), axis=1) / lengths
    return np.asarray(tails[np.argmin(off_axis)])


def frame_from_bone(head: ArrayLike, tail: ArrayLike, roll: float) -> Array:
    """Return ``A_H_b``, shape (4, 4), of a rest bone.

    Raises:
        ValueError: If head and tail are equal.
    """
    head = np.asarray(head, dtype=np.float64)
    return transform(matrix_from_axis_roll(np.asarray(tail, dtype=np.float64) - head, roll), head)


def bone_rotation(a_r_j: ArrayLike, axis: ArrayLike, parent_y: ArrayLike | None = None) -> tuple[Array, int]:
    """Return ``A_R_b`` (3, 3) and the sign s of a bone whose Y axis lies along ``s A_R_J a``.

    The sign keeps the bone's Y in the half-space away from the pole (0, -1, 0), where Blender's float32 roll is
    unreliable. Blender stores a bone relative to its parent, so the same pole exists there: a bone that would point
    against its parent's Y is turned as well, unless that would bring it nearer to the other pole. X and Z lie as near
    as possible to axes of the joint frame.

    Args:
        a_r_j: Rotation of the joint frame in the armature at zero, shape (3, 3).
        axis: Unit axis a in the joint frame, shape (3,).
        parent_y: Y axis of the parent bone in the armature, shape (3,); None for a bone without parent.

    Source: formalism, sections 6 and 9.
    """
    a_r_j, axis = np.asarray(a_r_j, dtype=np.float64), np.asarray(axis, dtype=np.float64)
    y = a_r_j @ axis
    sign = -1 if y[1] < -_LEVEL else 1
    if parent_y is not None:
        along, towards = sign * float(y[1]), sign * float(y @ np.asarray(parent_y))
        # never from one pole into the other
        if towards < _AGAINST_PARENT and max(along, towards) < max(-along, -towards):
            sign = -sign
    nearest = _nearest_axes(sign * axis)
    return np.asarray(a_r_j @ rotation_between(nearest[:, 1], sign * axis) @ nearest), sign


def _nearest_axes(y: Array) -> Array:
    """Return the rotation (3, 3) with entries 0 and +-1 whose second column is the axis nearest to ``y``.

    X stays the frame's own X, or, for a bone along X, Z stays its own Z.
    """
    index = int(np.argmax(np.abs(y) + 1e-9 * np.arange(3)))
    sign = 1.0 if y[index] >= 0.0 else -1.0
    out = np.zeros((3, 3))
    out[index, 1] = sign
    if index == 0:
        out[2, 2] = 1.0
        out[:, 0] = np.cross(out[:, 1], out[:, 2])
    else:
        out[0, 0] = 1.0
        out[:, 2] = np.cross(out[:, 0], out[:, 1])
    return out


def bone_length(reach: float) -> float:
    """Return the length [m] for all bones of an armature whose heads lie up to ``reach`` [m] from its origin.

    Blender keeps heads and tails in float32, so a bone's direction is off by about one rounding step of its head's
    distance over its length; an eighth of the reach keeps that below 1e-6 rad. The length carries no kinematics: how
    large a bone looks is a matter of its custom shape.
    """
    return max(0.125 * reach, 0.05)
