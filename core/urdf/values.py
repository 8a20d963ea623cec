# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers and names out of attributes: always the C locale, any XML blanks, nothing guessed."""

from __future__ import annotations

import math
import re

from ..errors import UrdfValueError
from ..model import Vec3
from .remarks import quoted, value_error
from .xml import Element

_BLANKS = " \t\r\n"
_BLANK_RUN = re.compile(r"[ \t\r\n]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_INFINITE = re.compile(r"([+-]?)inf(?:inity)?", re.IGNORECASE)
_LONGEST = 400
FARTHEST = 1e9
"""The largest length [m], scale or joint value: more than any robot has, and sums of them fit Blender's float32."""


def attribute_error(element: Element, attribute: str, problem: str, who: str) -> UrdfValueError:
    """Return the error that names element, attribute and text."""
    place = f"{attribute}={quoted(element.attributes.get(attribute, ''))} of <{element.tag}>"
    return value_error(element, f"{place}: {problem}", who)


def missing_attribute(element: Element, attribute: str, who: str) -> UrdfValueError:
    """Return the error for an attribute that is not there."""
    return value_error(element, f"<{element.tag}> has no attribute {attribute!r}; add it", who)


def _decimal(word: str) -> float:
    """Return the number that ``word`` spells; ValueError says why it is none."""
    if len(word) > _LONGEST or not _NUMBER.fullmatch(word):
        raise ValueError(f"{quoted(word)} is not a decimal number{_remedy(word)}")
    value = float(word)
    if not math.isfinite(value):
        raise ValueError(f"{quoted(word)} is too large")
    return value


def _remedy(word: str) -> str:
    if word.strip(",") != word or word.count(",") > 1:
        return "; numbers are separated by blanks, without commas"
    return "; the decimal sign is a point" if "," in word else ""


def numbers(element: Element, attribute: str, count: int, who: str) -> tuple[float, ...]:
    """Return the ``count`` finite numbers of an attribute that exists.

    Raises:
        UrdfValueError: If there are more or fewer, or one of them is not a finite decimal number.
    """
    words = _BLANK_RUN.split(element.attributes[attribute].strip(_BLANKS), maxsplit=count)
    words = [word for word in words if word]
    try:
        values = tuple(_decimal(word) for word in words[:count])
    except ValueError as error:
        raise attribute_error(element, attribute, str(error), who) from None
    if len(words) != count:
        found = f"more than {count}" if len(words) > count else str(len(words))
        wanted = "1 number is" if count == 1 else f"{count} numbers are"
        raise attribute_error(element, attribute, f"{wanted} needed, here are {found}", who)
    return values


def measures(element: Element, attribute: str, count: int, who: str) -> tuple[float, ...]:
    """Return numbers as ``numbers`` does, none of them out of all proportion.

    Raises:
        UrdfValueError: As ``numbers``, and if one is larger than ``FARTHEST``.
    """
    values = numbers(element, attribute, count, who)
    for value in values:
        if abs(value) > FARTHEST:
            raise attribute_error(element, attribute, f"{value:g} is out of all proportion; is the unit metres?", who)
    return values


def vector(element: Element, attribute: str, who: str) -> Vec3:
    """Return the three numbers of an attribute that exists.

    Raises:
        UrdfValueError: As ``numbers``.
    """
    x, y, z = numbers(element, attribute, 3, who)
    return x, y, z


def number(element: Element, attribute: str, who: str) -> float:
    """Return the one number of an attribute.

    Raises:
        UrdfValueError: If the attribute is missing or is not one finite decimal number.
    """
    if attribute not in element.attributes:
        raise missing_attribute(element, attribute, who)
    return numbers(element, attribute, 1, who)[0]


def number_or_infinite(element: Element, attribute: str, who: str) -> float | None:
    """Return the number, an infinity where it is spelled as ``inf``, or None where the attribute is missing.

    Raises:
        UrdfValueError: If it is something else, such as ``nan``.
    """
    if attribute not in element.attributes:
        return None
    infinite = _INFINITE.fullmatch(element.attributes[attribute].strip(_BLANKS))
    if infinite is not None:
        return -math.inf if infinite[1] == "-" else math.inf
    return number(element, attribute, who)


def name_of(element: Element, attribute: str = "name", who: str = "") -> str:
    """Return a name exactly as written.

    Raises:
        UrdfValueError: If it is missing, empty or blank.
    """
    name = element.attributes.get(attribute)
    if name is None:
        raise missing_attribute(element, attribute, who or element.tag)
    if not name.strip():
        raise attribute_error(element, attribute, "a name is needed here", who or element.tag)
    return name
