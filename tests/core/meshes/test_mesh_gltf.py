# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from urdf_rig.core.errors import MeshError
from urdf_rig.core.meshes import gltf_buffers
from urdf_rig.core.meshes.data import MeshData
from urdf_rig.core.meshes.gltf import decode_gltf
from urdf_rig.core.meshes.operations import signed_volume

Glb = Callable[[dict, bytes], bytes]
_TRIANGLE = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]


class Builder:
    """A document with one primitive, put together array by array."""

    def __init__(self) -> None:
        self.binary = b""
        self.document: dict = {
            "asset": {"version": "2.0"},
            "scenes": [{"nodes": [0]}],
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {}}]}],
            "accessors": [],
            "bufferViews": [],
            "buffers": [{}],
        }

    @property
    def primitive(self) -> dict:
        return self.document["meshes"][0]["primitives"][0]

    def view(self, content: bytes, **more: object) -> int:
        self.binary += b"\0" * (-len(self.binary) % 4)
        views = self.document["bufferViews"]
        views.append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(content), **more})
        self.binary += content
        self.document["buffers"][0]["byteLength"] = len(self.binary)
        return len(views) - 1

    def accessor(self, values: object, dtype: str = "<f4", **more: object) -> int:
        array = np.asarray(values, dtype=dtype)
        code = {"<i1": 5120, "<u1": 5121, "<i2": 5122, "<u2": 5123, "<u4": 5125, "<f4": 5126}[dtype]
        kind = "SCALAR" if array.ndim == 1 else f"VEC{array.shape[1]}"
        item = {"bufferView": self.view(array.tobytes()), "componentType": code, "count": len(array), "type": kind}
        self.document["accessors"].append({**item, **more})
        return len(self.document["accessors"]) - 1

    def attribute(self, name: str, values: object, dtype: str = "<f4", **more: object) -> None:
        self.primitive["attributes"][name] = self.accessor(values, dtype, **more)

    def decoded(self, glb: Glb, path: Path = Path("a.glb"), **options: str) -> MeshData:
        return decode_gltf(glb(self.document, self.binary), path, **options)


@pytest.fixture
def builder() -> Builder:
    made = Builder()
    made.attribute("POSITION", _TRIANGLE)
    return made


def corners(mesh: MeshData) -> list[list[list[float]]]:
    return mesh.vertices[mesh.triangles].tolist()


def test_coordinates_are_taken_as_they_are_unless_y_up_is_to_be_obeyed(
    glb: Glb, gltf_document: dict, gltf_buffer: bytes
) -> None:
    content = glb(gltf_document, gltf_buffer)
    mesh = decode_gltf(content, Path("a.glb"))
    assert mesh.vertices.max(axis=0) == pytest.approx([0.1, 0.2, 0.3])
    assert signed_volume(mesh) == pytest.approx(0.001, rel=1e-6)
    turned = decode_gltf(content, Path("a.glb"), up_axis="obey")
    assert turned.vertices.max(axis=0) == pytest.approx([0.1, 0.0, 0.2])
    assert turned.vertices.min(axis=0) == pytest.approx([0.0, -0.3, 0.0])


def test_without_indices(builder: Builder, glb: Glb) -> None:
    assert corners(builder.decoded(glb)) == [_TRIANGLE]


@pytest.mark.parametrize(
    ("mode", "index", "expected"),
    [
        (4, [0, 1, 2, 3, 1, 0], [[0, 1, 2], [3, 1, 0]]),
        (5, [0, 1, 2, 3, 4], [[0, 1, 2], [1, 3, 2], [2, 3, 4]]),
        (6, [0, 1, 2, 3, 4], [[0, 1, 2], [0, 2, 3], [0, 3, 4]]),
    ],
)
@pytest.mark.parametrize("dtype", ["<u1", "<u2", "<u4"])
def test_triangles_strips_and_fans(glb: Glb, mode: int, index: list[int], expected: list, dtype: str) -> None:
    builder = Builder()
    builder.attribute("POSITION", [[i, i * i, 0] for i in range(5)])
    builder.primitive.update(mode=mode, indices=builder.accessor(index, dtype))
    assert builder.decoded(glb).triangles.tolist() == expected


