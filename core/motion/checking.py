# SPDX-License-Identifier: GPL-3.0-or-later
"""Can a robot do a motion? Its joints' values and rates against limits, and jumps.

A motion is what its samples say, linear in between: from sample i to i + 1 the velocity is exactly
``(q[i+1] - q[i]) / (t[i+1] - t[i])``, and the acceleration at a sample is the change of velocity there by the mean of
the steps before and after it. A peak between samples is not seen: take a higher rate.

**Tolerance.** Blender keeps channels in float32. A value q is off by up to ``2^-24 |q|`` where it is stored and about
as much again where a curve is evaluated, so a velocity by ``4 · 2^-24 max|q| / dt``, an acceleration by twice that
over dt. Keys between whole frames lie at float32 frames too: where there are such, two samples together are off by
``clock`` in time, and a velocity by ``|v| clock / dt``. These, and 10^-4 of the limit, are let pass: with 3 rad at 60
frames a second 4e-5 rad/s. So 0.1 % above a limit is found wherever float32 can tell it: with keys on whole frames
always, with others up to frame 8192, and behind it 0.2 %. Positions may be off by 10^-6 of their size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from .joint_motion import Array, JointMotion
from .limits import MotionLimits

Mask = NDArray[np.bool_]

MAX_FINDINGS = 1000
"""More are counted only."""
_RELATIVE = 1e-4
_POSITION = 1e-6
_FLOAT32 = 2.0**-24
_AS_BAD = 1e-3
"""The first sample that is as bad as the worst but for this share is the one that is named."""
_JUMP_RATE = 2.0
"""A jump takes more than this many times the velocity limit,"""
_JUMP_STEP = (0.1, 0.5)
"""or, where there is none, more than this [m, rad] in one step,"""
_JUMP_SPIKE = 4.0
"""and is this many times faster than the steps beside it."""
_WHOLE_TURN = 0.1


class Kind(StrEnum):
    """What is wrong."""

    POSITION = "position"
    VELOCITY = "velocity"
    ACCELERATION = "acceleration"
    JUMP = "jump"
    FLIP = "flip"
    COLLISION = "collision"


@dataclass(frozen=True, slots=True)
class Finding:
    """One stretch of a motion that a robot cannot do.

    Attributes:
        kind: What is wrong.
        joint: The joint; for a collision the first link.
        index: The worst sample; of a velocity or a jump, the one where the step starts.
        first, last: The samples of the whole stretch.
        value: The worst value: position, magnitude of velocity or acceleration, or of the step of a jump
            [rad or m, and per second]; for a collision the depth of the overlap [m].
        limit: What is allowed.
        other: For a collision the second link.
        note: More for the reader.
    """

    kind: Kind
    joint: str
    index: int
    first: int
    last: int
    value: float
    limit: float
    other: str = ""
    note: str = ""

    @property
    def subject(self) -> str:
        """What it is about: the joint, or both links."""
        return subject(self.joint, self.other)


def subject(joint: str, other: str) -> str:
    """Return what a finding is about: the joint, or both links of a collision."""
    return f"{joint} – {other}" if other else joint


@dataclass(frozen=True, slots=True, eq=False)
class Rates:
    """Velocities of the T - 1 steps and accelerations at the T - 2 inner samples, shape (…, n), and the steps [s]."""

    steps: Array
    velocity: Array
    acceleration: Array


def motion_rates(motion: JointMotion) -> Rates:
    """Return the exact rates of the motion that is linear between samples."""
    steps = np.diff(motion.times)
    velocity = np.diff(motion.positions, axis=0) / steps[:, None]
    between = 0.5 * (steps[1:] + steps[:-1])
    return Rates(steps, velocity, np.diff(velocity, axis=0) / between[:, None])


@dataclass(frozen=True, slots=True, eq=False)
class Excess:
    """Which steps and samples are too fast, with what float32 cannot tell let pass.

    Attributes:
        rates: The rates.
        jumps: Steps that are jumps, shape (T - 1, n).
        fast: Steps that are too fast, jumps aside, shape (T - 1, n).
        hard: Inner samples with too much acceleration, those beside jumps aside, shape (T - 2, n).
    """

    rates: Rates
    jumps: Mask
    fast: Mask
    hard: Mask


def excess(motion: JointMotion, limits: MotionLimits, clock: float = 0.0) -> Excess:
    """Return which steps and samples are beyond the limits of rates.

    Args:
        motion: At least one sample.
        limits: For the joints of the motion, in its order.
        clock: By how much two samples may be off in time [s].
    """
    rates = motion_rates(motion)
    steps, speed = rates.steps[:, None], np.abs(rates.velocity)
    size = np.abs(motion.positions)
    noise = 4.0 * _FLOAT32 * np.maximum(size[1:], size[:-1]) / steps + clock / steps * speed
    over = speed > limits.velocity * (1.0 + _RELATIVE) + noise
    jumps = _jumps(rates, limits)
    at = np.maximum(noise[1:], noise[:-1]) / np.minimum(steps[1:], steps[:-1])
    hard = np.abs(rates.acceleration) > limits.acceleration * (1.0 + _RELATIVE) + 2.0 * at
    return Excess(rates, jumps, over & ~jumps, hard & ~(jumps[1:] | jumps[:-1]))


def _jumps(rates: Rates, limits: MotionLimits) -> Mask:
    speed = np.abs(rates.velocity)
    least = np.where(limits.turns, _JUMP_STEP[1], _JUMP_STEP[0]) / rates.steps[:, None]
    far = speed > np.where(np.isfinite(limits.velocity), _JUMP_RATE * limits.velocity, least)
    edge = np.zeros((1, speed.shape[1]))
    beside = np.maximum(np.concatenate([edge, speed[:-1]]), np.concatenate([speed[1:], edge]))
    return np.asarray(far & (speed > _JUMP_SPIKE * beside))


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What was found, by sample, then in the order of the joints; ``left_out`` more are not listed."""

    items: tuple[Finding, ...]
    left_out: int = 0


