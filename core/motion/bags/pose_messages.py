# SPDX-License-Identifier: GPL-3.0-or-later
"""Odometry, poses and transforms as the motion of a frame in another one."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base_motion import BaseMotion
from ..errors import MotionError
from ..joint_motion import MAX_SAMPLES
from .bag import Message
from .topics import ODOMETRY, STATIC, TRANSFORM, TRANSFORMS
from .wire import Cursor

_MAX_FRAMES = 10_000
_STAMP = struct.Struct("<iI")
_POSE = 7
_SECOND = 1e9  # nanoseconds


@dataclass(slots=True)
class Track:
    """Poses of a frame in its parent: stamps and times of recording [ns], and origin and ``x y z w`` as bytes.

    There are ``count`` of them, which are only counted until ``kept`` is set.
    """

    parent: str
    child: str
    static: bool = False
    kept: bool = True
    count: int = 0
    stamps: list[int] = field(default_factory=list)
    recorded: list[int] = field(default_factory=list)
    rows: list[bytes] = field(default_factory=list)

    def times(self) -> NDArray[np.int64]:
        """Return the headers' stamps, or the times of recording where there are none, shape (T,)."""
        return np.array(self.stamps if any(self.stamps) else self.recorded, dtype=np.int64)

    def motion(self, origin: int, file: str) -> BaseMotion:
        """Return it with times [s] after ``origin`` [ns]; of poses at the same time the last one counts.

        Raises:
            MotionError: If a number is not finite or a quaternion is zero.
        """
        times = self.times()
        order = np.argsort(times, kind="stable")
        order = order[np.append(np.diff(times[order]) > 0, True)]
        values = np.frombuffer(b"".join(self.rows), dtype="<f8").reshape(-1, _POSE)[order]
        try:
            return BaseMotion(
                (times[order] - origin) / _SECOND, values[:, :3], values[:, [6, 3, 4, 5]], self.parent, self.child
            )
        except MotionError as error:
            raise MotionError(f"{self.child!r} in {self.parent!r}: {error.message}", file=file) from None


class _Place(NamedTuple):
    """Where a transform stands in a message: its stamp, the bytes behind this with both frames' names, its numbers."""

    stamp: int
    names: bytes
    numbers: int
    track: Track


class Tracks:
    """All frames that messages tell about, each by the parent that most of them give it.

    Args:
        file: Name for messages.
        kept: Whether to keep all poses from the start, not only those of tracks that are asked for later.
    """

    def __init__(self, file: str, kept: bool = True) -> None:
        self._file = file
        self._kept = kept
        self._head = b""
        self._layout: list[_Place] = []
        self._size = -1
        self._found: dict[tuple[str, str], Track] = {}
        self._count = 0

    def add(self, kind: str, messages: Iterable[Message]) -> None:
        """Read messages of one type.

        Raises:
            MotionError: If one cannot be read.
        """
        for message in messages:
            if kind == TRANSFORMS:
                self._read_transforms(message)
            else:
                self._read(Cursor(message.data, message.cdr), message, kind in (TRANSFORM, ODOMETRY))

    def _read_transforms(self, message: Message) -> None:
        data = message.data
        head = 8 if message.cdr else 4
        # nearly all messages are about the same frames as one before
        same = len(data) == self._size and data.startswith(self._head)
        if same and all(data.startswith(place.names, place.stamp + 8) for place in self._layout):
            for place in self._layout:
                place.track.count += 1
                if place.track.kept:
                    seconds, rest = _STAMP.unpack_from(data, place.stamp)
                    row = data[place.numbers : place.numbers + 8 * _POSE]
                    self._keep(place.track, seconds * 1_000_000_000 + rest, message.time, row)
            return
        cursor = Cursor(data, message.cdr)
        layout = []
        for _ in range(cursor.whole()):
            start = cursor.place
            track = self._read(cursor, message, True)
            stamp = start + (-start % 4 if message.cdr else 4)
            numbers = cursor.place - 8 * _POSE
            layout.append(_Place(stamp, data[stamp + 8 : numbers], numbers, track))
        if not cursor.big:
            self._head, self._size, self._layout = data[:head], len(data), layout

    def _read(self, cursor: Cursor, message: Message, has_child: bool) -> Track:
        stamp, parent = cursor.header()
        child = cursor.text() if has_child else ""
        # frames had slashes in older bags
        key = parent.lstrip("/"), child.lstrip("/")
        track = self._found.get(key)
        if track is None:
            if len(self._found) == _MAX_FRAMES:
                raise MotionError(f"more than {_MAX_FRAMES} frames", file=self._file)
            track = self._found[key] = Track(*key, static=message.topic == STATIC, kept=self._kept)
        track.count += 1
        row = cursor.numbers(_POSE)
        if track.kept:
            self._keep(track, stamp, message.time, row)
        return track

    def _keep(self, track: Track, stamp: int, recorded: int, row: bytes) -> None:
        self._count += 1
        if self._count > MAX_SAMPLES:
            raise MotionError(f"more than {MAX_SAMPLES} poses", file=self._file)
        track.stamps.append(stamp)
        track.recorded.append(recorded)
        track.rows.append(row)

    def single(self) -> Track | None:
        """Return the track with the most poses, as of a topic that is about one frame; None without any."""
        return max(self._found.values(), key=lambda track: track.count, default=None)

    def children(self) -> list[str]:
        """Return the frames that have a parent."""
        return list(dict.fromkeys(child for _, child in self._found))

    def chain(self, link: str) -> list[Track]:
        """Return the tracks from a frame up to the one that has no parent; none where it has none itself."""
        above: dict[str, Track] = {}
        for track in self._found.values():
            known = above.get(track.child)
            if known is None or track.count > known.count:
                above[track.child] = track
        found: list[Track] = []
        while link in above and len(found) <= len(above):
            found.append(above[link])
            link = above[link].parent
        if len(found) > len(above):
            raise MotionError(f"the frames above {link!r} go round in a circle", file=self._file)
        return found


def composed(chain: list[Track], origin: int, file: str, report: Callable[[str], None]) -> BaseMotion:
    """Return how the first track's frame moves in the last one's parent, at the instants of all that move.

    Args:
        chain: At least one track, each one's parent being the next one's frame.
        origin: The instant [ns] that is to be 0 s.
        file: Name for messages.
        report: Told if there is something that the user should know.
    """
    if len(chain) == 1:
        return chain[0].motion(origin, file)
    moving = [track for track in chain if not track.static] or chain[:1]
    motions = [track.motion(origin, file) for track in chain]
    times = np.unique(np.concatenate([track.times() for track in moving]))
    if len(times) > MAX_SAMPLES:
        raise MotionError(f"more than {MAX_SAMPLES} poses", file=file)
    seconds = (times - origin) / _SECOND
    poses = motions[0].at(seconds).poses
    for motion in motions[1:]:
        poses = motion.at(seconds).poses @ poses
    if len(moving) > 1:
        report(f"{chain[0].child!r} moves in {chain[-1].parent!r} through {' and '.join(t.child for t in moving)}")
    return BaseMotion.from_poses(seconds, poses, frame=chain[-1].parent, link=chain[0].child)
