# SPDX-License-Identifier: GPL-3.0-or-later
"""COLLADA (.dae), versions 1.4 and 1.5, with pycollada's primitives and effects.

The document is opened here and not by pycollada, for two reasons. Robot files are untrusted: entities and zip
archives are refused, and nodes that multiply without end are stopped. And exporters are careless: pycollada gives
up a geometry for a missing material and a document for a missing node, where the rest can still be shown.

The unit is obeyed. ``up_axis`` is not, unless asked for: RViz ignores it, and robots are authored against RViz.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import MeshError
from .assembly import PartList, join
from .collada_document import ColladaDocument
from .collada_geometry import geometry_parts
from .collada_materials import Palette
from .collada_scene import Instance, instances
from .data import MeshData
from .parts import Part, transformed

_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
# All that XML allows before a document type declaration; only there may one stand.
_PROLOG = re.compile(rb"(?:\xef\xbb\xbf)?(?>\s+|<\?.*?\?>|<!--.*?-->)*+", re.DOTALL)
_TURNS = {
    "Y_UP": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),
    "X_UP": np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
}


def decode_collada(data: bytes, path: Path, *, up_axis: str = "ignore") -> MeshData:
    """Return the visual scene in ``data``, the content of the COLLADA file at ``path``, as one mesh.

    Every instance of every geometry is there once, moved by the product of its node transforms. Parts that cannot
    be read are left out with a note.

    Args:
        data: The file's content.
        path: The file; images are looked for beside it.
        up_axis: ``ignore`` or ``obey`` what the file says about the axis that points up.

    Raises:
        MeshError: If the file is no COLLADA, is refused, or holds no triangles.
    """
    document = ColladaDocument(_xml_root(data, path.name), path)
    palette = Palette(document)
    root = _root_matrix(document, up_axis)
    cache: dict[str, list[tuple[Part, list[str]]]] = {}
    placed = PartList(path.name)
    for instance in instances(document):
        if instance.geometry not in cache:
            cache[instance.geometry] = geometry_parts(document, instance.geometry)
        for part, symbols in cache[instance.geometry]:
            placed.add(transformed(_painted(part, symbols, instance, palette), root @ instance.matrix))
    return join(path.name, placed.parts, palette.materials, document.notes)


def _painted(part: Part, symbols: list[str], instance: Instance, palette: Palette) -> Part:
    """Return the part with material symbols resolved as this instance binds them."""
    indices = np.array([palette.index(instance.materials.get(symbol, symbol)) for symbol in symbols])
    return replace(part, material_index=indices[part.material_index])


def _root_matrix(document: ColladaDocument, up_axis: str) -> NDArray[np.float64]:
    """Return the unit and the turn of the axes as a matrix."""
    result = np.eye(4)
    axis = document.up_axis
    if axis != "Z_UP":
        turn = _TURNS.get(axis or "Y_UP", np.eye(3))  # the format's default is Y_UP
        if up_axis == "obey":
            result[:3, :3] = turn
        if axis or up_axis == "obey":
            says = f"says up_axis {axis}" if axis else "says no up_axis, which means Y_UP"
            done = "obeyed" if up_axis == "obey" else "ignored (as RViz does)"
            document.note(f"{says}; it was {done}")
    result[:3, :3] *= document.unit
    return result


def _xml_root(data: bytes, name: str) -> ET.Element:
    if b"\0" in data[:64]:
        data = _DECLARATION.sub("", data.decode("utf-16")).encode()
    prolog = _PROLOG.match(data)
    if data.startswith(b"<!DOCTYPE", prolog.end() if prolog else 0):
        raise MeshError(f"{name} has a document type declaration, which could define entities without end; refused")
    try:
        return ET.fromstring(data)
    except ET.ParseError as error:
        repaired = data.decode("utf-8", "replace").encode()
        if repaired != data:  # written in a local encoding that is not declared
            try:
                return ET.fromstring(repaired)
            except ET.ParseError:
                pass
        raise MeshError(f"{name} is no well-formed XML: {error}") from error
