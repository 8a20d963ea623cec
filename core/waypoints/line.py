# SPDX-License-Identifier: GPL-3.0-or-later
"""A straight-line move of a tool from one taught configuration to another.

The line is followed from the start by continuation: small steps, each solved from the one before and held against its
linear prediction, so that neither the branch changes nor a singularity is jumped over. An arm without freedom to spare
must arrive at the taught configuration. One that has some is led there: the way followed from the start and the one
followed back from the end are blended, or simply the joint values, and each blend is brought onto the line by the
smallest change of the joints; the steadier way is taken.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..ik.rotation_error import rotation_vector
from ..spatial import Array, rotation_about_axis, transform
from .errors import WaypointError
from .tool import Tool

_SAME = 1e-5  # rad and m: both ends are solved for from float32 values
_LARGEST_STEP = 0.15
_OFF_PREDICTION = 0.3
_SMALLEST_STEP = 1e-6  # of the line
_FEWEST, _MOST = 48, 400  # samples
_SAMPLE = 0.01  # m or rad from one to the next
_MOST_STEPS = 20_000
_NONE_HELD = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Poses from one to another: the point on a straight line, the orientation turned about one axis."""

    start: Array
    end: Array

    @property
    def _turn(self) -> Array:
        return np.asarray(rotation_vector((self.start[:3, :3].T @ self.end[:3, :3])[None])[0])

    def at(self, s: Array) -> Array:
        """Return the poses (T, 4, 4) at parts 0..1 of the way, shape (T,)."""
        turn = self._turn
        angle = float(np.linalg.norm(turn))
        axis = turn / angle if angle > 0.0 else np.array([0.0, 0.0, 1.0])
        rotation = self.start[:3, :3] @ rotation_about_axis(axis, s * angle)
        origin = self.start[:3, 3] + s[:, None] * (self.end[:3, 3] - self.start[:3, 3])
        return np.asarray(transform(rotation, origin))

    @property
    def samples(self) -> Array:
        """Parts of the way, dense enough to follow it by, shape (N,)."""
        size = float(np.linalg.norm(self.end[:3, 3] - self.start[:3, 3]) + np.linalg.norm(self._turn))
        return np.linspace(0.0, 1.0, min(_MOST, max(_FEWEST, math.ceil(size / _SAMPLE))) + 1)


@dataclass(frozen=True, slots=True, eq=False)
class LineMove:
    """Configurations that keep a tool on a line.

    Attributes:
        tool: The tool.
        line: The line.
        start: The taught joint values it starts from, shape (k,).
        end: The taught joint values it arrives at, shape (k,).
        waypoint: The name of the waypoint it leads to.
        samples: Parts of the way, rising, shape (N,), dense enough to follow it by.
    """

    tool: Tool
    line: Line
    start: Array
    end: Array
    waypoint: str
    samples: Array
    _guide: Array

    def at(self, s: Array) -> Array:
        """Return joint values (T, k) at parts 0..1 of the way, shape (T,); the taught ones at 0 and 1.

        Raises:
            WaypointError: If there is none that keeps the tool on the line within limits.
        """
        near = np.column_stack([np.interp(s, self.samples, column) for column in self._guide.T])
        found = self.tool.solve(near, self.line.at(s))
        if not found.reached.all():
            worst = int(np.argmin(found.reached))
            joint = _culprit(self.tool, found.held[worst], self._guide[0], self._guide[-1])
            raise _refused(self.tool, joint, found.held[worst], float(s[worst]), self.waypoint)
        x = found.x
        x[s <= 0.0], x[s >= 1.0] = self.start, self.end
        return x


