# SPDX-License-Identifier: GPL-3.0-or-later
"""MTL, the material file of OBJ."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from .data import SurfaceMaterial
from .images import find_image

_GREY = (0.8, 0.8, 0.8, 1.0)
_NUMBER = r"[-+.\d][-+.\deE]*"
_OPTION = re.compile(
    rf"-(?:mm\s+\S+\s+\S+|[ost](?:\s+{_NUMBER}(?=\s)){{1,3}}"
    r"|(?:blendu|blendv|boost|bm|cc|clamp|colorspace|imfchan|texres|type)\s+\S+)\s+",
    re.IGNORECASE,
)


def decode_mtl(data: bytes, path: Path) -> tuple[dict[str, SurfaceMaterial], list[str]]:
    """Return the materials in ``data``, the content of the MTL file at ``path``, by name, and remarks.

    A statement that cannot be read is passed over, as other readers do.
    """
    materials: dict[str, SurfaceMaterial] = {}
    notes: list[str] = []
    name = ""
    statements: dict[str, str] = {}
    for keyword, rest in [*_lines(data), ("newmtl", "")]:
        if keyword != "newmtl":
            statements[keyword] = rest
            continue
        if name:
            materials.setdefault(name, _material(name, statements, path, notes))
        name, statements = rest, {}
    return materials, notes


def _lines(data: bytes) -> Iterator[tuple[str, str]]:
    text = data.decode("utf-8-sig", "replace").replace("\\\r\n", " ").replace("\\\n", " ")
    for line in text.splitlines():
        keyword, _, rest = line.strip().replace("\t", " ").partition(" ")
        if keyword and not keyword.startswith("#"):
            yield keyword.lower(), rest.strip()


def _material(name: str, statements: dict[str, str], path: Path, notes: list[str]) -> SurfaceMaterial:
    diffuse = _color(statements.get("kd", ""))
    emission = _color(statements.get("ke", ""))
    rgb = diffuse or _GREY[:3]
    material = SurfaceMaterial(name, (*rgb, _opacity(statements)), roughness=_roughness(statements))
    metallic = _number(statements.get("pm", ""))
    if metallic is not None:
        material = replace(material, metallic=min(max(metallic, 0.0), 1.0))
    if emission is not None and emission != diffuse:
        material = replace(material, emission=emission)
    reference = _file_name(statements.get("map_kd", ""))
    if not reference:
        return material
    texture = find_image(reference, path)
    if texture is None:
        notes.append(f"{path.name}: the texture {reference} was not found")
        return material
    factor = diffuse if diffuse and any(diffuse) else (1.0, 1.0, 1.0)  # black would hide the texture
    return replace(material, texture=texture, rgba=(*factor, material.rgba[3]))


def _opacity(statements: dict[str, str]) -> float:
    """Return alpha from ``d`` or else ``Tr``; some exporters swap 0 and 1, and nothing is meant to be invisible."""
    dissolve = _number(statements.get("d", "").removeprefix("-halo"))
    transparency = _number(statements.get("tr", ""))
    if dissolve is None:
        dissolve = 1.0 if transparency is None else 1.0 - transparency
    return dissolve if 0.0 < dissolve <= 1.0 else 1.0


def _roughness(statements: dict[str, str]) -> float:
    roughness = _number(statements.get("pr", ""))
    if roughness is None:
        shininess = _number(statements.get("ns", ""))
        if shininess is None:
            return 0.5
        # The inverse of what Blender writes: Ns = 1000 (1 - roughness)^2.
        roughness = 1.0 - math.sqrt(min(max(shininess, 0.0), 1000.0) / 1000.0)
    return min(max(roughness, 0.0), 1.0)


def _color(text: str) -> tuple[float, float, float] | None:
    numbers = [_number(word) for word in text.split()[:3]]
    if len(numbers) == 1:  # g and b default to r
        numbers *= 3
    values = [min(max(number, 0.0), 1.0) for number in numbers if number is not None]
    return (values[0], values[1], values[2]) if len(values) == 3 else None


def _number(text: str) -> float | None:
    try:
        value = float(text.split()[0])
    except (ValueError, IndexError):
        return None
    return value if math.isfinite(value) else None


def _file_name(text: str) -> str:
    """Return the file name of a map statement, which may hold spaces, without the options before it."""
    rest = text.strip()
    while option := _OPTION.match(rest):
        rest = rest[option.end() :]
    return rest.strip('"')
