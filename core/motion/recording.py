# SPDX-License-Identifier: GPL-3.0-or-later
"""What a reader hands on: a motion with remarks on how it was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..diagnostics import Diagnostic, Level
from .base_motion import BaseMotion
from .errors import MotionError
from .joint_motion import Array, JointMotion

CLOCK = 86400.0
"""A recording that starts later than this [s] counts from some epoch, not from its own start."""


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """A motion as read from a file, with remarks."""

    motion: JointMotion
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class BaseRows:
    """Poses of the base in the order of a file: instants [s], and ``x y z`` [m] with ``w x y z``, shape (T, 7)."""

    times: Array
    rows: Array
    frame: str = ""
    link: str = ""


def clock_remark(first: float, file: str) -> Diagnostic:
    """Return the remark that times are counted from the first one [s]."""
    text = f"time is a clock's: it is counted from the first sample, at {first:.9g} s"
    return Diagnostic(Level.INFO, text, file)


def make_recording(
    joints: Sequence[str],
    times: Array,
    arrays: Sequence[Array | None],
    *,
    file: str,
    lines: Sequence[int] = (),
    base: BaseRows | None = None,
) -> Recording:
    """Return a recording of samples in the order of the file.

    Of samples with the same time the last one counts, and clock time is counted from the first sample; both are noted.

    Args:
        joints: Names.
        times: Instants [s], shape (T,).
        arrays: Positions, velocities and accelerations, shape (T, n), or None.
        file: Name for messages.
        lines: The line of each sample, where they are known.
        base: The base's poses, where they are known.

    Raises:
        MotionError: If time goes backwards or the numbers make no motion.
    """
    kept = _kept(times, file, lines)
    remarks = []
    if not kept.all():
        first = int(np.argmin(kept))
        text = f"{np.count_nonzero(~kept)} samples have the time of the next one and are left out"
        remarks.append(Diagnostic(Level.WARNING, text, file, lines[first] if first < len(lines) else 0))
        times, arrays = times[kept], [None if values is None else values[kept] for values in arrays]
    start = 0.0
    if len(times) and abs(times[0]) > CLOCK:
        remarks.append(clock_remark(float(times[0]), file))
        start = float(times[0])
    positions, velocities, accelerations = arrays
    assert positions is not None
    try:
        pose = None if base is None else _base(base, start, file)
        return Recording(
            JointMotion(tuple(joints), times - start, positions, velocities, accelerations, pose), tuple(remarks)
        )
    except MotionError as error:
        raise MotionError(error.message, file=file) from None


def _kept(times: Array, file: str, lines: Sequence[int] = ()) -> NDArray[np.bool_]:
    """Return which samples count, shape (T,): not those with the time of the next one."""
    steps = np.diff(times)
    if (steps < 0.0).any():
        index = int(np.argmax(steps < 0.0)) + 1
        line = lines[index] if index < len(lines) else 0
        raise MotionError(f"time goes back from {times[index - 1]:g} to {times[index]:g} s", file=file, line=line)
    return np.append(steps > 0.0, True) if len(times) else np.zeros(0, dtype=bool)


def _base(base: BaseRows, start: float, file: str) -> BaseMotion:
    kept = _kept(base.times, file)
    rows = base.rows[kept]
    return BaseMotion(base.times[kept] - start, rows[:, :3], rows[:, 3:], base.frame, base.link)
