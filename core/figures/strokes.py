# SPDX-License-Identifier: GPL-3.0-or-later
"""Letters made of straight strokes, for pictures that are drawn without a font.

A glyph is a text of strokes; a stroke is a text of points, two digits each: x from 0 to 4, and y, upwards, from 0 to 8,
with descenders down to 0, the base line at 2, small letters up to 6 and capitals up to 8.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_BASE = 2.0
_CAPITAL = 6.0  # units from the base line to the top of capitals
_GAP = 1.5
_SPACE = 3.0
_UNKNOWN = "0208484202"
_GLYPHS = {
    **{"0": "123243473818070312", "1": "172822 1232", "2": "07183847460242", "3": "07183847463515 354443321203"},
    **{"4": "32380444", "5": "480805354443321203", "6": "473818070312324344351504", "7": "084812"},
    **{"8": "15354647381807061504031232434435", "9": "031232434738180706153546"},
    **{".": "1213", ",": "1301", "-": "0535", "–": "0545", "−": "0545", "+": "0545 2327", "=": "0444 0646"},
    **{"/": "0148", "_": "0141", "(": "28171322", ")": "08171302", "[": "28080222", "]": "08282202"},
    **{":": "1213 1516", ";": "1301 1516", "°": "1627180716", "²": "0718270525", "%": "0248 0718 3243"},
    **{"·": "1415", "…": "0203 2223 4243", "×": "0347 0743", ">": "034507", "<": "430547", "±": "0545 2327 0242"},
    **{"'": "1718", '"': "0708 2728", "!": "1213 1418", "?": "0718384746352524 2223", "#": "1218 3238 0444 0646"},
    **{
        "*": "2327 0446 0644",
        "&": "4214071827051232",
        "@": "44342426364645 45433212030718384746",
        "|": "1018",
        "\\": "0841",
    },
    **{"A": "022842 1434", "B": "02083847463505 3544433202", "C": "4738180703123243", "D": "02082846442202"},
    **{"E": "48080242 0535", "F": "480802 0535", "G": "47381807031232434525", "H": "0208 4248 0545"},
    **{"I": "1812 0828 0222", "J": "3833221203", "K": "0208 4804 1542", "L": "080242", "M": "0208254842"},
    **{"N": "02084248", "O": "123243473818070312", "P": "02083847463505", "Q": "123243473818070312 2442"},
    **{"R": "02083847463505 2542", "S": "473818070615354443321203", "T": "0848 2228", "U": "080312324348"},
    **{"V": "082248", "W": "0812253248", "X": "0248 0842", "Y": "082548 2522", "Z": "08480242"},
    **{"a": "0516263532 341403122233", "b": "0802 0516263533221203", "c": "3526160503122233"},
    **{"d": "3832 3526160503122233", "e": "04343526160503122232", "f": "281712 0626"},
    **{"g": "3631201001 3526160503122233", "h": "0802 0516263532", "i": "0206 0708", "j": "161100 1718"},
    **{"k": "0802 3604 1532", "l": "080312", "m": "0206 05162522 25364542", "n": "0206 0516263532"},
    **{"o": "122233352616050312", "p": "0600 0516263533221203", "q": "3630 3526160503122233", "r": "0206 05162635"},
    **{"s": "35261605142433221203", "t": "181322 0626", "u": "0603122233 3632", "v": "062246", "w": "0612253246"},
    **{"x": "0632 0236", "y": "0622 462210", "z": "06360232"},
}


@lru_cache(maxsize=512)
def _glyph(letter: str) -> tuple[tuple[Array, ...], float]:
    """Return the strokes of a letter, shape (k, 2) with y up from the base line, and how far the next one is."""
    if letter.isspace():
        return (), _SPACE
    strokes = _joined(_GLYPHS.get(letter, _UNKNOWN))
    return strokes, max(float(stroke[:, 0].max()) for stroke in strokes) + _GAP


def _joined(text: str) -> tuple[Array, ...]:
    strokes = []
    for part in text.split():
        numbers = np.array([int(digit) for digit in part], dtype=np.float64).reshape(-1, 2)
        strokes.append(numbers - [0.0, _BASE])
    return tuple(strokes)


def text_strokes(text: str, size: float) -> tuple[list[Array], float]:
    """Return the strokes of a line of words, from its start on the base line, y down, and its width, all in pixels.

    Args:
        text: The words.
        size: The font size; capitals are 0.72 of it high, as in most fonts.
    """
    scale = 0.72 * size / _CAPITAL
    strokes: list[Array] = []
    at = 0.0
    for letter in text:
        glyph, advance = _glyph(letter)
        strokes += [(stroke + np.array([at, 0.0])) * np.array([scale, -scale]) for stroke in glyph]
        at += advance
    return strokes, max(0.0, at - _GAP) * scale
