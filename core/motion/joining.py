# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples of several sets of joints as one motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .errors import MotionError
from .joint_motion import MAX_VALUES

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Values of n joints at T instants.

    Attributes:
        joints: Their names.
        times: Instants [ns], in any order, shape (T,).
        values: Positions, velocities and accelerations, shape (T, n), or None.
    """

    joints: tuple[str, ...]
    times: NDArray[np.int64]
    values: tuple[Array | None, Array | None, Array | None]


def joined(
    parts: Sequence[Samples], file: str
) -> tuple[tuple[str, ...], NDArray[np.int64], tuple[Array | None, Array | None, Array | None]]:
    """Return joints, instants [ns] and values of all samples, in the order of time.

    Where a sample lacks a joint, this is linear between its neighbours. Rates are known where all samples have them.
    Of samples of the same joints at the same time the last one counts.

    Raises:
        MotionError: If that would be too many numbers.
    """
    parts = [_in_order(part) for part in parts]
    if len(parts) == 1:
        return parts[0].joints, parts[0].times, parts[0].values
    names = tuple(dict.fromkeys(name for part in parts for name in part.joints))
    times = np.unique(np.concatenate([part.times for part in parts]))
    if len(times) * len(names) > MAX_VALUES:
        raise MotionError(f"more than {MAX_VALUES} numbers", file=file)
    arrays = []
    for kind in range(3):
        known = all(part.values[kind] is not None for part in parts)
        arrays.append(np.column_stack([_column(parts, name, kind, times) for name in names]) if known else None)
    return names, times, (arrays[0], arrays[1], arrays[2])


def _in_order(part: Samples) -> Samples:
    if (np.diff(part.times) > 0).all():
        return part
    order = np.argsort(part.times, kind="stable")
    times = part.times[order]
    order = order[np.append(np.diff(times) > 0, True)]
    values = tuple(None if array is None else array[order] for array in part.values)
    return Samples(part.joints, part.times[order], (values[0], values[1], values[2]))


def _column(parts: Sequence[Samples], name: str, kind: int, times: NDArray[np.int64]) -> Array:
    instants, found = [], []
    for part in parts:
        values = part.values[kind]
        if name in part.joints and values is not None:
            instants.append(part.times)
            found.append(values[:, part.joints.index(name)])
    at, values = np.concatenate(instants), np.concatenate(found)
    order = np.argsort(at, kind="stable")
    origin = times[0]  # nanoseconds since 1970 have more digits than a float64
    wanted, known = (times - origin).astype(np.float64), (at[order] - origin).astype(np.float64)
    return np.asarray(np.interp(wanted, known, values[order]))
