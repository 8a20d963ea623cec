# SPDX-License-Identifier: GPL-3.0-or-later
"""The SQLite files of ROS 2 bags, by the module of Python's own library."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ...diagnostics import Diagnostic
from ..errors import MotionError
from .bag import Message, is_motion
from .compression import MAX_PART, Budget
from .topics import Topic, plain_type


class SqliteBag:
    """An open ``.db3`` file.

    Args:
        path: The file.
        compression: What each message is compressed by, as the bag's metadata say.

    Raises:
        MotionError: If it cannot be opened or is none; from the methods, if it is damaged.
    """

    def __init__(self, path: Path, compression: str = "") -> None:
        self.remarks: list[Diagnostic] = []
        self._file = str(path)
        self._compression = compression
        # a file that another process writes to has its newest messages in a second one; else nothing needs a lock
        written = path.with_name(path.name + "-wal").exists()
        address = path.absolute().as_uri() + "?mode=ro" + ("" if written else "&immutable=1")
        with self._damage_is_said():
            self._budget = Budget(self._file, path.stat().st_size)
            self._base = sqlite3.connect(address, uri=True)
        self._base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_PART)
        try:
            self._known = self._read_topics()
        except MotionError:
            self._base.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def topics(self) -> Sequence[Topic]:
        """Return the topics that motions can be read from."""
        return list(self._known.values())

    def messages(self, topics: Collection[str]) -> Iterator[Message]:
        """Yield the messages of some topics, in the order of the file."""
        wanted = {key: topic.name for key, topic in self._known.items() if topic.name in topics}
        marks = ", ".join("?" * len(wanted))
        query = f"SELECT topic_id, timestamp, data FROM messages WHERE topic_id IN ({marks})"
        with self._damage_is_said():
            for key, time, data in self._base.execute(query, list(wanted)):
                self._budget.count_record()
                if not isinstance(time, int) or not isinstance(data, bytes):
                    raise MotionError("a message is no bytes or has no time", file=self._file)
                yield Message(wanted[key], time, True, self._budget.decompressed(data, self._compression))

    def _read_topics(self) -> dict[int, Topic]:
        with self._damage_is_said():
            # a view or a generated column could compute without end
            tables = self._base.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
            plain = {str(name) for name, text in tables if "GENERATED" not in str(text).upper() and " AS (" not in text}
            if not {"topics", "messages"} <= plain:
                raise MotionError("no bag of ROS 2: it lacks the tables topics and messages", file=self._file)
            rows = self._base.execute("SELECT id, name, type, serialization_format FROM topics").fetchall()
            found = {key: Topic(str(name), plain_type(str(kind))) for key, name, kind, way in rows if str(way) == "cdr"}
            found = {key: topic for key, topic in found.items() if is_motion(topic.type)}
            counts: dict[int, int] = {}
            if found:
                marks = ", ".join("?" * len(found))
                query = f"SELECT topic_id, COUNT(*) FROM messages WHERE topic_id IN ({marks}) GROUP BY topic_id"
                counts = dict(self._base.execute(query, list(found)).fetchall())
        return {key: Topic(topic.name, topic.type, counts.get(key, 0)) for key, topic in found.items()}

    @contextmanager
    def _damage_is_said(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, sqlite3.Warning, OSError, ValueError, OverflowError, MemoryError, TypeError) as error:
            raise MotionError(f"no readable SQLite file: {str(error)[:80]}", file=self._file) from None
