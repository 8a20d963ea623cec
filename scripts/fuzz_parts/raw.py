# SPDX-License-Identifier: GPL-3.0-or-later
"""Mutations of bytes and of the numbers in a text, which need no structure."""

from __future__ import annotations

import random
import re

NUMBERS = (
    "0", "-0", "-1", "1e308", "1e-320", "-1e400", "nan", "-inf", "1,5", "0x10", "1e", "--1", "", "9" * 400,
    "2147483648", "4294967295", "-9223372036854775809", "0.1e-3", "1_0", "٣", "1 2", "16777217",
)  # fmt: skip
_NUMBER = re.compile(rb"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
_LONGEST = 1 << 20


def mutated_bytes(data: bytes, rng: random.Random, donor: bytes = b"") -> bytes:
    """Return the data after one to four mutations, at most a mebibyte larger."""
    for _ in range(rng.randint(1, 4)):
        data = rng.choice(_MUTATIONS)(data, rng, donor)[: len(data) + _LONGEST]
    return data


def mutated_numbers(data: bytes, rng: random.Random, _donor: bytes = b"") -> bytes:
    """Return a text with one of its numbers replaced."""
    spot, other = (_NUMBER.search(data, rng.randrange(len(data) + 1)) or _NUMBER.search(data) for _ in range(2))
    if spot is None or other is None:
        return data
    new = rng.choice(NUMBERS).encode() if rng.random() < 0.8 else other[0]
    return data[: spot.start()] + new + data[spot.end() :]


def _span(data: bytes, rng: random.Random) -> slice:
    start = rng.randrange(len(data) + 1)
    return slice(start, min(len(data), start + int(2 ** rng.uniform(0.0, 12.0))))


def _flip(data: bytes, rng: random.Random, _donor: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 16) if data else 0):
        changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _flip_head(data: bytes, rng: random.Random, donor: bytes) -> bytes:
    return _flip(data[:200], rng, donor) + data[200:]


def _delete(data: bytes, rng: random.Random, _donor: bytes) -> bytes:
    span = _span(data, rng)
    return data[: span.start] + data[span.stop :]


def _repeat(data: bytes, rng: random.Random, _donor: bytes) -> bytes:
    span = _span(data, rng)
    return data[: span.start] + data[span] * rng.choice((2, 3, 300)) + data[span.stop :]


def _insert(data: bytes, rng: random.Random, _donor: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    new = rng.choice(_INSERTS) if rng.random() < 0.6 else rng.randbytes(rng.randint(1, 64))
    return data[:at] + new + data[at:]


def _truncate(data: bytes, rng: random.Random, _donor: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _splice(data: bytes, rng: random.Random, donor: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)] + donor[rng.randrange(len(donor) + 1) :]


def _word(data: bytes, rng: random.Random, _donor: bytes) -> bytes:
    """Put an extreme 32-bit number somewhere, mostly near the beginning."""
    at = min(rng.randrange(len(data) + 1), rng.choice((96, 1 << 40)))
    number = rng.choice((0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7F800000, 0x7FC00000, 0x10000, len(data)))
    return data[:at] + number.to_bytes(8, "little")[:4] + data[at + 4 :]


def _lines(data: bytes, rng: random.Random, _donor: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    if len(lines) > 1:
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    return b"".join(lines)


_INSERTS = (
    b"\0", b"\xef\xbb\xbf", b"\xff\xfe", b"<", b"&", b"]]>", b"<!--", b'"', b"\r", b"&#0;", b"&#x110000;", b"&lt;",
    b"\xed\xa0\x80", b'<?xml version="1.0" encoding="utf-16"?>', b'<!DOCTYPE a [<!ENTITY b "c">]>', b"<![CDATA[",
    b"\n", b" " * 5000, b"$(", b"${",
)  # fmt: skip
_MUTATIONS = (
    _flip, _flip_head, _delete, _repeat, _insert, _truncate, _splice, _word, _lines, mutated_numbers, mutated_numbers,
)  # fmt: skip
