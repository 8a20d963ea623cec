# SPDX-License-Identifier: GPL-3.0-or-later
"""glTF 2.0, as .glb or .gltf.

Axes: coordinates are taken as they are (after the node transforms). glTF says that +Y is up, and a URDF link frame
has no such rule, so either reading can be argued: RViz took the numbers unchanged for years, and turns them since
2025 (https://github.com/ros2/rviz/pull/1482). What decides is how robots are made. Dexmate's vega_1p_f5d6.urdf has
48 links with .glb visuals beside .obj collision meshes. Taken as they are, the bounds of the two agree to 0.8 mm in
the median and 11 mm at worst; with Y-up turned to Z-up they differ by 34 mm in the median and up to 0.4 m, no link
fits better, and the base (0.69 x 0.55 x 0.35 m) lies on its side. A robot that was made the other way is put right
with ``up_axis="obey"``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MeshError
from .assembly import PartList, join
from .data import MeshData
from .gltf_buffers import GltfFile, Json
from .gltf_materials import material, srgb, texture_set
from .parts import Part, corner_values, tightened, transformed
from .polygons import strip_triangles

# Required extensions that change nothing here, or that are implemented.
_KNOWN_EXTENSIONS = ("KHR_materials_", "KHR_mesh_quantization", "KHR_lights_", "KHR_texture_transform", "KHR_xmp")
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_TRANSFORMS = {"matrix", "translation", "rotation", "scale"}
_Y_UP_TO_Z_UP = np.array([[1.0, 0, 0, 0], [0, 0, -1.0, 0], [0, 1.0, 0, 0], [0, 0, 0, 1.0]])


def decode_gltf(data: bytes, path: Path, *, up_axis: str = "ignore") -> MeshData:
    """Return the default scene in ``data``, the content of the .glb or .gltf file at ``path``, as one mesh.

    Args:
        data: The file's content.
        path: The file; buffers and images are looked for in its folder.
        up_axis: ``ignore`` takes coordinates as they are, ``obey`` turns Y-up to Z-up.

    Raises:
        MeshError: If the file is garbled, needs an extension that is not known, or holds no triangles.
    """
    gltf = GltfFile(data, path)
    for name in gltf.items("extensionsRequired"):
        if not str(name).startswith(_KNOWN_EXTENSIONS):
            raise MeshError(f"{path.name} needs the glTF extension {name}; export it without that (no compression)")
    notes: list[str] = []
    materials = [material(gltf, item, index, notes) for index, item in enumerate(gltf.items("materials"))]
    root = _Y_UP_TO_Z_UP if up_axis == "obey" else np.eye(4)
    placed = PartList(path.name)
    cache: dict[int, list[Part]] = {}
    for mesh, matrix in _instances(gltf, root):
        if mesh not in cache:
            primitives = gltf.items("meshes")[mesh]["primitives"]
            read = [_part(gltf, item, len(materials)) for item in primitives]
            cache[mesh] = [part for part in read if part is not None and len(part.triangles)]
        for part in cache[mesh]:
            placed.add(transformed(part, matrix))
    return join(path.name, placed.parts, materials, notes)


def _instances(gltf: GltfFile, root: NDArray[np.float64]) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Yield each mesh of the default scene with the product of its node transforms."""
    nodes = gltf.items("nodes")
    scenes = gltf.items("scenes")
    if scenes:
        roots = scenes[gltf.document.get("scene", 0)].get("nodes", [])
    else:
        children = {child for node in nodes for child in node.get("children", [])}
        roots = [index for index in range(len(nodes)) if index not in children]
    stack = [(index, root) for index in reversed(roots)]
    visited: set[int] = set()
    while stack:
        index, parent = stack.pop()
        if index in visited:
            raise MeshError(f"{gltf.path.name} has a node in two places, which glTF does not allow")
        visited.add(index)
        node = nodes[index]
        matrix = parent @ _node_matrix(node) if _TRANSFORMS & node.keys() else parent
        if "mesh" in node:
            yield node["mesh"], matrix
        stack += [(child, matrix) for child in reversed(node.get("children", []))]


