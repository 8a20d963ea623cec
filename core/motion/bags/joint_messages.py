# SPDX-License-Identifier: GPL-3.0-or-later
"""JointState and JointTrajectory messages as samples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...diagnostics import Diagnostic, Level
from ..errors import MotionError
from ..joining import Array, Samples
from ..joint_motion import MAX_SAMPLES, MAX_VALUES
from .bag import Message
from .wire import Cursor

_KINDS = 3
_MAX_SETS = 1000


@dataclass(slots=True)
class _Rows:
    """What messages about the same joints hold: stamps, times of recording, and numbers as bytes."""

    stamps: list[int] = field(default_factory=list)
    recorded: list[int] = field(default_factory=list)
    values: tuple[list[bytes], list[bytes], list[bytes]] = field(default_factory=lambda: ([], [], []))

    def add(self, stamp: int, recorded: int, values: Iterable[bytes]) -> None:
        self.stamps.append(stamp)
        self.recorded.append(recorded)
        for rows, row in zip(self.values, values, strict=True):
            if row:
                rows.append(row)

    def samples(self, joints: tuple[str, ...], by_stamp: bool, file: str) -> Samples:
        count, size = len(self.stamps), 8 * len(joints)

        def array(kind: int) -> Array | None:
            rows = self.values[kind]
            if len(rows) != count or any(len(row) != size for row in rows):
                return None
            found = np.frombuffer(b"".join(rows), dtype="<f8").reshape(count, len(joints))
            if not np.isfinite(found).all():
                if kind:
                    return None  # unknown rates are not a number
                row, column = np.argwhere(~np.isfinite(found))[0]
                raise MotionError(f"{joints[column]!r} is no finite number in sample {row}", file=file)
            return found

        times = np.array(self.stamps if by_stamp else self.recorded, dtype=np.int64)
        return Samples(joints, times, (array(0), array(1), array(2)))


class _Sets:
    """Rows by the joints that they are about."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._rows: dict[tuple[str, ...], _Rows] = {}
        self._samples = self._numbers = 0

    def rows(self, joints: tuple[str, ...]) -> _Rows:
        found = self._rows.get(joints)
        if found is None:
            if len(set(joints)) != len(joints):
                raise MotionError("a message names a joint twice", file=self._file)
            if len(self._rows) == _MAX_SETS:
                raise MotionError(f"more than {_MAX_SETS} sets of joints in one topic", file=self._file)
            found = self._rows[joints] = _Rows()
        self._samples += 1
        self._numbers += len(joints)
        if self._samples > MAX_SAMPLES or self._numbers > MAX_VALUES:
            raise MotionError(f"more than {MAX_VALUES} numbers or {MAX_SAMPLES} samples", file=self._file)
        return found

    def all(self, file: str) -> list[Samples]:
        # who fills in no stamps has none that is not 0
        by_stamp = any(any(rows.stamps) for rows in self._rows.values())
        return [rows.samples(joints, by_stamp, file) for joints, rows in self._rows.items()]


def joint_states(messages: Iterable[Message], file: str, remarks: list[Diagnostic]) -> list[Samples]:
    """Return what JointState messages hold; those without positions are left out, which is noted.

    Times are those of the headers, or, where all of these are zero, of the recording.

    Raises:
        MotionError: If a message cannot be read, or positions are no finite numbers.
    """
    sets = _Sets(file)
    left_out = 0
    block, place = b"", -1
    names: tuple[str, ...] = ()
    for message in messages:
        cursor = Cursor(message.data, message.cdr)
        stamp, _ = cursor.header()
        start = cursor.place
        # nearly all messages name the same joints at the same place
        if start == place and message.data.startswith(block, start):
            cursor.place = start + len(block)
        else:
            names = cursor.texts()
            block, place = message.data[start : cursor.place], start
        position, velocity = cursor.series(), cursor.series()
        if not names or len(position) != 8 * len(names):
            left_out += 1
            continue
        sets.rows(names).add(stamp, message.time, (position, velocity, b""))
    if left_out:
        text = f"{left_out} messages have not one position for each joint and are left out"
        remarks.append(Diagnostic(Level.WARNING, text, file))
    return sets.all(file)


def trajectories(messages: Iterable[Message], file: str) -> list[Samples]:
    """Return what JointTrajectory messages hold; a later one ends those before it when it starts.

    A trajectory starts at its header's stamp, or, where that is zero, when it was recorded.

    Raises:
        MotionError: If a message cannot be read, or positions are missing or no finite numbers.
    """
    parts: list[Samples] = []
    numbers = 0
    for message in messages:
        start, part = _trajectory(message, file)
        numbers += len(part.times) * len(part.joints)
        if numbers > MAX_VALUES or len(parts) > MAX_SAMPLES // 100:
            raise MotionError(f"more than {MAX_VALUES} numbers", file=file)
        parts = [kept for item in parts if (kept := _before(item, start)) is not None]
        parts.append(part)
    return parts


def _before(part: Samples, end: int) -> Samples | None:
    kept = part.times < end
    if kept.all():
        return part
    values = tuple(None if array is None else array[kept] for array in part.values)
    return Samples(part.joints, part.times[kept], (values[0], values[1], values[2])) if kept.any() else None


def _trajectory(message: Message, file: str) -> tuple[int, Samples]:
    cursor = Cursor(message.data, message.cdr)
    stamp, _ = cursor.header()
    start = stamp or message.time
    joints, count = cursor.texts(), cursor.whole()
    if count > MAX_SAMPLES or count * max(1, len(joints)) > MAX_VALUES:
        raise MotionError(f"a trajectory of {count} points", file=file)
    sets = _Sets(file)
    for _ in range(count):
        values = [cursor.series() for _ in range(_KINDS)]
        cursor.series()  # efforts
        time = start + cursor.duration()
        if len(values[0]) != 8 * len(joints):
            raise MotionError("a point has not one position for each joint", file=file)
        sets.rows(joints).add(time, time, values)
    if not count or not joints:
        empty: NDArray[np.float64] = np.zeros((0, len(joints)))
        return start, Samples(joints, np.zeros(0, dtype=np.int64), (empty, None, None))
    (samples,) = sets.all(file)
    return start, samples
