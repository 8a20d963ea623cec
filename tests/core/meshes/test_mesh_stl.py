# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.errors import MeshError
from urdf_rig.core.meshes.operations import signed_volume
from urdf_rig.core.meshes.stl import decode_stl

_PATH = Path("part.stl")


def binary(corners: np.ndarray, header: bytes = b"") -> bytes:
    facets = b"".join(struct.pack("<12fH", 0, 0, 0, *triangle.ravel(), 0) for triangle in corners)
    return header.ljust(80, b"\0") + struct.pack("<I", len(corners)) + facets


def test_a_binary_file_whose_header_says_solid(data: Path) -> None:
    path = data / "17-stl-solid-header" / "PART.STL"
    mesh = decode_stl(path.read_bytes(), path)
    assert len(mesh.triangles) == 4
    assert len(mesh.vertices) == 4
    assert np.allclose(np.sort(mesh.vertices, axis=0), [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0.1, 0.2, 0.3]])
    assert signed_volume(mesh) == pytest.approx(0.001, rel=1e-6)


def test_an_ascii_file(data: Path) -> None:
    path = data / "22-embedded-versus-urdf-material" / "w.stl"
    mesh = decode_stl(path.read_bytes(), path)
    assert len(mesh.vertices) == 4
    assert signed_volume(mesh) == pytest.approx(0.001, rel=1e-6)


@given(st.lists(st.lists(st.floats(-1e6, 1e6, width=32), min_size=9, max_size=9), min_size=1, max_size=20))
def test_binary_and_ascii_hold_the_same_triangles(rows: list[list[float]]) -> None:
    rows.append([0, 0, 0, 1, 0, 0, 0, 1, 0])
    corners = np.array(rows, dtype=np.float32).reshape(-1, 3, 3)
    sets = [frozenset(tuple(point) for point in triangle) for triangle in corners.tolist()]
    kept = corners[[len(each) == 3 and each not in sets[:index] for index, each in enumerate(sets)]]
    vertices = [
        "".join("vertex {!r} {!r} {!r}\n".format(*point) for point in triangle) for triangle in corners.tolist()
    ]
    lines = "".join(f"facet normal 0 0 0\nouter loop\n{three}endloop\nendfacet\n" for three in vertices)
    for content in (binary(corners), f"solid a b\n{lines}endsolid a b".encode()):
        mesh = decode_stl(content, _PATH)
        assert np.array_equal(mesh.vertices[mesh.triangles], kept)
        assert len(np.unique(mesh.vertices, axis=0)) == len(mesh.vertices)


@pytest.mark.parametrize(
    "text",
    [
        "solid vertex 1 2 3\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n",
        "SOLID A\nFACET NORMAL 0 0 1\nOUTER LOOP\nVERTEX 0 0 0\nVERTEX 1E0 0 0\nVERTEX 0 1.0 0\nENDLOOP\nENDFACET\n",
        "solid a facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet endsolid a",
        "\ufeff solid\r\nfacet normal nan nan nan\r\nouter loop\r\nvertex\t0  0 0\r\nvertex 1 0 0\r\nvertex 0 1 0\r\n",
        "solid\nfacet\nouter loop\nvertex\n0\n0\n0\nvertex\n1\n0\n0\nvertex\n0\n1\n0\nendloop\nendfacet\n",
    ],
)  # fmt: skip
def test_ascii_of_any_layout(text: str) -> None:
    mesh = decode_stl(text.encode(), _PATH)
    assert mesh.vertices[mesh.triangles].tolist() == [[[0, 0, 0], [1, 0, 0], [0, 1, 0]]]


def test_two_solids_in_one_ascii_file() -> None:
    facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 {0}\nvertex 1 0 {0}\nvertex 0 1 {0}\nendloop\nendfacet\n"
    text = "".join(f"solid s{z}\n{facet.format(z)}endsolid s{z}\n" for z in (1, 2))
    assert decode_stl(text.encode(), _PATH).vertices[:, 2].tolist() == [1, 1, 1, 2, 2, 2]


def test_bytes_after_the_last_facet_do_not_matter() -> None:
    corners = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]]], dtype=np.float32)
    assert len(decode_stl(binary(corners, b"solid") + b"\0" * 7, _PATH).triangles) == 1


def test_degenerate_triangles_are_dropped_and_minus_zero_is_zero() -> None:
    corners = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 0], [-0.0, 0, 0], [0, 1, 0]]], dtype=np.float32)
    mesh = decode_stl(binary(corners), _PATH)
    assert (len(mesh.triangles), len(mesh.vertices)) == (1, 3)


def test_a_triangle_with_a_coordinate_that_is_no_number_is_left_out_with_a_note() -> None:
    corners = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 0], [np.nan, 0, 0], [0, 1, 0]]], dtype=np.float32)
    mesh = decode_stl(binary(corners), _PATH)
    assert (len(mesh.triangles), len(mesh.vertices)) == (1, 3)
    assert mesh.notes == ("part.stl: 1 triangle had coordinates that are no number; left out",)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (binary(np.ones((3, 3, 3)))[:-1], "cut short"),
        (binary(np.ones((3, 3, 3)))[:84], "cut short"),
        (b"short", "cut short"),
        (binary(np.zeros((0, 3, 3))), "no triangles"),
        (binary(np.ones((2, 3, 3))), "no triangles"),
        (b"solid a\nendsolid a\n", "no triangles"),
        (b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1", "cut short"),
        (b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n", "cut short"),
    ],
)
def test_what_cannot_be_used_is_refused(content: bytes, words: str) -> None:
    with pytest.raises(MeshError, match=rf"part\.stl.*{words}"):
        decode_stl(content, _PATH)
