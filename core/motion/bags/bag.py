# SPDX-License-Identifier: GPL-3.0-or-later
"""What every kind of bag can do."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, Protocol

from ...diagnostics import Diagnostic, Level
from .topics import BASE_TYPES, JOINT_TYPES, Topic


class Message(NamedTuple):
    """A recorded message: its topic, when it was recorded [ns], whether it is in CDR, and its bytes."""

    topic: str
    time: int
    cdr: bool
    data: bytes


class Bag(Protocol):
    """An open bag, or one file of it.

    Attributes:
        remarks: What was found wrong, though not so wrong that nothing can be read.
    """

    remarks: list[Diagnostic]

    def topics(self) -> Sequence[Topic]:
        """Return the topics that motions can be read from."""

    def messages(self, topics: Collection[str]) -> Iterator[Message]:
        """Yield the messages of some topics, in the order of the file."""

    def close(self) -> None:
        """Close the file."""


def is_motion(kind: str) -> bool:
    """Whether messages of a type say how something moves."""
    return kind in JOINT_TYPES or kind in BASE_TYPES


def cut_short(file: str) -> Diagnostic:
    """Return the remark that a file lacks its end, as after a crash."""
    return Diagnostic(Level.WARNING, "the bag ends too early: what is there is read", file)
