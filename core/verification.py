# SPDX-License-Identifier: GPL-3.0-or-later
"""Does a rig do what forward kinematics says? The configurations to try, and the comparison of what was measured.

Forward kinematics is computed from the description's origins and axes alone, never from bones.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .kinematics import forward_kinematics
from .model import Joint, JointType, Robot
from .spatial import pose_error
from .tree import reach

Array = NDArray[np.float64]

POSITION_TOLERANCE = 1e-5
ROTATION_TOLERANCE = 1e-5
# how far an unlimited joint is taken: several turns, or metres
_UNLIMITED_ANGLE = 5.0 * math.pi
_UNLIMITED_DISTANCE = 1.0
_LIMIT_SLACK = 1e-6


@dataclass(frozen=True, slots=True)
class Verification:
    """Result of a verification.

    Attributes:
        samples: Number of configurations tried.
        links: Number of links compared in each.
        max_position_error: Largest distance [m].
        max_rotation_error: Largest angle [rad], or largest entry by which the axes differ in length.
        worst_link: The link with the largest error, measured by the tolerances.
        position_tolerance: Allowed distance [m].
        rotation_tolerance: Allowed angle [rad].
        problems: What is wrong, in words; empty when passed.
    """

    samples: int
    links: int
    max_position_error: float
    max_rotation_error: float
    worst_link: str
    position_tolerance: float
    rotation_tolerance: float
    problems: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every link was within the tolerances and every joint within its range."""
        return not self.problems

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form used by reports."""
        return {
            "samples": self.samples,
            "links": self.links,
            "max_position_error": self.max_position_error,
            "max_rotation_error": self.max_rotation_error,
            "worst_link": self.worst_link,
            "tolerance": {"position": self.position_tolerance, "rotation": self.rotation_tolerance},
            "passed": self.passed,
            "problems": list(self.problems),
        }


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Poses that Blender evaluated, in the base link's frame.

    Attributes:
        link: The link whose pose they give.
        what: What was measured, such as ``bone 'elbow'``.
        link_h_item: Where the thing should sit in the link's frame, shape (4, 4).
        poses: ``B_H_item`` for each configuration, shape (T, 4, 4).
    """

    link: str
    what: str
    link_h_item: Array
    poses: Array


@dataclass(frozen=True, slots=True, eq=False)
class Strayed:
    """How far points that Blender evaluated are from where forward kinematics puts them.

    Attributes:
        link: The link that they are fixed to.
        what: What they are part of, such as ``mesh 'robot'``.
        radius: Largest distance [m] of one of them from the link's origin.
        distances: Largest distance [m] in each configuration, shape (T,).
    """

    link: str
    what: str
    radius: float
    distances: Array


def sample_configurations(robot: Robot, count: int, seed: int = 0) -> list[dict[str, Array]]:
    """Return ``count`` configurations: the one nearest to zero, both corners of the ranges, the rest random.

    Values are what a float32 pose channel can hold. Planar and floating joints are moved too.
    """
    rng = np.random.default_rng(seed)
    free = [joint for joint in robot.joints if joint.type is not JointType.FIXED and joint.mimic is None]
    corners = (lambda low, high: np.clip(0.0, low, high), lambda low, _: low, lambda _, high: high)
    configurations = []
    for index in range(count):
        pick = corners[index] if index < len(corners) else rng.uniform
        configurations.append({joint.name: _as_stored(_value(joint, pick, rng)) for joint in free})
    return configurations


def _as_stored(value: Array) -> Array:
    return np.asarray(value, dtype=np.float32).astype(np.float64)


def _value(joint: Joint, pick: object, rng: np.random.Generator) -> Array:
    assert callable(pick)
    if joint.type is JointType.FLOATING:
        turn = rng.normal(size=4)
        return np.array([*rng.uniform(-1.0, 1.0, 3), *turn / np.linalg.norm(turn)])
    if joint.type is JointType.PLANAR:
        return np.array([*rng.uniform(-1.0, 1.0, 2), rng.uniform(-math.pi, math.pi)])
    span = _UNLIMITED_ANGLE if joint.type.turns else _UNLIMITED_DISTANCE
    low, high = joint.range or (-span, span)
    return np.asarray(pick(low, high))


