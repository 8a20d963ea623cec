# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions from and to files; the suffix says which kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NoReturn

from .bags import is_bag, read_bag, write_mcap
from .csv_files import csv_text, parse_csv
from .errors import MotionError
from .joint_motion import Array, JointMotion
from .messages import recording_of
from .recording import Recording
from .yaml_nodes import parse_yaml_documents
from .yaml_text import fields_of, row_text, states_text, trajectory_text

_TEXTS = (".csv", ".json", ".yaml", ".yml")
READABLE = (*_TEXTS, ".mcap", ".db3", ".bag")
WRITABLE = (*_TEXTS, ".mcap")
MAX_BYTES = 256 << 20
_MAX_JSON_BYTES = 64 << 20
"""Less, since lists of lists take many times the memory of their text."""


def read_motion(path: Path, *, topic: str = "", base_topic: str = "", base_link: str = "") -> Recording:
    """Return the motion in a CSV, JSON or YAML file or in a ROS bag, in the units of the file.

    Args:
        path: The file; of a ROS 2 bag perhaps its folder.
        topic: Of a bag, the topic with joint values; empty for the one most likely meant, ``-`` for none.
        base_topic: Of a bag, the topic with the base's pose; likewise.
        base_link: Of a bag's transforms, the frame that is the robot's base.

    Raises:
        MotionError: If the file cannot be read or holds no motion; with line and column where these are known.
    """
    name = str(path)
    if is_bag(path):
        return read_bag(path, topic=topic, base_topic=base_topic, base_link=base_link)
    suffix = _known_suffix(path, READABLE)
    if topic or base_topic:
        raise MotionError(f"only bags have topics ({', '.join(READABLE[-3:])})", file=name)
    try:
        most = _MAX_JSON_BYTES if suffix == ".json" else MAX_BYTES
        if path.stat().st_size > most:
            raise MotionError(f"larger than {most >> 20} MiB", file=name)
        data = path.read_bytes()
    except OSError as error:
        raise MotionError(f"cannot be read: {error.strerror}", file=name) from None
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise MotionError(f"the bytes are no UTF-8: {error.reason}", file=name, line=line) from None
    if suffix == ".csv":
        return parse_csv(text, file=name)
    if suffix == ".json":
        return recording_of(_json(text, name), file=name)
    documents = parse_yaml_documents(text, file=name)
    return recording_of(documents[0] if len(documents) == 1 else documents, file=name)


def write_motion(path: Path, motion: JointMotion, *, states: bool = False) -> None:
    """Write a motion as CSV, JSON, YAML or MCAP; numbers are read back the same, times of ROS' formats to 1 ns.

    Args:
        path: The file; its suffix says which kind.
        motion: The motion.
        states: Whether YAML has JointState messages, one document each, and not one JointTrajectory.

    Raises:
        MotionError: If that is not possible.
    """
    suffix = _known_suffix(path, WRITABLE)
    if suffix == ".mcap":
        write_mcap(path, motion)
        return
    motion = motion.on_one_clock()
    if suffix == ".csv":
        text = csv_text(motion)
    elif suffix == ".json":
        text = _json_text(motion)
    else:
        text = states_text(motion) if states else trajectory_text(motion)
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise MotionError(f"cannot be written: {error.strerror}", file=str(path)) from None


def _known_suffix(path: Path, known: tuple[str, ...]) -> str:
    suffix = path.suffix.lower()
    if suffix not in known:
        raise MotionError(f"unknown kind of file; known: {', '.join(known)}", file=str(path))
    return suffix


def _json(text: str, file: str) -> object:
    def refuse(word: str) -> NoReturn:
        raise MotionError(f"{word} is no finite number", file=file)

    try:
        value: object = json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise MotionError(f"not valid JSON: {error.msg}", file=file, line=error.lineno, column=error.colno) from None
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits; deep nesting
        raise MotionError(f"not valid JSON: {str(error)[:80]}", file=file) from None
    return value


def _json_text(motion: JointMotion) -> str:
    parts = [f'  "joints": {json.dumps(motion.joints, ensure_ascii=False)}', f'  "times": {row_text(motion.times)}']
    parts += [f'  "{name}": {_json_rows(values)}' for name, values in fields_of(motion)]
    base = motion.base
    if base is not None:
        names = f'"frame": {json.dumps(base.frame)}, "link": {json.dumps(base.link)}'
        poses = f'"positions": {_json_rows(base.positions)}, "quaternions": {_json_rows(base.quaternions)}'
        parts.append(f'  "base": {{{names}, {poses}}}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _json_rows(values: Array) -> str:
    rows = ",\n".join("    " + row_text(row) for row in values)
    return f"[\n{rows}\n  ]"
