# SPDX-License-Identifier: GPL-3.0-or-later
"""``'%.3f' % value``, with the widths and the number of places bounded."""

from __future__ import annotations

import re

from .values import MAX_WEIGHT, Complaint, Function, Named, Value, check_text, kind_of, weigh

_MAX_PLACES = 100
_MAX_WIDTH = 200
_PLACE = re.compile(
    r"%(?:\((?P<key>[^()]{0,100})\))?[-+ #0]{0,5}(?P<width>\d*)(?:\.(?P<digits>\d*))?[hlL]?(?P<kind>.|$)"
)
_KINDS = frozenset("diouxXeEfFgGcrsa%")


def format_percent(template: str, values: Value) -> str:
    """Return the template with values filled in.

    Raises:
        Complaint: If the template is none, or the result would be too long.
        TypeError, ValueError, KeyError: As Python, if values and template don't fit.
    """
    places = _count_places(template)
    parts: list[Value] = list(values) if isinstance(values, tuple) else [values]
    for part in parts:
        if isinstance(part, Function | Named):
            raise Complaint(f"{kind_of(part)} has no text")
    if weigh(values) * (places if isinstance(values, dict) else 1) > MAX_WEIGHT:
        raise Complaint("the text is too long")
    text = template % values
    check_text(len(text))
    return text


def _count_places(template: str) -> int:
    start = template.find("%")
    places = 0
    while start >= 0:
        found = _PLACE.match(template, start)
        places += 1
        if found is None or found["kind"] not in _KINDS:
            raise Complaint("the format is not valid; use %d, %f, %g, %s and the like")
        if max(_number(found["width"]) - _MAX_WIDTH, _number(found["digits"]) - _MAX_WIDTH) > 0:
            raise Complaint(f"the format asks for more than {_MAX_WIDTH} characters")
        if places > _MAX_PLACES:
            raise Complaint(f"the format has more than {_MAX_PLACES} places")
        start = template.find("%", found.end())
    return places


def _number(digits: str | None) -> int:
    return int(digits[:9]) if digits else 0
