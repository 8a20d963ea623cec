# SPDX-License-Identifier: GPL-3.0-or-later
"""What JSON and YAML recordings hold: messages of ROS, or one table of everything.

Joints are in JointTrajectory or JointState messages. The base is in a RobotTrajectory's second part, as MoveIt has it,
in TransformStamped messages between JointStates, or in the table's entry ``base``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import cast

import numpy as np

from .errors import MotionError
from .joining import Samples, joined
from .joint_motion import MAX_VALUES, Array
from .recording import BaseRows, Recording, make_recording
from .yaml_nodes import Series

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

    def _rows(self, lists: Sequence[object], width: int, element: str) -> Array:
        """Return lists of ``width`` finite numbers, shape (T, width)."""
        # what is as it should be is read at once; else it is gone through to find out where it is not
        if set(map(type, lists)) <= {list, Series} and set(map(len, cast("Sequence[list[object]]", lists))) == {width}:
            items = list(chain.from_iterable(cast("Sequence[list[object]]", lists)))
            if set(map(type, items)) == {float} and np.isfinite(table := np.array(items, dtype=np.float64)).all():
                return table.reshape(len(lists), width)
        rows = [self.numbers(item, width, f"{element}[{index}]", lists) for index, item in enumerate(lists)]
        return np.reshape(rows, (len(lists), width)).astype(np.float64)

    def seconds(self, value: object, element: str, where: object) -> float:
        """Return a ROS time or duration, or a number, as seconds."""
        if isinstance(value, Mapping):
            whole = value.get("sec", value.get("secs", 0))
            part = value.get("nanosec", value.get("nsecs", 0))
            parts = self.numbers([whole, part], 2, element, value)
            return float(parts[0] + _NANO * parts[1])
        return float(self.numbers([value], 1, element, where)[0])

    def trajectory(self, message: Mapping[str, object], base: BaseRows | None = None) -> Recording:
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
        return make_recording(names, times, arrays, file=self._file, lines=lines, base=base)

    def base_trajectory(self, value: object) -> BaseRows | None:
        """Return the base's poses in a MultiDOFJointTrajectory; None if it is empty."""
        element = "multi_dof_joint_trajectory"
        message = self.table(value, element, value)
        names = self.names(message.get("joint_names", []), f"{element}.joint_names", message)
        points = self.series(message.get("points", []), f"{element}.points", message)
        if not names or not points:
            return None
        self._bounded(len(points), 7, message)
        times, rows = np.empty(len(points)), np.empty((len(points), 7))
        for index, item in enumerate(points):
            place = f"{element}.points[{index}]"
            point = self.table(item, place, points)
            transforms = self.series(point.get("transforms"), f"{place}.transforms", point)
            if len(transforms) != len(names):
                raise self.fault(f"{len(transforms)} transforms for {len(names)} joints", point, place)
            times[index] = self.seconds(point.get("time_from_start"), f"{place}.time_from_start", point)
            rows[index] = self._transform(transforms[0], f"{place}.transforms[0]", point)
        header = self.table(message.get("header", {}), f"{element}.header", message)
        return BaseRows(times, rows, str(header.get("frame_id", "")), names[0])

    def _transform(self, value: object, element: str, where: object) -> Array:
        """Return ``x y z`` and ``w x y z`` of a geometry_msgs/Transform."""
        table = self.table(value, element, where)
        parts = []
        for field, axes in (("translation", "xyz"), ("rotation", "wxyz")):
            part = self.table(table.get(field), f"{element}.{field}", table)
            parts.append(self.numbers([part.get(axis) for axis in axes], len(axes), f"{element}.{field}", part))
        return np.concatenate(parts)

    def _optional(self, point: Mapping[str, object], name: str, count: int, element: str) -> Array | None:
        value = point.get(name)
        if value is None or (value == [] and count and name != "positions"):
            return None
        return self.numbers(value, count, f"{element}.{name}", point)

    def states(self, messages: Sequence[object], where: object) -> Recording:
        """Return JointState messages as one motion; where one lacks a joint, this is linear between its neighbours."""
        rows: dict[tuple[str, ...], list[tuple[float, Array, Array | None]]] = {}
        poses: list[tuple[float, Array]] = []
        frame = link = ""
        count, lines, last = 0, [], -np.inf
        for index, item in enumerate(messages):
            element = f"[{index}]"
            message = self.table(item, element, where)
            time = self._stamp(message, element)
            if "transform" in message:
                poses.append((time, self._transform(message["transform"], f"{element}.transform", message)))
                frame = str(self.table(message["header"], element, message).get("frame_id", ""))
                link = str(message.get("child_frame_id", ""))
                continue
            names, values = self._state(message, element)
            line = int(getattr(message, "line", 0))
            if time < last:
                raise MotionError(f"time goes back from {last:g} to {time:g} s", file=self._file, line=line)
            last, count = time, count + len(names)
            lines.append(line)
            rows.setdefault(tuple(names), []).append((time, *values))
            if count > MAX_VALUES:
                raise self.fault(f"more than {MAX_VALUES} numbers", where)
        base = BaseRows(np.array([time for time, _ in poses]), np.array([row for _, row in poses]), frame, link)
        return self._joined(rows, lines, base if poses else None)

    def _stamp(self, message: Mapping[str, object], element: str) -> float:
        if "header" not in message:
            raise self.fault("header is missing", message, element)
        header = self.table(message["header"], f"{element}.header", message)
        return self.seconds(header.get("stamp"), f"{element}.header.stamp", header)

    def _state(self, message: Mapping[str, object], element: str) -> tuple[list[str], tuple[Array, Array | None]]:
        for field in ("name", "position"):
            if field not in message:
                raise self.fault(f"{field} is missing", message, element)
        names = self.names(message["name"], f"{element}.name", message)
        values = self.numbers(message["position"], len(names), f"{element}.position", message)
        speeds = message.get("velocity")
        known = isinstance(speeds, list) and len(speeds) == len(names) and names
        return names, (values, self.numbers(speeds, len(names), f"{element}.velocity", message) if known else None)

    def _joined(
        self,
        rows: Mapping[tuple[str, ...], Sequence[tuple[float, Array, Array | None]]],
        lines: Sequence[int],
        base: BaseRows | None,
    ) -> Recording:
        if not rows:
            if base is None:
                raise MotionError("there are no samples", file=self._file)
            return make_recording(
                (), base.times, [np.zeros((len(base.times), 0)), None, None], file=self._file, base=base
            )
        parts = []
        for names, samples in rows.items():
            speeds = [row[2] for row in samples if row[2] is not None]
            parts.append(
                Samples(
                    names,
                    np.array([round(row[0] / _NANO) for row in samples], dtype=np.int64),
                    (
                        np.array([row[1] for row in samples]),
                        np.array(speeds) if len(speeds) == len(samples) else None,
                        None,
                    ),
                )
            )
        if len(parts) == 1:  # here samples at the same time are noted
            times = np.array([row[0] for row in next(iter(rows.values()))])
            return make_recording(parts[0].joints, times, parts[0].values, file=self._file, lines=lines, base=base)
        joints, times_ns, arrays = joined(parts, self._file)
        return make_recording(joints, times_ns / 1e9, arrays, file=self._file, base=base)

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
            arrays.append(self._rows(lists, len(names), field))
        base = self._base_table(message["base"], times, message) if message.get("base") is not None else None
        return make_recording(names, times, arrays, file=self._file, base=base)

    def _base_table(self, value: object, times: Array, where: object) -> BaseRows:
        table = self.table(value, "base", where)
        parts = []
        for field, width in (("positions", 3), ("quaternions", 4)):
            lists = self.series(table.get(field), f"base.{field}", table)
            if len(lists) != len(times):
                raise self.fault(f"{len(lists)} samples for {len(times)} times", lists, f"base.{field}")
            parts.append(self._rows(lists, width, f"base.{field}"))
        return BaseRows(times, np.hstack(parts), str(table.get("frame", "")), str(table.get("link", "")))

    def _bounded(self, samples: int, joints: int, where: object) -> None:
        if samples * joints > MAX_VALUES:
            raise self.fault(f"more than {MAX_VALUES} numbers", where)


