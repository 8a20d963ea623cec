# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.errors import MeshError
from urdf_rig.core.meshes.data import MeshData
from urdf_rig.core.meshes.ply import decode_ply

_PATH = Path("a.ply")
_ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">"}


def header(kind: str, vertices: int, faces: int, count: str = "uchar", index: str = "int", more: str = "") -> bytes:
    return (
        f"ply\nformat {kind} 1.0\ncomment x\nelement vertex {vertices}\nproperty float x\nproperty double y\n"
        f"property float32 z\nelement face {faces}\n{more}property list {count} {index} vertex_index\nend_header\n"
    ).encode()


@pytest.mark.parametrize("flavour", ["ascii.ply", "little.ply", "big.ply"])
def test_every_flavour(one_of_each: dict[str, bytes], flavour: str) -> None:
    mesh = decode_ply(one_of_each[flavour], _PATH)
    assert np.allclose(mesh.vertices, [[0, 0, 0], [0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.3]])
    assert mesh.triangles.tolist() == [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]


@given(
    st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=6, unique=True), min_size=1, max_size=12),
    st.sampled_from(["ascii", *_ORDERS]),
    st.booleans(),
)
def test_polygons_of_any_sizes(polygons: list[list[int]], kind: str, with_flag: bool) -> None:
    points = [(i, i * i, -i) for i in range(10)]
    more = "property uchar flag\n" if with_flag else ""
    content = header(kind, 10, len(polygons), "ushort", "uint", more)
    if kind == "ascii":
        rows = [f"{x} {y} {z}" for x, y, z in points]
        rows += [" ".join(map(str, [*([7] if with_flag else []), len(p), *p])) for p in polygons]
        content += "\n".join(rows).encode()
    else:
        order = _ORDERS[kind]
        content += b"".join(struct.pack(order + "fdf", *point) for point in points)
        for p in polygons:
            content += (b"\x07" if with_flag else b"") + struct.pack(f"{order}H{len(p)}I", len(p), *p)
    mesh = decode_ply(content, _PATH)
    fans = [(p[0], p[i], p[i + 1]) for p in polygons for i in range(1, len(p) - 1)]
    sets = [frozenset(fan) for fan in fans]
    expected = [fan for index, fan in enumerate(fans) if sets[index] not in sets[:index]]
    assert mesh.vertices[mesh.triangles].tolist() == [[list(points[corner]) for corner in fan] for fan in expected]


def with_columns(columns: str, rows: str) -> MeshData:
    text = (
        f"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n{columns}"
        f"element face 1\nproperty list uchar int vertex_indices\nend_header\n{rows}3 0 1 2\n"
    )
    return decode_ply(text.encode(), _PATH)


def test_normals_colours_and_texture_coordinates() -> None:
    mesh = with_columns(
        "".join(f"property {kind}\n" for kind in ("float nx", "float ny", "float nz", "uchar red", "uchar green",
                                                  "uchar blue", "float s", "float t")),
        "0 0 0 0 0 5 255 0 51 0 1\n1 0 0 0 1 0 0 0 0 0.5 1\n0 1 0 0 0 1 255 255 255 0 0\n",
    )  # fmt: skip
    assert mesh.corner_normals is not None
    assert mesh.corner_colors is not None
    assert mesh.uv is not None
    assert mesh.corner_normals.tolist() == [[0, 0, 1], [0, 1, 0], [0, 0, 1]]
    assert np.allclose(mesh.corner_colors, [[1, 0, 0.2, 1], [0, 0, 0, 1], [1, 1, 1, 1]])
    assert mesh.uv.tolist() == [[0, 1], [0.5, 1], [0, 0]]


def test_colours_as_fractions_with_alpha() -> None:
    columns = "".join(f"property float {name}\n" for name in ("red", "green", "blue", "alpha"))
    mesh = with_columns(columns, "0 0 0 1 0 0.5 0.25\n1 0 0 0 0 0 1\n0 1 0 1 1 1 1\n")
    assert mesh.corner_colors is not None
    assert mesh.corner_colors[0].tolist() == [1, 0, 0.5, 0.25]


_GOOD = header("binary_little_endian", 3, 1) + struct.pack("<9f", *range(9))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no PLY header"),
        (b"ply\nformat ascii 1.0\n", "no PLY header"),
        (b"ply\nformat klingon 1.0\nend_header\n", "klingon"),
        (b"ply\nend_header\n", "without a known format"),
        (b"ply\nformat ascii 1.0\nelement vertex -3\nend_header\n", "element vertex -3"),
        (b"ply\nformat ascii 1.0\nelement vertex 99999999999\nend_header\n", "99999999999"),
        (b"ply\nformat ascii 1.0\nproperty float x\nend_header\n", "property float x"),
        (header("ascii", 3, 1) + b"0 0 0 1 0", "cut short"),
        (header("ascii", 3, 1) + b"0 0 0 1 0 0 0 1 0 3 0 1", "cut short"),
        (header("ascii", 3, 1) + b"0 0 0 1 0 0 0 1 0 -3 0 1 2", "cut short"),
        (header("ascii", 3, 1) + b"0 0 0 1 0 0 0 1 0 x 0 1 2", "cut short"),
        (header("binary_little_endian", 3, 1) + struct.pack("<fdf", 0, 0, 0), "cut short"),
        (header("binary_little_endian", 1, 1, "uint") + struct.pack("<fdfI", 0, 0, 0, 2**32 - 1), "cut short"),
        (header("ascii", 3, 0) + b"0 0 0 1 0 0 0 1 0", "no triangles"),
    ],
)
def test_what_cannot_be_used_is_refused(content: bytes, words: str) -> None:
    with pytest.raises(MeshError, match=rf"a\.ply.*{words}"):
        decode_ply(content, _PATH)
