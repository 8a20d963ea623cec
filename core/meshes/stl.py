# SPDX-License-Identifier: GPL-3.0-or-later
"""STL, binary and ASCII. Corners at the same place become one vertex; the normals in the file are not used."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import MeshError
from .assembly import MAX_TRIANGLES, join
from .data import MeshData
from .number_text import parse_floats
from .parts import Part
from .welding import weld

_HEAD, _FACET = 84, 50
_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_VERTEX_LINE = re.compile(rb"vertex([^\r\n]*)")
_VERTEX = re.compile(rb"vertex\s+(\S+\s+\S+\s+\S+)")
_SOLID_NAME = re.compile(rb"solid.*?(?=facet|[\r\n]|$)")


def decode_stl(data: bytes, path: Path) -> MeshData:
    """Return the mesh in ``data``, the content of the STL file at ``path``.

    A file of exactly 84 + 50 n bytes for the n at byte 80 is binary, whatever its free-text header says.

    Raises:
        MeshError: If the file is cut short, is no STL, or holds no triangles.
    """
    count = int.from_bytes(data[80:84], "little") if len(data) >= _HEAD else 0
    size = _HEAD + _FACET * count
    if count > MAX_TRIANGLES and len(data) >= size:
        raise MeshError(f"{path.name} holds more than {MAX_TRIANGLES} triangles")
    if len(data) >= _HEAD and len(data) == size:
        corners = _binary_corners(data, count)
    elif _is_text(data):
        corners = _text_corners(data, path.name)
    elif len(data) < _HEAD:
        raise MeshError(f"{path.name} is cut short: an STL file has at least {_HEAD} bytes, this has {len(data)}")
    elif len(data) < size:
        raise MeshError(
            f"{path.name} is cut short, or is no STL file: {count} triangles need {size} bytes, but it has {len(data)}"
        )
    else:
        corners = _binary_corners(data, count)
    vertices, index = weld(corners)
    return join(path.name, [Part(vertices, index.reshape(-1, 3))])


def _is_text(data: bytes) -> bool:
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    return start[:5].lower() == b"solid" and b"\0" not in start


def _binary_corners(data: bytes, count: int) -> NDArray[np.float32]:
    records = np.frombuffer(data, dtype=_RECORD, count=count, offset=_HEAD)
    columns = np.empty((3, count, 3), dtype=np.float32)  # a whole column at a time is what welding reads
    columns[:] = records["corners"].transpose(2, 0, 1)
    return columns.reshape(3, -1).T


def _text_corners(data: bytes, name: str) -> NDArray[np.float32]:
    """Return three rows for each facet, shape (3 T, 3)."""
    text = data if b"vertex" in data else data.lower()
    lines = _VERTEX_LINE.findall(text)
    values = parse_floats(b"\n".join(lines))
    if len(values) != 3 * len(lines) or len(lines) % 3 or np.isnan(values).any():
        # Several words on one line, or "vertex" in the name of a solid: legal, rare, and slower to read.
        lines = _VERTEX.findall(_SOLID_NAME.sub(b"", data.lower()))
        values = parse_floats(b"\n".join(lines))
    if len(values) != 3 * len(lines) or len(lines) % 3:
        raise MeshError(f"{name} is cut short or garbled: a facet has not three vertices of three numbers")
    return values.reshape(-1, 3).astype(np.float32)
