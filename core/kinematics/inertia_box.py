# SPDX-License-Identifier: GPL-3.0-or-later
"""The solid box that has a link's mass and inertia: an inertia made visible."""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import numpy as np

from ..model import Inertial
from ..spatial import Array, transform

_LONGEST = 1000.0
_TOLERANCE = 1e-6


class InertiaBox(NamedTuple):
    """A box with the inertia of a link.

    Attributes:
        link_h_box: Its pose ``L_H_K`` in the link's frame, (4, 4): the centre of mass and the principal axes.
        size: Its full side lengths [m], (3,); 0 where the inertia leaves no extent.
        remark: Why no box has exactly this inertia; empty where one has.
    """

    link_h_box: Array
    size: Array
    remark: str


def inertia_box(inertial: Inertial) -> InertiaBox:
    """Return the box of uniform density with the mass, centre of mass and inertia of ``inertial``.

    With the principal moments ``I = m (b^2 + c^2) / 12`` and so on, its sides are
    ``a = sqrt(6 / m (I_y + I_z - I_x))`` and so on. A side that comes out imaginary is 0, and one over a kilometre is
    a kilometre; the remark says so. The box's axes are the principal axes, each named for the nearest axis of the
    inertia's frame.

    Source: en.wikipedia.org, "List of moments of inertia", solid cuboid.
    """
    scale = float(np.abs(inertial.inertia).max())
    if scale == 0.0 or not inertial.mass > 0.0:
        missing = "no moment of inertia" if inertial.mass > 0.0 else f"a mass of {inertial.mass:g} kg"
        return InertiaBox(inertial.origin.matrix, np.zeros(3), f"{missing}: no box has that")
    moments, axes = np.linalg.eigh(inertial.inertia / scale)
    moments, axes = _nearest_order(moments, axes)
    link_h_box = inertial.origin.matrix @ transform(axes, np.zeros(3))
    squares = moments.sum() - 2.0 * moments
    with np.errstate(over="ignore", invalid="ignore"):  # the factor may be infinite, which leaves no side of 0 a number
        size = np.where(squares > 0.0, np.sqrt(6.0 * np.maximum(squares, 0.0)) * np.sqrt(scale / inertial.mass), 0.0)
    remark = ""
    if moments.min() < -_TOLERANCE:
        remark = "a principal moment of inertia is negative"
    elif squares.min() < -_TOLERANCE:
        remark = "one principal moment of inertia is larger than the other two together"
    elif not size.max() <= _LONGEST:
        remark = f"a box of this mass and inertia is longer than {_LONGEST:g} m"
    return InertiaBox(link_h_box, np.minimum(size, _LONGEST), remark)


def _nearest_order(moments: Array, axes: Array) -> tuple[Array, Array]:
    """Return principal moments (3,) and axes (3, 3) so ordered and turned that the axes are nearest to the identity."""
    orders = (list(order) for order in permutations(range(3)))
    best = max(orders, key=lambda order: float(np.abs(np.diagonal(axes[:, order])).sum()))
    axes = axes[:, best]
    axes = axes * np.where(np.diagonal(axes) < 0.0, -1.0, 1.0)
    if np.linalg.det(axes) < 0.0:
        axes[:, np.argmin(np.diagonal(axes))] *= -1.0
    return moments[best], axes
