# SPDX-License-Identifier: GPL-3.0-or-later
"""MCAP files, by the library ``mcap``. Without an index, as after a crash, they are read from their beginning."""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from ...diagnostics import Diagnostic
from ..errors import MotionError
from .bag import Message, cut_short, is_motion
from .compression import MAX_PART, Budget
from .topics import Topic, plain_type

_CDR = {"cdr": True, "ros1": False}
_MAX_CHANNELS = 65536
_HEAD = struct.Struct("<BQ")
_MESSAGE = struct.Struct("<HIQQ")


class McapBag:
    """An open MCAP file.

    Args:
        path: The file.

    Raises:
        MotionError: If it cannot be opened or is none; from the methods, if it is damaged.
    """

    def __init__(self, path: Path) -> None:
        try:
            from mcap.reader import SeekingReader
        except ImportError:
            text = "needs the Python package mcap, which is not installed: 'pip install mcap --no-deps'"
            raise MotionError(text, file=str(path)) from None
        self.remarks: list[Diagnostic] = []
        self._file = str(path)
        try:
            self._raw = path.open("rb")
            self._budget = Budget(self._file, path.stat().st_size)
        except OSError as error:
            raise MotionError(f"cannot be read: {error.strerror}", file=self._file) from None
        self._stream = _Bounded(self._raw)
        self._schemas: dict[int, str] = {}
        self._channels: dict[int, tuple[Topic, bool]] = {}
        self._counts: dict[int, int] = {}
        try:
            self._summary = None
            with suppress(MotionError), self._damage_is_said():  # a file that was cut has no index
                self._summary = SeekingReader(self._stream, record_size_limit=MAX_PART).get_summary()
            self._read_topics()
        except MotionError:
            self._raw.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._raw.close()

    def topics(self) -> Sequence[Topic]:
        """Return the topics that motions can be read from."""
        return [replace(topic, count=self._counts.get(key, 0)) for key, (topic, _) in self._channels.items()]

    def messages(self, topics: Collection[str]) -> Iterator[Message]:
        """Yield the messages of some topics, in the order of the file."""
        wanted = {key: (topic.name, cdr) for key, (topic, cdr) in self._channels.items() if topic.name in topics}
        for record in self._records(wanted):
            if type(record).__name__ == "Message" and record.channel_id in wanted:
                name, cdr = wanted[record.channel_id]
                yield Message(name, record.log_time, cdr, record.data)

    def _read_topics(self) -> None:
        summary = self._summary
        # a message may stand outside of all chunks, or the index be left out
        if summary is None or not summary.channels or not summary.chunk_indexes:
            self._summary = None
            for record in self._records(None):
                self._note(record)
            return
        for record in (*summary.schemas.values(), *summary.channels.values()):
            self._note(record)
        if summary.statistics is not None:
            self._counts = dict(summary.statistics.channel_message_counts)

    def _note(self, record: Any) -> None:  # noqa: ANN401  # the library may be absent
        kind = type(record).__name__
        if kind == "Schema":
            self._schemas[record.id] = plain_type(record.name)
        elif kind == "Channel" and len(self._channels) < _MAX_CHANNELS:
            name = self._schemas.get(record.schema_id, "")
            cdr = _CDR.get(record.message_encoding)
            if cdr is not None and is_motion(name):
                self._channels[record.id] = Topic(record.topic, name), cdr
        elif kind == "Message":
            self._counts[record.channel_id] = self._counts.get(record.channel_id, 0) + 1

    def _records(self, channels: Collection[int] | None) -> Iterator[Any]:
        """Yield the records of the chunks that have messages of some channels, or of the whole file."""
        from mcap.records import Chunk
        from mcap.stream_reader import StreamReader

        def records(skip_magic: bool) -> Iterator[Any]:
            reader = StreamReader(self._stream, skip_magic, emit_chunks=True, record_size_limit=MAX_PART)
            for record in reader.records:
                self._budget.count_record()
                if not isinstance(record, Chunk):
                    yield record
                    continue
                yield from self._split(self._budget.decompressed(record.data, record.compression))
                if skip_magic:
                    return

        if self._summary is None or channels is None:
            self._stream.seek(0)
            with self._damage_is_said(cut=True):
                yield from records(False)
            return
        for offset in sorted(self._places(channels)):
            with self._damage_is_said():
                self._stream.seek(offset)
                yield from records(True)

    def _split(self, data: bytes) -> Iterator[Any]:
        """Yield what is in a chunk; the library would make all records before one could be counted."""
        from mcap.data_stream import ReadDataStream
        from mcap.exceptions import EndOfFile
        from mcap.opcode import Opcode
        from mcap.records import Channel, Message, Schema

        place = 0
        while place < len(data):
            opcode, length = _HEAD.unpack_from(data, place)
            start = place + _HEAD.size
            place = start + length
            if place > len(data):
                raise EndOfFile
            self._budget.count_record()
            if opcode == Opcode.MESSAGE:
                channel, sequence, logged, published = _MESSAGE.unpack_from(data, start)
                yield Message(channel, logged, data[start + _MESSAGE.size : place], published, sequence)
            elif opcode in (Opcode.CHANNEL, Opcode.SCHEMA):
                stream = ReadDataStream(BytesIO(data[start:place]))
                yield Channel.read(stream) if opcode == Opcode.CHANNEL else Schema.read(stream)

    def _places(self, channels: Collection[int]) -> set[int]:
        indexes = self._summary.chunk_indexes if self._summary is not None else []
        return {
            item.chunk_start_offset
            for item in indexes
            if not item.message_index_offsets or not item.message_index_offsets.keys().isdisjoint(channels)
        }

    @contextmanager
    def _damage_is_said(self, cut: bool = False) -> Iterator[None]:
        """Turn what the library raises into a project's error, or into a remark where only the end is missing."""
        from mcap.exceptions import EndOfFile, InvalidMagic, McapError

        try:
            yield
        except InvalidMagic:
            if self._stream.tell() > 8 and cut:
                self._note_cut()
                return
            raise MotionError("not an MCAP file", file=self._file) from None
        except EndOfFile:
            if not cut:
                raise MotionError("damaged: a part is missing", file=self._file) from None
            self._note_cut()
        except (McapError, struct.error, ValueError, OverflowError, MemoryError, KeyError, OSError, StopIteration) as e:
            raise MotionError(f"damaged: {str(e)[:80] or type(e).__name__}", file=self._file) from None

    def _note_cut(self) -> None:
        remark = cut_short(self._file)
        if remark not in self.remarks:
            self.remarks.append(remark)


class _Bounded:
    """A file that gives as much as it is asked for or raises, and is never asked for more than a part of a bag."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw

    def read(self, count: int) -> bytes:
        from mcap.exceptions import EndOfFile

        if count > MAX_PART:
            raise ValueError(f"a part of {count} bytes")
        data = self._raw.read(count)
        if len(data) < count:
            raise EndOfFile
        return data

    def seek(self, place: int, whence: int = 0) -> int:
        return self._raw.seek(place, whence)

    def tell(self) -> int:
        return self._raw.tell()

    def seekable(self) -> bool:
        return True
