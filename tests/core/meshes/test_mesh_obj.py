# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.errors import MeshError
from urdf_rig.core.meshes.data import MeshData
from urdf_rig.core.meshes.mtl import decode_mtl
from urdf_rig.core.meshes.obj import decode_obj
from urdf_rig.core.meshes.operations import signed_volume


def decoded(text: str, path: Path = Path("a.obj")) -> MeshData:
    return decode_obj(text.encode(), path)


def corners(mesh: MeshData) -> list[list[list[float]]]:
    return mesh.vertices[mesh.triangles].tolist()


def test_coordinates_are_taken_as_they_are(data: Path) -> None:
    path = data / "18-obj-axes" / "w.obj"
    mesh = decode_obj(path.read_bytes(), path)
    assert np.allclose(mesh.vertices, [[0, 0, 0], [0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.3]])
    assert mesh.triangles.tolist() == [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    assert signed_volume(mesh) == pytest.approx(0.001, rel=1e-6)


_HEAD = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.25 0.5\nvt 0.5 1\nvn 0 0 2\n"


@pytest.mark.parametrize(
    ("face", "has_uv", "has_normals"),
    [
        ("f 1 2 3", False, False),
        ("f 1/1 2/2 3/1", True, False),
        ("f 1//1 2//1 3//1", False, True),
        ("f 1/1/1 2/2/1 3/1/1", True, True),
        ("f -3 -2 -1", False, False),
        ("f -3/-2/-1 -2/-1/-1 -1/-2/-1", True, True),
        ("f -3//-1 -2//-1 -1//-1", False, True),
        ("f 1/1/ 2/2/ 3/1/", True, False),
        ("  f\t1/1   2/2\t3/1  # a remark", True, False),
        ("f 1/1 \\\n 2/2 \\\r\n 3/1", True, False),
    ],
)
def test_every_form_of_a_face(face: str, has_uv: bool, has_normals: bool) -> None:
    mesh = decoded(_HEAD + face + "\n")
    assert corners(mesh) == [[[0, 0, 0], [1, 0, 0], [0, 1, 0]]]
    assert (None if mesh.uv is None else mesh.uv.tolist()) == ([[0.25, 0.5], [0.5, 1], [0.25, 0.5]] if has_uv else None)
    assert (None if mesh.corner_normals is None else mesh.corner_normals.tolist()) == (
        [[0, 0, 1]] * 3 if has_normals else None
    )


def test_faces_of_mixed_forms_and_sizes_stay_in_order() -> None:
    mesh = decoded(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 1\nf 1/1 2/1 4/1\nf 1 2 3 4\nf 2//9 3//9 4//9\n"
        "v 5 5 5\nf 1 -1 2 3 4\n"
    )
    # the last face begins with the only corner that is new: 0 4 1, 0 1 2, 0 2 3, of which the file had two before
    assert mesh.triangles.tolist() == [[0, 1, 3], [0, 1, 2], [0, 2, 3], [1, 2, 3], [0, 4, 1]]
    assert mesh.uv is not None
    assert mesh.uv[:, 1].tolist() == [1, 1, 1] + [0] * 12


def test_negative_indices_count_back_from_the_line_of_the_face() -> None:
    mesh = decoded("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nv 1 0 1\nv 0 1 1\nf -3 -2 -1\n")
    assert mesh.triangles.tolist() == [[0, 1, 2], [3, 4, 5]]


@given(st.lists(st.integers(3, 7), min_size=1, max_size=8))
def test_polygons_are_covered_by_their_fans(sizes: list[int]) -> None:
    lines: list[str] = []
    area = 0.0
    for level, size in enumerate(sizes):
        angles = 2.0 * np.pi * np.arange(size) / size
        lines += [f"v {np.cos(a):.9f} {np.sin(a):.9f} {level}" for a in angles]
        lines.append("f " + " ".join(str(i - size) for i in range(size)))
        area += size / 2.0 * np.sin(2.0 * np.pi / size)
    mesh = decoded("\n".join(lines))
    a, b, c = np.moveaxis(mesh.vertices[mesh.triangles].astype(float), 1, 0)
    crosses = np.cross(b - a, c - a)
    assert (crosses[:, 2] > 0.0).all()
    assert crosses[:, 2].sum() / 2.0 == pytest.approx(area, rel=1e-5)


def test_colours_after_the_coordinates() -> None:
    mesh = decoded("v 0 0 0 1 0 0\nv 1 0 0 0 0.5 0\nv 0 1 0\nf 1 2 3\n")
    assert mesh.corner_colors is not None
    assert mesh.corner_colors.tolist() == [[1, 0, 0, 1], [0, 0.5, 0, 1], [1, 1, 1, 1]]


def test_vertices_of_differing_length() -> None:
    assert corners(decoded("v 0 0 0 1\nv 1 0 0\nv 0 1 0 1\nf 1 2 3\n")) == [[[0, 0, 0], [1, 0, 0], [0, 1, 0]]]


def test_a_face_with_a_missing_vertex_is_left_out_with_a_note() -> None:
    mesh = decoded("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nf 1 2 3\nf 1 2 7\nf 0 1 2\nf -9 1 2\n")
    assert mesh.triangles.tolist() == [[0, 1, 2]]
    assert mesh.notes == ("a.obj: 3 triangles named vertices that do not exist and were left out",)
    assert mesh.vertices.max() == 1.0  # what nothing uses is not kept


@pytest.mark.parametrize("face", ["f 1 2 x", "f 1.0 2 3", "f 1/2/3/4 1 2", "f /1 2 3", "f 1 2 3-"])
def test_a_garbled_face_is_refused(face: str) -> None:
    with pytest.raises(MeshError, match=r"a\.obj has a"):
        decoded(f"v 0 0 0\nv 1 0 0\nv 0 1 0\n{face}\n")


@pytest.mark.parametrize("text", ["", "v 0 0 0\n", "o only\nl 1 2\n", "f 1 2 3\n"])
def test_without_faces_there_is_no_mesh(text: str) -> None:
    with pytest.raises(MeshError, match="no triangles"):
        decoded(text)


_FACES = (
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nusemtl my red\ng grp\nf 2 3 4\n"
    "usemtl unknown\nf 3 4 1\nusemtl glass\nf 4 1 2\n"
)


def test_materials(tmp_path: Path) -> None:
    (tmp_path / "m l.mtl").write_text(
        "# made by hand\nnewmtl my red\nKd 1 0.5 0\nKe 0 0 1\nPr 0.25\nPm 1\nillum 2\n"
        "newmtl glass\nKd 0.5 0.5 0.5\nd 0.3\nTr 0.9\nNs 250\nnewmtl unused\nKd 0 0 0\n"
    )
    mesh = decode_obj(("mtllib m l.mtl\n" + _FACES).encode(), tmp_path / "a.obj")
    assert [m.name for m in mesh.materials] == ["my red", "glass"]
    assert mesh.material_index.tolist() == [-1, 0, -1, 1]
    red, glass = mesh.materials
    assert (red.rgba, red.emission, red.roughness, red.metallic) == ((1, 0.5, 0, 1), (0, 0, 1), 0.25, 1.0)
    assert (glass.rgba, glass.roughness, glass.emission) == ((0.5, 0.5, 0.5, 0.3), 0.5, (0, 0, 0))
    assert mesh.notes == ()


def test_several_material_files_and_a_missing_one(tmp_path: Path) -> None:
    (tmp_path / "a.mtl").write_text("newmtl glass\nKd 1 1 1\n")
    mesh = decode_obj(("mtllib a.mtl b.mtl\n" + _FACES).encode(), tmp_path / "a.obj")
    assert [m.name for m in mesh.materials] == ["glass"]
    assert mesh.notes == ("a.obj: the material file b.mtl was not found",)


@pytest.mark.parametrize(
    "statement",
    [
        "map_Kd my tex.png",
        "map_kd -s 1 1 1 -o 0 0 -clamp on my tex.png",
        'map_Kd -mm 0 1 -bm 0.5 "my tex.png"',
        "map_Kd -t 1 -texres 512 -blendu off .\\my tex.png",
        "map_Kd C:\\Users\\me\\my tex.png",
        "map_Kd /home/me/ws/my tex.png",
        "map_Kd ../textures/my tex.png",
        "map_Kd my%20tex.png",
    ],
)
def test_a_texture_is_found_whatever_its_options_and_path(tmp_path: Path, statement: str) -> None:
    (tmp_path / "my tex.png").write_bytes(b"png")
    materials, notes = decode_mtl(f"newmtl t\n{statement}\n".encode(), tmp_path / "a.mtl")
    assert notes == []
    assert materials["t"].texture is not None
    assert materials["t"].texture.path == tmp_path / "my tex.png"
    assert materials["t"].rgba == (1, 1, 1, 1)


def test_a_missing_texture_is_a_note(tmp_path: Path) -> None:
    materials, notes = decode_mtl(b"newmtl t\nKd 0.2 0.4 0.6\nmap_Kd gone.png\n", tmp_path / "a.mtl")
    assert (materials["t"].texture, materials["t"].rgba) == (None, (0.2, 0.4, 0.6, 1.0))
    assert notes == ["a.mtl: the texture gone.png was not found"]


@pytest.mark.parametrize(
    ("statements", "alpha"),
    [
        ("d 0.5", 0.5),
        ("Tr 0.25", 0.75),
        ("Tr 1", 1.0),
        ("d 0", 1.0),
        ("d -halo 0.5", 0.5),
        ("d x", 1.0),
        ("d nan", 1.0),
    ],
)
def test_nothing_is_wholly_invisible(statements: str, alpha: float) -> None:
    materials, _ = decode_mtl(f"newmtl a\n{statements}\n".encode(), Path("a.mtl"))
    assert materials["a"].rgba[3] == alpha


def test_a_file_that_is_no_image_is_no_texture(tmp_path: Path) -> None:
    (tmp_path / "passwd").write_text("secret")
    materials, notes = decode_mtl(b"newmtl t\nmap_Kd passwd\n", tmp_path / "a.mtl")
    assert materials["t"].texture is None
    assert len(notes) == 1
