# SPDX-License-Identifier: GPL-3.0-or-later
"""The swivel angle: where the elbow of a redundant arm is, on its circle about the line from shoulder to wrist.

The arm is the last seven turning joints of the path to a frame, or all where there are fewer. Its three points are

    shoulder  on the first axis, where that is nearest to the second: it stands still in the link that carries the arm
    elbow     on the middle axis (the fourth of six or seven), where that is nearest to the one before it
    wrist     on the last axis, where that is nearest to the last but one: it is fixed to the frame

so that a pose of the frame leaves shoulder and wrist where they are. The angle is measured from a reference plane that
changes with the direction n from shoulder to wrist as smoothly as can be. No choice is smooth for all n; this one is
undefined for a single direction, ``away``, taken opposite to where the arm's wrist is on average. With
``k = (n - away) x toward`` and p from shoulder to elbow

    angle = atan2((n x (k x n)) . p, (k x n) . p)

Where n is opposite to ``away``, 0 is the elbow on the side of ``toward``; the angle grows by the right hand about n.

Source: A. J. Elias, J. T. Wen, "Redundancy parameterization and inverse kinematics of 7-DOF revolute manipulators",
2023 (the stereographic shoulder-elbow-wrist angle).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..errors import ModelError
from ..kinematics.chain import Frame, frame_parts
from ..kinematics.configuration import JointValue, resolve_configuration
from ..model import Robot
from ..spatial import Array
from ..tree import path_to
from .path import Path, around_z, path_of
from .vectors import V3, add, along, common_normal, cross, dot, minus, norm

_SEVEN, _FEWEST = 7, 4
_SAMPLES = 256
_ON_LINE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class SwivelArm:
    """Where on a path the arm is; points and directions in the axes that the first joint turns about as z.

    Attributes:
        path: The path.
        first, elbow, last: Places on the path of the first, the middle and the last joint.
        heights: How far along their axes shoulder, elbow and wrist are [m].
        references: ``away`` and ``toward`` as rows, shape (2, 3).
    """

    path: Path
    first: int
    elbow: int
    last: int
    heights: V3
    references: Array

    @property
    def joints(self) -> tuple[str, ...]:
        """The arm's turning joints, from the shoulder."""
        inside = self.path.joints[self.first : self.last + 1]
        return tuple(joint.name for joint in inside if joint.type.turns)

    def slopes(self, seen: Array, elbows: Sequence[Elbow]) -> Array:
        """Return how the angle changes with the values of the path's joints, shape (k, T)."""
        columns = self.path.slopes(seen)
        factors = np.array([_slopes(elbow) for elbow in elbows])  # (T, 2, 6)
        out = np.zeros(columns.shape[:2])
        for row, (by_wrist, by_elbow) in enumerate(factors):
            out[self.first : self.last + 1, row] = columns[self.first : self.last + 1, row].dot(by_wrist)
            out[self.first : self.elbow, row] += columns[self.first : self.elbow, row].dot(by_elbow)
        return out

    def elbows(self, seen: Array) -> list[Elbow]:
        """Return what the angle is made of for each of T configurations, from what ``Path.pose`` returns."""
        rows = np.empty((seen.shape[1], 5, 3))
        for index, place in enumerate((self.first, self.elbow, self.last)):
            rows[:, index] = _in_frame(seen[place], self.heights[index])
        rows[:, 3:] = self.references @ seen[self.first][:, :3, :3]
        found = []
        for row in rows.tolist():
            points: tuple[V3, ...] = tuple((x, y, z) for x, y, z in row)
            shoulder, elbow, wrist, away, toward = points
            n = minus(wrist, shoulder)
            distance = max(norm(n), 1e-12)
            n = (n[0] / distance, n[1] / distance, n[2] / distance)
            p = minus(elbow, shoulder)
            k = cross(minus(n, away), toward)
            along_x, along_y = dot(cross(k, n), p), dot(k, p) - dot(n, k) * dot(n, p)
            found.append(Elbow(wrist, elbow, distance, n, p, k, toward, along_x, along_y))
        return found


class Elbow(NamedTuple):
    """What the angle of one configuration is made of, in the frame's axes: see above."""

    wrist: V3
    elbow: V3
    distance: float
    n: V3
    p: V3
    k: V3
    toward: V3
    x: float
    y: float

    @property
    def on_line(self) -> bool:
        """Whether the elbow is on the line from shoulder to wrist."""
        return math.hypot(self.x, self.y) <= _ON_LINE * norm(self.p)

    @property
    def angle(self) -> float:
        """The swivel angle [rad] in -pi..pi; 0 where the elbow is on the line."""
        return 0.0 if self.on_line else math.atan2(self.y, self.x)


