# SPDX-License-Identifier: GPL-3.0-or-later
"""From what a decoder has read to a mesh that can be relied on: parts joined, bad triangles left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import MeshError
from .data import MeshData, SurfaceMaterial
from .parts import NO_NORMAL, NO_UV, WHITE, Part, joined, material_indices
from .repeats import repeated_triangles

MAX_TRIANGLES = 10_000_000
_MAX_PARTS = 20_000
_MAX_NOTES = 20
_FARTHEST = 1e15
"""Coordinates [m] beyond this are as good as infinite: scaled and squared they have to stay numbers."""


class PartList:
    """The parts of one file, with a bound on what instances of instances can multiply to."""

    def __init__(self, name: str) -> None:
        self.parts: list[Part] = []
        self._name = name
        self._triangles = 0

    def add(self, part: Part) -> None:
        """Append a part.

        Raises:
            MeshError: If there are absurdly many parts or triangles.
        """
        self._triangles += len(part.triangles)
        if self._triangles > MAX_TRIANGLES or len(self.parts) >= _MAX_PARTS:
            raise MeshError(f"{self._name} holds more than {MAX_TRIANGLES} triangles, or {_MAX_PARTS} parts")
        self.parts.append(part)


def join(
    name: str, parts: Sequence[Part], materials: Iterable[SurfaceMaterial] = (), notes: Iterable[str] = ()
) -> MeshData:
    """Return the parts as one checked mesh.

    Triangles that name missing vertices or vertices that are not finite are left out with a note, triangles
    without area by index are left out silently, and vertices that nothing uses are dropped.

    Raises:
        MeshError: If no triangle is left, or there are absurdly many.
    """
    notes = list(notes)
    parts = [_without_bad_indices(name, part, notes) for part in parts]
    parts = [part for part in parts if len(part.triangles)]
    if not parts:
        raise MeshError(f"{name} holds no triangles")
    if sum(len(part.triangles) for part in parts) > MAX_TRIANGLES:
        raise MeshError(f"{name} holds more than {MAX_TRIANGLES} triangles")
    sizes = [len(part.triangles) for part in parts]
    offsets = np.cumsum([0, *(len(part.vertices) for part in parts)])
    vertices = np.concatenate([part.vertices.astype(np.float32, copy=False) for part in parts])
    triangles = np.concatenate([part.triangles + offset for part, offset in zip(parts, offsets, strict=False)])
    mesh = MeshData(
        vertices,
        triangles.astype(np.int32, copy=False),
        material_indices(parts).astype(np.int32),
        tuple(materials),
        uv=joined([part.uv for part in parts], sizes, NO_UV),
        corner_normals=joined([part.normals for part in parts], sizes, NO_NORMAL),
        corner_colors=joined([part.colors for part in parts], sizes, WHITE),
    )
    return _checked(name, mesh, notes)


def _without_bad_indices(name: str, part: Part, notes: list[str]) -> Part:
    triangles = part.triangles
    if not len(triangles) or (triangles.min() >= 0 and triangles.max() < len(part.vertices)):
        return part
    good = np.logical_and.reduce((triangles >= 0) & (triangles < len(part.vertices)), axis=1)
    notes.append(f"{name}: {_counted(int((~good).sum()))} named vertices that do not exist and were left out")
    corners = np.repeat(good, 3)
    index = part.material_index
    return Part(
        part.vertices,
        triangles[good],
        index if isinstance(index, int) else index[good],
        *(None if values is None else values[corners] for values in (part.uv, part.normals, part.colors)),
    )


def _checked(name: str, mesh: MeshData, notes: list[str]) -> MeshData:
    a, b, c = mesh.triangles.T
    good = (a != b) & (b != c) & (c != a)
    low, high = mesh.vertices.min(initial=0.0), mesh.vertices.max(initial=0.0)
    if not (low >= -_FARTHEST and high <= _FARTHEST):  # so for NaN too
        finite = (np.abs(mesh.vertices[mesh.triangles]) <= _FARTHEST).all(axis=(1, 2))
        if not finite.all():
            notes.append(f"{name}: {_counted(int((~finite).sum()))} had coordinates that are no number; left out")
        good &= finite
    repeated = repeated_triangles(mesh.triangles)
    if repeated is not None:
        notes.append(f"{name}: {_counted(int(repeated.sum()))} repeated an earlier one; left out")
        good &= ~repeated
    if not good.any():
        raise MeshError(f"{name} holds no triangles")
    all_good = bool(good.all())
    corners = slice(None) if all_good else np.repeat(good, 3)
    vertices, triangles = _used_vertices(mesh.vertices, mesh.triangles if all_good else mesh.triangles[good])
    normals = mesh.corner_normals
    return MeshData(
        vertices,
        triangles,
        mesh.material_index if all_good else mesh.material_index[good],
        mesh.materials,
        uv=None if mesh.uv is None else np.nan_to_num(mesh.uv[corners], nan=0.0, posinf=0.0, neginf=0.0),
        corner_normals=None if normals is None else _unit_normals(normals[corners], vertices, triangles),
        corner_colors=None if mesh.corner_colors is None else _color_range(mesh.corner_colors[corners]),
        notes=tuple(dict.fromkeys(notes))[:_MAX_NOTES],
    )


def _used_vertices(
    vertices: NDArray[np.float32], triangles: NDArray[np.int32]
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    used = np.zeros(len(vertices), dtype=np.bool_)
    used[triangles] = True
    if used.all():
        return vertices, triangles
    rank = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return vertices[used], rank[triangles]


def _unit_normals(
    normals: NDArray[np.float32], vertices: NDArray[np.float32], triangles: NDArray[np.int32]
) -> NDArray[np.float32]:
    """Return normals of unit length; the triangle's own stands in for one that has no direction."""
    length = np.sqrt(np.einsum("ij,ij->i", normals, normals))
    bad = ~((length > 1e-12) & np.isfinite(length))
    length[bad] = 1.0
    result: NDArray[np.float32] = np.divide(normals, length[:, None])
    if bad.any():
        rows = np.flatnonzero(bad)
        result[rows] = face_normals(vertices, triangles[rows // 3])
    return result


def face_normals(vertices: NDArray[np.floating], triangles: NDArray[np.integer]) -> NDArray[np.float32]:
    """Return unit normals by the winding, shape (T, 3); +z for a triangle without area."""
    a, b, c = (vertices[triangles[:, corner]].astype(np.float64) for corner in range(3))
    normals = np.cross(b - a, c - a)
    length = np.sqrt((normals**2).sum(axis=1))
    flat = ~(length > 0.0)
    normals[flat], length[flat] = (0.0, 0.0, 1.0), 1.0
    return np.asarray(normals / length[:, None], dtype=np.float32)


def _color_range(colors: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.clip(np.nan_to_num(colors, nan=1.0), 0.0, 1.0)


def _counted(count: int) -> str:
    return f"{count} triangle{'' if count == 1 else 's'}"
