# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions from and to files; the suffix says which kind."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NoReturn

import numpy as np

from .csv_files import csv_text, parse_csv
from .errors import MotionError
from .joint_motion import Array, JointMotion
from .messages import recording_of
from .recording import Recording
from .yaml_nodes import parse_yaml_documents

READABLE = (".csv", ".json", ".yaml", ".yml")
WRITABLE = READABLE
MAX_BYTES = 256 << 20
_MAX_JSON_BYTES = 64 << 20
"""Less, since lists of lists take many times the memory of their text."""
_NANO = 1_000_000_000
_WHOLE_MANTISSA = re.compile(r"(?<![.\d])(\d+)e")


def read_motion(path: Path) -> Recording:
    """Return the motion in a CSV, JSON or YAML file, in the units of the file.

    Raises:
        MotionError: If the file cannot be read or holds no motion; with line and column where these are known.
    """
    suffix = _known_suffix(path)
    name = str(path)
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


def write_motion(path: Path, motion: JointMotion) -> None:
    """Write a motion as CSV, JSON or a JointTrajectory in YAML; numbers are read back the same, YAML's times to 1 ns.

    Raises:
        MotionError: If that is not possible.
    """
    suffix = _known_suffix(path)
    text = csv_text(motion) if suffix == ".csv" else _json_text(motion) if suffix == ".json" else yaml_text(motion)
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise MotionError(f"cannot be written: {error.strerror}", file=str(path)) from None


def _known_suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in READABLE:
        raise MotionError(f"unknown kind of file; known: {', '.join(READABLE)}", file=str(path))
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


def _row(values: Array) -> str:
    return "[" + ", ".join(map(repr, (values + 0.0).tolist())) + "]"


def _fields(motion: JointMotion) -> list[tuple[str, Array]]:
    pairs = [(name, getattr(motion, name)) for name in ("positions", "velocities", "accelerations")]
    return [(name, values) for name, values in pairs if values is not None]


def _json_text(motion: JointMotion) -> str:
    parts = [f'  "joints": {json.dumps(motion.joints, ensure_ascii=False)}', f'  "times": {_row(motion.times)}']
    for name, values in _fields(motion):
        rows = ",\n".join("    " + _row(row) for row in values)
        parts.append(f'  "{name}": [\n{rows}\n  ]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def yaml_text(motion: JointMotion) -> str:
    """Return a motion as a ROS 2 JointTrajectory; its times begin at 0 or later.

    Raises:
        MotionError: If it begins before 0, which a trajectory cannot say, or instants are nearer than 1 ns.
    """
    stamps = np.round(motion.times * _NANO).astype(np.int64)
    if stamps[0] < 0:
        raise MotionError("a trajectory cannot begin before time 0")
    if (np.diff(stamps) <= 0).any():
        raise MotionError("a trajectory's instants are a nanosecond apart at least")
    names = ", ".join(json.dumps(name) for name in motion.joints)
    lines = [f"joint_names: [{names}]", "points:"]
    fields = _fields(motion)
    for index, stamp in enumerate(stamps.tolist()):
        start = "  - "
        for name, values in fields:
            # 1e-05 is a text to the parsers that ROS uses, 1.0e-05 a number
            row = _WHOLE_MANTISSA.sub(r"\1.0e", _row(values[index]))
            lines.append(f"{start}{name}: {row}")
            start = "    "
        second, part = divmod(stamp, _NANO)
        lines.append(f"    time_from_start: {{sec: {second}, nanosec: {part}}}")
    return "\n".join(lines) + "\n"
