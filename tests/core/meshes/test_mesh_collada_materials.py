# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from pathlib import Path

import pytest
from collada_text import VERSION_1_5, decoded, document

from urdf_rig.core.meshes.data import SurfaceMaterial


def surface(effect: str, path: Path = Path("a.dae"), **more: str) -> SurfaceMaterial:
    mesh = decoded(document(effect=f"<phong>{effect}</phong>", **more), path)
    assert mesh.material_index.tolist() == [0]
    return mesh.materials[0]


_PAINT = "<diffuse><color>0.5 0.25 0.125 1</color></diffuse>"


@pytest.mark.parametrize(
    ("transparency", "alpha"),
    [
        ("", 1.0),
        ("<transparency><float>0.25</float></transparency>", 0.25),
        ("<transparent><color>1 1 1 0.5</color></transparent>", 0.5),
        ('<transparent opaque="A_ONE"><color>1 1 1 0.5</color></transparent>'
         "<transparency><float>0.5</float></transparency>", 0.25),
        ('<transparent opaque="RGB_ZERO"><color>0.25 0.25 0.25 1</color></transparent>', 0.75),
        ('<transparent opaque="RGB_ZERO"><color>1 1 1 1</color></transparent>'
         "<transparency><float>0.25</float></transparency>", 0.75),
        ('<transparent opaque="RGB_ONE"><color>0.25 0.25 0.25 1</color></transparent>', 0.25),
        ('<transparent opaque="A_ZERO"><color>1 1 1 0.25</color></transparent>', 0.75),
        # exporters that have it the wrong way round
        ("<transparent><color>1 1 1 1</color></transparent><transparency><float>0</float></transparency>", 1.0),
        ('<transparent opaque="A_ONE"><color>1 1 1 0</color></transparent>', 1.0),
        ('<transparent opaque="RGB_ZERO"><color>1 1 1 1</color></transparent>'
         "<transparency><float>1</float></transparency>", 1.0),
    ],
)  # fmt: skip
def test_transparency(transparency: str, alpha: float) -> None:
    assert surface(_PAINT + transparency).rgba == pytest.approx((0.5, 0.25, 0.125, alpha))


def test_emission_counts_only_where_it_stands_alone() -> None:
    glow = "<emission><color>0 1 0 1</color></emission>"
    assert surface(glow + _PAINT).emission == (0, 0, 0)
    assert surface(glow).emission == (0, 1, 0)
    assert surface(glow + "<diffuse><color>0 0 0 1</color></diffuse>").emission == (0, 1, 0)
    assert surface("").rgba == (0.8, 0.8, 0.8, 1.0)


_LIBRARY = '<library_images><image id="img"><init_from>{}</init_from></image></library_images>'
_PARAMS = (
    '<newparam sid="surf"><surface type="2D"><init_from>img</init_from></surface></newparam>'
    '<newparam sid="samp"><sampler2D><source>surf</source></sampler2D></newparam>'
)
_TEXTURE = '<diffuse><texture texture="samp" texcoord="uv"/></diffuse>'


@pytest.mark.parametrize(
    "reference",
    ["my tex.png", "my%20tex.png", "./my tex.png", "file://my%20tex.png", "file:my tex.png", "file:///x/my%20tex.png",
     "C:\\work\\my tex.png", "file:///C:/work/my%20tex.png", "package://pkg/meshes/my tex.png", "  my tex.png\n"],
)  # fmt: skip
def test_a_texture_is_found_however_it_is_written(tmp_path: Path, reference: str) -> None:
    folder = tmp_path / "pkg" / "meshes"
    folder.mkdir(parents=True)
    (folder / "my tex.png").write_bytes(b"png")
    material = surface(_TEXTURE, folder / "a.dae", params=_PARAMS, libraries=_LIBRARY.format(reference))
    assert material.texture is not None
    assert material.texture.path is not None
    assert material.texture.path.samefile(folder / "my tex.png")
    assert material.rgba == (1, 1, 1, 1)


def test_a_texture_in_another_folder(tmp_path: Path) -> None:
    (tmp_path / "textures").mkdir()
    (tmp_path / "meshes").mkdir()
    (tmp_path / "textures" / "t.png").write_bytes(b"png")
    library = _LIBRARY.format("../textures/t.png")
    material = surface(_TEXTURE, tmp_path / "meshes" / "a.dae", params=_PARAMS, libraries=library)
    assert material.texture is not None
    assert material.texture.name == "t.png"


def test_a_missing_texture_is_a_note() -> None:
    content = document(effect=f"<phong>{_TEXTURE}</phong>", params=_PARAMS, libraries=_LIBRARY.format("gone.png"))
    mesh = decoded(content)
    assert (mesh.materials[0].texture, mesh.materials[0].rgba) == (None, (0.8, 0.8, 0.8, 1.0))
    assert mesh.notes == ("a.dae names the texture gone.png, which was not found",)


@pytest.mark.parametrize(
    "params",
    ["", '<newparam sid="samp"><sampler2D><source>wrong</source></sampler2D></newparam>'],
)
def test_an_image_named_without_sampler(tmp_path: Path, params: str) -> None:
    (tmp_path / "t.png").write_bytes(b"png")
    effect = '<diffuse><texture texture="img" texcoord="uv"/></diffuse>'
    material = surface(effect, tmp_path / "a.dae", params=params, libraries=_LIBRARY.format("t.png"))
    assert material.texture is not None


def test_version_1_5_with_a_texture(tmp_path: Path) -> None:
    (tmp_path / "t.png").write_bytes(b"png")
    params = '<newparam sid="samp"><sampler2D><instance_image url="#img"/></sampler2D></newparam>'
    library = _LIBRARY.format("<ref>t.png</ref>")
    material = surface(_TEXTURE, tmp_path / "a.dae", params=params, libraries=library, root=VERSION_1_5)
    assert material.texture is not None
    assert material.texture.path == tmp_path / "t.png"


def test_an_effect_that_cannot_be_read_leaves_the_geometry() -> None:
    mesh = decoded(document(effect="<phong><diffuse/></phong>"))
    assert mesh.material_index.tolist() == [-1]
    assert any("effect e" in note for note in mesh.notes)


# --- the XML
