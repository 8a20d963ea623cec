# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from collada_text import INPUT, NODE, TRIANGLES, corners, decoded, document, geometry, source

from urdf_rig.core.errors import MeshError
from urdf_rig.core.meshes.collada import decode_collada
from urdf_rig.core.meshes.data import SurfaceMaterial
from urdf_rig.core.meshes.library import decode
from urdf_rig.core.meshes.operations import signed_volume

# --- the inputs that break other tools


@pytest.mark.parametrize(
    ("file", "option", "low", "high"),
    [
        ("yup.dae", "ignore", [0, 0, 0], [0.1, 0.2, 0.3]),
        ("yup.dae", "obey", [0, -0.3, 0], [0.1, 0, 0.2]),
        ("cm.dae", "ignore", [0, 0, 0], [0.001, 0.002, 0.003]),
        ("nounit.dae", "ignore", [0, 0, 0], [0.1, 0.2, 0.3]),
    ],
)
def test_the_unit_is_obeyed_and_the_up_axis_if_asked_for(
    data: Path, file: str, option: str, low: list[float], high: list[float]
) -> None:
    mesh = decode(data / "12-dae-up-axis-and-unit" / file, dae_up_axis=option)
    assert mesh.vertices.min(axis=0) == pytest.approx(low, abs=1e-6)
    assert mesh.vertices.max(axis=0) == pytest.approx(high, abs=1e-6)
    scale = 0.01 if file == "cm.dae" else 1.0
    assert signed_volume(mesh) == pytest.approx(0.001 * scale**3, rel=1e-5)
    said = {"ignore": "ignored (as RViz does)", "obey": "obeyed"}[option]
    assert mesh.notes == ((f"yup.dae says up_axis Y_UP; it was {said}",) if file == "yup.dae" else ())


def test_x_up() -> None:
    content = document(asset="<up_axis>X_UP</up_axis>", geometries=geometry(points="1 2 3 4 5 6 0 0 1 0 0 0"))
    assert corners(decoded(content, up_axis="obey")) == [[[-2, 1, 3], [-5, 4, 6], [0, 0, 1]]]
    assert decoded(content).notes == ("a.dae says up_axis X_UP; it was ignored (as RViz does)",)


def test_no_up_axis_means_y_up_where_it_is_obeyed() -> None:
    content = document(asset="")
    assert decoded(content).notes == ()
    mesh = decoded(content, up_axis="obey")
    assert corners(mesh) == [[[0, 0, 0], [1, 0, 0], [1, 0, 1]]]
    assert mesh.notes == ("a.dae says no up_axis, which means Y_UP; it was obeyed",)


def test_every_instance_stands_where_its_nodes_put_it(data: Path) -> None:
    path = data / "13-dae-node-transforms" / "two.dae"
    mesh = decode_collada(path.read_bytes(), path)
    assert len(mesh.triangles) == 8
    assert mesh.vertices.min(axis=0) == pytest.approx([-1, 0, 0], abs=1e-6)
    assert mesh.vertices.max(axis=0) == pytest.approx([0, 1.2, 1.6], abs=1e-6)


def test_version_1_4_0(data: Path) -> None:
    path = data / "14-blender5-collada-operator" / "w140.dae"
    mesh = decode_collada(path.read_bytes(), path)
    assert len(mesh.triangles) == 4
    assert mesh.vertices.max(axis=0) == pytest.approx([0.1, 0.2, 0.3])


def test_a_material_of_its_own_and_none(data: Path) -> None:
    folder = data / "22-embedded-versus-urdf-material"
    painted, plain = decode(folder / "painted.dae"), decode(folder / "plain.dae")
    assert painted.materials == (SurfaceMaterial("paint", (0.8, 0.1, 0.2, 1.0)),)
    assert painted.material_index.tolist() == [0] * 4
    assert (plain.materials, plain.material_index.tolist()) == ((), [-1] * 4)


# --- primitives


@pytest.mark.parametrize(
    ("primitive", "expected"),
    [
        (f'<triangles count="2">{INPUT}<p>0 1 2 0 2 3</p></triangles>', [[0, 1, 2], [0, 2, 3]]),
        (f'<polylist count="2">{INPUT}<vcount>4 3</vcount><p>0 1 2 3 3 2 1</p></polylist>',
         [[0, 1, 2], [0, 2, 3], [3, 2, 1]]),
        (f'<polygons count="2">{INPUT}<p>0 1 2 3</p><p>3 2 1</p></polygons>', [[0, 1, 2], [0, 2, 3], [3, 2, 1]]),
        (f'<polygons count="1">{INPUT}<p>0 1 2</p><ph><p>0 2 3</p><h>0 1 2</h></ph></polygons>',
         [[0, 1, 2], [0, 2, 3]]),
        (f'<tristrips count="1">{INPUT}<p>0 1 3 2</p></tristrips>', [[0, 1, 3], [3, 1, 2]]),
        (f'<trifans count="1">{INPUT}<p>0 1 2 3</p></trifans>', [[0, 1, 2], [0, 2, 3]]),
        (f'<lines count="1">{INPUT}<p>0 1</p></lines>{TRIANGLES}', [[0, 1, 2]]),
    ],
)  # fmt: skip
def test_every_kind_of_primitive(primitive: str, expected: list[list[int]]) -> None:
    mesh = decoded(document(geometry(primitive)))
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    # a strip may begin a triangle at another of its corners
    found = [sorted(map(tuple, triangle)) for triangle in corners(mesh)]
    assert found == [sorted(tuple(square[i]) for i in triangle) for triangle in expected]
    a, b, c = np.moveaxis(mesh.vertices[mesh.triangles], 1, 0)
    turned = np.cross(b - a, c - a)[:, 2] < 0
    assert turned.tolist() == [triangle == [3, 2, 1] for triangle in expected]


