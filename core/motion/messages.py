# SPDX-License-Identifier: GPL-3.0-or-later
"""What JSON and YAML recordings hold: ROS' JointTrajectory and JointState messages, or one table of everything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from .errors import MotionError
from .joint_motion import MAX_VALUES, Array
from .recording import Recording, make_recording

_WRAPPERS = ("trajectory", "joint_trajectory", "goal")
_FIELDS = ("positions", "velocities", "accelerations")
_NANO = 1e-9


class _Reader:
    def __init__(self, file: str) -> None:
        self._file = file

    def fault(self, message: str, where: object, element: str = "") -> MotionError:
        line, column = getattr(where, "line", 0), getattr(where, "column", 0)
        return MotionError(message, file=self._file, line=line, column=column, element=element)

    def table(self, value: object, element: str, where: object) -> Mapping[str, object]:
        if not isinstance(value, Mapping):
            raise self.fault("not a table", where, element)
        return cast("Mapping[str, object]", value)

    def series(self, value: object, element: str, where: object) -> Sequence[object]:
        if not isinstance(value, list):
            raise self.fault("not a list", where, element)
        return value

    def names(self, value: object, element: str, where: object) -> list[str]:
        names = self.series(value, element, where)
        if not all(isinstance(name, str) and name for name in names):
            raise self.fault("not a list of names", value, element)
        found = cast("list[str]", list(names))
        if len(set(found)) != len(found):
            raise self.fault("a name comes twice", value, element)
        return found

    def numbers(self, value: object, count: int, element: str, where: object) -> Array:
        """Return a list of ``count`` finite numbers."""
        items = self.series(value, element, where)
        if len(items) != count:
            raise self.fault(f"{len(items)} numbers where {count} are needed", value, element)
        for index, item in enumerate(items):
            if isinstance(item, bool) or not isinstance(item, int | float):
                raise self.fault(f"{str(item)[:40]!r} is no number", value, f"{element}[{index}]")
        try:
            array = np.array(items, dtype=np.float64)
        except OverflowError:
            raise self.fault("a number is too large", value, element) from None
        if not np.isfinite(array).all():
            index = int(np.argmin(np.isfinite(array)))
            raise self.fault(f"{items[index]} is no finite number", value, f"{element}[{index}]")
        return array

    def seconds(self, value: object, element: str, where: object) -> float:
        """Return a ROS time or duration, or a number, as seconds."""
        if isinstance(value, Mapping):
            whole = value.get("sec", value.get("secs", 0))
            part = value.get("nanosec", value.get("nsecs", 0))
            parts = self.numbers([whole, part], 2, element, value)
            return float(parts[0] + _NANO * parts[1])
        return float(self.numbers([value], 1, element, where)[0])

    def trajectory(self, message: Mapping[str, object]) -> Recording:
        names = self.names(message["joint_names"], "joint_names", message)
        points = self.series(message["points"], "points", message)
        self._bounded(len(points), len(names), message)
        times, rows, lines = np.empty(len(points)), [], []
        for index, item in enumerate(points):
            element = f"points[{index}]"
            point = self.table(item, element, points)
            for field in ("time_from_start", "positions"):
                if field not in point:
                    raise self.fault(f"{field} is missing", point, element)
            times[index] = self.seconds(point["time_from_start"], f"{element}.time_from_start", point)
            rows.append([self._optional(point, name, len(names), element) for name in _FIELDS])
            lines.append(int(getattr(point, "line", 0)))
        arrays: list[Array | None] = []
        for column in range(len(_FIELDS)):
            found = [row[column] for row in rows]
            known = [values for values in found if values is not None]
            arrays.append(np.reshape(known, (len(points), len(names))) if len(known) == len(found) else None)
        if arrays[0] is None:
            raise self.fault("positions are missing", message, "points")
        return make_recording(names, times, arrays, file=self._file, lines=lines)

    def _optional(self, point: Mapping[str, object], name: str, count: int, element: str) -> Array | None:
        value = point.get(name)
        if value is None or (value == [] and count and name != "positions"):
            return None
        return self.numbers(value, count, f"{element}.{name}", point)

    def states(self, messages: Sequence[object], where: object) -> Recording:
        """Return JointState messages as one motion; where one lacks a joint, this is linear between its neighbours."""
        samples: dict[str, tuple[list[float], list[float]]] = {}
        times, lines = np.empty(len(messages)), []
        for index, item in enumerate(messages):
            element = f"[{index}]"
            message = self.table(item, element, where)
            for field in ("name", "position", "header"):
                if field not in message:
                    raise self.fault(f"{field} is missing", message, element)
            header = self.table(message["header"], f"{element}.header", message)
            times[index] = self.seconds(header.get("stamp"), f"{element}.header.stamp", header)
            lines.append(int(getattr(message, "line", 0)))
            names = self.names(message["name"], f"{element}.name", message)
            values = self.numbers(message["position"], len(names), f"{element}.position", message)
            for name, value in zip(names, values.tolist(), strict=True):
                known = samples.setdefault(name, ([], []))
                known[0].append(float(times[index]))
                known[1].append(value)
        self._bounded(len(times), len(samples), where)
        positions = np.empty((len(times), len(samples)))
        for column, (instants, found) in enumerate(samples.values()):
            positions[:, column] = found if len(found) == len(times) else np.interp(times, instants, found)
        return make_recording(list(samples), times, [positions, None, None], file=self._file, lines=lines)

    def whole(self, message: Mapping[str, object]) -> Recording:
        names = self.names(message["joints"], "joints", message)
        rows = self.series(message["times"], "times", message)
        times = self.numbers(rows, len(rows), "times", message)
        arrays: list[Array | None] = []
        for field in _FIELDS:
            value = message.get(field)
            if value is None and field != "positions":
                arrays.append(None)
                continue
            lists = self.series(value, field, message)
            if len(lists) != len(times):
                raise self.fault(f"{len(lists)} samples for {len(times)} times", lists, field)
            self._bounded(len(times), len(names), message)
            table = np.empty((len(times), len(names)))
            for index, item in enumerate(lists):
                table[index] = self.numbers(item, len(names), f"{field}[{index}]", lists)
            arrays.append(table)
        return make_recording(names, times, arrays, file=self._file)

    def _bounded(self, samples: int, joints: int, where: object) -> None:
        if samples * joints > MAX_VALUES:
            raise self.fault(f"more than {MAX_VALUES} numbers", where)


def recording_of(value: object, *, file: str = "") -> Recording:
    """Return the motion in what a JSON or YAML file holds.

    Args:
        value: A JointTrajectory, perhaps inside another message; a JointState or a list of these; or a table of
            ``joints``, ``times`` and ``positions``, perhaps ``velocities`` and ``accelerations``.
        file: Name for messages.

    Raises:
        MotionError: If it is none of these, or its numbers do not fit.
    """
    reader = _Reader(file)
    for _ in _WRAPPERS:
        if isinstance(value, Mapping):
            value = next((value[name] for name in _WRAPPERS if name in value), value)
    if isinstance(value, list) and value:
        return reader.states(value, value)
    if isinstance(value, Mapping):
        if {"joint_names", "points"} <= value.keys():
            return reader.trajectory(value)
        if {"name", "position"} <= value.keys():
            return reader.states([value], value)
        if {"joints", "times", "positions"} <= value.keys():
            return reader.whole(value)
    text = "neither a JointTrajectory (joint_names, points) nor JointStates (name, position, header)"
    raise reader.fault(f"{text} nor a table of joints, times and positions", value)
