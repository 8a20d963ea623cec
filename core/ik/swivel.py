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

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..errors import ModelError
from ..kinematics.chain import Frame, frame_parts
from ..kinematics.configuration import JointValue, resolve_configuration
from ..model import Robot
from ..spatial import Array
from ..tree import path_to
from .path import Path, around_z, path_of
from .vectors import V3, common_normal

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
        away: The direction for which the angle is undefined, shape (3,).
        toward: At right angles to it, shape (3,).
    """

    path: Path
    first: int
    elbow: int
    last: int
    heights: V3
    away: Array
    toward: Array

    @property
    def joints(self) -> tuple[str, ...]:
        """The arm's turning joints, from the shoulder."""
        inside = self.path.joints[self.first : self.last + 1]
        return tuple(joint.name for joint in inside if joint.type.turns)

    def angle(self, seen: Array) -> Array:
        """Return the angle [rad] in -pi..pi, shape (T,), from what ``Path.pose`` returns."""
        _, _, p, _, _, x, y = self._parts(seen)
        on_line = np.hypot(x, y) <= _ON_LINE * np.einsum("ti,ti->t", p, p) ** 0.5
        return np.where(on_line, 0.0, np.arctan2(y, x))

    def slopes(self, seen: Array) -> Array:
        """Return how the angle changes with the values of the path's joints, shape (k, T)."""
        wrist, n, p, k, toward, x, y = self._parts(seen)
        np_, nk = _dot(n, p), _dot(n, k)
        to_elbow = x[:, None] * (k - nk * n) - y[:, None] * np.cross(k, n)
        by_n_x = np.cross(toward, np.cross(n, p)) + np.cross(p, k)
        by_n_y = np.cross(toward, p) - np_ * (k + np.cross(toward, n)) - nk * p
        to_wrist = x[:, None] * by_n_y - y[:, None] * by_n_x
        to_wrist -= _dot(to_wrist, n) * n
        size = x * x + y * y
        # where the elbow is on the line no joint is said to turn it
        size = np.where(size <= _ON_LINE**2 * _dot(p, p)[:, 0], np.inf, size)[:, None]
        to_elbow /= size
        to_wrist /= size * wrist[1]
        columns = self.path.slopes(seen)
        linear, angular = columns[:, :, :3], columns[:, :, 3:]
        out = np.zeros(columns.shape[:2])
        here = slice(self.first, self.last + 1)
        out[here] = np.einsum("kti,ti->kt", linear[here] + np.cross(angular[here], wrist[0]), to_wrist)
        here = slice(self.first, self.elbow)
        out[here] += np.einsum("kti,ti->kt", linear[here] + np.cross(angular[here], wrist[2]), to_elbow)
        return out

    def _parts(self, seen: Array) -> tuple[tuple[Array, Array, Array], Array, Array, Array, Array, Array, Array]:
        """Return what the angle is made of, in the frame's axes, shapes (T, 3) and (T,).

        Returns:
            Wrist, its distance from the shoulder (T, 1), and elbow; n; p; k; ``toward``; x; y.
        """
        shoulder, elbow, wrist = (
            _in_frame(seen[place], height)
            for place, height in zip((self.first, self.elbow, self.last), self.heights, strict=True)
        )
        back = seen[self.first][:, :3, :3]
        away, toward = self.away @ back, self.toward @ back
        n = wrist - shoulder
        distance = np.maximum(np.sqrt(_dot(n, n)), 1e-12)
        n = n / distance
        p = elbow - shoulder
        k = np.cross(n - away, toward)
        x = _dot(np.cross(k, n), p)[:, 0]
        y = (_dot(k, p) - _dot(n, k) * _dot(n, p))[:, 0]
        return (wrist, distance, elbow), n, p, k, toward, x, y


def _dot(a: Array, b: Array) -> Array:
    return np.asarray(np.einsum("ti,ti->t", a, b))[:, None]


def _in_frame(seen: Array, height: float) -> Array:
    """Return a point of a joint's axis in the frame's axes, from the frame as the joint sees it, shape (T, 4, 4)."""
    offset = -seen[:, :3, 3]
    offset[:, 2] += height
    return np.asarray(np.einsum("tij,ti->tj", seen[:, :3, :3], offset))


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
    angle = arm.angle(seen)
    return angle if given.batched else float(angle[0])


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
    plain = SwivelArm(path, turning[0], middle, turning[-1], heights, np.zeros(3), np.zeros(3))
    away = -_main_axis(carrier @ _average_direction(plain), carrier[:, 2])
    toward = np.array([1.0, 0.0, 0.0] if away[2] else [0.0, 0.0, 1.0])
    return SwivelArm(path, turning[0], middle, turning[-1], heights, carrier.T @ away, carrier.T @ toward)


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
