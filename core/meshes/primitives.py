# SPDX-License-Identifier: GPL-3.0-or-later
"""The shapes of URDF as meshes, centred on the origin with their axis along z, in metres."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .assembly import face_normals
from .data import MeshData

_SEGMENTS = 48  # a multiple of 4, so that vertices lie on the x and y axes and bounds are exact
_RINGS = 24  # from pole to pole, even, so that one ring is the equator

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int32]


def box(size: Sequence[float]) -> MeshData:
    """Return a box with the sides ``size`` [m], three numbers."""
    half = np.asarray(size, dtype=np.float64) / 2.0
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
    quads = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
    triangles = quads[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)
    return _mesh(signs * half, triangles, np.repeat(face_normals(signs, triangles), 3, axis=0))


def cylinder(radius: float, length: float) -> MeshData:
    """Return a closed cylinder of ``radius`` and ``length`` [m] with hard edges at its ends."""
    ring = _circle()
    rows = [np.column_stack([ring * radius, np.full(_SEGMENTS, z)]) for z in (-length / 2.0, length / 2.0)]
    vertices = np.concatenate([*rows, [[0.0, 0.0, -length / 2.0], [0.0, 0.0, length / 2.0]]])
    side = _band(0, _SEGMENTS)
    low, high = _cap(0, 2 * _SEGMENTS)[:, ::-1], _cap(_SEGMENTS, 2 * _SEGMENTS + 1)
    outward = np.column_stack([ring, np.zeros(_SEGMENTS)])[side.ravel() % _SEGMENTS]
    ends = np.repeat([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]], 3 * _SEGMENTS, axis=0)
    return _mesh(vertices, np.concatenate([side, low, high]), np.concatenate([outward, ends]))


def sphere(radius: float) -> MeshData:
    """Return a sphere of ``radius`` [m]."""
    return capsule(radius, 0.0)


def capsule(radius: float, length: float) -> MeshData:
    """Return a cylinder of ``radius`` and ``length`` [m] with half spheres on its ends.

    Its whole height is ``length + 2 radius``. Without length it is a sphere.
    """
    angles = np.pi * np.arange(1, _RINGS) / _RINGS - np.pi / 2.0
    middle = _RINGS // 2 - 1
    cos, sin = np.cos(angles), np.sin(angles)
    cos[middle], sin[middle] = 1.0, 0.0
    shift = np.where(angles < 0.0, -length / 2.0, length / 2.0)
    shift[middle] = length / 2.0
    if length > 0.0:  # the equator twice, with the cylinder between
        cos, sin = np.insert(cos, middle, 1.0), np.insert(sin, middle, 0.0)
        shift = np.insert(shift, middle, -length / 2.0)
    x, y = _circle().T
    grid = [np.outer(cos, x), np.outer(cos, y), np.repeat(sin, _SEGMENTS).reshape(-1, _SEGMENTS)]
    directions = np.concatenate([np.stack(grid, axis=2).reshape(-1, 3), [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]])
    heights = np.concatenate([np.repeat(shift, _SEGMENTS), [-length / 2.0, length / 2.0]])
    vertices = directions * radius
    vertices[:, 2] += heights
    bands = [_band(row * _SEGMENTS, (row + 1) * _SEGMENTS) for row in range(len(sin) - 1)]
    south, north = len(sin) * _SEGMENTS, len(sin) * _SEGMENTS + 1
    caps = [_cap(0, south)[:, ::-1], _cap((len(sin) - 1) * _SEGMENTS, north)]
    triangles = np.concatenate([*bands, *caps])
    return _mesh(vertices, triangles, directions[triangles.ravel()])


def _circle() -> _Floats:
    """Return points of the unit circle, counterclockwise from x, exact on the axes, shape (n, 2)."""
    quarter = 2.0 * np.pi * np.arange(_SEGMENTS // 4) / _SEGMENTS
    x, y = np.cos(quarter), np.sin(quarter)
    return np.column_stack([np.concatenate([x, -y, -x, y]), np.concatenate([y, x, -y, -x])])


def _band(low: int, high: int) -> _Ints:
    """Return the triangles between two rings of vertices that start at the given indices."""
    here = np.arange(_SEGMENTS)
    after = (here + 1) % _SEGMENTS
    quads = np.stack([low + here, low + after, high + after, low + here, high + after, high + here], axis=1)
    return quads.reshape(-1, 3).astype(np.int32)


def _cap(ring: int, centre: int) -> _Ints:
    """Return the triangles between a ring and a vertex above it."""
    here = np.arange(_SEGMENTS)
    after = (here + 1) % _SEGMENTS
    return np.stack([ring + here, ring + after, np.full(_SEGMENTS, centre)], axis=1).astype(np.int32)


def _mesh(vertices: _Floats, triangles: NDArray[np.integer], normals: NDArray[np.floating]) -> MeshData:
    return MeshData(
        vertices.astype(np.float32),
        triangles.astype(np.int32),
        np.full(len(triangles), -1, dtype=np.int32),
        corner_normals=normals.astype(np.float32),
    )
