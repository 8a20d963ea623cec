# SPDX-License-Identifier: GPL-3.0-or-later
"""Binary STL (bare triangles) and binary glTF (materials and smooth normals)."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .palette import COLOURS
from .shading import corner_normals
from .solids import Solid
from .text_formats import materials_of

FLOAT, UNSIGNED_SHORT = 5126, 5123
ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER = 34962, 34963


def write_stl(path: Path, solids: Sequence[Solid]) -> None:
    """Write a binary STL file: colours are left to the robot description."""
    corners = np.concatenate([solid.vertices[solid.triangles] for solid in solids])
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.round(normals / np.linalg.norm(normals, axis=1, keepdims=True), 5) + 0.0
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    facets = np.zeros(len(corners), record)
    facets["normal"], facets["corners"] = normals, corners
    head = f"binary STL, {path.stem}, metres, by URDF Rig make_examples.py".encode().ljust(80)
    path.write_bytes(head + struct.pack("<I", len(facets)) + facets.tobytes())


class Buffer:
    """The binary part of a glTF file, with the views and accessors that describe it."""

    def __init__(self) -> None:
        self.data = b""
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(self, values: NDArray[Any], component: int, kind: str, target: int, bounds: bool = False) -> int:
        """Append an array, aligned to four bytes, and return the number of its accessor."""
        raw = values.tobytes()
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(raw), "target": target})
        self.data += raw + bytes(-len(raw) % 4)
        accessor = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(values), "type": kind}
        if bounds:
            accessor["min"], accessor["max"] = values.min(axis=0).tolist(), values.max(axis=0).tolist()
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def _primitive(buffer: Buffer, solids: Sequence[Solid], material: int) -> dict[str, Any]:
    """Add the triangles of one colour; a vertex is split where its corners differ in their normals."""
    corners = np.concatenate([solid.vertices[solid.triangles].reshape(-1, 3) for solid in solids])
    normals = np.concatenate([corner_normals(solid).reshape(-1, 3) for solid in solids])
    split, indices = np.unique(np.hstack((corners, normals)), axis=0, return_inverse=True)
    split = split.astype("<f4")
    position = buffer.add(split[:, :3], FLOAT, "VEC3", ARRAY_BUFFER, bounds=True)
    normal = buffer.add(split[:, 3:], FLOAT, "VEC3", ARRAY_BUFFER)
    index = buffer.add(indices.reshape(-1).astype("<u2"), UNSIGNED_SHORT, "SCALAR", ELEMENT_ARRAY_BUFFER)
    return {"attributes": {"POSITION": position, "NORMAL": normal}, "indices": index, "material": material}


def _material(name: str) -> dict[str, Any]:
    colour = COLOURS[name]
    surface = {
        "baseColorFactor": [*colour.linear, 1.0],
        "metallicFactor": colour.metallic,
        "roughnessFactor": colour.roughness,
    }
    return {"name": name, "pbrMetallicRoughness": surface}


def write_glb(path: Path, solids: Sequence[Solid]) -> None:
    """Write a binary glTF file with one node and one mesh, a primitive for each colour.

    The numbers are those of the link's axes. glTF says that y is up, and programs differ in whether they turn such a
    file in a robot description; so use this for shapes that look the same after a quarter turn about x.
    """
    buffer, names = Buffer(), materials_of(solids)
    primitives = [
        _primitive(buffer, [solid for solid in solids if solid.material == name], number)
        for number, name in enumerate(names)
    ]
    document = {
        "asset": {"version": "2.0", "generator": "URDF Rig make_examples.py"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": path.stem, "mesh": 0}],
        "meshes": [{"name": path.stem, "primitives": primitives}],
        "materials": [_material(name) for name in names],
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.data)}],
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    chunks += struct.pack("<II", len(buffer.data), 0x004E4942) + buffer.data
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