def gathered(parts: Iterable[Findings]) -> Findings:
    """Return the findings of all parts in order, the first ``MAX_FINDINGS``."""
    items: list[Finding] = []
    left_out = 0
    for part in parts:
        items += part.items
        left_out += part.left_out
    items.sort(key=lambda item: item.index)
    return Findings(tuple(items[:MAX_FINDINGS]), left_out + max(0, len(items) - MAX_FINDINGS))


def check_motion(motion: JointMotion, limits: MotionLimits, clock: float = 0.0) -> Findings:
    """Return what is beyond the limits, one finding for each stretch.

    Args:
        motion: The motion.
        limits: For its joints, in its order.
        clock: By how much two samples may be off in time [s]; see the module's text.
    """
    parts = [*_positions(motion, limits)]
    if len(motion.times) > 1:
        found = excess(motion, limits, clock)
        rates = found.rates
        parts.append(_too_fast(motion, Kind.VELOCITY, found.fast, rates.velocity, limits.velocity, (0, 0, 1)))
        parts.append(
            _too_fast(motion, Kind.ACCELERATION, found.hard, rates.acceleration, limits.acceleration, (1, 1, 1))
        )
        parts.append(_jumped(motion, limits, found))
    return gathered(parts)


def _positions(motion: JointMotion, limits: MotionLimits) -> Iterator[Findings]:
    q = motion.positions
    for bound, sign in ((limits.lower, -1.0), (limits.upper, 1.0)):
        finite = np.where(np.isfinite(bound), bound, 0.0)
        beyond = np.where(np.isfinite(bound), sign * (q - finite), -np.inf)
        runs, left_out = stretches(beyond > _POSITION * np.maximum(1.0, np.abs(finite)))
        items = []
        for column, first, last in runs:
            index = _worst(beyond[first : last + 1, column]) + first
            value, limit = float(q[index, column]), float(bound[column])
            items.append(Finding(Kind.POSITION, motion.joints[column], index, first, last, value, limit))
        yield Findings(tuple(items), left_out)


def _too_fast(
    motion: JointMotion, kind: Kind, mask: Mask, rates: Array, limit: Array, shift: tuple[int, int, int]
) -> Findings:
    """Return the stretches of a mask; ``shift`` leads from its rows to the worst, first and last sample."""
    runs, left_out = stretches(mask)
    items = []
    for column, first, last in runs:
        size = np.abs(rates[first : last + 1, column])
        worst = _worst(size)
        samples = (first + worst + shift[0], first + shift[1], last + shift[2])
        items.append(Finding(kind, motion.joints[column], *samples, float(size[worst]), float(limit[column])))
    return Findings(tuple(items), left_out)


def _jumped(motion: JointMotion, limits: MotionLimits, found: Excess) -> Findings:
    together = found.jumps.sum(axis=1)
    places = np.argwhere(found.jumps)
    items = []
    for index, column in places[:MAX_FINDINGS].tolist():
        seconds = found.rates.steps[index]
        step = float(np.abs(found.rates.velocity[index, column]) * seconds)
        limit = float(limits.velocity[column] * seconds)
        if not np.isfinite(limit):
            limit = _JUMP_STEP[int(limits.turns[column])]
        turns = step / (2.0 * np.pi)
        kind, note = Kind.JUMP, ""
        if limits.turns[column] and turns > 0.5 and abs(turns - round(turns)) * 2.0 * np.pi < _WHOLE_TURN:
            note = "a whole turn: were the angles wrapped?"
        elif together[index] > 1:
            kind, note = Kind.FLIP, f"{together[index]} joints jump together"
        items.append(Finding(kind, motion.joints[column], index, index, index + 1, step, limit, note=note))
    return Findings(tuple(items), max(0, len(places) - MAX_FINDINGS))


def stretches(mask: Mask) -> tuple[list[tuple[int, int, int]], int]:
    """Return column, first and last row of each stretch of true rows, the earliest first, and how many are left out."""
    edges = np.diff(np.pad(mask.astype(np.int8), ((1, 1), (0, 0))), axis=0)
    columns, starts = np.nonzero(edges.T == 1)
    _, ends = np.nonzero(edges.T == -1)
    order = np.argsort(starts, kind="stable")[:MAX_FINDINGS]
    rows = zip(columns[order].tolist(), starts[order].tolist(), (ends[order] - 1).tolist(), strict=True)
    return list(rows), max(0, len(starts) - MAX_FINDINGS)


def _worst(values: Array) -> int:
    return int(np.argmax(values >= (1.0 - _AS_BAD) * values.max()))
