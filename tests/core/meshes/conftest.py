# SPDX-License-Identifier: GPL-3.0-or-later
"""A tetrahedron with a corner at the origin and sides 0.1, 0.2, 0.3 m along the axes, and it in every format."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

POINTS = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.3]])
TRIANGLES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
VOLUME = 0.1 * 0.2 * 0.3 / 6.0

_GLTF = {
    "asset": {"version": "2.0"},
    "scene": 0,
    "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
    "accessors": [
        {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
    ],
    "bufferViews": [
        {"buffer": 0, "byteOffset": 0, "byteLength": 48},
        {"buffer": 0, "byteOffset": 48, "byteLength": 24},
    ],
    "buffers": [{"byteLength": 72}],
}


@pytest.fixture
def data() -> Path:
    return Path(__file__).parents[2] / "data" / "cases"


@pytest.fixture
def gltf_document() -> dict:
    """The tetrahedron as a glTF document to change, for the buffer ``gltf_buffer``."""
    return json.loads(json.dumps(_GLTF))


@pytest.fixture
def gltf_buffer() -> bytes:
    return POINTS.astype("<f4").tobytes() + TRIANGLES.astype("<u2").tobytes()


@pytest.fixture
def glb() -> Callable[[dict, bytes], bytes]:
    return build_glb


def build_glb(document: dict, binary: bytes) -> bytes:
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


@pytest.fixture
def one_of_each(data: Path, gltf_document: dict, gltf_buffer: bytes) -> dict[str, bytes]:
    """The tetrahedron in every format and flavour, by a file name."""
    facets = "".join(
        "facet normal 0 0 1 outer loop\n"
        + "".join(f"vertex {x:g} {y:g} {z:g}\n" for x, y, z in POINTS[triangle].tolist())
        + "endloop endfacet\n"
        for triangle in TRIANGLES
    )
    header = (
        "ply\nformat {} 1.0\ncomment made by hand\nelement vertex 4\nproperty float x\nproperty float y\n"
        "property float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n"
    )
    rows = [f"{x:g} {y:g} {z:g}\n" for x, y, z in POINTS] + [f"3 {a} {b} {c}\n" for a, b, c in TRIANGLES]
    binary_ply = {
        order: POINTS.astype(order + "f4").tobytes()
        + b"".join(b"\x03" + triangle.astype(order + "i4").tobytes() for triangle in TRIANGLES)
        for order in "<>"
    }
    uri = "data:application/octet-stream;base64," + base64.b64encode(gltf_buffer).decode()
    embedded = {**gltf_document, "buffers": [{"byteLength": 72, "uri": uri}]}
    return {
        "binary.stl": (data / "17-stl-solid-header" / "PART.STL").read_bytes(),
        "ascii.stl": f"solid w\n{facets}endsolid w\n".encode(),
        "plain.obj": (data / "18-obj-axes" / "w.obj").read_bytes(),
        "plain.dae": (data / "22-embedded-versus-urdf-material" / "painted.dae").read_bytes(),
        "binary.glb": build_glb(gltf_document, gltf_buffer),
        "embedded.gltf": json.dumps(embedded).encode(),
        "ascii.ply": (header.format("ascii") + "".join(rows)).encode(),
        "little.ply": header.format("binary_little_endian").encode() + binary_ply["<"],
        "big.ply": header.format("binary_big_endian").encode() + binary_ply[">"],
    }
