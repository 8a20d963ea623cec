# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint values over time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

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


@dataclass(frozen=True, slots=True, eq=False)
class JointMotion:
    """Values of n joints at T instants; between these each value is linear in time, outside it stays.

    A value is a scalar: an angle of two turns is not an angle of none.

    Attributes:
        joints: Their names, no two alike.
        times: The instants [s], strictly increasing, shape (T,).
        positions: Values [rad or m], shape (T, n).
        velocities: Their first time derivative, shape (T, n), or None.
        accelerations: Their second, shape (T, n), or None.

    Raises:
        MotionError: If there is no instant, shapes do not fit, a number is not finite, time does not go on, or a name
            comes twice.
    """

    joints: tuple[str, ...]
    times: Array
    positions: Array
    velocities: Array | None = None
    accelerations: Array | None = None

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
        return JointMotion(self.joints, wanted, positions, *rates)

    def resampled(self, rate: float) -> JointMotion:
        """Return the motion at ``rate`` instants a second from the first one on; the last instant stays the last.

        Raises:
            MotionError: If the rate is not above 0, or gives too many instants.
        """
        if not (math.isfinite(rate) and rate > 0.0):
            raise MotionError(f"a rate must be above 0, not {rate:g}")
        count = self.duration * rate
        if count >= MAX_SAMPLES or count * max(1, len(self.joints)) >= MAX_VALUES:
            raise MotionError(f"{count:.3g} samples are too many: take a lower rate")
        times = self.times[0] + np.arange(int(count + 1e-6) + 1) / rate
        if self.times[-1] - times[-1] > 1e-6 / rate:
            times = np.append(times, self.times[-1])
        else:
            times[-1] = self.times[-1]
        return self.at(times)

    def shifted(self, seconds: float) -> JointMotion:
        """Return the same motion that much later.

        Raises:
            MotionError: If the seconds are not finite, or so many that instants cannot be told apart.
        """
        return replace(self, times=self.times + seconds)

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
        return JointMotion(tuple(names), self.times, self.positions[:, columns], *rates)

    def scaled(self, factors: ArrayLike) -> JointMotion:
        """Return the motion with all values and rates of each joint times a factor, shape (n,)."""
        factor = np.asarray(factors, dtype=np.float64)
        rates = (None if values is None else values * factor for values in (self.velocities, self.accelerations))
        return JointMotion(self.joints, self.times, self.positions * factor, *rates)
