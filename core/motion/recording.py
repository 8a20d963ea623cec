# SPDX-License-Identifier: GPL-3.0-or-later
"""What a reader hands on: a motion with remarks on how it was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..diagnostics import Diagnostic, Level
from .errors import MotionError
from .joint_motion import Array, JointMotion

_CLOCK = 86400.0
"""A recording that starts later than this [s] counts from some epoch, not from its own start."""


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """A motion as read from a file, with remarks."""

    motion: JointMotion
    diagnostics: tuple[Diagnostic, ...] = ()


def make_recording(
    joints: Sequence[str], times: Array, arrays: Sequence[Array | None], *, file: str, lines: Sequence[int] = ()
) -> Recording:
    """Return a recording of samples in the order of the file.

    Of samples with the same time the last one counts, and clock time is counted from the first sample; both are noted.

    Args:
        joints: Names.
        times: Instants [s], shape (T,).
        arrays: Positions, velocities and accelerations, shape (T, n), or None.
        file: Name for messages.
        lines: The line of each sample, where they are known.

    Raises:
        MotionError: If time goes backwards or the numbers make no motion.
    """

    def line(index: int) -> int:
        return lines[index] if index < len(lines) else 0

    steps = np.diff(times)
    if (steps < 0.0).any():
        index = int(np.argmax(steps < 0.0)) + 1
        raise MotionError(
            f"time goes back from {times[index - 1]:g} to {times[index]:g} s", file=file, line=line(index)
        )
    remarks = []
    kept = np.append(steps > 0.0, True) if len(times) else np.zeros(0, dtype=bool)
    if not kept.all():
        first = int(np.argmin(kept))
        text = f"{np.count_nonzero(~kept)} samples have the time of the next one and are left out"
        remarks.append(Diagnostic(Level.WARNING, text, file, line(first)))
        times, arrays = times[kept], [None if values is None else values[kept] for values in arrays]
    if len(times) and abs(times[0]) > _CLOCK:
        text = f"time is a clock's: it is counted from the first sample, at {times[0]:.9g} s"
        remarks.append(Diagnostic(Level.INFO, text, file))
        times = times - times[0]
    positions, *rates = arrays
    assert positions is not None
    try:
        return Recording(JointMotion(tuple(joints), times, positions, *rates), tuple(remarks))
    except MotionError as error:
        raise MotionError(error.message, file=file) from None
