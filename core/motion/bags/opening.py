# SPDX-License-Identifier: GPL-3.0-or-later
"""From a path to the open files of a bag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ..errors import MotionError
from ..yaml_nodes import parse_yaml_documents
from .bag import Bag
from .mcap_bag import McapBag
from .ros1_bag import Ros1Bag
from .sqlite_bag import SqliteBag

SUFFIXES = (".mcap", ".db3", ".bag")
_METADATA = "metadata.yaml"
_INFORMATION = "rosbag2_bagfile_information"
_MAX_METADATA = 8 << 20
_MAX_FILES = 10_000


def is_bag(path: Path) -> bool:
    """Whether a path is one of a bag: its file, its folder, or the ``metadata.yaml`` in there."""
    if path.suffix.lower() in SUFFIXES:
        return True
    return path.is_dir() or path.name == _METADATA


@contextmanager
def opened(path: Path) -> Iterator[list[Bag]]:
    """Give the files of a bag, opened one after the other, and close them.

    Raises:
        MotionError: If one cannot be opened, or the bag's metadata name no files of its own folder.
    """
    bags: list[Bag] = []
    try:
        for file, compression in _files(path):
            bags.append(_open(file, compression))
        yield bags
    finally:
        for bag in bags:
            bag.close()


def _open(path: Path, compression: str) -> Bag:
    suffix = path.suffix.lower()
    if not path.is_file():
        raise MotionError("there is no such file", file=str(path))
    if suffix == ".mcap":
        return McapBag(path)
    if suffix == ".db3":
        return SqliteBag(path, compression)
    if suffix == ".bag":
        return Ros1Bag(path)
    if suffix == ".zstd":
        raise MotionError(f"a compressed file: run 'zstd -d {path.name}', and choose what it makes", file=str(path))
    raise MotionError("not a file of a bag", file=str(path))


def _files(path: Path) -> list[tuple[Path, str]]:
    """Return the files of a bag, and what their messages are compressed by."""
    folder = path if path.is_dir() else path.parent
    metadata = folder / _METADATA
    if path.suffix.lower() in SUFFIXES and not path.is_dir():
        compression = ""
        if path.suffix.lower() == ".db3" and metadata.is_file():
            compression = _compression(_information(metadata))
        return [(path, compression)]
    if not metadata.is_file():
        raise MotionError(f"a folder is a bag where it has a {_METADATA}", file=str(path))
    information = _information(metadata)
    names = information.get("relative_file_paths")
    if not isinstance(names, list) or not names or len(names) > _MAX_FILES:
        raise MotionError("relative_file_paths is no list of files", file=str(metadata))
    compression = _compression(information)
    return [(_inside(folder, str(name), metadata), compression) for name in names]


def _information(metadata: Path) -> Mapping[object, object]:
    name = str(metadata)
    try:
        if metadata.stat().st_size > _MAX_METADATA:
            raise MotionError(f"larger than {_MAX_METADATA >> 20} MiB", file=name)
        text = metadata.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MotionError(f"cannot be read: {error}", file=name) from None
    documents = parse_yaml_documents(text, file=name)
    information = documents[0].get(_INFORMATION) if documents and isinstance(documents[0], dict) else None
    if not isinstance(information, dict):
        raise MotionError(f"not a bag's metadata: it lacks {_INFORMATION}", file=name)
    return information


def _compression(information: Mapping[object, object]) -> str:
    if str(information.get("compression_mode") or "").upper() != "MESSAGE":
        return ""
    return str(information.get("compression_format") or "")


def _inside(folder: Path, name: str, metadata: Path) -> Path:
    """Return a file that the metadata name; older ones give it with the bag's folder."""
    for candidate in (name, Path(name).name):
        file = folder / candidate
        if file.resolve().is_relative_to(folder.resolve()) and file.is_file():
            return file
    raise MotionError(f"{name[:80]!r} is not a file in the bag's folder", file=str(metadata))
