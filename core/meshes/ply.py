# SPDX-License-Identifier: GPL-3.0-or-later
"""PLY, ASCII and binary of both byte orders: faces, and normals and colours of the vertices."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MeshError
from .assembly import join
from .data import MeshData
from .number_text import parse_floats
from .parts import NO_NORMAL, NO_UV, WHITE, Part, corner_values
from .polygons import polygon_triangles

_TYPES = {
    "char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "float": "f4",
    "double": "f8", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4",
    "float32": "f4", "float64": "f8",
}  # fmt: skip
_STRUCT_CODES = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "f4": "f", "f8": "d"}
_FORMATS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
_UV_NAMES = (("s", "t"), ("u", "v"), ("texture_u", "texture_v"))
_MAX_HEADER = 1 << 16

_Floats = NDArray[np.float64]
_Table = dict[str, NDArray[Any]]
_Lists = dict[str, tuple[NDArray[np.intp], NDArray[np.intp]]]  # name: sizes of the lists, and all their items


@dataclass(frozen=True, slots=True)
class _Property:
    name: str
    dtype: str
    count_dtype: str = ""  # not empty for a list


@dataclass(frozen=True, slots=True)
class _Element:
    name: str
    count: int
    properties: list[_Property] = field(default_factory=list)


def decode_ply(data: bytes, path: Path) -> MeshData:
    """Return the mesh in ``data``, the content of the PLY file at ``path``.

    Raises:
        MeshError: If the header or the body is garbled or cut short, or there are no faces (a point cloud).
    """
    order, elements, body = _header(data, path.name)
    source = _Text(parse_floats(body)) if order == "" else _Binary(body, order)
    scalars: _Table = {}
    counts, corners = np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    for element in elements:
        try:
            columns, lists = _read(source, element)
        except (ValueError, IndexError, OverflowError, struct.error) as error:
            raise MeshError(f"{path.name} is cut short or garbled in its {element.name} list") from error
        if element.name == "vertex":
            scalars = columns
        elif element.name == "face":
            counts, corners = lists.get("vertex_indices") or lists.get("vertex_index") or (counts, corners)
    return _mesh(path.name, scalars, counts, corners)


def _mesh(name: str, scalars: _Table, counts: NDArray[np.intp], corners: NDArray[np.intp]) -> MeshData:
    def columns(*names: str) -> _Floats | None:
        if not all(name in scalars for name in names):
            return None
        return np.stack([scalars[name] for name in names], axis=1).astype(np.float64)

    vertices = columns("x", "y", "z")
    if vertices is None:
        raise MeshError(f"{name} has no vertex coordinates")
    triangles = corners[polygon_triangles(counts)]
    normals, colors = columns("nx", "ny", "nz"), columns("red", "green", "blue")
    uv = next((found for names in _UV_NAMES if (found := columns(*names)) is not None), None)
    if colors is not None:
        alpha = scalars.get("alpha")
        colors = np.column_stack([colors, np.full(len(colors), np.nan) if alpha is None else alpha])
        if np.nanmax(colors, initial=0.0) > 1.0:
            colors /= 255.0
        colors[np.isnan(colors)] = 1.0
    part = Part(
        vertices,
        triangles,
        uv=None if uv is None else corner_values(uv, triangles, NO_UV),
        normals=None if normals is None else corner_values(normals, triangles, NO_NORMAL),
        colors=None if colors is None else corner_values(colors, triangles, WHITE),
    )
    return join(name, [part])


def _header(data: bytes, name: str) -> tuple[str, list[_Element], bytes]:
    head, found, _ = data[:_MAX_HEADER].partition(b"end_header")
    end = data.find(b"\n", len(head))
    if not found or not data.startswith(b"ply"):
        raise MeshError(f"{name} has no PLY header")
    order = "?"
    elements: list[_Element] = []
    for line in head.decode("ascii", "replace").replace("\r", "\n").splitlines():
        match line.split():
            case ["format", kind, *_] if kind in _FORMATS:
                order = _FORMATS[kind]
            case ["element", element, count] if count.isdecimal() and int(count) <= len(data):
                elements.append(_Element(element, int(count)))
            case ["property", "list", count_type, kind, prop] if elements and {count_type, kind} <= _TYPES.keys():
                elements[-1].properties.append(_Property(prop, _TYPES[kind], _TYPES[count_type]))
            case ["property", kind, prop] if elements and kind in _TYPES:
                elements[-1].properties.append(_Property(prop, _TYPES[kind]))
            case [] | ["ply" | "comment" | "obj_info", *_]:
                pass
            case _:
                raise MeshError(f"{name} has a PLY header line that cannot be read: {line.strip()[:80]}")
    if order == "?" or end < 0:
        raise MeshError(f"{name} has a PLY header without a known format")
    return order, elements, data[end + 1 :]


class _Binary:
    """The numbers of a binary body. Positions count bytes."""

    def __init__(self, body: bytes, order: str) -> None:
        self._body = body
        self._order = order
        self.position = 0
        self.end = len(body)

    def table(self, layout: list[tuple[str, int]], count: int) -> list[NDArray[Any]]:
        """Take ``count`` rows alike and return their columns, shape (count, n) for each (type, n) of the layout."""
        dtype = np.dtype([(f"{i}", self._order + kind, (n,)) for i, (kind, n) in enumerate(layout)])
        rows = np.frombuffer(self._body, dtype, count, self.position) if dtype.itemsize else np.zeros(count, dtype)
        self.position += rows.nbytes
        return [rows[f"{i}"] for i in range(len(layout))]

    def width(self, kind: str) -> int:
        """Return by how much a number of that type moves the position."""
        return int(kind[1])

    def size_reader(self, kind: str) -> Callable[[int], int]:
        """Return a function that gives the list size of that type at a position."""
        unpack = struct.Struct((self._order or "=") + _STRUCT_CODES[kind]).unpack_from
        return lambda position: int(unpack(self._body, position)[0])

    def lists(self, starts: NDArray[np.intp], sizes: NDArray[np.intp], kind: str) -> NDArray[Any]:
        """Return the items of lists at these positions, one list after the other."""
        width = self.width(kind)
        at = np.repeat(starts, sizes) + width * _places(sizes)
        octets = np.frombuffer(self._body, np.uint8)[at[:, None] + np.arange(width)]
        items: NDArray[Any] = octets.view(np.dtype(self._order + kind))
        return items.ravel()


class _Text:
    """The numbers of an ASCII body. Positions count numbers."""

    def __init__(self, values: _Floats) -> None:
        self._values = values
        self.position = 0
        self.end = len(values)

    def table(self, layout: list[tuple[str, int]], count: int) -> list[NDArray[Any]]:
        """Take ``count`` rows alike and return their columns, shape (count, n) for each (type, n) of the layout."""
        widths = [n for _, n in layout]
        end = self.position + count * sum(widths)
        if end > len(self._values):
            raise ValueError("too few numbers")
        rows = self._values[self.position : end].reshape(count, -1)
        self.position = end
        return np.split(rows, np.cumsum(widths)[:-1], axis=1)

    def width(self, kind: str) -> int:
        """Return by how much a number of that type moves the position."""
        return 1

    def size_reader(self, kind: str) -> Callable[[int], int]:
        """Return a function that gives the list size of that type at a position."""
        numbers = self._values.tolist()
        return lambda position: int(numbers[position])

    def lists(self, starts: NDArray[np.intp], sizes: NDArray[np.intp], kind: str) -> NDArray[Any]:
        """Return the items of lists at these positions, one list after the other."""
        return np.take(self._values, np.repeat(starts, sizes) + _places(sizes))


def _places(sizes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return 0, 1, 2 … for each list."""
    return np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def _read(source: _Binary | _Text, element: _Element) -> tuple[_Table, _Lists]:
    """Return the scalar columns and the lists of an element."""
    if not element.count or not element.properties:
        return {}, {}
    if any(prop.count_dtype for prop in element.properties):
        return {}, _alike(source, element) or _uneven(source, element)
    columns = source.table([(prop.dtype, 1) for prop in element.properties], element.count)
    return {prop.name: column[:, 0] for prop, column in zip(element.properties, columns, strict=True)}, {}


