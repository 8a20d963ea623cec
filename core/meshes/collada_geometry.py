# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometries of COLLADA as parts. pycollada reads inputs and indices; number lists and triangles are done in bulk."""

from __future__ import annotations

import warnings
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .collada_document import PIECE_FAULTS, ColladaDocument, reason
from .number_text import parse_floats
from .parts import Part, corner_values, merged, tightened
from .polygons import polygon_triangles

_KINDS = ("triangles", "tristrips", "trifans", "polylist", "polygons")


def geometry_parts(document: ColladaDocument, geometry_id: str) -> list[tuple[Part, list[str]]]:
    """Return the parts of a geometry, each with the material symbols that its ``material_index`` counts."""
    from collada.common import DaeError

    geometry = document.by_id("geometry", geometry_id)
    mesh = None if geometry is None else document.find(geometry, "mesh")
    if mesh is None:
        document.note(f"has a geometry {geometry_id} that is no mesh; it was left out")
        return []
    symbols: dict[str, int] = {}
    parts: list[Part] = []
    sources = _sources(document, mesh)
    for primitive in mesh:
        kind = primitive.tag.rpartition("}")[2]
        if kind not in _KINDS:
            continue
        symbol = primitive.get("material") or ""
        symbols.setdefault(symbol, len(symbols))
        try:
            part = _part(document, kind, primitive, sources, symbols[symbol])
        except (DaeError, *PIECE_FAULTS) as error:
            document.note(f"has {kind} in geometry {geometry_id} that cannot be read ({reason(error)}); left out")
        else:
            parts.append(part)
    return [(tightened(part), list(symbols)) for part in merged(parts) if len(part.triangles)]


def _sources(document: ColladaDocument, mesh: ET.Element) -> dict[str, Any]:
    """Return the number lists by id, and for ``vertices`` a dictionary of those by meaning, as pycollada has it."""
    inputs = list(mesh.iter(document.tag("input")))
    texture = {(item.get("source") or "")[1:] for item in inputs if item.get("semantic") == "TEXCOORD"}
    result: dict[str, Any] = {}
    for node in document.all(mesh, "source"):
        name = node.get("id") or ""
        source = _source(document, node, 2 if name in texture else 4)
        if source is not None:
            result[name] = source
    for node in document.all(mesh, "vertices"):
        named = [(item.get("semantic"), (item.get("source") or "")[1:]) for item in document.all(node, "input")]
        result[node.get("id") or ""] = {meaning: result[name] for meaning, name in named if name in result}
    return result


def _source(document: ColladaDocument, node: ET.Element, most_columns: int) -> Any | None:  # noqa: ANN401
    from collada.source import FloatSource

    array = document.find(node, "float_array")
    if array is None:
        return None
    values = parse_floats((array.text or "").encode("ascii", "replace")).astype(np.float32)
    accessor = document.find(node, "technique_common", "accessor")
    stride, offset = _layout(document, accessor)
    rows = (len(values) - offset) // stride
    table = values[offset : offset + max(rows, 0) * stride].reshape(-1, stride)[:, :most_columns]
    names = tuple(("XYZW" if most_columns > 2 else "ST")[: table.shape[1]])
    return FloatSource(node.get("id"), np.ascontiguousarray(table).ravel(), names, xmlnode=node)


def _layout(document: ColladaDocument, accessor: ET.Element | None) -> tuple[int, int]:
    """Return the numbers from one row to the next, and before the first; three and none where it is not said."""
    if accessor is None:
        return 3, 0
    try:
        stride = int(accessor.get("stride") or len(document.all(accessor, "param")))
        offset = int(accessor.get("offset") or 0)
    except ValueError:
        return 3, 0
    return (stride if 0 < stride <= 64 else 3), max(offset, 0)


def _part(document: ColladaDocument, kind: str, node: ET.Element, sources: dict[str, Any], material: int) -> Part:
    from collada.polygons import Polygons
    from collada.polylist import Polylist
    from collada.triangleset import TriangleSet

    if kind == "polygons":
        node = _with_outlines(document, node)
    loader = {"polylist": Polylist, "polygons": Polygons}.get(kind, TriangleSet)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # numpy's, at what pycollada does
        # This one says that an index list is garbled.
        warnings.filterwarnings("error", message="string or file could not be read", category=DeprecationWarning)
        primitive = loader.load(document.library, sources, node)
    index = primitive.index.reshape(-1, primitive.nindices)
    if loader is TriangleSet:
        corners = index.reshape(-1, 3, primitive.nindices)
    else:
        if (primitive.vcounts < 0).any() or primitive.vcounts.sum() != len(index):
            raise ValueError("polygon sizes and indices disagree")
        corners = index[polygon_triangles(primitive.vcounts)]
    positions = primitive.sources["VERTEX"][0]
    return Part(
        positions[4].data,
        corners[:, :, positions[0]],
        material,
        uv=_corner_data(primitive, "TEXCOORD", corners, (0.0, 0.0)),
        normals=_corner_data(primitive, "NORMAL", corners, (0.0, 0.0, 0.0)),
        colors=_corner_data(primitive, "COLOR", corners, (1.0, 1.0, 1.0, 1.0)),
    )


def _with_outlines(document: ColladaDocument, node: ET.Element) -> ET.Element:
    """Return ``polygons`` with the outlines of polygons that have holes among the others; the holes are closed."""
    with_holes = document.all(node, "ph")
    if not with_holes:
        return node
    document.note("has polygons with holes, which are closed")
    result = ET.Element(node.tag, node.attrib)
    result.extend(list(node))
    result.extend([outline for item in with_holes for outline in document.all(item, "p")])
    return result


def _corner_data(
    primitive: Any,  # noqa: ANN401
    meaning: str,
    corners: NDArray[np.integer],
    missing: tuple[float, ...],
) -> NDArray[np.float32] | None:
    """Return the first set of values with this meaning, shape (3 T, k), or None."""
    inputs = primitive.sources.get(meaning)
    if not inputs:
        return None
    offset, _, _, _, source = min(inputs, key=lambda item: int(item[3] or 0))
    values = source.data[:, : len(missing)]
    if values.shape[1] < len(missing):
        values = np.pad(values, ((0, 0), (0, len(missing) - values.shape[1])), constant_values=1.0)
    return corner_values(values, corners[:, :, offset], missing)
