# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the texture is that a mesh file names. Nothing is read here, and nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from .data import Image

IMAGE_SUFFIXES = frozenset(
    ".bmp .dds .exr .gif .hdr .jp2 .jpeg .jpg .png .ppm .sgi .tga .tif .tiff .webp".split()  # noqa: SIM905
)
_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]+):/*")
_DRIVE = re.compile(r"^/?([A-Za-z]:/)")


def find_image(reference: str, mesh_path: Path) -> Image | None:
    """Return the image that ``reference`` in the file at ``mesh_path`` means, or None if there is no such file.

    Relative and absolute paths, ``file:`` and ``package:`` URLs, backslashes and percent escapes are understood.
    Exporters often write paths of their own machine, so a file of that name beside the mesh is taken at last.
    """
    for candidate in _candidates(reference.strip().replace("\\", "/"), mesh_path):
        if candidate.suffix.lower() in IMAGE_SUFFIXES and is_file(candidate):
            return Image(candidate.name, path=candidate)
    return None


def is_file(path: Path) -> bool:
    """Return whether ``path`` is an existing plain file; a name that cannot be one is not."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _candidates(reference: str, mesh_path: Path) -> Iterator[Path]:
    folder = mesh_path.parent
    for text in dict.fromkeys((reference, unquote(reference))):
        scheme = _SCHEME.match(text)
        if scheme is None or len(scheme[1]) == 1:
            yield from _paths(text, folder)
        elif scheme[1].lower() == "file":
            # Exporters write file:///abs, file://rel, and file:rel.
            yield from _paths(text[len("file:") :].replace("//", "", 1), folder)
        elif scheme[1].lower() in ("package", "model"):
            package, _, rest = text[scheme.end() :].partition("/")
            yield from (parent / rest for parent in mesh_path.parents if parent.name == package and rest)
    name = reference.rpartition("/")[2]
    yield from (folder / text for text in dict.fromkeys((name, unquote(name))) if text)


def _paths(text: str, folder: Path) -> Iterator[Path]:
    """Yield ``text`` as a path; none for a network share, which must not be touched."""
    drive = _DRIVE.match(text)
    if drive:
        yield Path(text[drive.start(1) :])
    elif text and not text.startswith("//"):
        yield folder / text
