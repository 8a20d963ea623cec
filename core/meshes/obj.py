# SPDX-License-Identifier: GPL-3.0-or-later
"""Wavefront OBJ. Coordinates are taken as they are: the format has no axis convention, and RViz turns nothing.

Lines are sorted by kind in bulk and each kind is parsed at once, so the order of statements matters only where
the format says so: negative indices count back from the face's line, and ``usemtl`` holds from its line on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import MeshError
from .assembly import join
from .data import MeshData, SurfaceMaterial
from .images import is_file
from .mtl import decode_mtl
from .number_text import parse_floats, parse_integers, word_ends
from .parts import Part, corner_values
from .polygons import polygon_triangles

_LEADING_SPACE = re.compile(rb"^[ \t]+", re.MULTILINE)
_COMMENT = re.compile(rb"#[^\n]*")
_MAX_MTL_BYTES = 1 << 24
_MAX_MTL_FILES = 32
_FACE_WORDS = bytes.maketrans(b"f/", b"  ")

_Floats = NDArray[np.float64]
_Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class _Faces:
    """Corners of all faces, one after the other; indices from 0, below 0 where there is none."""

    counts: _Ints
    corners: _Ints  # (C, 3): position, texture coordinate, normal


class _Lines:
    """The lines of a text by their first word."""

    def __init__(self, data: bytes) -> None:
        self.text = _tidied(data)
        codes = np.frombuffer(self.text + b"\0\0\0", dtype=np.uint8)
        breaks = np.flatnonzero(codes == ord("\n"))
        self._starts = np.concatenate(([0], breaks[:-1] + 1))
        self._ends = breaks + 1
        self._codes = codes

    def numbers(self, keyword: bytes) -> _Ints:
        """Return which lines begin with ``keyword``, counted from 0."""
        found = np.ones(len(self._starts), dtype=np.bool_)
        for offset, code in enumerate(keyword):
            found &= self._codes[np.minimum(self._starts + offset, len(self._codes) - 1)] == code
        after = self._codes[np.minimum(self._starts + len(keyword), len(self._codes) - 1)]
        return np.flatnonzero(found & ((after == ord(" ")) | (after == ord("\t"))))

    def block(self, numbers: _Ints) -> bytes:
        """Return these lines as one text, without comments."""
        if not len(numbers):
            return b""
        gaps = np.flatnonzero(np.diff(numbers) != 1)
        firsts = self._starts[numbers[np.concatenate(([0], gaps + 1))]]
        lasts = self._ends[numbers[np.concatenate((gaps, [len(numbers) - 1]))]]
        text = b"".join([self.text[a:b] for a, b in zip(firsts.tolist(), lasts.tolist(), strict=True)])
        return _COMMENT.sub(b"", text) if b"#" in text else text

    def rests(self, keyword: bytes) -> tuple[_Ints, list[str]]:
        """Return the lines with ``keyword``, and what follows it on each."""
        numbers = self.numbers(keyword)
        spans = zip(self._starts[numbers].tolist(), self._ends[numbers].tolist(), strict=True)
        return numbers, [self.text[a + len(keyword) : b].decode("utf-8", "replace").strip() for a, b in spans]


def decode_obj(data: bytes, path: Path) -> MeshData:
    """Return the mesh in ``data``, the content of the OBJ file at ``path``; material files are read beside it.

    Raises:
        MeshError: If a face is garbled, or there are no faces.
    """
    lines = _Lines(data)
    tables = {keyword: _table(lines, keyword) for keyword in (b"v", b"vt", b"vn")}
    face_lines = lines.numbers(b"f")
    faces = _faces(lines, face_lines, path.name)
    notes: list[str] = []
    known = _materials(lines, path, notes)
    use_lines, use_names = lines.rests(b"usemtl")
    names = [name for name in dict.fromkeys(use_names) if name in known]
    places = {name: place for place, name in enumerate(names)}
    used = np.array([-1, *(places.get(name, -1) for name in use_names)], dtype=np.intp)
    face_material = used[np.searchsorted(use_lines, face_lines)]

    corners = polygon_triangles(faces.counts)
    positions, texture, normals = (faces.corners[:, column] for column in range(3))
    vertices = _columns(tables[b"v"], 3)
    part = Part(
        vertices,
        positions[corners],
        np.repeat(face_material, np.maximum(faces.counts - 2, 0)),
        uv=_corner_table(tables[b"vt"], texture[corners], 2),
        normals=_corner_table(tables[b"vn"], normals[corners], 3),
        colors=_vertex_colors(tables[b"v"], positions[corners]),
    )
    return join(path.name, [part], [known[name] for name in names], notes)


def _tidied(data: bytes) -> bytes:
    """Return the text with continued lines joined, no space before the first word, and a last line break."""
    text = data.removeprefix(b"\xef\xbb\xbf") + b"\n"
    if b"\\" in text:
        text = text.replace(b"\\\r\n", b"  ").replace(b"\\\n", b"  ")
    if b"\r" in text and text.count(b"\n") < 2:
        text = text.replace(b"\r", b"\n")
    if b"\n " in text or b"\n\t" in text or text[:1] in b" \t":
        text = _LEADING_SPACE.sub(b"", text)
    return text


def _words_per_line(text: bytes) -> _Ints:
    codes = np.frombuffer(text, dtype=np.uint8)
    ends = word_ends(codes <= ord(" "))
    breaks = np.flatnonzero(codes == ord("\n"))
    return np.diff(np.searchsorted(ends, breaks, side="right"), prepend=0)


def _table(lines: _Lines, keyword: bytes) -> _Floats:
    """Return the numbers of all lines with ``keyword``, shape (N, widest line); nan where a line is shorter."""
    text = lines.block(lines.numbers(keyword)).replace(keyword, b" " * len(keyword))
    if not text:
        return np.zeros((0, 0))
    counts = _words_per_line(text)
    values = parse_floats(text)
    width = min(int(counts.max()), 8)
    if (counts == width).all():
        return values.reshape(-1, width)
    result = np.full((len(counts), width), np.nan)
    starts = np.cumsum(counts) - counts
    for column in range(width):
        there = counts > column
        result[there, column] = values[starts[there] + column]
    return result


def _columns(table: _Floats, width: int) -> _Floats:
    """Return the first ``width`` columns, with nan for those that are missing."""
    missing = max(width - table.shape[1], 0)
    return np.pad(table[:, :width], ((0, 0), (0, missing)), constant_values=np.nan) if missing else table[:, :width]


def _corner_table(table: _Floats, index: _Ints, width: int) -> NDArray[np.float32] | None:
    if not len(table) or not (index >= 0).any():
        return None
    return corner_values(_columns(table, width), index, (0.0,) * width)


def _vertex_colors(table: _Floats, index: _Ints) -> NDArray[np.float32] | None:
    """Return the colours that stand after the coordinates, where there are any."""
    if table.shape[1] < 6:
        return None
    colors = np.ones((len(table), 4))
    given = ~np.isnan(table[:, 3:6]).any(axis=1)
    colors[given, :3] = table[given, 3:6]
    if (colors > 1.0).any():
        colors[given, :3] /= 255.0
    return corner_values(colors, index, (1.0,) * 4)


def _faces(lines: _Lines, face_lines: _Ints, name: str) -> _Faces:
    text = lines.block(face_lines).replace(b"//", b"/0/")
    if not text:
        return _Faces(np.zeros(0, dtype=np.intp), np.zeros((0, 3), dtype=np.intp))
    codes = np.frombuffer(text, dtype=np.uint8)
    apart = (codes <= ord(" ")) | (codes == ord("/")) | (codes == ord("f"))
    starts = np.flatnonzero(~apart[1:] & apart[:-1]) + 1
    try:
        values = parse_integers(text.translate(_FACE_WORDS))
    except ValueError as error:
        raise MeshError(f"{name} has a face with an index that is no whole number") from error
    opens_corner = codes[starts - 1] != ord("/")
    if len(values) != len(starts) or not opens_corner[:1].all():
        raise MeshError(f"{name} has a garbled face")
    first = np.flatnonzero(opens_corner)
    corner = np.cumsum(opens_corner) - 1
    slot = np.arange(len(values)) - first[corner]
    if slot.max() > 2:
        raise MeshError(f"{name} has a face with more than three indices to a corner")
    corners = np.zeros((len(first), 3), dtype=np.intp)
    corners[corner, slot] = values
    breaks = np.flatnonzero(codes == ord("\n"))
    counts = np.diff(np.searchsorted(starts[first], breaks), prepend=0)
    if (corners < 0).any():
        _resolve_negative(corners, counts, lines, face_lines)
    return _Faces(counts, corners - 1)


def _resolve_negative(corners: _Ints, counts: _Ints, lines: _Lines, face_lines: _Ints) -> None:
    """Turn indices that count back from the face's line into ones that count from the top, in place."""
    line = np.repeat(face_lines, counts)
    for column, keyword in enumerate((b"v", b"vt", b"vn")):
        index = corners[:, column]
        behind = np.searchsorted(lines.numbers(keyword), line)
        negative = index < 0
        index[negative] += behind[negative] + 1
        index[negative] = np.maximum(index[negative], 0)


def _materials(lines: _Lines, path: Path, notes: list[str]) -> dict[str, SurfaceMaterial]:
    result: dict[str, SurfaceMaterial] = {}
    for name in list(dict.fromkeys(_material_files(lines, path)))[:_MAX_MTL_FILES]:
        file = _sibling(path, name)
        if file is None:
            notes.append(f"{path.name}: the material file {name} was not found")
            continue
        with file.open("rb") as stream:
            materials, remarks = decode_mtl(stream.read(_MAX_MTL_BYTES), file)
        result = {**materials, **result}
        notes.extend(remarks)
    return result


def _material_files(lines: _Lines, path: Path) -> Iterator[str]:
    """Yield the names after ``mtllib``: either one file whose name may hold spaces, or several files."""
    for rest in lines.rests(b"mtllib")[1]:
        words = rest.split()
        several = all(word.lower().endswith(".mtl") for word in words) and not _sibling(path, rest)
        yield from words if several else [rest]


def _sibling(path: Path, name: str) -> Path | None:
    text = name.strip('"').replace("\\", "/")
    if text.startswith("//"):  # a network share
        return None
    return next((file for file in (path.parent / text, path.parent / Path(text).name) if is_file(file)), None)
