# SPDX-License-Identifier: GPL-3.0-or-later
"""From waypoints to keys."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from ..diagnostics import Diagnostic, Level
from ..ik.bounds import joint_bounds
from ..model import Robot
from ..spatial import Array
from ..urdf.remarks import listed
from .errors import WaypointError
from .keys import line_keys
from .line import line_move
from .tool import Tool
from .waypoint import Move, Waypoint

TOLERANCE = 5e-5
"""How far a tool may be from its line [m], of the 1e-4 m promised: the rest is for what lies between the tests."""
_NEAREST = 0.1  # frames
_BEYOND = 1e-6
_FASTEST_SMOOTH = 1.5  # times the mean speed


@dataclass(frozen=True, slots=True, eq=False)
class JointKeys:
    """One joint's keys.

    Attributes:
        frames: Rising, shape (m,).
        values: Values [rad or m], shape (m,).
        smooth: For each key whether the curve to the next is level at both and smooth between, else linear.
    """

    frames: Array
    values: Array
    smooth: tuple[bool, ...]


@dataclass(frozen=True, slots=True, eq=False)
class WaypointPlan:
    """The motion through all waypoints.

    Attributes:
        keys: Of every joint that a waypoint names.
        first: Frame of the first waypoint.
        last: Frame of the last waypoint.
        diagnostics: What there is to say: joints left out, values put at limits, speeds beyond limits.
    """

    keys: Mapping[str, JointKeys]
    first: float
    last: float
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(slots=True)
class _Curve:
    """Keys of a joint in the making, by frame."""

    values: dict[float, float] = field(default_factory=dict)
    smooth: dict[float, bool] = field(default_factory=dict)

    def keys(self) -> JointKeys:
        frames = sorted(self.values)
        values = np.array([self.values[frame] for frame in frames])
        return JointKeys(np.array(frames), values, tuple(self.smooth.get(frame, True) for frame in frames))


def plan_waypoints(
    robot: Robot,
    waypoints: Sequence[Waypoint],
    *,
    spatial: Mapping[str, Array] | None = None,
    frames_a_second: float | None = None,
    tolerance: float = TOLERANCE,
) -> WaypointPlan:
    """Return the keys of the motion through waypoints. At each waypoint all its joints have the taught values.

    Args:
        robot: The robot.
        waypoints: In the order of their frames, at least two.
        spatial: Values of planar (3,) and floating (7,) joints, which stand still.
        frames_a_second: To compare speeds with the joints' limits; they are not compared where None.
        tolerance: How far a tool may be from its line [m].

    Raises:
        WaypointError: If the frames do not rise, a line lacks a joint's value, or would pass a limit or need another
            configuration than the taught one.
        ModelError: If a tool's link does not exist or its offset is no rigid transform.
    """
    _check_frames(waypoints)
    remarks: list[Diagnostic] = []
    taught = [_within_limits(robot, waypoint, remarks) for waypoint in waypoints]
    curves = {name: _Curve() for name in robot.dofs if any(name in values for values in taught)}
    for waypoint, values in zip(waypoints, taught, strict=True):
        for name, value in values.items():
            curves[name].values[waypoint.frame] = value
    for index, (before, after) in enumerate(pairwise(waypoints)):
        for curve in curves.values():
            if before.frame in curve.values:
                curve.smooth[before.frame] = after.smooth
        if after.move is Move.LINE:
            _add_line(robot, (before, after), taught[index : index + 2], spatial, curves, tolerance)
    keys = {name: curve.keys() for name, curve in curves.items()}
    if frames_a_second is not None:
        remarks += _too_fast(robot, keys, frames_a_second)
    return WaypointPlan(keys, waypoints[0].frame, waypoints[-1].frame, tuple(remarks))


def _check_frames(waypoints: Sequence[Waypoint]) -> None:
    if len(waypoints) < 2:
        raise WaypointError("a motion takes two waypoints at least: record another")
    for before, after in pairwise(waypoints):
        if not after.frame - before.frame >= _NEAREST:
            message = (
                f"it is at frame {after.frame:g}, which is not after {before.name!r} at frame {before.frame:g}: "
                "give it another frame or place in the list"
            )
            raise WaypointError(message, waypoint=after.name)


def _within_limits(robot: Robot, waypoint: Waypoint, remarks: list[Diagnostic]) -> dict[str, float]:
    """Return the values of joints that the robot has, brought within limits."""
    lower, upper = joint_bounds(robot)
    column = {name: index for index, name in enumerate(robot.dofs)}
    values: dict[str, float] = {}
    moved, unknown = [], []
    for name, value in waypoint.q.items():
        if not math.isfinite(value):
            raise WaypointError(f"the value of joint {name!r} is not finite", joint=name, waypoint=waypoint.name)
        if name not in column:
            unknown.append(name)
            continue
        values[name] = float(min(max(value, lower[column[name]]), upper[column[name]]))
        if abs(values[name] - value) > _BEYOND * max(1.0, abs(value)):
            moved.append(name)
    who = f"waypoint {waypoint.name!r}"
    if unknown:
        text = f"{robot.name} has no free joint {listed(unknown, 8)}: left out"
        remarks.append(Diagnostic(Level.WARNING, text, element=who))
    if moved:
        text = f"the taught values of {listed(moved, 8)} lie beyond the limits, and are set to them"
        remarks.append(Diagnostic(Level.WARNING, text, element=who))
    return values


def _add_line(
    robot: Robot,
    ends: tuple[Waypoint, Waypoint],
    taught: Sequence[Mapping[str, float]],
    spatial: Mapping[str, Array] | None,
    curves: Mapping[str, _Curve],
    tolerance: float,
) -> None:
    before, after = ends
    tool = Tool.of(robot, after.tool, after.reference, spatial, keep_orientation=after.keep_orientation)
    for waypoint, values in zip(ends, taught, strict=True):
        for name in tool.names:
            if name not in values:
                message = f"it has no value for joint {name!r}, which moves the tool: update it"
                raise WaypointError(message, joint=name, waypoint=waypoint.name)
    start, end = (np.array([values[name] for name in tool.names]) for values in taught)
    move = line_move(tool, start, end, after.name)
    frames, x = line_keys(move, before.frame, after.frame, after.smooth, tolerance)
    for column, name in enumerate(tool.names):
        curve = curves[name]
        curve.smooth[before.frame] = False
        for frame, value in zip(frames[1:-1].tolist(), x[1:-1, column].tolist(), strict=True):
            curve.values[frame], curve.smooth[frame] = value, False


def _too_fast(robot: Robot, keys: Mapping[str, JointKeys], frames_a_second: float) -> list[Diagnostic]:
    remarks = []
    for name, item in keys.items():
        limits = robot.joint(name).limit
        if limits is None or not limits.velocity or len(item.frames) < 2:
            continue
        speeds = np.abs(np.diff(item.values) / np.diff(item.frames)) * frames_a_second
        speeds *= np.where(item.smooth[:-1], _FASTEST_SMOOTH, 1.0)
        at = int(speeds.argmax())
        if speeds[at] > limits.velocity * (1.0 + 1e-6):
            unit = "rad/s" if robot.joint(name).type.turns else "m/s"
            text = (
                f"joint {name!r} moves at {speeds[at]:.3g} {unit} near frame {item.frames[at]:g}, faster than the "
                f"{limits.velocity:.3g} {unit} that it can"
            )
            remarks.append(Diagnostic(Level.WARNING, text))
    return remarks