def test_points_and_lines_are_passed_over(builder: Builder, glb: Glb) -> None:
    lines = {"attributes": dict(builder.primitive["attributes"]), "mode": 1}
    builder.document["meshes"][0]["primitives"].append(lines)
    assert len(builder.decoded(glb).triangles) == 1


def test_node_transforms_multiply_parent_first(builder: Builder, glb: Glb) -> None:
    half = np.sqrt(0.5)
    move = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1]  # by columns
    builder.document["scenes"] = [{"nodes": []}, {"nodes": [0]}]
    builder.document["scene"] = 1
    builder.document["nodes"] = [
        {"matrix": move, "children": [1, 2]},
        {"translation": [1, 2, 3], "rotation": [0, 0, half, half], "scale": [2, 3, 4], "mesh": 0},
        {"mesh": 0},
        {"mesh": 0},  # not in the scene
    ]
    mesh = builder.decoded(glb)
    # x -> 2x -> turned to y -> moved; y -> 3y -> turned to -x -> moved
    first = [[1, 2, 8], [1, 4, 8], [-2, 2, 8]]
    assert np.allclose(corners(mesh), [first, np.add(_TRIANGLE, [0, 0, 5])], atol=1e-6)


def test_a_mirrored_node_keeps_faces_outwards(glb: Glb, gltf_document: dict, gltf_buffer: bytes) -> None:
    gltf_document["nodes"][0]["scale"] = [1, -2, 1]
    mesh = decode_gltf(glb(gltf_document, gltf_buffer), Path("a.glb"))
    assert signed_volume(mesh) == pytest.approx(0.002, rel=1e-6)
    assert mesh.vertices.min(axis=0) == pytest.approx([0, -0.4, 0])


def test_normals_turn_with_their_surface(builder: Builder, glb: Glb) -> None:
    slant = np.sqrt(0.5)
    builder.attribute("NORMAL", [[slant, 0, slant]] * 3)
    builder.document["nodes"][0]["scale"] = [-2, 1, 1]
    mesh = builder.decoded(glb)
    assert mesh.corner_normals is not None
    assert np.allclose(mesh.corner_normals, np.array([[-0.5, 0, 1]] * 3) / np.sqrt(1.25), atol=1e-6)


def test_texture_coordinates_point_upwards_and_may_be_normalised_integers(builder: Builder, glb: Glb) -> None:
    builder.attribute("TEXCOORD_0", [[0, 0], [255, 0], [51, 102]], "<u1", normalized=True)
    mesh = builder.decoded(glb)
    assert mesh.uv is not None
    assert np.allclose(mesh.uv, [[0, 1], [1, 1], [0.2, 0.6]], atol=1e-6)


def test_signed_normalised_integers(builder: Builder, glb: Glb) -> None:
    builder.attribute("POSITION", [[-128, 127, 0], [127, 0, 0], [0, 0, -64]], "<i1", normalized=True)
    assert np.allclose(builder.decoded(glb).vertices, [[-1, 1, 0], [1, 0, 0], [0, 0, -64 / 127]], atol=1e-6)


def test_interleaved_attributes(glb: Glb) -> None:
    builder = Builder()
    rows = np.hstack([_TRIANGLE, [[0, 0, 1]] * 3]).astype("<f4")
    view = builder.view(rows.tobytes(), byteStride=24)
    for name, offset in (("POSITION", 0), ("NORMAL", 12)):
        builder.document["accessors"].append(
            {"bufferView": view, "byteOffset": offset, "componentType": 5126, "count": 3, "type": "VEC3"}
        )
        builder.primitive["attributes"][name] = len(builder.document["accessors"]) - 1
    mesh = builder.decoded(glb)
    assert corners(mesh) == [_TRIANGLE]
    assert mesh.corner_normals is not None
    assert mesh.corner_normals.tolist() == [[0, 0, 1]] * 3