def _slopes(at: Elbow) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return how the angle changes with the linear and angular velocity of the wrist and of the elbow, 6 each.

    Where the elbow is on the line no joint is said to turn it.
    """
    if at.on_line:
        return (0.0,) * 6, (0.0,) * 6
    _, _, distance, n, p, k, toward, x, y = at
    size = x * x + y * y
    np_, nk = dot(n, p), dot(n, k)
    x, y = x / size, y / size
    to_elbow = along(along((0.0, 0.0, 0.0), x, along(k, -nk, n)), -y, cross(k, n))
    by_n_x = add(cross(toward, cross(n, p)), cross(p, k))
    by_n_y = along(along(cross(toward, p), -np_, add(k, cross(toward, n))), -nk, p)
    to_wrist = along(along((0.0, 0.0, 0.0), x / distance, by_n_y), -y / distance, by_n_x)
    to_wrist = along(to_wrist, -dot(to_wrist, n), n)
    return (*to_wrist, *cross(at.wrist, to_wrist)), (*to_elbow, *cross(at.elbow, to_elbow))


def _in_frame(seen: Array, height: float) -> Array:
    """Return a point of a joint's axis in the frame's axes, from the frame as the joint sees it, shape (T, 4, 4)."""
    offset = -seen[:, None, :3, 3]
    offset[:, 0, 2] += height
    return np.asarray((offset @ seen[:, :3, :3])[:, 0])


def swivel_angle(robot: Robot, q: JointValue | None, frame: Frame, base: str | None = None) -> Array | float:
    """Return the swivel angle [rad] in -pi..pi of an arm's elbow; 0 where it is on the line from shoulder to wrist.

    Args:
        robot: Any robot.
        q: Joint values as ``forward_kinematics`` takes them, for one configuration or T.
        frame: The arm's end: a link's name, or the name and ``L_H_F``, shape (4, 4).
        base: The link that the path to the frame begins at; the root where None.

    Returns:
        A number, or shape (T,) for T configurations.

    Raises:
        UnknownNameError: If a link or joint does not exist.
        JointValueError: If a joint value has the wrong shape or is not finite.
        ModelError: If fewer than four turning joints lead to the frame.
    """
    given = resolve_configuration(robot, q)
    arm = swivel_arm(robot, frame, base)
    _, seen = arm.path.pose(arm.path.values(given.free.T))
    angles = [elbow.angle for elbow in arm.elbows(seen)]
    return np.array(angles) if given.batched else angles[0]


def swivel_arm(
    robot: Robot,
    frame: Frame,
    base: str | None = None,
    path: Path | None = None,
    spatial: Mapping[str, Array] | None = None,
) -> SwivelArm:
    """Return the arm that leads to a frame; ``path`` where it is known already.

    Raises:
        UnknownNameError: If there is no such link.
        ModelError: If fewer than four turning joints lead to the frame.
    """
    path = path_of(robot, frame, base, spatial) if path is None else path
    turning = [place for place, joint in enumerate(path.joints) if joint.type.turns][-_SEVEN:]
    link, _ = frame_parts(robot, frame)
    if len(turning) < _FEWEST:
        raise ModelError(f"{len(turning)} turning joints lead to {link!r}: an arm with an elbow has {_FEWEST} or more")
    middle = turning[len(turning) // 2]
    before = turning[len(turning) // 2 - 1]
    heights = (
        _nearest(path, turning[0], turning[1])[0],
        _nearest(path, before, middle)[1],
        _nearest(path, turning[-2], turning[-1])[1],
    )
    step = next(step for step in path_to(robot, link, base) if step.joint is path.joints[turning[0]])
    carrier = around_z(step)[0][:3, :3]
    plain = SwivelArm(path, turning[0], middle, turning[-1], heights, np.zeros((2, 3)))
    away = -_main_axis(carrier @ _average_direction(plain), carrier[:, 2])
    toward = np.array([1.0, 0.0, 0.0] if away[2] else [0.0, 0.0, 1.0])
    return SwivelArm(path, turning[0], middle, turning[-1], heights, np.stack([away, toward]) @ carrier)


def _nearest(path: Path, one: int, other: int) -> tuple[float, float]:
    """Return how far along the axes of two joints of the path they are nearest to each other."""
    between = path.constants[one]
    for place in range(one + 1, other):
        between = between @ path.constants[place]
    axis, through = between[:3, 2].tolist(), between[:3, 3].tolist()
    own, far = common_normal((0.0, 0.0, 1.0), (0.0, 0.0, 0.0), tuple(axis), tuple(through))
    return own[2], float(np.dot(np.subtract(far, through), axis))


def _average_direction(arm: SwivelArm) -> Array:
    """Return the mean direction from shoulder to wrist over configurations spread evenly within limits, shape (3,)."""
    count = len(arm.path.joints)
    # an additive recurrence with powers of the generalised golden ratio covers a box evenly
    ratio = 2.0
    for _ in range(40):
        ratio = (1.0 + ratio) ** (1.0 / (count + 1))
    spread = (0.5 + np.outer(ratio ** -np.arange(1.0, count + 1), np.arange(_SAMPLES))) % 1.0
    ends = np.array([joint.range or ((-np.pi, np.pi) if joint.type.turns else (0.0, 0.0)) for joint in arm.path.joints])
    values = ends[:, :1] + spread * (ends[:, 1:] - ends[:, :1])
    _, seen = arm.path.pose(values)
    shoulder, wrist = _in_frame(seen[arm.first], arm.heights[0]), _in_frame(seen[arm.last], arm.heights[2])
    direction = np.einsum("tij,tj->ti", seen[arm.first][:, :3, :3], wrist - shoulder)
    size = np.linalg.norm(direction, axis=1, keepdims=True)
    return np.asarray((direction / np.maximum(size, 1e-12)).mean(axis=0))


def _main_axis(mean: Array, otherwise: Array) -> Array:
    """Return the axis x, y, z, or its opposite, nearest to a mean direction, or to another where it says nothing."""
    direction = mean if np.linalg.norm(mean) > 0.1 else otherwise
    index = int(np.argmax(np.abs(direction).round(6)))
    out = np.zeros(3)
    out[index] = np.copysign(1.0, direction[index])
    return out
