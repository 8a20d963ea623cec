# SPDX-License-Identifier: GPL-3.0-or-later
"""Dispatch, errors, reading once; and that no garbled file does anything but raise MeshError."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from urdf_rig.core.errors import MeshError
from urdf_rig.core.meshes import library
from urdf_rig.core.meshes.data import MeshData
from urdf_rig.core.meshes.library import MeshLibrary, decode
from urdf_rig.core.meshes.operations import signed_volume

FLAVOURS = (
    "binary.stl", "ascii.stl", "plain.obj", "plain.dae", "binary.glb", "embedded.gltf", "ascii.ply", "little.ply",
    "big.ply",
)  # fmt: skip


def written(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def assert_is_sound(mesh: MeshData) -> None:
    count = len(mesh.triangles)
    assert count > 0
    assert mesh.vertices.dtype == np.float32
    assert mesh.triangles.dtype == mesh.material_index.dtype == np.int32
    assert np.isfinite(mesh.vertices).all()
    assert mesh.triangles.min() >= 0
    assert mesh.triangles.max() == len(mesh.vertices) - 1
    assert mesh.material_index.shape == (count,)
    assert mesh.material_index.min() >= -1
    assert mesh.material_index.max() < max(len(mesh.materials), 1)
    for values, width in ((mesh.uv, 2), (mesh.corner_normals, 3), (mesh.corner_colors, 4)):
        if values is not None:
            assert values.shape == (3 * count, width)
            assert values.dtype == np.float32
            assert np.isfinite(values).all()


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("change", [str, str.upper])
def test_every_format_by_its_extension(
    tmp_path: Path, one_of_each: dict[str, bytes], flavour: str, change: type[str]
) -> None:
    mesh = decode(written(tmp_path, change(flavour), one_of_each[flavour]))
    assert_is_sound(mesh)
    assert len(mesh.triangles) == 4
    assert mesh.vertices.max(axis=0) == pytest.approx([0.1, 0.2, 0.3])
    assert signed_volume(mesh) == pytest.approx(0.001, rel=1e-5)


@pytest.mark.parametrize(
    ("flavour", "name"),
    [
        ("plain.obj", "a.stl"),
        ("plain.dae", "a.stl"),
        ("binary.glb", "a.obj"),
        ("ascii.stl", "a.obj"),
        ("little.ply", "a.bin"),
    ],
)
def test_a_wrong_extension_does_not_matter_where_the_content_is_clear(
    tmp_path: Path, one_of_each: dict[str, bytes], flavour: str, name: str
) -> None:
    assert len(decode(written(tmp_path, name, one_of_each[flavour])).triangles) == 4


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a.STEP", "a.STEP is a CAD file"),
        ("a.blend", "Blender"),
        ("a.fbx", "FBX"),
        ("a.usdz", "USD"),
        ("a.wrl", "VRML"),
        ("a.xyz", "unknown format .xyz"),
        ("a", "unknown format (no extension)"),
    ],
)
def test_formats_that_are_not_read_are_named_with_a_remedy(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(MeshError, match=re.escape(words) + ".*convert it to"):
        decode(written(tmp_path, name, b"something"))


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "folder.stl").mkdir()
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    for path, words in (
        (tmp_path / "missing.stl", "missing.stl cannot be read"),
        (tmp_path / "folder.stl", "folder.stl is no file"),
        (written(tmp_path, "empty.dae", b""), "empty.dae is empty"),
        (written(tmp_path, "pointer.stl", pointer), "git lfs pull"),
    ):
        with pytest.raises(MeshError, match=words):
            decode(path)


def test_links_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "a.stl").symlink_to(tmp_path / "b.stl")
    (tmp_path / "b.stl").symlink_to(tmp_path / "a.stl")
    with pytest.raises(MeshError, match=r"\.stl cannot be read"):
        MeshLibrary().get(tmp_path / "a.stl")


if hasattr(os, "mkfifo"):  # not on Windows

    def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe.stl")
        with pytest.raises(MeshError, match="no file"):
            decode(tmp_path / "pipe.stl")


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "MAX_FILE_BYTES", 100)
    with pytest.raises(MeshError, match="101 bytes; more than 100 are not read"):
        decode(written(tmp_path, "a.stl", bytes(101)))


def test_each_file_is_read_once_however_it_is_named(tmp_path: Path, one_of_each: dict[str, bytes]) -> None:
    path = written(tmp_path, "w.stl", one_of_each["binary.stl"])
    (tmp_path / "sub").mkdir()
    meshes = MeshLibrary()
    first = meshes.get(path)
    assert meshes.get(str(tmp_path / "sub" / ".." / "w.stl")) is first
    assert meshes.file_reads == {str(path.resolve()): 1}


def test_an_error_is_remembered(tmp_path: Path) -> None:
    path = written(tmp_path, "w.stl", b"short")
    meshes = MeshLibrary()
    texts = []
    for _ in range(2):
        with pytest.raises(MeshError) as caught:
            meshes.get(path)
        texts.append(str(caught.value))
    assert texts[0] == texts[1]
    assert meshes.file_reads == {str(path.resolve()): 1}


def test_the_options_reach_the_decoders(data: Path, tmp_path: Path, one_of_each: dict[str, bytes]) -> None:
    meshes = MeshLibrary(dae_up_axis="obey", gltf_up_axis="obey")
    glb = written(tmp_path, "a.glb", one_of_each["binary.glb"])
    for path in (data / "12-dae-up-axis-and-unit" / "yup.dae", glb):
        assert meshes.get(path).vertices.min(axis=0) == pytest.approx([0, -0.3, 0])


def test_importing_costs_no_pycollada() -> None:
    code = "import sys, urdf_rig.core.meshes.library; sys.exit('collada' in sys.modules)"
    folder = str(Path(library.__file__).parents[3])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])}
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, env=environment)


# --- garbled files


_ODD = [b"", b"-1", b"0", b"nan", b"1e400", b"9" * 20, b"\xff" * 4, b"\0", b"#", b'"', b"<", b"\n", b"[]"]


def assert_no_surprise(path: Path) -> None:
    try:
        mesh = decode(path)
    except MeshError as error:
        assert path.name in str(error)
    else:
        assert_is_sound(mesh)


@pytest.mark.parametrize("flavour", FLAVOURS)
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(draw=st.data())
def test_a_file_cut_short_anywhere(
    tmp_path: Path, one_of_each: dict[str, bytes], flavour: str, draw: st.DataObject
) -> None:
    content = one_of_each[flavour]
    assert_no_surprise(written(tmp_path, flavour, content[: draw.draw(st.integers(0, len(content) - 1))]))


@pytest.mark.parametrize("flavour", FLAVOURS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(draw=st.data())
def test_a_file_with_bytes_changed(
    tmp_path: Path, one_of_each: dict[str, bytes], flavour: str, draw: st.DataObject
) -> None:
    content = bytearray(one_of_each[flavour])
    for _ in range(draw.draw(st.integers(1, 4))):
        start = draw.draw(st.integers(0, len(content)))
        length = draw.draw(st.sampled_from([0, 1, 1, 4, 9]))
        content[start : start + length] = draw.draw(st.sampled_from(_ODD) | st.binary(max_size=4))
    assert_no_surprise(written(tmp_path, flavour, bytes(content)))


@pytest.mark.parametrize("extension", [".stl", ".obj", ".dae", ".glb", ".gltf", ".ply"])
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=300))
def test_a_file_of_random_bytes(tmp_path: Path, extension: str, content: bytes) -> None:
    assert_no_surprise(written(tmp_path, f"random{extension}", content))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("deep.gltf", b'{"a":' + b"[" * 100_000),
        ("deep.dae", b"<COLLADA>" + b"<node>" * 100_000),
        ("list.gltf", b"[1, 2]"),
        ("types.gltf", b'{"scenes": 3, "nodes": {"a": 1}, "meshes": [[]], "accessors": "x"}'),
        ("types2.gltf", b'{"scene": "x", "scenes": [{"nodes": ["y"]}], "nodes": [1]}'),
        ("old.glb", b"glTF" + (1).to_bytes(4, "little") + bytes(12)),
    ],
)
def test_documents_that_are_odd_throughout(tmp_path: Path, name: str, content: bytes) -> None:
    with pytest.raises(MeshError, match=re.escape(name)):
        decode(written(tmp_path, name, content))
