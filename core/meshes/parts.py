# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces of a mesh on their way from a decoder to a whole: moved, merged, filled up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

# What a corner has where the file gives nothing; a normal without length stands for the triangle's own.
NO_UV = (0.0, 0.0)
NO_NORMAL = (0.0, 0.0, 0.0)
WHITE = (1.0, 1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a mesh file, not checked yet.

    Attributes:
        vertices: Positions [m], shape (V, 3).
        triangles: Vertex indices, shape (T, 3); any integers.
        material_index: Index into the file's materials, one for all or shape (T,); -1 for none.
        uv: For each corner, shape (3 T, 2), or None.
        normals: For each corner, shape (3 T, 3), of any length, or None.
        colors: For each corner, shape (3 T, 4), or None.
    """

    vertices: NDArray[np.floating]
    triangles: NDArray[np.integer]
    material_index: int | NDArray[np.integer] = -1
    uv: NDArray[np.floating] | None = None
    normals: NDArray[np.floating] | None = None
    colors: NDArray[np.floating] | None = None


def corner_values(
    values: NDArray[np.floating], index: NDArray[np.integer], missing: Sequence[float]
) -> NDArray[np.float32]:
    """Return ``values[index]`` as float32, with ``missing`` where there is no such value.

    Args:
        values: Shape (N, k).
        index: Any integers, of any shape; flattened.
        missing: k numbers.
    """
    flat = index.ravel()
    if not len(values):
        return np.tile(np.asarray(missing, dtype=np.float32), (len(flat), 1))
    narrow: NDArray[np.float32] = values.astype(np.float32, copy=False)
    if not len(flat) or (flat.min() >= 0 and flat.max() < len(values)):
        return np.take(narrow, flat, axis=0)
    known = (flat >= 0) & (flat < len(values))
    result = np.take(narrow, np.where(known, flat, 0), axis=0)
    result[~known] = missing
    return result


def tightened(part: Part) -> Part:
    """Return the part with only the vertices that it uses, if it has many more than that.

    Several parts may share one large list of vertices, which would be copied for each otherwise.
    """
    if len(part.vertices) <= 3 * len(part.triangles):
        return part
    known = (part.triangles >= 0) & (part.triangles < len(part.vertices))
    used = np.unique(part.triangles[known])
    return replace(
        part, vertices=part.vertices[used], triangles=np.where(known, np.searchsorted(used, part.triangles), -1)
    )


def merged(parts: Sequence[Part]) -> list[Part]:
    """Return one part for all that have the same array of vertices."""
    groups: dict[int, list[Part]] = {}
    for part in parts:
        groups.setdefault(id(part.vertices), []).append(part)
    return [group[0] if len(group) == 1 else _merged(group) for group in groups.values()]


def _merged(parts: Sequence[Part]) -> Part:
    sizes = [len(part.triangles) for part in parts]
    return Part(
        parts[0].vertices,
        np.concatenate([part.triangles for part in parts]),
        material_indices(parts),
        joined([part.uv for part in parts], sizes, NO_UV),
        joined([part.normals for part in parts], sizes, NO_NORMAL),
        joined([part.colors for part in parts], sizes, WHITE),
    )


def material_indices(parts: Sequence[Part]) -> NDArray[np.integer]:
    """Return the material index of each triangle of all parts, one after the other."""
    return np.concatenate([np.broadcast_to(np.asarray(part.material_index), len(part.triangles)) for part in parts])


def transformed(part: Part, matrix: NDArray[np.float64]) -> Part:
    """Return the part moved by ``matrix``, shape (4, 4); where that mirrors it, the winding is turned over."""
    linear = matrix[:3, :3]
    if np.array_equal(matrix, np.eye(4)):
        return part
    part = replace(part, vertices=part.vertices.astype(np.float64) @ linear.T + matrix[:3, 3])
    if part.normals is not None:
        # The cofactors are the inverse transpose times the determinant, and exist for singular matrices too.
        a, b, c = linear
        cofactors = np.array([np.cross(b, c), np.cross(c, a), np.cross(a, b)])
        largest = np.abs(cofactors).max()
        part = replace(part, normals=part.normals @ (cofactors / (largest or 1.0)).T.astype(np.float32))
    return turned_over(part) if np.linalg.det(linear) < 0.0 else part


def turned_over(part: Part) -> Part:
    """Return the part with each triangle's winding and the given normals turned over."""

    def corners(values: NDArray[np.floating] | None) -> NDArray[np.floating] | None:
        return None if values is None else values.reshape(-1, 3, values.shape[1])[:, [0, 2, 1]].reshape(values.shape)

    return replace(
        part,
        triangles=part.triangles[:, [0, 2, 1]],
        uv=corners(part.uv),
        normals=None if part.normals is None else corners(-part.normals),
        colors=corners(part.colors),
    )


def joined(
    arrays: Sequence[NDArray[np.floating] | None], sizes: Sequence[int], missing: tuple[float, ...]
) -> NDArray[np.float32] | None:
    """Return the corner data of parts of ``sizes`` triangles, one after the other; None where no part has any."""
    if all(array is None for array in arrays):
        return None
    filler = np.asarray(missing, dtype=np.float32)
    filled = [
        np.broadcast_to(filler, (3 * size, len(missing))) if array is None else array
        for array, size in zip(arrays, sizes, strict=True)
    ]
    return np.concatenate(filled).astype(np.float32, copy=False)
