# SPDX-License-Identifier: GPL-3.0-or-later
"""COLLADA and Wavefront OBJ: text files with materials of their own and smooth normals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .palette import COLOURS, Colour
from .shading import corner_normals
from .solids import Solid

DAE_HEAD = """<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset>
    <contributor><authoring_tool>URDF Rig make_examples.py</authoring_tool></contributor>
    <created>2026-01-01T00:00:00</created>
    <modified>2026-01-01T00:00:00</modified>
    <unit name="meter" meter="1"/>
    <up_axis>Z_UP</up_axis>
  </asset>
"""

DAE_EFFECT = """    <effect id="{name}-effect"><profile_COMMON><technique sid="common"><phong>
      <diffuse><color>{red:g} {green:g} {blue:g} 1</color></diffuse>
      <specular><color>0.2 0.2 0.2 1</color></specular>
      <shininess><float>30</float></shininess>
    </phong></technique></profile_COMMON></effect>
"""

DAE_SOURCE = """        <source id="{name}-{kind}">
          <float_array id="{name}-{kind}-array" count="{count}">{numbers}</float_array>
          <technique_common><accessor source="#{name}-{kind}-array" count="{rows}" stride="3">
            <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
          </accessor></technique_common>
        </source>
"""


def materials_of(solids: Sequence[Solid]) -> list[str]:
    """Return the names of the solids' colours, each once, in order of first use."""
    return list(dict.fromkeys(solid.material for solid in solids))


class Pool:
    """The vertices and normals of several solids in one file, with equal normals stored once."""

    def __init__(self, solids: Sequence[Solid]) -> None:
        self.vertices = np.concatenate([solid.vertices for solid in solids])
        every = [corner_normals(solid).reshape(-1, 3) for solid in solids]
        self.normals, numbers = np.unique(np.concatenate(every), axis=0, return_inverse=True)
        numbers = numbers.reshape(-1)
        self.faces: dict[str, list[NDArray[np.int64]]] = {}
        first, corner = 0, 0
        for solid, normals in zip(solids, every, strict=True):
            mine = numbers[corner : corner + len(normals)].reshape(-1, 3)
            self.faces.setdefault(solid.material, []).append(np.stack((solid.triangles + first, mine), -1))
            first, corner = first + len(solid.vertices), corner + len(normals)

    def triangles(self, material: str) -> NDArray[np.int64]:
        """Return (vertex, normal) of each corner of one colour's triangles, shape (T, 3, 2)."""
        return np.concatenate(self.faces[material])


def _numbers(rows: NDArray[np.float64]) -> str:
    return " ".join(f"{value:.6g}" for value in rows.ravel().tolist())


def write_dae(path: Path, solids: Sequence[Solid]) -> None:
    """Write one COLLADA geometry with one set of triangles a colour; metres, z up."""
    pool, names, title = Pool(solids), materials_of(solids), path.stem
    effects = "".join(
        DAE_EFFECT.format(name=n, red=COLOURS[n].red, green=COLOURS[n].green, blue=COLOURS[n].blue) for n in names
    )
    materials = "".join(
        f'    <material id="{n}" name="{n}"><instance_effect url="#{n}-effect"/></material>\n' for n in names
    )
    sources = "".join(
        DAE_SOURCE.format(name=title, kind=kind, count=rows.size, rows=len(rows), numbers=_numbers(rows))
        for kind, rows in (("positions", pool.vertices), ("normals", pool.normals))
    )
    triangles = ""
    for n in names:
        faces = pool.triangles(n)
        indices = " ".join(map(str, faces.ravel().tolist()))
        triangles += (
            f'        <triangles material="{n}" count="{len(faces)}">\n'
            f'          <input semantic="VERTEX" source="#{title}-vertices" offset="0"/>\n'
            f'          <input semantic="NORMAL" source="#{title}-normals" offset="1"/>\n'
            f"          <p>{indices}</p>\n        </triangles>\n"
        )
    binds = "".join(f'            <instance_material symbol="{n}" target="#{n}"/>\n' for n in names)
    path.write_text(
        f"{DAE_HEAD}  <library_effects>\n{effects}  </library_effects>\n"
        f"  <library_materials>\n{materials}  </library_materials>\n"
        f'  <library_geometries>\n    <geometry id="{title}" name="{title}">\n      <mesh>\n{sources}'
        f'        <vertices id="{title}-vertices"><input semantic="POSITION" source="#{title}-positions"/></vertices>\n'
        f"{triangles}      </mesh>\n    </geometry>\n  </library_geometries>\n"
        f'  <library_visual_scenes>\n    <visual_scene id="scene">\n      <node id="{title}-node" name="{title}">\n'
        f'        <instance_geometry url="#{title}">\n          <bind_material><technique_common>\n{binds}'
        "          </technique_common></bind_material>\n        </instance_geometry>\n      </node>\n"
        "    </visual_scene>\n  </library_visual_scenes>\n"
        '  <scene><instance_visual_scene url="#scene"/></scene>\n</COLLADA>\n',
        encoding="utf-8",
        newline="\n",
    )


def _mtl(name: str, colour: Colour) -> str:
    red, green, blue = colour.rgb
    return f"newmtl {name}\nKd {red:g} {green:g} {blue:g}\nKs 0.2 0.2 0.2\nNs 60\nd 1\nillum 2\n"


def write_obj(path: Path, solids: Sequence[Solid]) -> None:
    """Write a Wavefront OBJ file and its material library beside it; metres, in the axes of the link."""
    pool, names = Pool(solids), materials_of(solids)
    library = path.with_suffix(".mtl")
    library.write_text("\n".join(_mtl(n, COLOURS[n]) for n in names), encoding="utf-8", newline="\n")
    lines = ["# URDF Rig make_examples.py", f"mtllib {library.name}", f"o {path.stem}"]
    lines += ["v " + _numbers(row) for row in pool.vertices]
    lines += ["vn " + _numbers(row) for row in pool.normals]
    for n in names:
        lines.append(f"usemtl {n}")
        faces = (pool.triangles(n) + 1).tolist()
        lines += ["f " + " ".join(f"{vertex}//{normal}" for vertex, normal in face) for face in faces]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
