# SPDX-License-Identifier: GPL-3.0-or-later
"""Small COLLADA documents for tests, put together from their parts."""

from __future__ import annotations

from pathlib import Path

from urdf_rig.core.meshes.collada import decode_collada
from urdf_rig.core.meshes.data import MeshData

VERSION_1_4 = 'xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"'
VERSION_1_5 = 'xmlns="http://www.collada.org/2008/03/COLLADASchema" version="1.5.0"'
TRIANGLES = (
    '<triangles count="1" material="m"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>'
)
SQUARE = "0 0 0 1 0 0 1 1 0 0 1 0"
NODE = (
    '<node><instance_geometry url="#g"><bind_material><technique_common>'
    '<instance_material symbol="m" target="#mat"/></technique_common></bind_material></instance_geometry></node>'
)
INPUT = '<input semantic="VERTEX" source="#v" offset="0"/>'


def source(name: str, numbers: str, columns: int) -> str:
    params = '<param name="X" type="float"/>' * columns
    return (
        f'<source id="{name}"><float_array id="{name}-a" count="{len(numbers.split())}">{numbers}</float_array>'
        f'<technique_common><accessor source="#{name}-a" stride="{columns}">{params}</accessor></technique_common>'
        "</source>"
    )


def geometry(primitives: str = TRIANGLES, points: str = SQUARE, more: str = "", name: str = "g") -> str:
    vertices = '<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>'
    return f'<geometry id="{name}"><mesh>{source("p", points, 3)}{more}{vertices}{primitives}</mesh></geometry>'


def document(
    geometries: str = "",
    nodes: str = NODE,
    effect: str = "<lambert><diffuse><color>0.1 0.2 0.3 1</color></diffuse></lambert>",
    params: str = "",
    libraries: str = "",
    asset: str = "<up_axis>Z_UP</up_axis>",
    root: str = VERSION_1_4,
) -> bytes:
    return (
        f"<COLLADA {root}><asset>{asset}</asset>{libraries}"
        f'<library_effects><effect id="e"><profile_COMMON>{params}<technique sid="c">{effect}</technique>'
        "</profile_COMMON></effect></library_effects>"
        '<library_materials><material id="mat" name="paint"><instance_effect url="#e"/></material></library_materials>'
        f"<library_geometries>{geometries or geometry()}</library_geometries>"
        f'<library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#s"/></scene></COLLADA>'
    ).encode()


def decoded(content: bytes, path: Path = Path("a.dae"), **options: str) -> MeshData:
    return decode_collada(content, path, **options)


def corners(mesh: MeshData) -> list[list[list[float]]]:
    return mesh.vertices[mesh.triangles].tolist()
