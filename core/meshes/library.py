# SPDX-License-Identifier: GPL-3.0-or-later
"""The way in: a path becomes a mesh, or one MeshError that says why not."""

from __future__ import annotations

import os
import struct
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ..errors import MeshError
from .collada import decode_collada
from .data import MeshData
from .gltf import decode_gltf
from .obj import decode_obj
from .ply import decode_ply
from .stl import decode_stl

MAX_FILE_BYTES = 1 << 29
_MAX_TEXT_BYTES = 1 << 28  # text takes many times its size in memory

# What decoders meet in garbled files. MeshErrors pass; anything else is a bug and surfaces.
_FAULTS = (
    struct.error, LookupError, ValueError, TypeError, AttributeError, OverflowError, ZeroDivisionError,
    RecursionError, EOFError, ET.ParseError, zlib.error,
)  # fmt: skip

_ADVICE = "convert it to .glb, .obj, .stl or .dae"
_UNREAD = {
    **dict.fromkeys((".step", ".stp", ".iges", ".igs", ".brep", ".sldprt", ".sldasm", ".f3d"), "CAD"),
    **dict.fromkeys((".usd", ".usda", ".usdc", ".usdz"), "USD"),
    **dict.fromkeys((".wrl", ".wrz", ".vrml", ".x3d"), "VRML/X3D"),
    ".blend": "Blender", ".fbx": "FBX", ".3ds": "3D Studio", ".max": "3ds Max", ".ma": "Maya", ".mb": "Maya",
    ".off": "OFF", ".3mf": "3MF", ".skp": "SketchUp", ".c4d": "Cinema 4D", ".mesh": "Ogre", ".zae": "zipped COLLADA",
    ".iv": "Open Inventor", ".x": "DirectX", ".msh": "MuJoCo",
}  # fmt: skip

_Decoder = Callable[[bytes, Path], MeshData]


def decode(path: Path | str, *, dae_up_axis: str = "ignore", gltf_up_axis: str = "ignore") -> MeshData:
    """Return the mesh in the file at ``path``, by its extension, whatever its case.

    Args:
        path: An .stl, .obj, .dae, .glb, .gltf or .ply file. Another extension is no matter if the content shows
            which of these it is.
        dae_up_axis: ``ignore`` or ``obey`` the up axis that a COLLADA file states.
        gltf_up_axis: ``ignore`` or ``obey`` that +Y is up in glTF.

    Raises:
        MeshError: If the file cannot be read or decoded, or holds no triangles.
    """
    path = Path(path)
    decoders: dict[str, _Decoder] = {
        ".stl": decode_stl,
        ".obj": decode_obj,
        ".ply": decode_ply,
        ".dae": lambda data, file: decode_collada(data, file, up_axis=dae_up_axis),
        ".glb": lambda data, file: decode_gltf(data, file, up_axis=gltf_up_axis),
    }
    try:
        data = _content(path)
        with np.errstate(all="ignore"):  # numbers that overflow or are none get their remark at the end
            return decoders[_kind(data, path)](data, path)
    except OSError as error:
        raise MeshError(f"{path.name} cannot be read: {error.strerror or error}") from error
    except MemoryError as error:
        raise MeshError(f"{path.name} does not fit into memory") from error
    except _FAULTS as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200].rstrip(": ")
        raise MeshError(
            f"{path.name} is garbled, or cut short: its content is not as its format says ({reason})"
        ) from error


def _content(path: Path) -> bytes:
    size = path.stat().st_size
    most = _MAX_TEXT_BYTES if path.suffix.lower() in (".dae", ".obj") else MAX_FILE_BYTES
    if size > most:
        raise MeshError(f"{path.name} has {size} bytes; more than {most} are not read")
    if not path.is_file():
        raise MeshError(f"{path.name} is no file")
    return path.read_bytes()


def _kind(data: bytes, path: Path) -> str:
    """Return the extension of the format; what the content shows for certain goes before the file's own."""
    suffix = path.suffix.lower()
    if not data:
        raise MeshError(f"{path.name} is empty")
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n")
    if data.startswith(b"version https://git-lfs"):
        raise MeshError(f"{path.name} is a Git LFS pointer and not the mesh itself; run git lfs pull")
    if head.startswith(b"glTF") or (suffix == ".gltf" and head.startswith(b"{")):
        return ".glb"
    if b"<COLLADA" in head:
        return ".dae"
    if head.startswith((b"ply\n", b"ply\r")):
        return ".ply"
    if head[:5].lower() == b"solid" and b"facet" in head.lower():
        return ".stl"
    if suffix in (".stl", ".obj", ".ply", ".dae"):
        return _obj_in_disguise(data, head) or suffix
    if suffix in (".glb", ".gltf"):
        return ".glb"
    if suffix in _UNREAD:
        raise MeshError(f"{path.name} is a {_UNREAD[suffix]} file, which is not read here; {_ADVICE}")
    raise MeshError(f"{path.name} has an unknown format {suffix or '(no extension)'}; {_ADVICE}")


def _obj_in_disguise(data: bytes, head: bytes) -> str:
    """Return ``.obj`` if the text can be nothing else, whatever the extension says."""
    plain = b"\0" not in data[:4096] and not head.startswith((b"solid", b"<"))
    return ".obj" if plain and b"\nv " in data[:65536] and b"\nf " in data else ""


class MeshLibrary:
    """Meshes by file, each read once. What failed once fails again in the same words without being read.

    Attributes:
        file_reads: How often each file was read, by resolved path.
    """

    def __init__(self, *, dae_up_axis: str = "ignore", gltf_up_axis: str = "ignore") -> None:
        self.file_reads: dict[str, int] = {}
        self._dae_up_axis = dae_up_axis
        self._gltf_up_axis = gltf_up_axis
        self._found: dict[Path, MeshData | str] = {}  # an error's text; an error would hold on to the file's bytes

    def get(self, path: Path | str) -> MeshData:
        """Return the mesh in the file at ``path``.

        Raises:
            MeshError: As ``decode`` does.
        """
        file = Path(os.path.realpath(path))  # unlike resolve(), no error for a loop of links
        if file not in self._found:
            self.file_reads[str(file)] = self.file_reads.get(str(file), 0) + 1
            try:
                self._found[file] = decode(file, dae_up_axis=self._dae_up_axis, gltf_up_axis=self._gltf_up_axis)
            except MeshError as error:
                self._found[file] = str(error)
        found = self._found[file]
        if isinstance(found, str):
            raise MeshError(found)
        return found
