# SPDX-License-Identifier: GPL-3.0-or-later
"""Serialized ROS messages field by field: CDR of ROS 2 and the plain layout of ROS 1.

Source: OMG DDS-XTYPES, *Plain CDR*: every number is aligned to its own size, counted from behind the four bytes that
say the byte order, and texts end in a zero. ROS 1 aligns nothing, ends nothing and is little-endian.
"""

from __future__ import annotations

import struct

from ..errors import MotionError

_CDR_BIG, _CDR_LITTLE = 0, 1
_MAX_NAMES = 10_000


class Cursor:
    """Reads the fields of one message in their order.

    Args:
        data: The message.
        cdr: Whether it is one of ROS 2.

    Raises:
        MotionError: From every method, where the message ends too early or cannot be read.
    """

    __slots__ = ("_cdr", "_origin", "big", "data", "place")

    def __init__(self, data: bytes, cdr: bool) -> None:
        self.data = data
        self._cdr = cdr
        self._origin = self.place = 4 if cdr else 0
        self.big = False
        if cdr:
            kind = data[1] if len(data) >= 4 else -1
            if kind not in (_CDR_BIG, _CDR_LITTLE):
                raise MotionError("a message is not in plain CDR")
            self.big = kind == _CDR_BIG

    def _span(self, count: int, size: int) -> int:
        """Return where ``count`` numbers of ``size`` bytes begin, and go behind them."""
        start = self.place
        if self._cdr and count:
            start += (self._origin - start) % size
        self.place = start + count * size
        if self.place > len(self.data):
            raise MotionError("a message ends too early")
        return start

    def whole(self) -> int:
        """Return an unsigned number of four bytes."""
        found: tuple[int] = struct.unpack_from(">I" if self.big else "<I", self.data, self._span(1, 4))
        return found[0]

    def signed(self) -> int:
        """Return a signed number of four bytes."""
        found: tuple[int] = struct.unpack_from(">i" if self.big else "<i", self.data, self._span(1, 4))
        return found[0]

    def text(self) -> str:
        """Return a text."""
        count = self.whole()
        start = self._span(count, 1)
        try:
            return self.data[start : start + count].decode().rstrip("\0")
        except UnicodeDecodeError:
            raise MotionError("a text in a message is no UTF-8") from None

    def texts(self) -> tuple[str, ...]:
        """Return a list of texts."""
        count = self.whole()
        if count > _MAX_NAMES:
            raise MotionError(f"a message names {count} joints, more than {_MAX_NAMES}")
        return tuple(self.text() for _ in range(count))

    def numbers(self, count: int) -> bytes:
        """Return ``count`` float64, little-endian."""
        start = self._span(count, 8)
        found = self.data[start : self.place]
        return struct.pack(f"<{count}d", *struct.unpack(f">{count}d", found)) if self.big else found

    def series(self) -> bytes:
        """Return a list of float64, little-endian."""
        return self.numbers(self.whole())

    def stamp(self) -> int:
        """Return a time or duration [ns]."""
        seconds = self.signed() if self._cdr else self.whole()
        return seconds * 1_000_000_000 + self.whole()

    def duration(self) -> int:
        """Return a duration [ns], whose parts are signed in ROS 1."""
        return self.signed() * 1_000_000_000 + (self.whole() if self._cdr else self.signed())

    def header(self) -> tuple[int, str]:
        """Return stamp [ns] and frame of a header."""
        if not self._cdr:
            self.whole()  # a sequence number
        return self.stamp(), self.text()
