# SPDX-License-Identifier: GPL-3.0-or-later
"""What every decoder returns: a triangle mesh in metres as arrays, with its own materials."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Rgba = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Image:
    """A texture: a file on disk, or the encoded bytes that the mesh file carries.

    Exactly one of ``path`` and ``data`` is set; ``name`` is what a user would call it.
    """

    name: str
    path: Path | None = None
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class SurfaceMaterial:
    """A material that comes with a mesh file.

    ``rgba`` is display-referred (sRGB), each component 0..1, alpha straight; with a ``texture`` it is
    the factor on it (white where the file gives none).
    """

    name: str
    rgba: Rgba
    texture: Image | None = None
    metallic: float = 0.0
    roughness: float = 0.5
    emission: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class MeshData:
    """A triangle mesh. Corner ``3 t + k`` is corner k of triangle t; faces are wound outwards.

    Attributes:
        vertices: Positions [m], shape (V, 3), float32.
        triangles: Vertex indices, shape (T, 3), int32.
        materials: The file's own materials.
        material_index: Index into ``materials`` for each triangle, shape (T,), int32; -1 for none.
        uv: Texture coordinates for each corner, shape (3 T, 2), float32, v upwards; or None.
        corner_normals: Unit normals for each corner, shape (3 T, 3), float32, where the file has them, zero for
            corners that have none; or None.
        corner_colors: sRGB colours for each corner, shape (3 T, 4), float32; or None.
        notes: Remarks for the user, such as an up axis that was not obeyed.
    """

    vertices: NDArray[np.float32]
    triangles: NDArray[np.int32]
    material_index: NDArray[np.int32]
    materials: tuple[SurfaceMaterial, ...] = ()
    uv: NDArray[np.float32] | None = None
    corner_normals: NDArray[np.float32] | None = None
    corner_colors: NDArray[np.float32] | None = None
    notes: tuple[str, ...] = ()
