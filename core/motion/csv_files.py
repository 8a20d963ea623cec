# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions as CSV: one line for each instant, the header names the columns.

A column ``NAME/velocity`` or ``NAME/acceleration`` holds the rate of the joint whose values are in the column ``NAME``.
The columns ``base/x base/y base/z`` [m] and ``base/qw base/qx base/qy base/qz`` hold the pose of the robot's base.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import numpy as np

from .errors import MotionError
from .joint_motion import MAX_SAMPLES, MAX_VALUES, Array, JointMotion
from .recording import BaseRows, Recording, make_recording

_TIME_NAMES = ("time", "timestamp", "stamp", "t")
_SEPARATORS = ",;\t"
_RATES = ("/velocity", "/acceleration")
_BASE = tuple(f"base/{name}" for name in ("x", "y", "z", "qw", "qx", "qy", "qz"))
_MAX_COLUMNS = 10_000
_MAX_LINE = 1 << 20
_SHOWN = 40


def parse_csv(text: str, *, file: str = "") -> Recording:
    """Return the motion in a CSV text; commas, semicolons or tabs separate.

    The time column [s] is called time, timestamp, stamp or t, perhaps with a unit ``[s]``. All others are joints.

    Raises:
        MotionError: If it is no such table; with line and cell.
    """
    # str.splitlines knows more line ends than files have
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") > MAX_SAMPLES:
        raise MotionError(f"more than {MAX_SAMPLES} lines", file=file)
    lines = text.split("\n")
    top = next((index for index, line in enumerate(lines) if line.strip()), None)
    if top is None:
        raise MotionError("the file is empty", file=file)
    header = lines[top].lstrip("\ufeff#").strip(" ")
    separator = max(_SEPARATORS, key=header.count)
    names = _cells(header, separator, file, top + 1)
    clock = _time_column(names, file, top + 1)
    numbers = [index for index in range(top + 1, len(lines)) if lines[index].strip()]
    if not numbers:
        raise MotionError("there is a header, but no samples", file=file, line=top + 1)
    if len(numbers) * len(names) > MAX_VALUES:
        raise MotionError(f"more than {MAX_VALUES} numbers", file=file)
    table = _table([lines[index] for index in numbers], separator, len(names))
    if table is None or not np.isfinite(table).all():
        raise _first_fault(lines, numbers, separator, names, file)
    columns = {name: index for index, name in enumerate(names) if index != clock}
    if len(columns) != len(names) - 1:
        twice = next(name for index, name in enumerate(names) if index != clock and columns[name] != index)
        raise MotionError(f"the column {twice!r} comes twice", file=file, line=top + 1)
    base = None
    if all(name in columns for name in _BASE):
        base = BaseRows(table[:, clock], table[:, [columns.pop(name) for name in _BASE]])
    joints = [name for name in columns if not _is_rate(name, columns)]
    arrays: list[Array | None] = [table[:, [columns[name] for name in joints]]]
    for ending in _RATES:
        known = all(name + ending in columns for name in joints) and joints
        arrays.append(table[:, [columns[name + ending] for name in joints]] if known else None)
    lines_of = [index + 1 for index in numbers]
    return make_recording(joints, table[:, clock], arrays, file=file, lines=lines_of, base=base)


def _cells(line: str, separator: str, file: str, number: int) -> list[str]:
    if len(line) > _MAX_LINE:
        raise MotionError(f"a line of more than {_MAX_LINE} characters", file=file, line=number)
    try:
        cells = next(csv.reader([line], delimiter=separator))
    except csv.Error as error:
        raise MotionError(f"not valid CSV: {error}", file=file, line=number) from None
    if len(cells) > _MAX_COLUMNS:
        raise MotionError(f"more than {_MAX_COLUMNS} columns", file=file, line=number)
    return [cell.strip() for cell in cells]


def _time_column(names: Sequence[str], file: str, line: int) -> int:
    plain = [name.removesuffix("[s]").strip().lower() for name in names]
    for wanted in _TIME_NAMES:
        if wanted in plain:
            return plain.index(wanted)
    raise MotionError(f"no column is called {', '.join(_TIME_NAMES)}", file=file, line=line)


def _is_rate(name: str, columns: dict[str, int]) -> bool:
    return any(name.endswith(ending) and name.removesuffix(ending) in columns for ending in _RATES)


def _table(lines: list[str], separator: str, columns: int) -> Array | None:
    """Return all numbers, shape (T, columns); None where something is no number or a line has not as many."""
    try:
        table = np.loadtxt(lines, delimiter=separator, comments=None, quotechar='"', ndmin=2, dtype=np.float64)
    except ValueError:
        return None
    return table if table.shape == (len(lines), columns) else None


def _first_fault(lines: list[str], numbers: list[int], separator: str, names: list[str], file: str) -> MotionError:
    for index in numbers:
        cells = _cells(lines[index], separator, file, index + 1)
        if len(cells) != len(names):
            text = f"{len(cells)} cells under a header of {len(names)}"
            return MotionError(text, file=file, line=index + 1)
        for column, cell in enumerate(cells):
            try:
                finite = bool(np.isfinite(float(cell)))
            except ValueError:
                finite = False
            if not finite:
                shown = cell if len(cell) <= _SHOWN else cell[:_SHOWN] + "…"
                text = f"{shown!r} is no finite number"
                element = f"column {names[column]!r}"
                return MotionError(text, file=file, line=index + 1, column=column + 1, element=element)
    return MotionError("the numbers cannot be read as a table", file=file)


def csv_text(motion: JointMotion) -> str:
    """Return a motion as CSV; numbers have as many digits as they need to be read back the same.

    Raises:
        MotionError: If a joint's name looks like another one's rate, or holds what separates cells.
    """
    motion = motion.on_one_clock()
    columns = dict.fromkeys(motion.joints, 0)
    for name in motion.joints:
        if _is_rate(name, columns) or any(sign in name for sign in _SEPARATORS + '"\r\n') or name != name.strip():
            raise MotionError(f"a CSV file cannot hold a joint called {name!r}")
    header = ["time", *motion.joints]
    parts = [motion.times[:, None], motion.positions]
    for ending, values in zip(_RATES, (motion.velocities, motion.accelerations), strict=True):
        if values is not None:
            header += [name + ending for name in motion.joints]
            parts.append(values)
    if motion.base is not None:
        if not columns.keys().isdisjoint(_BASE):
            raise MotionError("a CSV file cannot hold joints called as the base's columns are")
        header += _BASE
        parts += [motion.base.positions, motion.base.quaternions]
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerow(header)
    for row in np.hstack(parts) + 0.0:
        out.write(",".join(map(repr, row.tolist())))
        out.write("\n")
    return out.getvalue()
