# SPDX-License-Identifier: GPL-3.0-or-later
"""6D velocities: the three ways to write one, and the transforms between frames. Linear stands over angular.

Source: formalism, sections 7 and 8; Traversaro and Saccon, "Multibody dynamics notation (version 2)".
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from ..spatial import Array, skew


class VelocityRepresentation(StrEnum):
    """How the velocity of a frame F, seen from the world W, is written."""

    INERTIAL = "inertial"
    """``W_v_{W,F}``: axes of W; the linear part is that of the point of F's body that passes W's origin."""
    BODY = "body"
    """``F_v_{W,F}``: axes of F; the linear part is that of F's origin."""
    MIXED = "mixed"
    """``F[W]_v_{W,F}``: axes of W; the linear part is that of F's origin."""


Representation = VelocityRepresentation | str
"""A representation, or its name."""


def velocity_transform(a_h_b: ArrayLike) -> Array:
    """Return ``A_X_B = [[R, [o]x R], [0, R]]``, shape (..., 6, 6), of transforms ``A_H_B``, shape (..., 4, 4).

    It takes the 6D velocity of a body from the coordinates of B to those of A: ``A_v = A_X_B B_v``.
    """
    h = np.asarray(a_h_b, dtype=np.float64)
    rotation = h[..., :3, :3]
    out = np.zeros((*h.shape[:-2], 6, 6))
    out[..., :3, :3] = out[..., 3:, 3:] = rotation
    out[..., :3, 3:] = skew(h[..., :3, 3]) @ rotation
    return out


def velocity_cross(velocity: ArrayLike) -> Array:
    """Return ``v x = [[[w]x, [v]x], [0, [w]x]]``, shape (..., 6, 6), of 6D velocities (v, w), shape (..., 6).

    It gives the derivative of a velocity transform: ``d/dt A_X_B = A_X_B (B_v_{A,B} x)``.
    """
    v = np.asarray(velocity, dtype=np.float64)
    out = np.zeros((*v.shape, 6))
    out[..., :3, :3] = out[..., 3:, 3:] = skew(v[..., 3:])
    out[..., :3, 3:] = skew(v[..., :3])
    return out
