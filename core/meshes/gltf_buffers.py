# SPDX-License-Identifier: GPL-3.0-or-later
"""The binary side of glTF: containers, buffers and accessors, as numpy arrays."""

from __future__ import annotations

import base64
import binascii
import json
import struct
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes

import numpy as np
from numpy.typing import NDArray

from ..errors import MeshError
from .images import is_file

Json = dict[str, Any]

_COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
_JSON_CHUNK, _BINARY_CHUNK = 0x4E4F534A, 0x004E4942
_MAX_NUMBERS = 1 << 28
_MAX_BYTES = 1 << 30


class GltfFile:
    """A glTF document with its buffers. Garbled documents raise the errors of dict, list and numpy."""

    def __init__(self, data: bytes, path: Path) -> None:
        self.path = path
        text, self._binary = _chunks(data, path.name) if data[:4] == b"glTF" else (data, b"")
        document = json.loads(text)
        if not isinstance(document, dict):
            raise MeshError(f"{path.name} is no glTF document")
        self.document: Json = document
        self._buffers: dict[int, bytes] = {}
        self._accessors: dict[int, NDArray[Any]] = {}
        self._numbers = 0
        self._loaded = 0

    def items(self, kind: str) -> list[Json]:
        """Return the document's list of that kind, such as ``nodes``; empty if there is none."""
        found = self.document.get(kind, [])
        return found if isinstance(found, list) else []

    def accessor(self, index: int) -> NDArray[Any]:
        """Return the values of an accessor, shape (count, components); normalised integers as floats."""
        if index not in self._accessors:
            self._accessors[index] = self._read_accessor(self.document["accessors"][index])
            # Accessors may share bytes, so a small file can ask for a lot of memory.
            self._numbers += self._accessors[index].size
            if self._numbers > _MAX_NUMBERS:
                raise MeshError(f"{self.path.name} has accessors of more than {_MAX_NUMBERS} numbers")
        return self._accessors[index]

    def view(self, index: int) -> tuple[memoryview, int]:
        """Return the bytes of a buffer view, and its stride (0: tight)."""
        view = self.document["bufferViews"][index]
        start, length = view.get("byteOffset", 0), view["byteLength"]
        content = memoryview(self._buffer(view["buffer"]))
        if start < 0 or length < 0 or start + length > len(content):
            raise MeshError(f"{self.path.name} is cut short: a buffer ends before its view does")
        return content[start : start + length], view.get("byteStride", 0)

    def view_bytes(self, index: int) -> bytes:
        """Return a copy of the bytes of a buffer view."""
        content = self.view(index)[0]
        self._spend(len(content))
        return bytes(content)

    def uri_content(self, uri: str) -> bytes:
        """Return what a ``data:`` URI or the name of a file in the document's folder stands for."""
        if uri.startswith("data:"):
            return self._data_uri(uri)
        file = self.file(uri)
        if file is None:
            raise MeshError(f"{self.path.name} needs the file {uri[:200]}, which is not in its folder")
        self._spend(file.stat().st_size)
        return file.read_bytes()

    def file(self, uri: str) -> Path | None:
        """Return the file that a relative URI names, if it exists in the document's folder or below."""
        folder = self.path.parent
        for name in dict.fromkeys((unquote(uri), uri)):
            file = folder / name
            if is_file(file) and file.resolve().is_relative_to(folder.resolve()):
                return file
        return None

    def _spend(self, size: int) -> None:
        """Count bytes that are read or copied: names and views may repeat, so a small file can ask for many."""
        self._loaded += size
        if self._loaded > _MAX_BYTES:
            raise MeshError(f"{self.path.name} needs more than {_MAX_BYTES} bytes of buffers and images")

    def _data_uri(self, uri: str) -> bytes:
        head, comma, body = uri.partition(",")
        if not comma:
            raise MeshError(f"{self.path.name} has a data: URI that holds no data")
        if not head.endswith(";base64"):
            return unquote_to_bytes(body)
        try:
            return base64.b64decode(unquote(body))
        except binascii.Error as error:
            raise MeshError(f"{self.path.name} has a data: URI with garbled base64") from error

    def _buffer(self, index: int) -> bytes:
        if index not in self._buffers:
            uri = self.document["buffers"][index].get("uri")
            self._buffers[index] = self._binary if uri is None else self.uri_content(uri)
        return self._buffers[index]

    def _read_accessor(self, accessor: Json) -> NDArray[Any]:
        dtype = np.dtype(_COMPONENTS[accessor["componentType"]])
        count, width = accessor["count"], _WIDTHS[accessor["type"]]
        if not 0 <= count * width <= _MAX_NUMBERS:
            raise MeshError(f"{self.path.name} has an accessor of {count} items")
        if "bufferView" in accessor:
            values = self._values(accessor, dtype, count, width)
        else:
            values = np.zeros((count, width), dtype=dtype)
        if "sparse" in accessor:
            values = self._with_exceptions(values, accessor["sparse"])
        if accessor.get("normalized") and dtype.kind in "iu":
            values = np.clip(values.astype(np.float32) / np.float32(np.iinfo(dtype).max), -1.0, 1.0)
        return values

    def _values(self, holder: Json, dtype: np.dtype[Any], count: int, width: int) -> NDArray[Any]:
        content, stride = self.view(holder["bufferView"])
        strides = (stride or dtype.itemsize * width, dtype.itemsize)
        offset = holder.get("byteOffset", 0)
        if count and not 0 <= offset <= len(content) - strides[0] * (count - 1) - dtype.itemsize * width:
            raise MeshError(f"{self.path.name} is cut short: a buffer ends before its accessor does")
        return np.ndarray((count, width), dtype=dtype, buffer=content, offset=offset if count else 0, strides=strides)

    def _with_exceptions(self, values: NDArray[Any], sparse: Json) -> NDArray[Any]:
        count = sparse["count"]
        index_type = np.dtype(_COMPONENTS[sparse["indices"]["componentType"]])
        index = self._values(sparse["indices"], index_type, count, 1)[:, 0]
        values = values.copy()
        values[index] = self._values(sparse["values"], values.dtype, count, values.shape[1])
        return values


def _chunks(data: bytes, name: str) -> tuple[bytes, bytes]:
    """Return the JSON text and the binary chunk of a .glb file."""
    _, version, length = struct.unpack_from("<4sII", data)
    if version != 2:
        raise MeshError(f"{name} is glTF version {version}; convert it to glTF 2.0")
    if length > len(data):
        raise MeshError(f"{name} is cut short: it should have {length} bytes and has {len(data)}")
    found: dict[int, bytes] = {}
    position = 12
    while position + 8 <= length:
        size, kind = struct.unpack_from("<II", data, position)
        found.setdefault(kind, data[position + 8 : position + 8 + size])
        position += 8 + size
    if _JSON_CHUNK not in found:
        raise MeshError(f"{name} has no JSON chunk")
    return found[_JSON_CHUNK], found.get(_BINARY_CHUNK, b"")
