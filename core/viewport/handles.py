# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the handle of a joint is, and how large.

A handle's frame D has its Z axis along the joint's axis, in the direction in which the value grows. X is where its
pointer stands at value 0, so that the pointer at value q is ``Rot(z, q) x`` of a dial, and ``q z`` along a slide.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

_SHARE = 0.4  # of the way to the nearest other joint
_SMALLEST, _LARGEST = 0.02, 0.09  # of the robot's reach
_TOGETHER = 0.01  # of the robot's reach; joints so near share their place
_STEP = 0.14  # by which each further joint at the same place is smaller
_INNERMOST = 0.45
_ACROSS = 1e-3  # of its length; what must be left of a direction across the axis


def dial_frames(a_h_z: ArrayLike, signs: ArrayLike, towards: ArrayLike) -> Array:
    """Return ``A_H_D``, shape (n, 4, 4), the frames of the handles of n joints.

    Args:
        a_h_z: ``A_H_Z``, shape (n, 4, 4) [m], where the joints' bones would be at value 0, their parents as they are.
        signs: Whether the value grows about, or along, the bone's Y axis (1) or against it (-1), shape (n,).
        towards: Where each link goes, in its bone's frame, shape (n, 3) of any length; X where that is along the axis.

    Source: formalism, sections 6 and 9: the bone's channel holds ``s q`` about, or along, its Y axis.
    """
    a_h_z, signs = np.asarray(a_h_z, dtype=np.float64), np.asarray(signs, dtype=np.float64)
    across = np.array(towards, dtype=np.float64).reshape(-1, 3)
    length = np.linalg.norm(across, axis=1)
    across[:, 1] = 0.0
    left = np.linalg.norm(across, axis=1)
    lost = left <= _ACROSS * length
    across[lost] = (1.0, 0.0, 0.0)
    across /= np.where(lost, 1.0, left)[:, None]
    z = signs[:, None] * np.array([0.0, 1.0, 0.0])
    z_r_d = np.stack([across, np.cross(z, across), z], axis=2)
    out = a_h_z.copy()
    out[:, :3, :3] = a_h_z[:, :3, :3] @ z_r_d
    return out


def dial_radii(origins: ArrayLike, reach: float) -> Array:
    """Return how large the handles of n joints are, shape (n,) [m].

    Small where joints are close together, as in a hand; of joints in one place each further one is smaller.

    Args:
        origins: The joints' origins at zero, shape (n, 3) [m].
        reach: How far the robot reaches [m].
    """
    origins = np.asarray(origins, dtype=np.float64).reshape(-1, 3)
    distances = np.linalg.norm(origins[:, None] - origins, axis=2)
    together = distances <= _TOGETHER * reach
    nearest = np.where(together, np.inf, distances).min(axis=1, initial=np.inf)
    before = np.tril(together, -1).sum(axis=1)
    return np.asarray(
        np.clip(_SHARE * nearest, _SMALLEST * reach, _LARGEST * reach) * np.maximum(1.0 - _STEP * before, _INNERMOST)
    )


def pixel_sizes(points: ArrayLike, perspective: ArrayLike, width: float) -> Array:
    """Return how long a pixel is in the world at points, shape (n,); infinite behind the eye.

    Args:
        points: Points in the world, shape (n, 3).
        perspective: World to clip coordinates, shape (4, 4).
        width: Of the region [px].
    """
    points, perspective = np.asarray(points, dtype=np.float64), np.asarray(perspective, dtype=np.float64)
    depth = points @ perspective[3, :3] + perspective[3, 3]
    size = 2.0 * depth / (np.linalg.norm(perspective[0, :3]) * width)
    return np.where(depth > 0.0, size, np.inf)


def limit_on_screen(radii: ArrayLike, pixels: ArrayLike, smallest: float, largest: float) -> Array:
    """Return radii (n,) that are between two numbers of pixels, given the pixels' sizes (n,)."""
    pixels = np.asarray(pixels, dtype=np.float64)
    seen = np.isfinite(pixels)
    safe = np.where(seen, pixels, 1.0)
    return np.where(seen, np.clip(radii, smallest * safe, largest * safe), radii)