def test_normals_texture_coordinates_and_colours_by_corner() -> None:
    more = source("n", "0 0 2 0 3 0", 3) + source("t", "0.25 0.5 9 0.75 1 9", 3) + source("c", "1 0 0 0 1 0", 3)
    inputs = INPUT + "".join(
        f'<input semantic="{name}" source="#{key}" offset="{i}"/>'
        for i, (name, key) in enumerate([("NORMAL", "n"), ("TEXCOORD", "t"), ("COLOR", "c")], 1)
    )
    mesh = decoded(document(geometry(f"<triangles>{inputs}<p>0 0 1 1  1 1 0 0  2 0 0 1</p></triangles>", more=more)))
    assert mesh.corner_normals is not None
    assert mesh.uv is not None
    assert mesh.corner_colors is not None
    assert mesh.corner_normals.tolist() == [[0, 0, 1], [0, 1, 0], [0, 0, 1]]
    assert mesh.uv.tolist() == [[0.75, 1], [0.25, 0.5], [0.25, 0.5]]
    assert mesh.corner_colors.tolist() == [[0, 1, 0, 1], [1, 0, 0, 1], [0, 1, 0, 1]]


def test_normals_of_a_turned_and_mirrored_node_stay_on_their_side() -> None:
    more = source("n", "0.6 0 0.8", 3)
    inputs = INPUT + '<input semantic="NORMAL" source="#n" offset="1"/>'
    nodes = '<node><rotate>1 0 0 90</rotate><scale>-1 1 1</scale><instance_geometry url="#g"/></node>'
    mesh = decoded(document(geometry(f"<triangles>{inputs}<p>0 0 1 0 2 0</p></triangles>", more=more), nodes))
    assert mesh.corner_normals is not None
    assert np.allclose(mesh.corner_normals, [[-0.6, -0.8, 0]] * 3, atol=1e-6)
    a, b, c = mesh.vertices[mesh.triangles[0]]
    assert np.cross(b - a, c - a)[1] < 0  # towards -y, as the normals


def test_primitives_of_one_geometry_share_their_vertices() -> None:
    primitives = TRIANGLES + TRIANGLES.replace("0 1 2", "0 2 3").replace('"m"', '"other"')
    mesh = decoded(document(geometry(primitives)))
    assert len(mesh.vertices) == 4
    assert mesh.material_index.tolist() == [0, -1]


def test_numbers_that_are_none_and_odd_line_breaks() -> None:
    more = source("n", "\n1.#QNAN -1.#IND 0\t0 0 1\r\n", 3)
    inputs = INPUT + '<input semantic="NORMAL" source="#n" offset="1"/>'
    mesh = decoded(document(geometry(f"<triangles>{inputs}<p>0 0 1 1 2\n0</p></triangles>", more=more)))
    assert mesh.corner_normals is not None
    assert mesh.corner_normals.tolist() == [[0, 0, 1]] * 3  # the triangle's own where the file has none


# --- what cannot be read is left out, and the rest is there


_BROKEN = [
    '<triangles><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 9</p></triangles>',
    '<triangles><input semantic="VERTEX" source="#nowhere" offset="0"/><p>0 1 2</p></triangles>',
    '<triangles><input semantic="VERTEX" source="#v" offset="x"/><p>0 1 2</p></triangles>',
    '<triangles><input semantic="VERTEX" source="#v"/><p>0 1 2</p></triangles>',
    f"<triangles>{INPUT}<p>0 1</p></triangles>",
    f"<triangles>{INPUT}<p>0 1 x 2</p></triangles>",
    f"<triangles>{INPUT}</triangles>",
    "<triangles><p>0 1 2</p></triangles>",
    f"<polylist>{INPUT}<vcount>4</vcount><p>0 1 2</p></polylist>",
    f"<polylist>{INPUT}<vcount>-1 4</vcount><p>0 1 2</p></polylist>",
    f"<polylist>{INPUT}<p>0 1 2</p></polylist>",
    f"<polygons>{INPUT}<p/></polygons>",
]


