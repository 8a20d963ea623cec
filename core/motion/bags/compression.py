# SPDX-License-Identifier: GPL-3.0-or-later
"""Compressed parts of bags, never larger than a bag's part may be.

bzip2 is in every Python. Zstandard is in Python from 3.14 on and in Blender as ``zstandard``; LZ4 is in neither.
"""

from __future__ import annotations

import bz2
import importlib
import importlib.util
from collections.abc import Iterable
from typing import Any

from ..errors import MotionError

MAX_PART = 256 << 20
"""Bytes that a part of a bag may have."""
_MAX_RATIO = 100
_ALLOWED = 16 << 30
_MAX_RECORDS = 50_000_000
_LIBRARIES = {
    "zstd": (("compression.zstd", "zstandard", "backports.zstd"), "zstandard"),
    "lz4": (("lz4.frame",), "lz4"),
}
_BAD = "a compressed part is damaged"


class Budget:
    """How much of a bag may be unpacked, so that a small file cannot keep one busy for hours.

    Args:
        file: The bag, for messages.
        size: Its size in bytes.
    """

    def __init__(self, file: str, size: int) -> None:
        self._file = file
        self._bytes = _ALLOWED + _MAX_RATIO * size
        self._records = _MAX_RECORDS

    def decompressed(self, data: bytes, kind: str) -> bytes:
        """Return a part as it was before, as the function of that name.

        Raises:
            MotionError: As there, or if all parts together are out of proportion.
        """
        found = decompressed(data, kind, self._file)
        self._bytes -= len(found)
        if self._bytes < 0:
            raise MotionError("its compressed parts are out of proportion to its size", file=self._file)
        return found

    def count_record(self) -> None:
        """Count one record.

        Raises:
            MotionError: If there were too many.
        """
        self._records -= 1
        if self._records < 0:
            raise MotionError(f"more than {_MAX_RECORDS} records", file=self._file)


def decompressed(data: bytes, kind: str, file: str) -> bytes:
    """Return a part as it was before.

    Args:
        data: The compressed part.
        kind: ``none`` or empty, ``bz2``, ``lz4`` or ``zstd``.
        file: The bag, for messages.

    Raises:
        MotionError: If it is damaged, larger than a part may be, or needs a library that is not there.
    """
    if kind in ("", "none"):
        return data
    if kind == "bz2":
        return _whole(bz2.BZ2Decompressor(), data, (OSError, EOFError), file)
    if kind not in _LIBRARIES:
        raise MotionError(f"compressed by {kind[:20]!r}, which no bag should be", file=file)
    library = _library(kind)
    if library is None:
        package = _LIBRARIES[kind][1]
        raise MotionError(
            f"compressed by {kind}, for which this Python has no library: 'pip install {package}' into it, or "
            "write the bag again without compression ('ros2 bag convert', 'mcap compress --compression none', "
            "'rosbag decompress')",
            file=file,
        )
    if kind == "lz4":
        return _whole(library.LZ4FrameDecompressor(), data, (RuntimeError, EOFError), file)
    if hasattr(library, "ZstdDecompressor") and hasattr(library, "DECOMPRESSION_RECOMMENDED_INPUT_SIZE"):
        return _by_zstandard(library, data, file)
    return _whole(library.ZstdDecompressor(), data, (library.ZstdError, EOFError), file)


def has_zstandard() -> bool:
    """Whether the library is there with which the ``mcap`` package compresses."""
    return importlib.util.find_spec("zstandard") is not None


def _library(kind: str) -> Any:  # noqa: ANN401  # one of four, of which some have no types
    for name in _LIBRARIES[kind][0]:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


def _whole(
    decompressor: Any,  # noqa: ANN401
    data: bytes,
    errors: tuple[Any, ...],
    file: str,
) -> bytes:
    faults: tuple[type[Exception], ...] = (*errors, ValueError, MemoryError)
    try:
        found: bytes = decompressor.decompress(data, max_length=MAX_PART + 1)
    except faults:
        raise MotionError(_BAD, file=file) from None
    return _checked([found], decompressor.eof, file)


def _by_zstandard(library: Any, data: bytes, file: str) -> bytes:  # noqa: ANN401
    faults: tuple[type[Exception], ...] = (library.ZstdError, ValueError, MemoryError)
    # its decompress() would believe the size that the data claim
    try:
        reader = library.ZstdDecompressor().stream_reader(data)
        found: list[bytes] = []
        while len(found) <= MAX_PART >> 20 and (part := reader.read(1 << 20)):
            found.append(part)
    except faults:
        raise MotionError(_BAD, file=file) from None
    return _checked(found, True, file)


def _checked(parts: Iterable[bytes], ended: bool, file: str) -> bytes:
    found = b"".join(parts)
    if len(found) > MAX_PART:
        raise MotionError(f"a compressed part is larger than {MAX_PART >> 20} MiB", file=file)
    if not ended:
        raise MotionError(_BAD, file=file)
    return found
