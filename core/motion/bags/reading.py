# SPDX-License-Identifier: GPL-3.0-or-later
"""A bag's motion: joint values of one topic, the base's pose of another."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...diagnostics import Diagnostic, Level
from ..base_motion import BaseMotion
from ..errors import MotionError
from ..joining import Array, Samples, joined
from ..joint_motion import JointMotion
from ..recording import CLOCK, Recording, clock_remark
from .bag import Bag, Message
from .joint_messages import joint_states, trajectories
from .opening import opened
from .pose_messages import Track, Tracks, composed
from .topics import BASE_TYPES, JOINT_STATE, JOINT_TYPES, STATIC, TRANSFORMS, Topic, chosen_topic, known_topics

NONE = "-"
"""Instead of a topic: none."""
_SECOND = 1e9  # nanoseconds


def motion_topics(path: Path) -> tuple[Topic, ...]:
    """Return the topics of a bag that joint values or poses can be read from.

    Raises:
        MotionError: If it cannot be read.
    """
    with opened(path) as bags:
        return tuple(_topics(bags))


def read_bag(path: Path, *, topic: str = "", base_topic: str = "", base_link: str = "") -> Recording:
    """Return the motion in a bag.

    Args:
        path: A ``.mcap``, ``.db3`` or ``.bag`` file, or the folder of a ROS 2 bag.
        topic: With joint values; empty for the one most likely meant, ``-`` for none.
        base_topic: With the base's pose; likewise. Without a name, an odometry is preferred to transforms.
        base_link: Of transforms, the frame that is the robot's base. Transforms above it are put together.

    Raises:
        MotionError: If it cannot be read or has no motion; if a topic has to be chosen, the error lists them.
    """
    file = str(path)
    with opened(path) as bags:
        topics = _topics(bags)
        remarks: list[Diagnostic] = []
        joints = None if topic == NONE else chosen_topic(topics, topic, joints=True, file=file)
        base = None if base_topic == NONE else chosen_topic(topics, base_topic, joints=False, file=file)
        if joints is None and base is None:
            wanted = ", ".join((*JOINT_TYPES, *BASE_TYPES[:2]))
            raise MotionError(f"no motion in it: no topic is a {wanted}; {known_topics(topics)}", file=file)
        values = None
        if joints is not None:
            parts = _joint_samples(bags, joints, remarks, file)
            if not parts and (topic or base is None):
                raise MotionError("it has no joint values", file=file, element=joints.name)
            values = joined(parts, file) if parts else None
        chain = _base_chain(bags, base, base_link, bool(base_topic), file)
        remarks = [*(remark for bag in bags for remark in bag.remarks), *remarks]
    remarks += _said(topics, joints, topic, file)
    if chain and base is not None:
        remarks += _said(topics, base, base_topic, file)
    return _recording(values, chain, remarks, file)


def _topics(bags: Sequence[Bag]) -> list[Topic]:
    counts: dict[tuple[str, str], int] = {}
    for bag in bags:
        for topic in bag.topics():
            place = topic.name, topic.type
            counts[place] = counts.get(place, 0) + topic.count
    return sorted((Topic(*place, count) for place, count in counts.items()), key=lambda topic: topic.name)


def _messages(bags: Sequence[Bag], names: Collection[str]) -> Iterator[Message]:
    for bag in bags:
        yield from bag.messages(names)


@contextmanager
def _place_is_said(topic: Topic, file: str) -> Iterator[None]:
    """Name file and topic in errors about a single message."""
    try:
        yield
    except MotionError as error:
        if error.file:
            raise
        raise MotionError(error.message, file=file, element=topic.name) from None


def _joint_samples(bags: Sequence[Bag], topic: Topic, remarks: list[Diagnostic], file: str) -> list[Samples]:
    messages = _messages(bags, [topic.name])
    with _place_is_said(topic, file):
        parts = joint_states(messages, file, remarks) if topic.type == JOINT_STATE else trajectories(messages, file)
    return [part for part in parts if len(part.times) and len(part.joints)]


def _base_chain(bags: Sequence[Bag], topic: Topic | None, link: str, asked: bool, file: str) -> list[Track]:
    """Return the base's track, and those of the frames above it; none where nothing was asked for and nothing fits."""
    if topic is None:
        return []
    tracks = Tracks(file, kept=topic.type != TRANSFORMS)
    names = [topic.name, STATIC] if topic.type == TRANSFORMS else [topic.name]
    with _place_is_said(topic, file):
        tracks.add(topic.type, _messages(bags, names))
    if topic.type != TRANSFORMS:
        single = tracks.single()
        if single is None and asked:
            raise MotionError("it has no poses", file=file, element=topic.name)
        return [] if single is None else [single]
    chain = tracks.chain(link.lstrip("/"))
    if asked and not chain:
        frames = known_frames(tracks.children())
        raise MotionError(f"no transform to the base {link!r}; {frames}", file=file, element=topic.name)
    if not asked and all(track.static for track in chain):
        return []
    # of a robot's many frames these are few: the others' poses need no memory
    for track in chain:
        track.kept = True
    with _place_is_said(topic, file):
        tracks.add(topic.type, _messages(bags, names))
    return chain


def known_frames(names: Sequence[str]) -> str:
    """Return a part of a sentence that lists frames."""
    shown = ", ".join(repr(name) for name in names[:20])
    return f"there are those to {shown}{' …' if len(names) > 20 else ''}" if names else "there is none"


def _said(topics: Sequence[Topic], chosen: Topic | None, name: str, file: str) -> list[Diagnostic]:
    """Return a remark on what was chosen where there was a choice and none was made."""
    if chosen is None or name:
        return []
    others = [item for item in topics if item.moves_joints == chosen.moves_joints and item not in (chosen,)]
    others = [item for item in others if item.name != STATIC]
    text = f"{chosen.name} is read"
    if others:
        text += f"; {known_topics(others)} too"
    return [Diagnostic(Level.INFO, text, file)] if others else []


def _recording(
    values: tuple[tuple[str, ...], NDArray[np.int64], tuple[Array | None, ...]] | None,
    chain: list[Track],
    remarks: list[Diagnostic],
    file: str,
) -> Recording:
    if values is None and not chain:
        raise MotionError("it has no joint values", file=file)
    first = int(values[1][0]) if values is not None else int(chain[0].times().min())
    origin = first if abs(first) / _SECOND > CLOCK else 0
    if origin:
        remarks.append(clock_remark(origin / _SECOND, file))
    base: BaseMotion | None = None
    if chain:
        base = composed(chain, origin, file, lambda text: remarks.append(Diagnostic(Level.INFO, text, file)))
    if values is None:
        assert base is not None
        return Recording(JointMotion((), base.times, np.zeros((len(base.times), 0)), base=base), tuple(remarks))
    names, stamps, (positions, velocities, accelerations) = values
    if positions is None:
        raise MotionError("positions are missing", file=file)
    times = (stamps - origin) / _SECOND
    try:
        motion = JointMotion(names, times, positions, velocities, accelerations, base)
    except MotionError as error:
        raise MotionError(error.message, file=file) from None
    return Recording(motion, tuple(remarks))