def _alike(source: _Binary | _Text, element: _Element) -> _Lists | None:
    """Return the lists of an element if they are of the same sizes in each row, as in triangle meshes."""
    start = source.position
    sizes, layout = [], []
    for prop in element.properties:
        size = int(source.table([(prop.count_dtype, 1)], 1)[0][0, 0]) if prop.count_dtype else 1
        if size < 0:
            raise ValueError("a list of negative length")
        source.table([(prop.dtype, size)], 1)
        sizes.append(size)
        layout += [(prop.count_dtype, 1), (prop.dtype, size)] if prop.count_dtype else [(prop.dtype, 1)]
    source.position = start
    result: _Lists = {}
    try:
        columns = iter(source.table(layout, element.count))
    except ValueError:  # the first row is longer than the others
        return None
    for prop, size in zip(element.properties, sizes, strict=True):
        if prop.count_dtype and not (next(columns) == size).all():
            source.position = start
            return None
        items = next(columns)
        if prop.count_dtype:
            result[prop.name] = np.full(element.count, size, dtype=np.intp), items.astype(np.intp).ravel()
    return result


def _uneven(source: _Binary | _Text, element: _Element) -> _Lists:
    """Return the lists of an element whose rows differ in length."""
    steps = [
        (source.size_reader(prop.count_dtype), source.width(prop.count_dtype), source.width(prop.dtype))
        if prop.count_dtype
        else (None, 0, source.width(prop.dtype))
        for prop in element.properties
    ]
    position = source.position
    found: list[int] = []
    for _ in range(element.count):
        for size_at, head, width in steps:
            size = 1 if size_at is None else size_at(position)
            if size < 0:
                raise ValueError("a list of negative length")
            found += (position + head, size)
            position += head + size * width
    if position > source.end:
        raise ValueError("too few numbers")
    source.position = position
    table = np.array(found, dtype=np.intp).reshape(element.count, len(steps), 2)
    return {
        prop.name: (table[:, i, 1], source.lists(table[:, i, 0], table[:, i, 1], prop.dtype).astype(np.intp))
        for i, prop in enumerate(element.properties)
        if prop.count_dtype
    }
