# SPDX-License-Identifier: GPL-3.0-or-later
"""Volume, inertia and smooth normals of closed triangle meshes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .solids import Solid

SMOOTH_BELOW = math.cos(math.radians(38.0))
NORMAL_DECIMALS = 3


@dataclass(frozen=True, slots=True, eq=False)
class MassProperties:
    """Mass [kg], centre of mass (3,) [m] and inertia (3, 3) [kg m²] about it, in the axes of the link."""

    mass: float
    centre: NDArray[np.float64]
    inertia: NDArray[np.float64]


def mass_properties(solids: Iterable[Solid], mass: float) -> MassProperties:
    """Return the inertia of ``mass`` spread evenly over the solids' volumes; overlaps count twice.

    Each triangle spans a tetrahedron with the origin, whose moments have closed forms.
    """
    volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for solid in solids:
        corners = solid.vertices[solid.triangles]
        signed = np.einsum("ti,ti->t", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
        total = corners.sum(axis=1)
        volume += float(signed.sum())
        first += signed @ total / 4.0
        second += (np.einsum("t,tki,tkj->ij", signed, corners, corners) + (total.T * signed) @ total) / 20.0
    centre = first / volume
    spread = mass * (second / volume - np.outer(centre, centre))
    return MassProperties(mass, centre, np.trace(spread) * np.eye(3) - spread)


def corner_normals(solid: Solid) -> NDArray[np.float64]:
    """Return a unit normal for each corner, shape (T, 3, 3).

    Faces that meet at a vertex under less than 38 degrees share a normal, weighted by their areas, so that large flat
    faces stay flat beside rounded rims.
    """
    corners = solid.vertices[solid.triangles]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    unit = area / np.linalg.norm(area, axis=1, keepdims=True)
    faces_at: list[list[int]] = [[] for _ in solid.vertices]
    for face, triangle in enumerate(solid.triangles.tolist()):
        for vertex in triangle:
            faces_at[vertex].append(face)
    normals = np.empty((len(unit), 3, 3))
    for face, triangle in enumerate(solid.triangles.tolist()):
        for corner, vertex in enumerate(triangle):
            near = np.array(faces_at[vertex])
            total = area[near[unit[near] @ unit[face] > SMOOTH_BELOW]].sum(axis=0)
            normals[face, corner] = total / np.linalg.norm(total)
    return np.round(normals, NORMAL_DECIMALS) + 0.0
