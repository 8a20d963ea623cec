# SPDX-License-Identifier: GPL-3.0-or-later
"""What is done to meshes once they are read: scaling, bounds, volume."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .data import MeshData

_CHUNK = 1 << 18  # rows at a time, to bound the memory for float64 copies
_FLIP = (0, 2, 1)

_Floats = NDArray[np.float64]


def scaled(mesh: MeshData, scale: Sequence[float]) -> MeshData:
    """Return the mesh with x, y and z multiplied by the three factors of ``scale``.

    With an odd number of negative factors the winding is turned over, so that faces still look outwards. A factor
    of zero flattens the mesh.
    """
    factors = np.asarray(scale, dtype=np.float64)
    if (factors == 1.0).all():
        return mesh
    with np.errstate(over="ignore", invalid="ignore"):
        vertices = (mesh.vertices.astype(np.float64) * factors).astype(np.float32)
    normals = mesh.corner_normals
    mesh = replace(
        mesh, vertices=vertices, corner_normals=None if normals is None else _scaled_normals(normals, factors)
    )
    return _turned_over(mesh) if np.prod(np.sign(factors)) < 0.0 else mesh


def transformed_bounds(mesh: MeshData, matrix: NDArray[np.floating]) -> tuple[_Floats, _Floats]:
    """Return the least and the greatest coordinates [m] of the transformed vertices, each of shape (3,).

    Args:
        mesh: A mesh with vertices.
        matrix: ``A_H_G``, the mesh frame's pose in the frame that the bounds are wanted in, shape (4, 4).
    """
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for points in _transformed(mesh.vertices, np.asarray(matrix, dtype=np.float64)):
        low, high = np.minimum(low, points.min(axis=0)), np.maximum(high, points.max(axis=0))
    return low, high


def signed_volume(mesh: MeshData, matrix: NDArray[np.floating] | None = None) -> float:
    """Return the volume [m^3], positive where faces look outwards; exact for closed meshes.

    Args:
        mesh: The mesh.
        matrix: A transformation to apply first, shape (4, 4), or None.
    """
    if not len(mesh.triangles):
        return 0.0
    centre = mesh.vertices.mean(axis=0, dtype=np.float64)  # near the mesh, for accuracy
    total = 0.0
    for start in range(0, len(mesh.triangles), _CHUNK):
        corners = mesh.vertices[mesh.triangles[start : start + _CHUNK]].astype(np.float64) - centre
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        total += float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6.0
    return total if matrix is None else total * float(np.linalg.det(np.asarray(matrix, dtype=np.float64)[:3, :3]))


def _transformed(vertices: NDArray[np.float32], matrix: _Floats) -> Iterator[_Floats]:
    for start in range(0, len(vertices), _CHUNK):
        yield vertices[start : start + _CHUNK].astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]


def _scaled_normals(normals: NDArray[np.float32], factors: _Floats) -> NDArray[np.float32]:
    """Return the normals of the scaled surface: scaled by the cofactors, which exist for a factor of zero too."""
    size = np.abs(factors).max()
    relative = factors / size if size > 0.0 else np.ones(3)
    cofactors = relative[[1, 2, 0]] * relative[[2, 0, 1]] * np.sign(np.prod(np.where(factors == 0.0, 1.0, factors)))
    result = normals.astype(np.float64) * cofactors
    length = np.sqrt((result**2).sum(axis=1))
    flat = ~(length > 0.0)
    result[flat], length[flat] = normals[flat], 1.0
    return np.asarray(result / length[:, None], dtype=np.float32)


def _turned_over(mesh: MeshData) -> MeshData:
    def corners(values: NDArray[np.float32] | None) -> NDArray[np.float32] | None:
        return None if values is None else values.reshape(-1, 3, values.shape[1])[:, _FLIP].reshape(values.shape)

    return replace(
        mesh,
        triangles=mesh.triangles[:, _FLIP],
        uv=corners(mesh.uv),
        corner_normals=corners(mesh.corner_normals),
        corner_colors=corners(mesh.corner_colors),
    )