@pytest.mark.parametrize("based_on_zeros", [True, False])
def test_sparse_accessors(builder: Builder, glb: Glb, based_on_zeros: bool) -> None:
    item = builder.document["accessors"][0]
    if based_on_zeros:
        del item["bufferView"]
    item["sparse"] = {
        "count": 2,
        "indices": {"bufferView": builder.view(b"\x01\x02"), "componentType": 5121},
        "values": {"bufferView": builder.view(np.array([[7, 8, 9], [0, 5, 0]], "<f4").tobytes())},
    }
    assert corners(builder.decoded(glb)) == [[[0, 0, 0], [7, 8, 9], [0, 5, 0]]]


def test_linear_colours_become_display_colours(builder: Builder, glb: Glb) -> None:
    # 0.21404 and 0.0331 are the linear values of 0.5 and 0.2 in sRGB
    builder.attribute("COLOR_0", [[0.21404, 0.0331, 1], [0, 0, 0], [1, 1, 1]])
    surface = {"baseColorFactor": [0.21404, 0.0331, 0, 0.25], "metallicFactor": 0.5, "roughnessFactor": 0.125}
    builder.document["materials"] = [
        {"name": "m", "pbrMetallicRoughness": surface, "alphaMode": "BLEND", "emissiveFactor": [0, 0, 0.21404]},
        {"pbrMetallicRoughness": surface},
    ]
    builder.primitive["material"] = 0
    mesh = builder.decoded(glb)
    assert mesh.material_index.tolist() == [0]
    first, second = mesh.materials
    assert first.rgba == pytest.approx((0.5, 0.2, 0.0, 0.25), abs=1e-4)
    assert first.emission == pytest.approx((0.0, 0.0, 0.5), abs=1e-4)
    assert (first.metallic, first.roughness) == (0.5, 0.125)
    assert second.rgba[3] == 1.0  # opaque unless the alpha mode says otherwise
    assert mesh.corner_colors is not None
    assert np.allclose(mesh.corner_colors, [[0.5, 0.2, 1, 1], [0, 0, 0, 1], [1, 1, 1, 1]], atol=1e-4)


def textured(builder: Builder, image: dict) -> None:
    builder.attribute("TEXCOORD_1", [[0, 0], [1, 0], [0, 1]])
    reference = {"index": 0, "texCoord": 1}
    builder.document["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": reference}}]
    builder.document.update(textures=[{"source": 0}], images=[image])
    builder.primitive["material"] = 0


def test_an_image_in_the_buffer_and_the_second_set_of_coordinates(builder: Builder, glb: Glb) -> None:
    textured(builder, {"bufferView": builder.view(b"PNG!"), "mimeType": "image/png", "name": "skin"})
    mesh = builder.decoded(glb)
    texture = mesh.materials[0].texture
    assert texture is not None
    assert (texture.name, texture.path, texture.data) == ("skin.png", None, b"PNG!")
    assert mesh.uv is not None
    assert mesh.uv.tolist() == [[0, 1], [1, 1], [0, 0]]


def test_an_image_as_data_uri(builder: Builder, glb: Glb) -> None:
    textured(builder, {"uri": "data:image/jpeg;base64," + base64.b64encode(b"JPG!").decode()})
    texture = builder.decoded(glb).materials[0].texture
    assert texture is not None
    assert (texture.name, texture.data) == ("image 0.jpg", b"JPG!")


@pytest.mark.parametrize(("uri", "found"), [("tex/my%20skin.png", True), ("../out.png", False), ("none.png", False)])
def test_an_image_file_in_the_folder_and_not_outside(
    builder: Builder, glb: Glb, tmp_path: Path, uri: str, found: bool
) -> None:
    folder = tmp_path / "robot"
    (folder / "tex").mkdir(parents=True)
    (folder / "tex" / "my skin.png").write_bytes(b"PNG!")
    (tmp_path / "out.png").write_bytes(b"PNG!")
    textured(builder, {"uri": uri})
    mesh = builder.decoded(glb, folder / "a.glb")
    texture = mesh.materials[0].texture
    assert (texture is not None and texture.path == folder / "tex" / "my skin.png") == found
    assert len(mesh.notes) == (0 if found else 1)


