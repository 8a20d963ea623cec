# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urdf_rig.core.errors import UrdfValueError
from urdf_rig.core.urdf.values import measures, name_of, number, number_or_infinite, numbers, vector
from urdf_rig.core.urdf.xml import Element


def element(text: str) -> Element:
    return Element("origin", {"xyz": text}, "arm.urdf", 7)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e-1", 0.1), ("+1.", 1.0), (".5", 0.5), ("1E0", 1.0), ("-0.25", -0.25), (" \t7\r\n", 7.0), ("007", 7.0)],
)
def test_every_decimal_form_is_read(text: str, value: float) -> None:
    assert number(element(text), "xyz", "") == value


JUNK = "0,5|1_0|0x10|nan|inf|-Infinity|1e999|1e|.|+|--1|٣|½|1d3|1f|1;|${a}|$(arg a)|1\N{NO-BREAK SPACE}||   "
NO_NUMBERS = [*JUNK.split("|"), "9" * 500, "1" + "0" * 60 + "x"]


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_everything_else_is_refused(text: str) -> None:
    with pytest.raises(UrdfValueError) as caught:
        number(element(text), "xyz", "joint 'j1'")
    assert (caught.value.file, caught.value.line, caught.value.element) == ("arm.urdf", 7, "joint 'j1'")
    assert "xyz" in str(caught.value)
    assert "<origin>" in str(caught.value)


def test_the_text_is_named_and_a_long_one_is_cut() -> None:
    with pytest.raises(UrdfValueError, match="'0,5' is not a decimal number; the decimal sign is a point"):
        vector(element("1 0,5 2"), "xyz", "")
    for text in ("0.07, 0, -0.69", "0.07,0,-0.69", "0.07 ,0 ,0"):
        with pytest.raises(UrdfValueError, match="numbers are separated by blanks, without commas"):
            vector(element(text), "xyz", "")
    with pytest.raises(UrdfValueError) as caught:
        vector(element("x" * 1_000_000), "xyz", "")
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("text", "found"), [("1 2", "2"), ("", "0"), ("1 2 3 4", "more than 3"), ("1 2 3 4 5", "more than 3")]
)
def test_a_wrong_count_is_refused(text: str, found: str) -> None:
    with pytest.raises(UrdfValueError, match=f"3 numbers are needed, here are {found}"):
        vector(element(text), "xyz", "")


def test_missing_attribute_is_refused() -> None:
    with pytest.raises(UrdfValueError, match="<origin> has no attribute 'rpy'"):
        number(element("1"), "rpy", "")


FLOATS = st.floats(allow_nan=False, allow_infinity=False)
BLANKS = st.text(" \t\r\n", min_size=1, max_size=4)


@given(values=st.lists(FLOATS, min_size=1, max_size=6), blanks=BLANKS)
def test_written_numbers_come_back_exactly(values: list[float], blanks: str) -> None:
    text = blanks + blanks.join(repr(value) for value in values) + blanks
    assert numbers(element(text), "xyz", len(values), "") == tuple(values)


@given(text=st.text(max_size=30))
def test_any_text_gives_a_finite_number_or_the_error(text: str) -> None:
    try:
        value = number(element(text), "xyz", "")
    except UrdfValueError:
        return
    assert math.isfinite(value)
    assert value == float(text)
    assert "_" not in text


@pytest.mark.parametrize(
    ("text", "value"), [("inf", math.inf), ("-INF", -math.inf), (" +infinity ", math.inf), ("2", 2.0)]
)
def test_infinity_is_read_where_it_means_something(text: str, value: float) -> None:
    assert number_or_infinite(element(text), "xyz", "") == value


def test_nan_is_never_read() -> None:
    with pytest.raises(UrdfValueError, match="nan"):
        number_or_infinite(element("nan"), "xyz", "")


@pytest.mark.parametrize("name", ["", "  ", "\t"])
def test_blank_names_are_refused(name: str) -> None:
    with pytest.raises(UrdfValueError, match="a name is needed"):
        name_of(Element("link", {"name": name}))


def test_names_are_kept_as_written() -> None:
    assert name_of(Element("link", {"name": " a/b [0] "})) == " a/b [0] "


@pytest.mark.parametrize("text", ["1e308 0 0", "0 -2e9 0"])
def test_lengths_that_no_robot_has_are_refused(text: str) -> None:
    with pytest.raises(UrdfValueError, match="out of all proportion"):
        measures(element(text), "xyz", 3, "")
    assert measures(element("1e9 0 -1e9"), "xyz", 3, "") == (1e9, 0.0, -1e9)