@pytest.mark.parametrize("broken", _BROKEN)
def test_a_broken_primitive_is_left_out_with_a_note(broken: str) -> None:
    mesh = decoded(document(geometry(broken + TRIANGLES)))
    assert corners(mesh) == [[[0, 0, 0], [1, 0, 0], [1, 1, 0]]]
    assert len(mesh.notes) == 1
    assert mesh.notes[0].startswith("a.dae has ")
    assert "left out" in mesh.notes[0]


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ('<node><instance_geometry url="#nowhere"/></node>', "#nowhere"),
        ('<node><instance_node url="#nowhere"/></node>', "#nowhere"),
        ('<node><instance_geometry url="#g"/><translate>0 0</translate></node>', "translate"),
        ('<node><instance_geometry url="#g"/><matrix>1 2 x</matrix></node>', "matrix"),
        ('<node><skew>1 0 0 0 1 0 30</skew><instance_geometry url="#g"/></node>', "skew"),
    ],
)
def test_a_broken_node_is_a_note(nodes: str, words: str) -> None:
    mesh = decoded(document(nodes=NODE + nodes))
    assert len(mesh.triangles) in (1, 2)
    assert any(words in note for note in mesh.notes)


def test_a_missing_material_is_no_reason_to_leave_the_geometry_out() -> None:
    mesh = decoded(document(nodes=NODE.replace("#mat", "#nowhere")))
    assert (len(mesh.triangles), mesh.material_index.tolist()) == (1, [-1])


# --- the scene


def test_nodes_of_the_library_with_instances_before_and_after() -> None:
    library = (
        '<library_nodes><node id="outer"><translate>0 0 1</translate><instance_node url="#inner"/></node>'
        '<node id="inner"><scale>2 2 2</scale><instance_geometry url="#g"/></node></library_nodes>'
    )
    nodes = '<node><translate>5 0 0</translate><instance_node url="#outer"/></node>'
    mesh = decoded(document(nodes=nodes, libraries=library))
    assert corners(mesh) == [[[5, 0, 1], [7, 0, 1], [7, 2, 1]]]


def test_a_skinned_geometry_is_drawn_as_bound() -> None:
    library = (
        '<library_controllers><controller id="k"><skin source="#g">'
        "<bind_shape_matrix>1 0 0 3 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix></skin></controller>"
        "</library_controllers>"
    )
    mesh = decoded(document(nodes='<node><instance_controller url="#k"/></node>', libraries=library))
    assert corners(mesh) == [[[3, 0, 0], [4, 0, 0], [4, 1, 0]]]


def test_without_scene_every_geometry_is_there_once() -> None:
    content = document().replace(b"visual_scene", b"extra")
    assert len(decoded(content).triangles) == 1


def test_nodes_that_multiply_without_end_are_stopped() -> None:
    library = "".join(
        f'<node id="n{i}"><instance_node url="#n{i + 1}"/><instance_node url="#n{i + 1}"/></node>' for i in range(40)
    )
    nodes = '<node><instance_node url="#n0"/></node>'
    with pytest.raises(MeshError, match="nodes that contain themselves"):
        decoded(document(nodes=nodes, libraries=f"<library_nodes>{library}</library_nodes>"))
    loop = '<library_nodes><node id="n0"><instance_node url="#n0"/></node></library_nodes>'
    with pytest.raises(MeshError, match="nodes that contain themselves"):
        decoded(document(nodes=nodes, libraries=loop))


def test_entities_are_refused() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>'
    for head in (b"", b'<?xml version="1.0"?>\n<!-- <COLLADA> -->\n', b"\xef\xbb\xbf <!-- > -->"):
        with pytest.raises(MeshError, match="document type"):
            decoded(head + bomb + document())
    with pytest.raises(MeshError, match="document type"):
        decoded(('<?xml version="1.0" encoding="utf-16"?>' + bomb.decode() + document().decode()).encode("utf-16"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_encodings(encoding: str) -> None:
    declared = encoding.replace("-sig", "")
    text = f'<?xml version="1.0" encoding="{declared}"?>' + document().decode().replace("paint", "Grün")
    assert decoded(text.encode(encoding)).materials[0].name == "Grün"


def test_an_encoding_that_is_not_declared() -> None:
    mesh = decoded(document().decode().replace("paint", "Grün").encode("iso-8859-1"))
    assert mesh.materials[0].name == "Gr\ufffdn"


def test_a_document_without_namespace() -> None:
    assert len(decoded(document(root='version="1.4.1"')).triangles) == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"<robot/>", "no COLLADA document"),
        (document()[:-20], "no well-formed XML"),
        (b"", "no well-formed XML"),
        (document(nodes="<node/>"), "no triangles"),
        (b"PK\x03\x04" + bytes(100), "no well-formed XML"),
    ],
)
def test_what_cannot_be_used_is_refused(content: bytes, words: str) -> None:
    with pytest.raises(MeshError, match=rf"a\.dae.*{words}"):
        decoded(content)