def range_violations(robot: Robot, values: Mapping[str, float]) -> list[str]:
    """Return a sentence for each joint whose value [rad or m] lies outside its range."""
    sentences = []
    for name, value in values.items():
        joint = robot.joint(name)
        if joint.range is None:
            continue
        low, high = joint.range
        slack = _LIMIT_SLACK * max(1.0, abs(low), abs(high))
        if not low - slack <= value <= high + slack:
            sentences.append(
                f"joint {name!r} of link {joint.child!r} is at {value:.6g}, outside its range {low:.6g} .. {high:.6g}"
            )
    return sentences


def _largest(errors: Array) -> float:
    """Return the largest error; one that is not a number counts as infinite."""
    return float(np.where(np.isfinite(errors), errors, np.inf).max())


def compare(
    robot: Robot,
    base: str,
    configurations: Sequence[Mapping[str, Array]],
    measured: Sequence[Measured],
    *,
    strayed: Sequence[Strayed] = (),
    problems: Sequence[str] = (),
    rounding: float = 0.0,
) -> Verification:
    """Return how far the measured poses are from forward kinematics.

    Args:
        robot: The robot, from its description.
        base: The link in whose frame poses are given.
        configurations: The configurations tried, T of them, as ``forward_kinematics`` takes them.
        measured: The poses that were read.
        strayed: Points that were compared with forward kinematics already.
        problems: Problems found already.
        rounding: What float32 world coordinates can't resolve [m], added to the position tolerance.
    """
    stacked = {name: np.array([q[name] for q in configurations]) for name in configurations[0]}
    expected = forward_kinematics(robot, stacked, base)
    position_tolerance = POSITION_TOLERANCE * max(1.0, reach(robot, base)) + rounding
    findings = [_judged(item, expected[item.link], position_tolerance) for item in measured]
    findings += [_judged_points(item, position_tolerance) for item in strayed]
    worst: dict[str, _Finding] = {}
    for finding in findings:
        if finding.link not in worst or finding.score > worst[finding.link].score:
            worst[finding.link] = finding
    by_score = sorted(worst.values(), key=lambda finding: finding.score, reverse=True)
    return Verification(
        len(configurations),
        len(worst),
        max((finding.distance for finding in findings), default=0.0),
        max((finding.angle for finding in findings), default=0.0),
        by_score[0].link if by_score else "",
        position_tolerance,
        ROTATION_TOLERANCE,
        (*problems, *(finding.sentence for finding in by_score if finding.score > 1.0)),
    )


@dataclass(frozen=True, slots=True)
class _Finding:
    """The largest errors [m], [rad] of one thing; its ``score`` is above 1 where they exceed the tolerances."""

    link: str
    distance: float
    angle: float
    score: float
    sentence: str


def _judged(item: Measured, expected: Array, position_tolerance: float) -> _Finding:
    target = np.broadcast_to(expected @ item.link_h_item, item.poses.shape)
    distance, angle = pose_error(target, item.poses)
    # axes of the wrong length or sheared are an error too, which no angle shows
    turn = np.maximum(angle, np.abs(target - item.poses)[:, :3, :3].max(axis=(1, 2)))
    far, wide = _largest(distance), _largest(turn)
    score = max(far / position_tolerance, wide / ROTATION_TOLERANCE)
    sentence = f"link {item.link!r} ({item.what}) is off by {far:.3g} m, {wide:.3g} rad"
    return _Finding(item.link, far, wide, score, sentence)


def _judged_points(item: Strayed, position_tolerance: float) -> _Finding:
    far = _largest(item.distances)
    # a link that is turned by as much as is allowed takes its farthest point along
    score = far / (position_tolerance + ROTATION_TOLERANCE * item.radius)
    return _Finding(
        item.link, far, 0.0, score, f"link {item.link!r} ({item.what}) has points that are off by {far:.3g} m"
    )