def recording_of(value: object, *, file: str = "") -> Recording:
    """Return the motion in what a JSON or YAML file holds.

    Args:
        value: A JointTrajectory, perhaps inside another message; a JointState or a list of these, perhaps with
            TransformStamped messages between them; or a table of ``joints``, ``times`` and ``positions``, perhaps
            ``velocities``, ``accelerations`` and ``base``, which has ``positions`` and ``quaternions`` (w x y z).
        file: Name for messages.

    Raises:
        MotionError: If it is none of these, or its numbers do not fit.
    """
    reader = _Reader(file)
    base: BaseRows | None = None
    for _ in _WRAPPERS:
        if isinstance(value, Mapping):
            if value.get("multi_dof_joint_trajectory") is not None and base is None:
                base = reader.base_trajectory(value["multi_dof_joint_trajectory"])
            value = next((value[name] for name in _WRAPPERS if name in value), value)
    if isinstance(value, list) and value:
        return reader.states(value, value)
    if isinstance(value, Mapping):
        if {"joint_names", "points"} <= value.keys():
            return reader.trajectory(value, base)
        if {"name", "position"} <= value.keys():
            return reader.states([value], value)
        if {"joints", "times", "positions"} <= value.keys():
            return reader.whole(value)
    text = "neither a JointTrajectory (joint_names, points) nor JointStates (name, position, header)"
    raise reader.fault(f"{text} nor a table of joints, times and positions", value)
