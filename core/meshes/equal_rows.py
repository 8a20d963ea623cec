# SPDX-License-Identifier: GPL-3.0-or-later
"""Which rows of numbers are equal, in time proportional to their number: a hash table written and read in bulk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_FACTORS = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F)
"""Odd numbers whose bits are well mixed; each round adds its own even number to them."""
_ROUNDS = 8
_HASH_BITS = 32

Columns = Sequence[NDArray[np.uint32]]


def first_equal(columns: Columns) -> NDArray[np.int32]:
    """Return for each row the position of the first row that is equal to it, shape (N,).

    All rows write their position into a table at the place that their hash names, the first row last, and read it
    back. A row that reads another row's position waits for the next round with another hash. All equal rows wait
    together, so what is found is exact; rows that were made to collide are sorted in the end.

    Args:
        columns: The numbers of the rows, one contiguous array of shape (N,) a column.
    """
    found = _by_table(columns, 0)
    waiting = np.flatnonzero(_differ(columns, found))
    for round_number in range(1, _ROUNDS):
        if not len(waiting):
            return found
        rest = [column[waiting] for column in columns]
        first = _by_table(rest, round_number)
        found[waiting] = waiting[first]
        waiting = waiting[_differ(rest, first)]
    if len(waiting):
        found[waiting] = waiting[_by_sorting([column[waiting] for column in columns])]
    return found


def _by_table(columns: Columns, round_number: int) -> NDArray[np.int32]:
    """Return for each row the first position with the same place in the table."""
    count = len(columns[0])
    width = min(max(2 * count - 1, 1).bit_length(), _HASH_BITS)
    place = (_hashes(columns, round_number) >> np.uint32(_HASH_BITS - width)).astype(np.intp)
    position = np.arange(count, dtype=np.int32)
    table = np.empty(1 << width, dtype=np.int32)
    table[place[::-1]] = position[::-1]  # of several values for one place the last one stays
    return table[place]


def _hashes(columns: Columns, round_number: int) -> NDArray[np.uint32]:
    salt = 2 * round_number
    result = columns[0] * np.uint32(_FACTORS[0] + salt)
    for column, factor in zip(columns[1:], _FACTORS[1:], strict=False):
        result ^= result >> np.uint32(15)
        result += column * np.uint32(factor + salt)
    result ^= result >> np.uint32(16)
    result *= np.uint32(_FACTORS[-1] + salt)
    return result


def _differ(columns: Columns, index: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which rows are not equal to the row that the index names."""
    result = np.zeros(len(index), dtype=np.bool_)
    for column in columns:
        result |= column != column.take(index)
    return result


def _by_sorting(columns: Columns) -> NDArray[np.intp]:
    order = np.lexsort(columns)  # stable: the first of equal rows comes first
    new = np.zeros(len(order), dtype=np.bool_)
    new[:1] = True
    for column in columns:
        ordered = column[order]
        new[1:] |= ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(new)
    result = np.empty(len(order), dtype=np.intp)
    result[order] = np.repeat(order[starts], np.diff(np.append(starts, len(order))))
    return result
