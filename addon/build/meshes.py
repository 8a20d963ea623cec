# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh datablocks from arrays, filled in bulk."""

from __future__ import annotations

import math
from typing import cast

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.meshes.data import MeshData

# curved parts of meshes without normals of their own look smooth, edges sharper than this stay edges
_SHARP_ANGLE = math.radians(35.0)


def build_mesh(
    name: str, data: MeshData, materials: list[bpy.types.Material | None], *, deformed: bool = False
) -> bpy.types.Mesh:
    """Return a new mesh datablock.

    Args:
        name: Name of the datablock.
        data: The arrays.
        materials: One for each of ``data.materials``; a further empty slot takes the triangles that have none.
        deformed: Whether modifiers will deform it.
    """
    mesh = bpy.data.meshes.new(name)
    count = len(data.triangles)
    mesh.vertices.add(len(data.vertices))
    mesh.loops.add(3 * count)
    mesh.polygons.add(count)
    # straight into Blender's arrays: the named properties of vertices and loops are set one by one
    positions = cast("bpy.types.FloatVectorAttribute", mesh.attributes["position"])
    positions.data.foreach_set("vector", data.vertices.ravel())
    corners = cast("bpy.types.IntAttribute", mesh.attributes[".corner_vert"])
    corners.data.foreach_set("value", data.triangles.ravel())
    mesh.polygons.foreach_set("loop_start", np.arange(0, 3 * count, 3, dtype=np.int32))
    if data.uv is not None:
        mesh.uv_layers.new(name="UVMap").uv.foreach_set("vector", data.uv.ravel())
    if data.corner_colors is not None:
        colors = cast("bpy.types.ByteColorAttribute", mesh.color_attributes.new("Color", "BYTE_COLOR", "CORNER"))
        colors.data.foreach_set("color_srgb", data.corner_colors.ravel())
    _assign_materials(mesh, data, materials)
    mesh.update(calc_edges=True)
    _shade(mesh, data, deformed)
    return mesh


def _assign_materials(mesh: bpy.types.Mesh, data: MeshData, materials: list[bpy.types.Material | None]) -> None:
    bare = bool((data.material_index < 0).any())
    for material in [*materials, None] if bare else materials:
        mesh.materials.append(material)
    if len(mesh.materials) > 1:
        slots = np.where(data.material_index < 0, len(materials), data.material_index)
        mesh.polygons.foreach_set("material_index", slots.astype(np.int32))


def _shade(mesh: bpy.types.Mesh, data: MeshData, deformed: bool) -> None:
    mesh.shade_smooth()
    if data.corner_normals is None:
        mesh.set_sharp_from_angle(angle=_SHARP_ANGLE)
        return
    normals = data.corner_normals
    missing = (normals == 0.0).all(axis=1)
    if missing.any():
        mesh.set_sharp_from_angle(angle=_SHARP_ANGLE)
        smooth = np.empty(3 * len(mesh.loops), dtype=np.float32)
        mesh.corner_normals.foreach_get("vector", smooth)
        normals = np.where(missing[:, None], smooth.reshape(-1, 3), normals)
    _set_corner_normals(mesh, normals, deformed)


def _set_corner_normals(mesh: bpy.types.Mesh, normals: NDArray[np.float32], deformed: bool) -> None:
    """Give the corners their own normals, shape (3 T, 3)."""
    if bpy.app.version >= (4, 5, 0) and not deformed:
        # taken as they are, whatever deforms the mesh; those set below turn along with the faces, but the call goes
        # through Python objects and is up to 40 times slower
        attribute = mesh.attributes.new("custom_normal", "FLOAT_VECTOR", "CORNER")
        cast("bpy.types.FloatVectorAttribute", attribute).data.foreach_set("vector", normals.ravel())
        mesh.update()
    else:
        mesh.normals_split_custom_set(normals)  # type: ignore[arg-type]  # newer stubs know of no arrays here


def bare_slot(mesh: bpy.types.Mesh) -> int | None:
    """Return the slot for faces without a material of their own, which the URDF material fills, or None."""
    for index, material in enumerate(mesh.materials):
        if material is None:
            return index
    return None
