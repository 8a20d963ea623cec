# SPDX-License-Identifier: GPL-3.0-or-later
"""Python's own ``float`` and ``int`` are the oracles for the bulk parsers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.meshes.number_text import parse_floats, parse_integers

_LONG = b"0.25 " * 2000  # long enough for the bulk way


def python_float(word: bytes) -> float:
    try:
        return float(word)
    except ValueError:
        return math.nan


def assert_as_python(raw: bytes) -> None:
    expected = np.array([python_float(word) for word in raw.split()])
    found = parse_floats(raw)
    assert found.shape == expected.shape
    assert np.array_equal(np.isfinite(found), np.isfinite(expected))
    finite = np.isfinite(expected)
    assert np.allclose(found[finite], expected[finite], rtol=1e-15, atol=1e-300)


@pytest.mark.parametrize(
    "words",
    [
        b"0 -0 +0 -0.0 00.10 7",
        b".5 -.5 5. +5.25 -12.",
        b"1e3 1E-3 -1.5e+02 2.5e-10 1e0 .5e1 5.e1",
        b"0.12345678901234567 -0.00000000000000000012345678 1234567.1234567",
        b"123456789012345678901234567890 0.1234567890123456789012345678901234567890",
        b"1e-320 1e300 1e-400",
        b"1\t2\r\n3\v4\f5  \n\n 6",
        b"nan inf -inf NaN Infinity",
        b"1.#QNAN -1.#IND 1,5 x 1x",
        b"1.2.3 1-2 1+2 --1 +-1 - + . e5 1e 1e+ 1e2.5 1e2e3 -e1 -.e1",
        b"1e 5 2",
        b"5 . 3",
    ],
)
def test_floats_read_in_bulk_equal_those_of_python(words: bytes) -> None:
    assert_as_python(words)
    assert_as_python(_LONG + words + b"\n" + _LONG)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32), max_size=30), st.sampled_from("gfer"))
def test_floats_as_any_exporter_writes_them(values: list[float], style: str) -> None:
    text = " ".join(repr(v) if style == "r" else format(v, f".9{style}") for v in values).encode()
    assert_as_python(_LONG + text)


@given(st.binary(max_size=40))
def test_any_bytes_between_numbers_give_numbers_or_nan(raw: bytes) -> None:
    raw = raw.replace(b"_", b"-")  # Python takes 1_0 for 10
    assert_as_python(_LONG + raw + b" 1.5 " + _LONG)


def test_a_long_text_is_cut_between_words_only() -> None:
    expected = np.arange(100_000) / 8.0
    assert np.array_equal(parse_floats(b" ".join(b"%.3f" % v for v in expected)), expected)


def test_nothing_is_no_numbers() -> None:
    assert parse_floats(b"").shape == parse_floats(b" \n ").shape == parse_integers(b"").shape == (0,)


@given(st.lists(st.integers(-(2**62), 2**62)))
def test_integers_equal_those_of_python(values: list[int]) -> None:
    assert parse_integers(" \n".join(map(str, values)).encode()).tolist() == values


@pytest.mark.parametrize("raw", [b"1 2 x", b"1.0", b"1 - 2", b"--1", b"1 2-3 -", b"1e3"])
def test_what_is_no_integer_is_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match="whole number"):
        parse_integers(raw)
