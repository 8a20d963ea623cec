# SPDX-License-Identifier: GPL-3.0-or-later
"""The pose of a robot's base over time."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..spatial import quaternion_from_rotation, rotation_from_quaternion, transform
from .errors import MotionError

Array = NDArray[np.float64]

_SMALL = 1e-9
_NEARLY_ALIKE = 0.9995
"""Cosine of half an angle below which an arc and its chord differ by less than rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class BaseMotion:
    """The pose of a link in a fixed frame at T instants: ``frame_H_link``; outside these it stays.

    Between instants the origin goes on a straight line and the link turns about one axis, both at constant speed.
    Quaternions are of unit length, and each has the sign that is nearer to the one before.

    Attributes:
        times: The instants [s], strictly increasing, shape (T,).
        positions: The link's origin [m], shape (T, 3).
        quaternions: Its orientation ``w x y z``, shape (T, 4); any length but zero is accepted.
        frame: Name of the fixed frame, or empty.
        link: Name of the link, or empty for the robot's base.

    Raises:
        MotionError: If there is no instant, shapes do not fit, a number is not finite, time does not go on, or a
            quaternion is zero.
    """

    times: Array
    positions: Array
    quaternions: Array
    frame: str = ""
    link: str = ""

    def __post_init__(self) -> None:
        times, positions, quaternions = (
            np.array(values, dtype=np.float64) for values in (self.times, self.positions, self.quaternions)
        )
        if times.ndim != 1 or not len(times):
            raise MotionError("the base has no samples")
        if not np.isfinite(times).all() or (np.diff(times) <= 0.0).any():
            raise MotionError("the base's time must go on from sample to sample")
        if positions.shape != (len(times), 3) or quaternions.shape != (len(times), 4):
            raise MotionError(f"the base has positions {positions.shape} and quaternions {quaternions.shape}")
        if not (np.isfinite(positions).all() and np.isfinite(quaternions).all()):
            raise MotionError("the base's pose must be finite")
        length = np.linalg.norm(quaternions, axis=1, keepdims=True)
        if (length < _SMALL).any():
            raise MotionError(f"the base's quaternion is zero in sample {int(np.argmin(length))}")
        for name, values in (
            ("times", times),
            ("positions", positions),
            ("quaternions", without_flips(quaternions / length)),
        ):
            values.flags.writeable = False
            object.__setattr__(self, name, values)

    @classmethod
    def from_poses(cls, times: ArrayLike, frame_H_link: Array, *, frame: str = "", link: str = "") -> BaseMotion:
        """Return the motion through poses, shape (T, 4, 4) [m]."""
        turns = quaternion_from_rotation(frame_H_link[:, :3, :3])
        return cls(np.asarray(times, dtype=np.float64), frame_H_link[:, :3, 3], turns, frame, link)

    @property
    def poses(self) -> Array:
        """``frame_H_link``, shape (T, 4, 4) [m]."""
        return transform(rotation_from_quaternion(self.quaternions), self.positions)

    def at(self, times: ArrayLike) -> BaseMotion:
        """Return the motion at other instants [s], strictly increasing, shape (S,)."""
        wanted = np.asarray(times, dtype=np.float64)
        if len(self.times) == 1:
            count = (len(wanted), 1)
            return replace(
                self,
                times=wanted,
                positions=np.tile(self.positions, count),
                quaternions=np.tile(self.quaternions, count),
            )
        place = np.clip(np.searchsorted(self.times, wanted, side="right") - 1, 0, len(self.times) - 2)
        share = np.clip((wanted - self.times[place]) / (self.times[place + 1] - self.times[place]), 0.0, 1.0)[:, None]
        positions = (1.0 - share) * self.positions[place] + share * self.positions[place + 1]
        quaternions = _between(self.quaternions[place], self.quaternions[place + 1], share)
        return replace(self, times=wanted, positions=positions, quaternions=quaternions)

    def shifted(self, seconds: float) -> BaseMotion:
        """Return the same motion that much later."""
        return replace(self, times=self.times + seconds)


def without_flips(quaternions: Array) -> Array:
    """Return quaternions (T, 4) of the same rotations, each with the sign that is nearer to the one before."""
    opposed = (quaternions[1:] * quaternions[:-1]).sum(axis=1) < 0.0
    signs = np.where(np.logical_xor.accumulate(opposed), -1.0, 1.0) if len(opposed) else np.ones(0)
    return np.concatenate([quaternions[:1], quaternions[1:] * signs[:, None]])


def _between(first: Array, second: Array, share: Array) -> Array:
    """Return quaternions (S, 4) a share (S, 1) of the way along the arc (Shoemake, 1985)."""
    cosine = (first * second).sum(axis=1, keepdims=True)
    angle = np.arccos(np.clip(cosine, -1.0, 1.0))
    sine = np.where(cosine < _NEARLY_ALIKE, np.sin(angle), 1.0)
    arc = (np.sin((1.0 - share) * angle) * first + np.sin(share * angle) * second) / sine
    return np.where(cosine < _NEARLY_ALIKE, arc, (1.0 - share) * first + share * second)
