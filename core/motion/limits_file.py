# SPDX-License-Identifier: GPL-3.0-or-later
"""``joint_limits.yaml`` as MoveIt and ros2_control have it.

Source: moveit.picknik.ai, *Joint limits* (``robot_description_planning``); control.ros.org, *Joint limiting*
(``joint_limits.hpp``, ``joint_limits_rosparam.hpp``). A limit that a file gives wins over the description's, and
``has_…_limits: false`` takes it away. Numbers may have the units of ``!degrees`` and ``!radians``, as the files of
Universal Robots do, whose names lack the ``_joint`` behind them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..diagnostics import Diagnostic, Level
from ..model import Robot
from ..urdf.remarks import listed
from .errors import MotionError
from .limits import Override
from .yaml_nodes import Table, Tagged, parse_yaml_documents

MAX_BYTES = 1 << 20
_KEY = "joint_limits"
_UNITS = {"!degrees": math.pi / 180.0, "!radians": 1.0, "!meters": 1.0, "!millimeters": 1e-3}
_NOT_CHECKED = ("effort", "jerk", "deceleration")
_PARTS = (
    ("position", (("min_position", "lower"), ("max_position", "upper"))),
    ("velocity", (("max_velocity", "velocity"),)),
    ("acceleration", (("max_acceleration", "acceleration"),)),
)


@dataclass(frozen=True, slots=True)
class LimitsFile:
    """What a file of joint limits says of a robot's joints, with remarks."""

    overrides: dict[str, Override]
    diagnostics: tuple[Diagnostic, ...] = ()


def read_joint_limits(path: Path, robot: Robot) -> LimitsFile:
    """Return what a file says of a robot's joints; joints that the robot does not have are noted.

    Raises:
        MotionError: If the file cannot be read or is no file of joint limits.
    """
    file = str(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise MotionError(f"larger than {MAX_BYTES >> 20} MiB: no file of joint limits", file=file)
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise MotionError(f"cannot be read: {error.strerror}", file=file) from None
    except UnicodeDecodeError as error:
        raise MotionError(f"the bytes are no UTF-8: {error.reason}", file=file) from None
    return parse_joint_limits(text, robot, file=file)


def parse_joint_limits(text: str, robot: Robot, *, file: str = "") -> LimitsFile:
    """Return what a text in YAML says of a robot's joints, as ``read_joint_limits`` does.

    Raises:
        MotionError: If it is no YAML, has no table ``joint_limits``, or a value that cannot be used.
    """
    tables = [table for document in parse_yaml_documents(text, file=file) for table in _tables(document)]
    if not tables:
        raise MotionError(f"there is no table {_KEY!r} in it", file=file)
    known = {joint.name for joint in robot.joints if joint.type.is_scalar}
    overrides: dict[str, Override] = {}
    unknown: list[str] = []
    ignored: set[str] = set()
    for table in tables:
        for key, entry in table.items():
            name = next((name for name in (str(key), f"{key}_joint") if name in known), None)
            if name is None:
                unknown.append(str(key))
                continue
            if not isinstance(entry, Table):
                raise MotionError("the limits of a joint are a table", file=file, line=table.line, element=str(key))
            overrides[name] = _override(entry, str(key), file)
            ignored |= {part for part in _NOT_CHECKED if entry.get(f"has_{part}_limits") is True}
    remarks = []
    if unknown:
        text = f"{robot.name} has no joint {listed(unknown, 8)} that moves: left out"
        remarks.append(Diagnostic(Level.WARNING, text, file))
    if ignored:
        remarks.append(Diagnostic(Level.INFO, f"limits of {' and '.join(sorted(ignored))} are not checked", file))
    return LimitsFile(overrides, tuple(remarks))


def _tables(value: object) -> Iterator[Table]:
    """Yield the tables of joint limits, however deep in the parameters of a node; nesting is bounded by the parser."""
    if isinstance(value, Table):
        for key, inner in value.items():
            if key == _KEY and isinstance(inner, Table):
                yield inner
            else:
                yield from _tables(inner)


def _override(entry: Table, joint: str, file: str) -> Override:
    found: dict[str, float] = {}
    for part, pairs in _PARTS:
        flag = entry.get(f"has_{part}_limits")
        if flag not in (None, True, False):
            raise MotionError(f"has_{part}_limits is neither true nor false", file=file, line=entry.line, element=joint)
        for key, name in pairs:
            if flag is False:
                found[name] = -math.inf if name == "lower" else math.inf
            elif key in entry:
                found[name] = _number(entry, key, joint, file, signed=part == "position")
            elif flag is True:
                raise MotionError(f"has_{part}_limits, but no {key}", file=file, line=entry.line, element=joint)
    result = Override(**found)
    if result.lower is not None and result.upper is not None and result.lower > result.upper:
        raise MotionError("min_position is above max_position", file=file, line=entry.line, element=joint)
    return result


def _number(entry: Table, key: str, joint: str, file: str, *, signed: bool) -> float:
    value = entry[key]
    factor = 1.0
    if isinstance(value, Tagged):
        factor = _UNITS.get(value.tag, math.nan)
        try:
            value = float(value)
        except ValueError:
            value = math.nan
    number = float(value) * factor if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    if math.isnan(number) or (number <= 0.0 and not signed):
        kind = "a number" if signed else "a number above 0"
        raise MotionError(
            f"{key} must be {kind}, not {str(entry[key])[:40]!r}", file=file, line=entry.line, element=joint
        )
    return number
