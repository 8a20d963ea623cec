# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint values over time, and perhaps the base's pose."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .base_motion import BaseMotion
from .errors import MotionError

Array = NDArray[np.float64]

MAX_SAMPLES = 10_000_000
"""Instants that a resampled motion may have."""
MAX_VALUES = 50_000_000
"""Numbers in one array."""


def _frozen(values: ArrayLike) -> Array:
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array


def _regular(times: Array, rate: float, columns: int) -> Array:
    """Return instants that far apart, from the first one on; the last one stays."""
    duration = float(times[-1] - times[0])
    count = duration * rate
    if count >= MAX_SAMPLES or count * max(1, columns) >= MAX_VALUES:
        raise MotionError(f"{count:.3g} samples are too many: take a lower rate")
    regular = times[0] + np.arange(int(count + 1e-6) + 1) / rate
    if times[-1] - regular[-1] > 1e-6 / rate:
        regular = np.concatenate([regular, times[-1:]])
    regular[-1] = times[-1]
    return np.asarray(regular, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class JointMotion:
    """Values of n joints at T instants; between these each value is linear in time, outside it stays.

    A value is a scalar: an angle of two turns is not an angle of none. A motion of the base alone has no joints.

    Attributes:
        joints: Their names, no two alike.
        times: The instants [s], strictly increasing, shape (T,).
        positions: Values [rad or m], shape (T, n).
        velocities: Their first time derivative, shape (T, n), or None.
        accelerations: Their second, shape (T, n), or None.
        base: How the robot's base moves, at instants of its own; None where that is not known.

    Raises:
        MotionError: If there is no instant, shapes do not fit, a number is not finite, time does not go on, or a name
            comes twice.
    """

    joints: tuple[str, ...]
    times: Array
    positions: Array
    velocities: Array | None = None
    accelerations: Array | None = None
    base: BaseMotion | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "times", _frozen(self.times))
        if len(set(self.joints)) != len(self.joints):
            raise MotionError("a joint comes twice")
        if self.times.ndim != 1 or not len(self.times):
            raise MotionError("there are no samples")
        if not np.isfinite(self.times).all() or (np.diff(self.times) <= 0.0).any():
            raise MotionError("time must go on from sample to sample")
        for name in ("positions", "velocities", "accelerations"):
            values = getattr(self, name)
            if values is None:
                continue
            values = _frozen(values)
            object.__setattr__(self, name, values)
            if values.shape != (len(self.times), len(self.joints)):
                raise MotionError(f"{name} have shape {values.shape}, not {(len(self.times), len(self.joints))}")
            if not np.isfinite(values).all():
                raise MotionError(f"{name} must be finite")

    @property
    def duration(self) -> float:
        """Seconds from the first to the last instant."""
        return float(self.times[-1] - self.times[0])

    def at(self, times: ArrayLike) -> JointMotion:
        """Return the motion at other instants [s], strictly increasing, shape (S,); rates are linear in between too."""
        wanted = np.asarray(times, dtype=np.float64)

        def interpolated(values: Array | None) -> Array | None:
            if values is None:
                return None
            result = np.empty((len(wanted), len(self.joints)))
            for column in range(len(self.joints)):
                result[:, column] = np.interp(wanted, self.times, values[:, column])
            return result

        positions = interpolated(self.positions)
        assert positions is not None
        rates = interpolated(self.velocities), interpolated(self.accelerations)
        base = None if self.base is None else self.base.at(wanted)
        return JointMotion(self.joints, wanted, positions, *rates, base)

    def on_one_clock(self) -> JointMotion:
        """Return the motion with joints and base at the same instants, those of both."""
        if self.base is None or np.array_equal(self.times, self.base.times):
            return self
        return self.at(np.union1d(self.times, self.base.times))

    def resampled(self, rate: float) -> JointMotion:
        """Return the motion at ``rate`` instants a second from the first one on; the last instant stays the last.

        Raises:
            MotionError: If the rate is not above 0, or gives too many instants.
        """
        if not (math.isfinite(rate) and rate > 0.0):
            raise MotionError(f"a rate must be above 0, not {rate:g}")
        times = _regular(self.times, rate, len(self.joints))
        base = None if self.base is None else self.base.at(_regular(self.base.times, rate, 7))
        return replace(replace(self, base=None).at(times), base=base)

    def shifted(self, seconds: float) -> JointMotion:
        """Return the same motion that much later.

        Raises:
            MotionError: If the seconds are not finite, or so many that instants cannot be told apart.
        """
        base = None if self.base is None else self.base.shifted(seconds)
        return replace(self, times=self.times + seconds, base=base)

    def of_joints(self, names: Sequence[str]) -> JointMotion:
        """Return the motion of some of the joints, in this order.

        Raises:
            MotionError: If a name is not among the joints.
        """
        places = {name: index for index, name in enumerate(self.joints)}
        for name in names:
            if name not in places:
                raise MotionError(f"there is no joint {name!r} in the motion")
        columns = [places[name] for name in names]

        def chosen(values: Array | None) -> Array | None:
            return None if values is None else values[:, columns]

        rates = chosen(self.velocities), chosen(self.accelerations)
        return JointMotion(tuple(names), self.times, self.positions[:, columns], *rates, self.base)

    def scaled(self, factors: ArrayLike) -> JointMotion:
        """Return the motion with all values and rates of each joint times a factor, shape (n,)."""
        factor = np.asarray(factors, dtype=np.float64)
        velocities, accelerations = (
            None if values is None else values * factor for values in (self.velocities, self.accelerations)
        )
        return replace(self, positions=self.positions * factor, velocities=velocities, accelerations=accelerations)