def line_move(tool: Tool, start: Array, end: Array, waypoint: str) -> LineMove:
    """Return the move between two taught configurations, shape (k,).

    Raises:
        WaypointError: If the tool cannot be kept on the line, or not without changing to another configuration; it
            names the joint.
    """
    first, last = tool.pose(np.stack([start, end]))
    line = Line(first, last)
    if tool.rows < 6:  # what the orientation does is left to the joints
        line = Line(first, np.block([[first[:3, :3], last[:3, 3:]], [0.0, 0.0, 0.0, 1.0]]))
    samples = line.samples
    straight = start + samples[:, None] * (end - start)
    try:
        ahead = _followed(tool, line, samples, start, waypoint, towards=end)
        if np.abs(ahead[-1] - end).max(initial=0.0) <= _SAME:
            return LineMove(tool, line, start, end, waypoint, samples, ahead)
        if tool.freedom(ahead[:: len(ahead) // 8]) == 0:
            raise _other_end(tool, ahead[-1], end, waypoint)
        back = _followed(tool, line, 1.0 - samples, end, waypoint, towards=start)[::-1]
    except WaypointError as refusal:
        if tool.freedom(straight[:: len(straight) // 8]) == 0:
            raise
        return _steadiest([LineMove(tool, line, start, end, waypoint, samples, straight)], refusal)
    share = (samples * samples * (3.0 - 2.0 * samples))[:, None]
    guides = (1.0 - share) * ahead + share * back, straight
    return _steadiest([LineMove(tool, line, start, end, waypoint, samples, guide) for guide in guides])


def _steadiest(moves: list[LineMove], earlier: WaypointError | None = None) -> LineMove:
    """Return the move whose joints go the least at once.

    Raises:
        WaypointError: If none keeps the tool on its line: the earlier refusal, or that of the first.
    """
    found: list[tuple[float, LineMove]] = []
    refusals: list[WaypointError] = []
    for move in moves:
        try:
            found.append((float(np.abs(np.diff(move.at(move.samples), axis=0)).max()), move))
        except WaypointError as refusal:
            refusals.append(refusal)
    if not found:
        raise earlier or refusals[0]
    return min(found, key=lambda item: item[0])[1]


def _followed(tool: Tool, line: Line, samples: Array, start: Array, waypoint: str, towards: Array) -> Array:
    """Return the configurations (N, k) at the samples, followed from the first one."""
    rows = [start]
    steps = 0
    for previous, following in zip(samples[:-1].tolist(), samples[1:].tolist(), strict=True):
        x, at = rows[-1], previous
        stride = following - previous
        while at != following:
            steps += 1
            stride = math.copysign(min(abs(stride), abs(following - at)), stride)
            there = following if abs(following - at - stride) < _SMALLEST_STEP else at + stride
            new, held = _stepped(tool, x, line.at(np.array([there])))
            if new is not None:
                x, at, stride = new, there, 2.0 * stride
            elif abs(stride) < _SMALLEST_STEP or steps > _MOST_STEPS:
                raise _refused(tool, _culprit(tool, held, x, towards), held, at, waypoint)
            else:
                stride *= 0.5
        rows.append(x)
    return np.array(rows)


def _stepped(tool: Tool, x: Array, goal: Array) -> tuple[Array | None, Array]:
    """Return the configuration one step on, None where the step is too long, and which joints are held at limits."""
    before = x[None]
    step, _ = tool.step(before, goal, np.zeros(before.shape, dtype=bool))
    size = float(np.abs(step).max(initial=0.0))
    if size > _LARGEST_STEP:
        beyond = (x + step[0] < tool.lower) | (x + step[0] > tool.upper)
        return None, beyond
    found = tool.solve(before + step, goal)
    moved = float(np.abs(found.x - before).max(initial=0.0))
    off = float(np.abs(found.x - before - step).max(initial=0.0))
    close = found.held[0].any() or off <= _OFF_PREDICTION * size + _NONE_HELD
    good = bool(found.reached[0]) and close and moved <= _LARGEST_STEP
    return (found.x[0] if good else None), found.held[0]


def _culprit(tool: Tool, held: Array, here: Array, there: Array) -> int:
    """Return which joint to name: one that is held at its limit, else the one that is to move the most."""
    places = np.flatnonzero(held)
    if len(places):
        return int(places[0])
    return int(np.abs(there - here).argmax()) if len(tool.names) else -1


def _refused(tool: Tool, joint: int, held: Array, s: float, waypoint: str) -> WaypointError:
    name = tool.names[joint] if joint >= 0 else ""
    place = f"{100.0 * s:.0f} % of the way"
    if held.any():
        message = f"on the straight line joint {name!r} would pass its limit at {place}"
    elif name:
        message = (
            f"the tool cannot keep to the straight line at {place}: it is out of reach there, or singular, and joint "
            f"{name!r} would have to jump to another configuration"
        )
    else:
        message = "no joint moves the tool"
    remedy = "make it a joint move or teach a waypoint between"
    if tool.rows == 6 and len(tool.names) < 6:
        remedy += ", or lead the tool's point alone, since fewer than six joints move it"
    return WaypointError(f"{message}; {remedy}", joint=name, waypoint=waypoint)


def _other_end(tool: Tool, found: Array, taught: Array, waypoint: str) -> WaypointError:
    joint = int(np.abs(found - taught).argmax())
    name = tool.names[joint]
    message = (
        f"the straight line ends in another configuration than the taught one: joint {name!r} at {found[joint]:.4g} "
        f"and not at {taught[joint]:.4g}; make it a joint move or teach the waypoint in that configuration"
    )
    return WaypointError(message, joint=name, waypoint=waypoint)
