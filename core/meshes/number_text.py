# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers written as text, read in bulk.

numpy's own text parser calls ``strtod`` for each float (about 230 ns), which is most of the time that a text
mesh takes. Integers are ten times cheaper, so a text of plain decimals is read as integers with the points taken
out, and scaled by powers of ten afterwards. Anything out of the ordinary goes the slow way.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

_SPACE = b" \t\r\n\v\f"
_NO_EXPONENT = bytes.maketrans(b"eE", b"  ")
_POWERS = np.array([float(f"1e{n}") for n in range(309)])
_MOST_DIGITS = 10**18
_PIECE = 1 << 17
_SHORT = 3500  # bytes below which word by word is faster
_NEXT_SPACE = re.compile(rb"[ \t\r\n\v\f]")


def parse_floats(raw: bytes) -> NDArray[np.float64]:
    """Return the numbers in ``raw``, separated by white space, shape (N,); nan for a word that is no number."""
    if len(raw) < _SHORT:
        return _any_words(raw)
    pieces = [_plain_decimals(piece) for piece in _pieces(raw)]
    if any(piece is None for piece in pieces):
        return _any_words(raw)
    return np.concatenate([np.zeros(0), *(piece for piece in pieces if piece is not None)])


def _pieces(raw: bytes) -> Iterator[bytes]:
    """Cut ``raw`` between words into pieces that fit the processor's cache, which doubles the speed."""
    start = 0
    while start < len(raw):
        cut = _NEXT_SPACE.search(raw, start + _PIECE)
        end = cut.start() if cut else len(raw)
        yield raw[start:end]
        start = end


def parse_integers(raw: bytes) -> NDArray[np.int64]:
    """Return the integers in ``raw``, separated by white space, shape (N,).

    Raises:
        ValueError: If there is a word that is no integer.
    """
    if raw.translate(None, b"0123456789+-" + _SPACE):
        raise ValueError("a whole number is expected")
    codes = np.frombuffer(raw + b" ", dtype=np.uint8)
    values = _integers(raw)
    if len(values) != len(word_ends(codes <= 32)):
        raise ValueError("a whole number is expected")
    return values


def word_ends(gap: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the position just after each word, given for each byte whether it separates words; the last must."""
    return np.flatnonzero(gap[1:] & ~gap[:-1]) + 1


def _integers(raw: bytes) -> NDArray[np.int64]:
    """Return the integers in ``raw``; none at all if there is a word that is no integer."""
    if not raw.strip():
        return np.zeros(0, dtype=np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)  # what numpy gives for words that are no numbers
        try:
            values: NDArray[np.int64] = np.fromstring(raw, dtype=np.int64, sep=" ")
        except (ValueError, DeprecationWarning):
            return np.zeros(0, dtype=np.int64)
    return values


def _plain_decimals(raw: bytes) -> NDArray[np.float64] | None:
    """Return the numbers if all are decimals of usual length, else None."""
    if raw.translate(None, b"0123456789+-.eE" + _SPACE):
        return None
    codes = np.frombuffer(raw + b" ", dtype=np.uint8)
    gap = codes <= 32
    exponent = (codes | 32) == ord("e")
    split = gap | exponent
    if _has_odd_words(codes, gap, exponent, split):
        return None
    ends, places = _ends_and_places(codes, split)
    mantissas = _integers(raw.translate(_NO_EXPONENT, b"."))
    if places is None or len(mantissas) != len(ends) or (len(ends) and np.abs(mantissas).max() >= _MOST_DIGITS):
        return None
    powers = -places
    if not exponent.any():
        return _scaled(mantissas, powers)
    before = np.searchsorted(ends, np.flatnonzero(exponent))
    if (np.diff(before) == 1).any() or powers[before + 1].any():
        return None  # an exponent with an exponent or a point
    powers[before] += np.clip(mantissas[before + 1], -400, 400)
    kept = np.ones(len(ends), dtype=np.bool_)
    kept[before + 1] = False
    return _scaled(mantissas[kept], powers[kept])


def _has_odd_words(
    codes: NDArray[np.uint8], gap: NDArray[np.bool_], exponent: NDArray[np.bool_], split: NDArray[np.bool_]
) -> bool:
    """Return whether a sign stands inside a number, or an exponent without a number on both sides."""
    sign = (codes == ord("+")) | (codes == ord("-"))
    inside = bool((sign[1:] & ~split[:-1]).any())
    return inside or bool(exponent[0] or (exponent[1:] & split[:-1]).any() or (exponent[:-1] & gap[1:]).any())


def _ends_and_places(
    codes: NDArray[np.uint8], split: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.intp] | None]:
    """Return for each word the position just after it, and how many digits follow its point.

    The second is None where a word has two points.
    """
    marks = codes == ord(".")
    marks[1:] |= split[1:] & ~split[:-1]
    positions = np.flatnonzero(marks)
    is_point = codes[positions] == ord(".")
    if len(is_point) % 2 == 0 and is_point[::2].all() and not is_point[1::2].any():  # each word has one
        return positions[1::2], positions[1::2] - positions[::2] - 1
    ends = positions[~is_point]
    places = np.zeros(len(ends), dtype=np.intp)
    points = np.flatnonzero(is_point)
    if (np.diff(points) == 1).any():
        return ends, None
    owner = points - np.arange(len(points))
    places[owner] = ends[owner] - positions[points] - 1
    return ends, places


def _scaled(mantissas: NDArray[np.int64], powers: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return ``mantissas * 10**powers``, correctly rounded for up to 15 digits and 22 places."""
    values = mantissas.astype(np.float64)
    values /= _POWERS[np.clip(-powers, 0, 308)]
    if len(powers) and powers.max() > 0:
        values *= _POWERS[np.clip(powers, 0, 308)]
    return values


def _any_words(raw: bytes) -> NDArray[np.float64]:
    words = raw.split()
    try:
        return np.array(words, dtype=np.float64) if words else np.zeros(0)
    except ValueError:
        return np.array([_number_or_nan(word) for word in words], dtype=np.float64)


def _number_or_nan(word: bytes) -> float:
    try:
        return float(word)
    except ValueError:
        return math.nan
