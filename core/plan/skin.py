# SPDX-License-Identifier: GPL-3.0-or-later
"""All visuals of a robot joined to one mesh, in which every vertex belongs to one bone: what game engines want."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..meshes.data import MeshData, SurfaceMaterial
from ..spatial import change_of_frame
from .materials import urdf_surface
from .rig import MeshKey, MeshPlan, ShapePlan, SkinPart, SkinPlan

Array = NDArray[np.float64]

_Slots = dict[tuple[SurfaceMaterial, bool], int]


def plan_skin(
    name: str, shapes: Sequence[ShapePlan], meshes: Mapping[MeshKey, MeshPlan], a_h_link: Mapping[str, Array]
) -> SkinPlan | None:
    """Return the mesh that shows all ``shapes`` at rest; None where none of them has a mesh.

    Args:
        name: Name of its object.
        shapes: The shapes to join; those without a mesh are left out.
        meshes: Their meshes.
        a_h_link: Pose ``A_H_L`` of every link in the armature at rest.
    """
    joined = [(shape, meshes[shape.mesh].data) for shape in shapes if shape.mesh is not None]
    if not joined:
        return None
    vertex = np.cumsum([0, *(len(data.vertices) for _, data in joined)])
    vertices = np.empty((vertex[-1], 3), dtype=np.float32)
    link_vertices = np.empty_like(vertices)
    for (shape, data), start, stop in zip(joined, vertex[:-1], vertex[1:], strict=True):
        in_link = change_of_frame(shape.origin.matrix, data.vertices)
        link_vertices[start:stop] = in_link
        vertices[start:stop] = change_of_frame(a_h_link[shape.link], in_link)
    slots: _Slots = {}
    index = np.concatenate([_material_index(shape, data, slots) for shape, data in joined])
    every = [data for _, data in joined]
    mesh = MeshData(
        vertices=vertices,
        triangles=np.concatenate([data.triangles + np.int32(at) for data, at in zip(every, vertex, strict=False)]),
        material_index=index,
        materials=tuple(material for material, _ in slots),
        uv=_joined([data.uv for data in every], every, (0.0, 0.0)),
        corner_normals=_normals(joined, a_h_link),
        corner_colors=_joined([data.corner_colors for data in every], every, (1.0, 1.0, 1.0, 1.0)),
    )
    parts = tuple(
        SkinPart(shape.link, shape.bone, int(start), int(stop))
        for (shape, _), start, stop in zip(joined, vertex[:-1], vertex[1:], strict=True)
    )
    return SkinPlan(name, mesh, tuple(colored for _, colored in slots), link_vertices, parts)


def _material_index(shape: ShapePlan, data: MeshData, slots: _Slots) -> NDArray[np.int32]:
    """Return each triangle's slot in the joined mesh, shape (T,); slots that are new are added."""
    colored = data.corner_colors is not None
    own = [slots.setdefault((material, colored), len(slots)) for material in data.materials]
    bare = -1
    if (data.material_index < 0).any():
        surface = urdf_surface(shape.material, shape.texture)
        if surface is not None:
            bare = slots.setdefault((surface, False), len(slots))
    # the last entry is what index -1 finds
    return np.array([*own, bare], dtype=np.int32)[data.material_index]


def _normals(joined: Sequence[tuple[ShapePlan, MeshData]], a_h_link: Mapping[str, Array]) -> NDArray[np.float32] | None:
    turned = []
    for shape, data in joined:
        rotation = (a_h_link[shape.link] @ shape.origin.matrix)[:3, :3]
        turned.append(None if data.corner_normals is None else data.corner_normals @ rotation.T)
    return _joined(turned, [data for _, data in joined], (0.0, 0.0, 0.0))


def _joined(
    arrays: Sequence[NDArray[np.floating] | None], meshes: Sequence[MeshData], missing: tuple[float, ...]
) -> NDArray[np.float32] | None:
    """Return the corners' values one mesh after the other, ``missing`` where a mesh has none; None where none has."""
    if all(array is None for array in arrays):
        return None
    out = np.empty((3 * sum(len(mesh.triangles) for mesh in meshes), len(missing)), dtype=np.float32)
    start = 0
    for array, mesh in zip(arrays, meshes, strict=True):
        stop = start + 3 * len(mesh.triangles)
        out[start:stop] = missing if array is None else array
        start = stop
    return out
