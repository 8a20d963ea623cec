# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions as MCAP, by the library ``mcap``: ``/joint_states``, and ``/tf`` for the base.

A JointState has no accelerations: where these are known, ``/joint_trajectory`` has the whole motion too.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..base_motion import BaseMotion
from ..errors import MotionError
from ..joint_motion import Array, JointMotion
from .compression import has_zstandard
from .definitions import definition
from .topics import JOINT_STATE, TRAJECTORY, TRANSFORMS

if TYPE_CHECKING:
    from mcap.writer import Writer

_SECOND = 1_000_000_000
_LITTLE_ENDIAN = b"\x00\x01\x00\x00"
_CHUNK = 1 << 20
_WORLD, _BASE = "world", "base_link"


def write_mcap(path: Path, motion: JointMotion) -> None:
    """Write a motion as a bag that ROS 2 plays; times are rounded to 1 ns.

    Raises:
        MotionError: If it cannot be written, begins before 0, or instants are nearer than 1 ns.
    """
    try:
        from mcap.writer import CompressionType, Writer
    except ImportError:
        text = "needs the Python package mcap, which is not installed: 'pip install mcap --no-deps'"
        raise MotionError(text, file=str(path)) from None
    stamps = _stamps(motion.times)
    base_stamps = None if motion.base is None else _stamps(motion.base.times)
    compression = CompressionType.ZSTD if has_zstandard() else CompressionType.NONE
    try:
        with path.open("wb") as stream:
            writer = Writer(stream, _CHUNK, compression)
            writer.start(profile="ros2", library="urdf_rig")
            if motion.joints:
                _add_all(writer, "/joint_states", JOINT_STATE, stamps, _states(motion, stamps))
            if motion.base is not None and base_stamps is not None:
                _add_all(writer, "/tf", TRANSFORMS, base_stamps, _transforms(motion.base, base_stamps))
            if motion.accelerations is not None and motion.joints:
                _add_all(writer, "/joint_trajectory", TRAJECTORY, stamps[:1], iter([_trajectory(motion, stamps)]))
            writer.finish()
    except OSError as error:
        raise MotionError(f"cannot be written: {error.strerror}", file=str(path)) from None


def _stamps(times: Array) -> NDArray[np.int64]:
    if times[0] < 0.0:
        raise MotionError("a bag cannot begin before time 0")
    if times[-1] >= 2.0**31:
        raise MotionError("a bag cannot last longer than 68 years")
    stamps = np.round(times * _SECOND).astype(np.int64)
    if (np.diff(stamps) <= 0).any():
        raise MotionError("a bag's instants are a nanosecond apart at least")
    return stamps


def _add_all(writer: Writer, topic: str, kind: str, stamps: NDArray[np.int64], messages: Iterator[bytes]) -> None:
    schema = writer.register_schema(kind.replace("/", "/msg/"), "ros2msg", definition(kind).encode())
    channel = writer.register_channel(topic, "cdr", schema)
    for index, (stamp, data) in enumerate(zip(stamps.tolist(), messages, strict=True)):
        writer.add_message(channel, log_time=stamp, data=data, publish_time=stamp, sequence=index)


class _Message:
    """Fields of a message put one behind the other, each aligned to its own size."""

    def __init__(self) -> None:
        self.data = bytearray()

    def align(self, size: int) -> None:
        self.data += bytes(-len(self.data) % size)

    def whole(self, value: int) -> None:
        self.align(4)
        self.data += struct.pack("<I", value)

    def text(self, text: str) -> None:
        coded = text.encode() + b"\0"
        self.whole(len(coded))
        self.data += coded

    def texts(self, texts: tuple[str, ...]) -> None:
        self.whole(len(texts))
        for text in texts:
            self.text(text)

    def stamp(self, nanoseconds: int) -> None:
        for part in divmod(nanoseconds, _SECOND):
            self.whole(part)

    def series(self, values: Array | None) -> None:
        self.whole(0 if values is None else len(values))
        if values is not None and len(values):
            self.align(8)
            self.data += values.astype("<f8").tobytes()

    def whole_message(self) -> bytes:
        return _LITTLE_ENDIAN + self.data


def _states(motion: JointMotion, stamps: NDArray[np.int64]) -> Iterator[bytes]:
    head = _Message()
    head.stamp(0)
    head.text("")
    head.texts(motion.joints)
    start = bytes(head.data[8:])  # all messages have the same names at the same place
    for index, stamp in enumerate(stamps.tolist()):
        message = _Message()
        message.stamp(stamp)
        message.data += start
        message.series(motion.positions[index])
        message.series(None if motion.velocities is None else motion.velocities[index])
        message.series(None)
        yield message.whole_message()


def _transforms(base: BaseMotion, stamps: NDArray[np.int64]) -> Iterator[bytes]:
    rows = np.hstack([base.positions, base.quaternions[:, [1, 2, 3, 0]]])
    for stamp, row in zip(stamps.tolist(), rows, strict=True):
        message = _Message()
        message.whole(1)
        message.stamp(stamp)
        message.text(base.frame or _WORLD)
        message.text(base.link or _BASE)
        message.align(8)
        message.data += row.astype("<f8").tobytes()
        yield message.whole_message()


def _trajectory(motion: JointMotion, stamps: NDArray[np.int64]) -> bytes:
    message = _Message()
    message.stamp(int(stamps[0]))
    message.text("")
    message.texts(motion.joints)
    message.whole(len(stamps))
    for index, stamp in enumerate(stamps.tolist()):
        for values in (motion.positions, motion.velocities, motion.accelerations):
            message.series(None if values is None else values[index])
        message.series(None)
        message.stamp(stamp - int(stamps[0]))
    return message.whole_message()
