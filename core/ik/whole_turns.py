# SPDX-License-Identifier: GPL-3.0-or-later
"""Angles that differ by whole turns: which of them lie within limits, and which rows are the same."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..spatial import Array

_ROUNDING = 1e-9


@lru_cache(maxsize=256)
def _grid(counts: tuple[int, ...]) -> Array:
    """Return all index tuples of a box as rows."""
    return np.indices(counts).reshape(len(counts), -1).T.astype(np.float64)


def within_limits(
    angles: Array, lower: Array, upper: Array, near: Array, most: int, copies: bool = True
) -> tuple[Array, NDArray[np.intp], bool]:
    """Return each row with every number of whole turns that the limits allow.

    Args:
        angles: Shape (k, m) [rad].
        lower: Shape (m,), -inf where a joint has no limits: it gets the one value that is nearest to ``near``.
        upper: Shape (m,), inf where a joint has no limits.
        near: Shape (m,).
        most: Largest number of rows.
        copies: Whether to return all; otherwise for each row the one nearest to ``near``.

    Returns:
        The rows, which row of ``angles`` each comes from, and whether ``most`` left some out.
    """
    endless = ~np.isfinite(lower) | ~np.isfinite(upper)
    first = np.ceil((np.where(endless, 0.0, lower) - _ROUNDING - angles) / np.float64(2.0 * np.pi))
    last = np.floor((np.where(endless, 0.0, upper) + _ROUNDING - angles) / np.float64(2.0 * np.pi))
    nearest = np.round((near - angles) / (2.0 * np.pi))
    allowed = np.all((last >= first) | endless, axis=1)
    single = np.clip(nearest, first, np.maximum(first, last))
    first, last = np.where(endless, nearest, first), np.where(endless, nearest, last)
    if not copies:
        first = last = np.where(endless, nearest, single)
    counts = np.maximum(last - first + 1.0, 0.0)
    total = np.cumsum(np.where(allowed, counts.prod(axis=1), 0.0))
    left_out = bool(total[-1] > most) if len(total) else False
    alike: dict[tuple[int, ...], list[int]] = {}
    for index in np.flatnonzero(allowed).tolist():
        key = tuple(counts[index].astype(int).tolist()) if total[index] <= most else (1,) * counts.shape[1]
        alike.setdefault(key, []).append(index)
    rows, origin = [np.zeros((0, angles.shape[1]))], [np.zeros(0, dtype=np.intp)]
    for key, members in alike.items():
        grid = _grid(key)
        whole = first[members][:, None] + grid[None]
        rows.append((angles[members][:, None] + 2.0 * np.pi * whole).reshape(-1, angles.shape[1]))
        origin.append(np.repeat(np.array(members, dtype=np.intp), len(grid)))
    return np.clip(np.concatenate(rows), lower, upper), np.concatenate(origin), left_out


def distinct(angles: Array, tolerance: float) -> NDArray[np.intp]:
    """Return the rows, up to whole turns, that are no repetition of an earlier one, shape (k,)."""
    if not len(angles):
        return np.zeros(0, dtype=np.intp)
    apart = angles[:, None] - angles[None]
    apart -= 2.0 * np.pi * np.round(apart / (2.0 * np.pi))
    same = np.abs(apart).max(axis=2) < tolerance
    kept: list[int] = []
    for index, row in enumerate(same.tolist()):
        if not any(row[other] for other in kept):
            kept.append(index)
    return np.array(kept, dtype=np.intp)
