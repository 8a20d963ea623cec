# SPDX-License-Identifier: GPL-3.0-or-later
"""Bags of ROS 1, format 2.0.

Source: the ROS wiki, *Bags/Format/2.0*: records of a header with named fields, and data. Messages and the connections
that they came by are inside chunks; an index behind these says which connections each chunk has. A library would do,
but the one there is cannot be imported without a binary package.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

from ...diagnostics import Diagnostic
from ..errors import MotionError
from .bag import Message, cut_short, is_motion
from .compression import MAX_PART, Budget
from .topics import Topic, plain_type

_MAGIC = b"#ROSBAG V2.0\n"
_MESSAGE, _BAG, _CHUNK, _CHUNK_INFO, _CONNECTION = 2, 3, 5, 6, 7
_MAX_HEADER = 1 << 20
_DAMAGED = "damaged: a record is not whole"


class _Record(NamedTuple):
    """A record's kind, its fields, and its data, which begin and end there."""

    kind: int
    fields: dict[bytes, bytes]
    start: int
    end: int


class Ros1Bag:
    """An open ``.bag`` file.

    Args:
        path: The file.

    Raises:
        MotionError: If it cannot be opened or is none; from the methods, if it is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.remarks: list[Diagnostic] = []
        self._file = str(path)
        self._connections: dict[int, Topic] = {}
        self._counts: dict[int, int] = {}
        self._chunks: dict[int, set[int]] | None = None
        try:
            self._raw = path.open("rb")
            self._size = path.stat().st_size
            self._budget = Budget(self._file, self._size)
        except OSError as error:
            raise MotionError(f"cannot be read: {error.strerror}", file=self._file) from None
        try:
            if self._raw.read(len(_MAGIC)) != _MAGIC:
                raise MotionError("not a bag of ROS 1 in format 2.0", file=self._file)
            self._read_index()
            if self._chunks is None:
                for key, _, _ in self._walked(None):
                    self._counts[key] = self._counts.get(key, 0) + 1
        except MotionError:
            self._raw.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._raw.close()

    def topics(self) -> Sequence[Topic]:
        """Return the topics that motions can be read from; one that several nodes publish is one."""
        counts: dict[tuple[str, str], int] = {}
        for key, topic in self._connections.items():
            if is_motion(topic.type):
                place = topic.name, topic.type
                counts[place] = counts.get(place, 0) + self._counts.get(key, 0)
        return [Topic(*place, count) for place, count in counts.items()]

    def messages(self, topics: Collection[str]) -> Iterator[Message]:
        """Yield the messages of some topics, in the order of the file."""
        wanted = {key: topic.name for key, topic in self._connections.items() if topic.name in topics}
        for key, time, data in self._walked(wanted):
            if key in wanted:
                yield Message(wanted[key], time, False, data)

    def _read_index(self) -> None:
        """Read what stands behind the chunks; without it, as after a crash, the whole file is gone through."""
        head = next(self._records(len(_MAGIC), self._size), None)
        if head is None or head.kind != _BAG:
            raise MotionError("damaged: it does not begin with a bag's header", file=self._file)
        place = self._number(head.fields, b"index_pos", "<Q")
        if not 0 < place < self._size:
            return
        chunks: dict[int, set[int]] = {}
        for record in self._records(place, self._size):
            if record.kind == _CONNECTION:
                self._connect(record.fields, self._data(record))
            elif record.kind == _CHUNK_INFO:
                data = self._data(record)
                pairs = [pair for pair in struct.iter_unpack("<II", data[: len(data) // 8 * 8])]
                for key, count in pairs:
                    self._counts[key] = self._counts.get(key, 0) + count
                chunks[self._number(record.fields, b"chunk_pos", "<Q")] = {key for key, _ in pairs}
        self._chunks = chunks

    def _walked(self, wanted: Collection[int] | None) -> Iterator[tuple[int, int, bytes]]:
        """Yield connection, time [ns] and bytes of messages, from all chunks that have some of ``wanted``."""
        if self._chunks is None or wanted is None:
            for record in self._records(len(_MAGIC), self._size):
                yield from self._inside(record)
            return
        for place in sorted(place for place, keys in self._chunks.items() if not keys.isdisjoint(wanted)):
            chunk = next(self._records(place, self._size), None)
            if chunk is None or chunk.kind != _CHUNK:
                raise MotionError("damaged: its index names a chunk that is none", file=self._file)
            yield from self._inside(chunk)

    def _inside(self, record: _Record) -> Iterator[tuple[int, int, bytes]]:
        if record.kind == _CONNECTION:
            self._connect(record.fields, self._data(record))
        elif record.kind == _MESSAGE:
            yield self._message(record.fields, self._data(record))
        elif record.kind == _CHUNK:
            kind = record.fields.get(b"compression", b"none").decode("ascii", "replace")
            data = self._budget.decompressed(self._data(record), kind)
            for fields, part in self._split(data):
                if fields.get(b"op") == bytes([_CONNECTION]):
                    self._connect(fields, part)
                elif fields.get(b"op") == bytes([_MESSAGE]):
                    yield self._message(fields, part)

    def _split(self, data: bytes) -> Iterator[tuple[dict[bytes, bytes], bytes]]:
        place = 0
        while place < len(data):
            self._budget.count_record()
            head, place = self._prefixed(data, place)
            body, place = self._prefixed(data, place)
            yield self._fields(head), body

    def _prefixed(self, data: bytes, place: int) -> tuple[bytes, int]:
        if place + 4 > len(data):
            raise MotionError(_DAMAGED, file=self._file)
        end = place + 4 + int.from_bytes(data[place : place + 4], "little")
        if end > len(data):
            raise MotionError(_DAMAGED, file=self._file)
        return data[place + 4 : end], end

    def _fields(self, head: bytes) -> dict[bytes, bytes]:
        fields, place = {}, 0
        while place < len(head):
            field, place = self._prefixed(head, place)
            name, _, value = field.partition(b"=")
            fields[name] = value
        return fields

    def _number(self, fields: dict[bytes, bytes], name: bytes, form: str) -> int:
        try:
            found: tuple[int] = struct.unpack(form, fields.get(name, b""))
        except struct.error:
            raise MotionError(f"damaged: a record lacks its {name.decode()}", file=self._file) from None
        return found[0]

    def _connect(self, fields: dict[bytes, bytes], data: bytes) -> None:
        key = self._number(fields, b"conn", "<I")
        kind, name = self._fields(data).get(b"type", b""), fields.get(b"topic", b"")
        with suppress(UnicodeDecodeError):
            self._connections[key] = Topic(name.decode(), plain_type(kind.decode()))

    def _message(self, fields: dict[bytes, bytes], data: bytes) -> tuple[int, int, bytes]:
        time = self._number(fields, b"time", "<Q")
        nanoseconds = (time & 0xFFFFFFFF) * 1_000_000_000 + (time >> 32)
        return self._number(fields, b"conn", "<I"), nanoseconds, data

    def _records(self, place: int, end: int) -> Iterator[_Record]:
        """Yield records from a place in the file on; data are read when they are asked for."""
        raw: IO[bytes] = self._raw
        while place < end:
            self._budget.count_record()
            raw.seek(place)
            size = int.from_bytes(raw.read(4), "little")
            if size > _MAX_HEADER:
                raise MotionError("damaged: a record's header is too large", file=self._file)
            head, length = raw.read(size), raw.read(4)
            start = place + 8 + size
            place = start + int.from_bytes(length, "little")
            if len(length) < 4 or place > end:
                self.remarks = [cut_short(self._file)]
                return
            fields = self._fields(head)
            yield _Record((fields.get(b"op") or b"\0")[0], fields, start, place)

    def _data(self, record: _Record) -> bytes:
        if record.end - record.start > MAX_PART:
            raise MotionError(f"a part is larger than {MAX_PART >> 20} MiB", file=self._file)
        self._raw.seek(record.start)
        return self._raw.read(record.end - record.start)