def test_a_buffer_in_a_file_and_in_a_uri(
    gltf_document: dict, gltf_buffer: bytes, tmp_path: Path, one_of_each: dict[str, bytes]
) -> None:
    (tmp_path / "my mesh.bin").write_bytes(gltf_buffer)
    gltf_document["buffers"][0]["uri"] = "my%20mesh.bin"
    beside = decode_gltf(json.dumps(gltf_document).encode(), tmp_path / "a.gltf")
    embedded = decode_gltf(one_of_each["embedded.gltf"], tmp_path / "a.gltf")
    assert corners(beside) == corners(embedded)


@pytest.mark.parametrize(
    "uri", ["../secret.bin", "%2e%2e/secret.bin", "/etc/hostname", "http://example.com/a.bin", "no.bin"]
)
def test_a_buffer_outside_the_folder_is_not_read(gltf_document: dict, tmp_path: Path, uri: str) -> None:
    (tmp_path / "secret.bin").write_bytes(bytes(100))
    (tmp_path / "robot").mkdir()
    gltf_document["buffers"][0]["uri"] = uri
    with pytest.raises(MeshError, match="not in its folder"):
        decode_gltf(json.dumps(gltf_document).encode(), tmp_path / "robot" / "a.gltf")


@pytest.mark.parametrize("name", ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "ACME_new"])
def test_a_required_extension_that_is_not_known_is_named(builder: Builder, glb: Glb, name: str) -> None:
    builder.document["extensionsRequired"] = ["KHR_materials_clearcoat", name]
    with pytest.raises(MeshError, match=rf"a\.glb needs the glTF extension {name}"):
        builder.decoded(glb)


def test_compression_without_a_plain_copy_is_refused(builder: Builder, glb: Glb) -> None:
    del builder.document["accessors"][0]["bufferView"]
    builder.primitive["extensions"] = {"KHR_draco_mesh_compression": {}}
    with pytest.raises(MeshError, match="KHR_draco_mesh_compression"):
        builder.decoded(glb)


def test_a_small_file_cannot_ask_for_images_without_end(
    builder: Builder, glb: Glb, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gltf_buffers, "_MAX_BYTES", 1000)
    textured(builder, {"bufferView": builder.view(bytes(60)), "mimeType": "image/png"})
    assert len(builder.decoded(glb).materials) == 1
    builder.document["materials"] *= 100
    with pytest.raises(MeshError, match="more than 1000 bytes"):
        builder.decoded(glb)


@pytest.mark.parametrize(
    "nodes",
    [[{"children": [0], "mesh": 0}], [{"children": [1, 1]}, {"mesh": 0}], [{"children": [1]}, {"children": [0]}]],
)
def test_nodes_that_are_no_tree_are_refused(builder: Builder, glb: Glb, nodes: list[dict]) -> None:
    builder.document["nodes"] = nodes
    with pytest.raises(MeshError, match="a node in two places"):
        builder.decoded(glb)


def test_a_small_file_cannot_ask_for_parts_without_end(builder: Builder, glb: Glb) -> None:
    builder.document["nodes"] = [{"children": list(range(1, 301))}, *({"mesh": 0} for _ in range(300))]
    builder.document["meshes"][0]["primitives"] *= 100
    with pytest.raises(MeshError, match="parts"):
        builder.decoded(glb)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"count": 4}, "cut short"),
        ({"byteOffset": -4}, "cut short"),
        ({"count": 10**12}, "accessor of 1000000000000 items"),
        ({"type": "VEC2"}, "not of three numbers"),
    ],
)
def test_an_accessor_that_does_not_fit_is_refused(builder: Builder, glb: Glb, change: dict, words: str) -> None:
    builder.document["accessors"][0].update(change)
    with pytest.raises(MeshError, match=words):
        builder.decoded(glb)


def test_a_primitive_that_uses_few_of_many_vertices_gets_only_those(glb: Glb) -> None:
    builder = Builder()
    builder.attribute("POSITION", [[i, i * i, 0] for i in range(1000)])
    builder.primitive["indices"] = builder.accessor([990, 991, 5], "<u2")
    mesh = builder.decoded(glb)
    assert corners(mesh) == [[[990, 980100, 0], [991, 982081, 0], [5, 25, 0]]]
    assert len(mesh.vertices) == 3