def _node_matrix(node: Json) -> NDArray[np.float64]:
    if "matrix" in node:
        return np.array(node["matrix"], dtype=np.float64).reshape(4, 4).T  # stored by columns
    result = np.eye(4)
    x, y, z, w = np.array(node.get("rotation", (0.0, 0.0, 0.0, 1.0)), dtype=np.float64)
    square = x * x + y * y + z * z + w * w
    if square > 0.0:
        s = 2.0 / square
        result[:3, :3] = [
            [1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
            [s * (x * y + z * w), 1.0 - s * (x * x + z * z), s * (y * z - x * w)],
            [s * (x * z - y * w), s * (y * z + x * w), 1.0 - s * (x * x + y * y)],
        ]
    result[:3, :3] *= np.array(node.get("scale", (1.0, 1.0, 1.0)), dtype=np.float64)
    result[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return result


def _part(gltf: GltfFile, primitive: Json, material_count: int) -> Part | None:
    """Return one primitive, or None for points and lines."""
    attributes = primitive["attributes"]
    mode = primitive.get("mode", _TRIANGLES)
    if mode not in (_TRIANGLES, _STRIP, _FAN) or "POSITION" not in attributes:
        return None
    plain = "bufferView" in gltf.items("accessors")[attributes["POSITION"]]
    if not plain and "KHR_draco_mesh_compression" in primitive.get("extensions", {}):
        raise MeshError(f"{gltf.path.name} is compressed (KHR_draco_mesh_compression); export it without that")
    vertices = gltf.accessor(attributes["POSITION"])
    if vertices.shape[1] != 3:
        raise MeshError(f"{gltf.path.name} has positions that are not of three numbers")
    if "indices" in primitive:
        index = gltf.accessor(primitive["indices"])[:, 0].astype(np.intp)
    else:
        index = np.arange(len(vertices), dtype=np.intp)
    triangles = _triangles(index, mode)
    number = primitive.get("material", -1)
    chosen = gltf.items("materials")[number] if 0 <= number < material_count else {}
    part = Part(
        vertices,
        triangles,
        number if 0 <= number < material_count else -1,
        uv=_uv(gltf, attributes.get(f"TEXCOORD_{texture_set(chosen)}"), triangles),
        normals=_corners(gltf, attributes.get("NORMAL"), triangles, (0.0, 0.0, 0.0)),
        colors=_colors(gltf, attributes.get("COLOR_0"), triangles),
    )
    return tightened(part)


def _triangles(index: NDArray[np.intp], mode: int) -> NDArray[np.intp]:
    if mode == _TRIANGLES:
        return index[: len(index) // 3 * 3].reshape(-1, 3)
    if mode == _STRIP:
        return index[strip_triangles(len(index))]
    second = index[1:-1]
    return np.stack([np.full(len(second), index[0] if len(index) else 0), second, index[2:]], axis=1)


def _corners(
    gltf: GltfFile, accessor: int | None, triangles: NDArray[np.intp], missing: tuple[float, ...]
) -> NDArray[np.float32] | None:
    if accessor is None:
        return None
    values: NDArray[Any] = gltf.accessor(accessor)
    if values.shape[1] != len(missing):
        raise MeshError(f"{gltf.path.name} has an attribute of {values.shape[1]} instead of {len(missing)} numbers")
    return corner_values(values, triangles, missing)


def _uv(gltf: GltfFile, accessor: int | None, triangles: NDArray[np.intp]) -> NDArray[np.float32] | None:
    uv = _corners(gltf, accessor, triangles, (0.0, 1.0))
    if uv is not None:
        uv[:, 1] = np.float32(1.0) - uv[:, 1]  # glTF counts v downwards
    return uv


def _colors(gltf: GltfFile, accessor: int | None, triangles: NDArray[np.intp]) -> NDArray[np.float32] | None:
    if accessor is None:
        return None
    width = gltf.accessor(accessor).shape[1]
    values = _corners(gltf, accessor, triangles, (1.0,) * max(width, 3))
    if values is None:
        return None
    colors = np.ones((len(values), 4), dtype=np.float32)
    colors[:, :width] = values
    colors[:, :3] = srgb(colors[:, :3])
    return colors
