# SPDX-License-Identifier: GPL-3.0-or-later
"""YAML files into values, from the events of ruamel.yaml's parser: no tag makes an object, and every size is bounded.

Scalars are read as PyYAML reads them for xacro (YAML 1.1: ``yes`` is true, ``010`` is 8, ``1:30`` is 90), but for
``1e-3`` and ``-.5``, which PyYAML takes for texts and everybody else for numbers. Dates stay texts. An alias is the
value it stands for, not a copy.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from ..errors import UrdfError, UrdfSyntaxError, UrdfUnsupportedError, UrdfValueError
from ..urdf.remarks import quoted
from .budget import Budget
from .operators import as_key
from .values import MAX_ITEMS, Complaint, Value

MAX_BYTES = 256 << 10
MAX_EVENTS = 20_000
MAX_DEPTH = 50
_STEPS_PER_EVENT = 30
"""The parser's own work."""

_UNITS = {
    **{"!radians": 1.0, "!degrees": math.pi / 180.0},
    **{"!meters": 1.0, "!millimeters": 0.001, "!foot": 0.3048, "!inches": 0.0254},
}
_STANDARD = "tag:yaml.org,2002:"
_INTEGER = re.compile(r"[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]+|0|[1-9][0-9_]*|[1-9][0-9_]*(:[0-5]?[0-9])+)")
_FLOAT = re.compile(
    r"[-+]?([0-9][0-9_]*\.[0-9_]*([eE][-+]?[0-9]+)?|\.[0-9][0-9_]*([eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+"
    r"|[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*|\.(inf|Inf|INF))|\.(nan|NaN|NAN)"
)
_WORDS: dict[str, Value] = {
    **{
        word: value
        for text, value in (("yes", True), ("no", False), ("on", True), ("off", False))
        for word in (text, text.capitalize(), text.upper())
    },
    **{
        word: value
        for text, value in (("true", True), ("false", False))
        for word in (text, text.capitalize(), text.upper())
    },
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
}
_MAX_NUMBER = 400


def load_yaml(data: bytes, *, file: str, evaluate: Callable[[str], Value], budget: Budget) -> Value:
    """Return what a YAML document holds: dicts, lists and scalars.

    Args:
        data: The document, in UTF-8, or with a byte order mark in UTF-16.
        file: Name for messages.
        evaluate: Evaluates the expression that stands behind a unit such as ``!degrees``.
        budget: What the expansion may take.

    Raises:
        UrdfError: If it is no YAML, larger than a description's data are, or uses tags that are not allowed.
    """
    if len(data) > MAX_BYTES:
        raise UrdfSyntaxError(f"larger than {MAX_BYTES >> 10} KiB; this is no robot's data", file=file)
    budget.spend(len(data))
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise UrdfSyntaxError(f"the bytes are no UTF-8: {error.reason}", file=file) from None
    return _Reader(text, file, evaluate, budget).document()


class _Event(Protocol):
    """A scalar as ruamel.yaml has it."""

    value: str
    tag: str | None
    implicit: tuple[bool, bool]


class _Reader:
    """Builds values from events. ``self._event`` is the next one that is not yet used."""

    def __init__(self, text: str, file: str, evaluate: Callable[[str], Value], budget: Budget) -> None:
        self._file = file
        self._evaluate = evaluate
        self._budget = budget
        self._events = self._checked_events(text)
        self._event: Any = None
        self._anchors: dict[str, Value] = {}
        self._open: set[str] = set()

    def _checked_events(self, text: str) -> Iterator[Any]:
        # Here, since a description without YAML need not wait for the import.
        from ruamel.yaml import YAML
        from ruamel.yaml.error import MarkedYAMLError, YAMLError

        count = 0
        try:
            for event in YAML(typ="safe", pure=True).parse(text):
                count += 1
                self._budget.spend(_STEPS_PER_EVENT)
                if count > MAX_EVENTS:
                    raise UrdfSyntaxError(f"it has more than {MAX_EVENTS} entries", file=self._file)
                yield event
        except MarkedYAMLError as error:
            mark = error.problem_mark
            reason = " ".join(str(error.problem).split())
            raise UrdfSyntaxError(
                f"not valid YAML: {reason}", file=self._file, line=mark.line + 1 if mark else 0
            ) from None
        except YAMLError as error:
            raise UrdfSyntaxError(f"not valid YAML: {str(error).splitlines()[0]}", file=self._file) from None
        except (ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError) as error:
            # What the parser trips over on nonsense.
            raise UrdfSyntaxError(f"not valid YAML: {type(error).__name__}", file=self._file) from None

    def _next(self) -> str:
        self._event = next(self._events, None)
        return type(self._event).__name__

    def _line(self) -> int:
        return int(self._event.start_mark.line) + 1

    def document(self) -> Value:
        """Return the one document's value; None for an empty file."""
        kind = self._next()
        while kind in ("StreamStartEvent", "DocumentStartEvent"):
            kind = self._next()
        if kind in ("StreamEndEvent", "NoneType"):
            return None
        value = self._value(0)
        kinds = [self._next(), self._next()]
        if kinds != ["DocumentEndEvent", "StreamEndEvent"]:
            raise UrdfSyntaxError("there is more than one YAML document in it", file=self._file)
        return value

    def _value(self, depth: int) -> Value:
        """Return the value that starts with the current event."""
        event = self._event
        kind = type(event).__name__
        if depth > MAX_DEPTH:
            raise UrdfSyntaxError(f"nested more than {MAX_DEPTH} deep", file=self._file, line=self._line())
        if kind == "AliasEvent":
            return self._alias(str(event.anchor))
        anchor = event.anchor
        if anchor is not None:
            self._open.add(anchor)
        if kind == "ScalarEvent":
            value = self._scalar(event)
        else:
            self._check_collection_tag(event.tag, kind)
            value = self._sequence(depth) if kind == "SequenceStartEvent" else self._mapping(depth)
        if anchor is not None:
            self._open.discard(anchor)
            self._anchors[anchor] = value
        return value

    def _alias(self, anchor: str) -> Value:
        if anchor in self._open or anchor not in self._anchors:
            reason = "holds itself" if anchor in self._open else "is not defined"
            raise UrdfSyntaxError(f"the alias *{anchor[:40]} {reason}", file=self._file, line=self._line())
        return self._anchors[anchor]

    def _check_collection_tag(self, tag: object, kind: str) -> None:
        allowed = _STANDARD + ("seq" if kind == "SequenceStartEvent" else "map")
        if tag not in (None, "!", allowed):
            raise self._unknown_tag(str(tag))

    def _unknown_tag(self, tag: str) -> UrdfError:
        units = ", ".join(_UNITS)
        message = f"the tag {quoted(tag)} is not allowed; known: {units}"
        return UrdfUnsupportedError(message, file=self._file, line=self._line())

    def _sequence(self, depth: int) -> Value:
        result: list[Value] = []
        while self._next() != "SequenceEndEvent":
            if len(result) >= MAX_ITEMS:
                raise UrdfSyntaxError(f"a list has more than {MAX_ITEMS} entries", file=self._file, line=self._line())
            result.append(self._value(depth + 1))
        return result

    def _mapping(self, depth: int) -> Value:
        result: dict[Value, Value] = {}
        merged: list[Value] = []
        while self._next() != "MappingEndEvent":
            line = self._line()
            merges = type(self._event).__name__ == "ScalarEvent" and _is_merge(self._event)
            key = self._value(depth + 1)
            self._next()
            value = self._value(depth + 1)
            if merges:
                merged += value if isinstance(value, list) else [value]
                continue
            try:
                result[as_key(key)] = value
            except Complaint as error:
                raise UrdfValueError(f"{error}", file=self._file, line=line) from None
        for other in merged:
            if not isinstance(other, dict):
                raise UrdfValueError("<< takes tables only", file=self._file, line=self._line())
            self._budget.spend(len(other))
            result = {**other, **result}
        if len(result) > MAX_ITEMS:
            raise UrdfSyntaxError(f"a table has more than {MAX_ITEMS} entries", file=self._file, line=self._line())
        return result

    def _scalar(self, event: _Event) -> Value:
        text = str(event.value)
        tag = event.tag
        if tag in _UNITS:
            return self._with_unit(text, str(tag))
        if tag in (None, "!"):
            return plain_scalar(text) if event.implicit[0] and tag is None else text
        kind = str(tag).removeprefix(_STANDARD)
        if kind == "str":
            return text
        wanted = {"int": int, "float": float, "bool": bool, "null": type(None)}.get(kind)
        value = plain_scalar(text)
        if wanted is None:
            raise self._unknown_tag(str(tag))
        if wanted is float and isinstance(value, int):
            value = float(value)
        if not isinstance(value, wanted):
            raise UrdfValueError(f"{quoted(text)} is no {kind}", file=self._file, line=self._line())
        return value

    def _with_unit(self, text: str, tag: str) -> float:
        try:
            value = self._evaluate(text)
            if not isinstance(value, int | float):
                raise UrdfValueError(f"{quoted(text)} is no number")
            return float(value) * _UNITS[tag]
        except UrdfError as error:
            raise type(error)(error.message, file=self._file, line=self._line(), element=tag) from None
        except OverflowError:
            raise UrdfValueError(f"{quoted(text)} is too large", file=self._file, line=self._line()) from None


def _is_merge(event: _Event) -> bool:
    return event.value == "<<" and bool(event.implicit[0])


def plain_scalar(text: str) -> Value:
    """Return the value of a scalar without quotes and tag."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > _MAX_NUMBER:
        return text
    if _INTEGER.fullmatch(text):
        return _integer(text.replace("_", ""))
    if _FLOAT.fullmatch(text):
        return _real(text.replace("_", ""))
    return text


def _integer(text: str) -> Value:
    sign = -1 if text[0] == "-" else 1
    digits = text.lstrip("+-")
    if ":" in digits:
        return sign * int(_sixties(digits))
    base = 2 if digits.startswith("0b") else 16 if digits.startswith("0x") else 8 if digits[0] == "0" else 10
    try:
        return sign * int(digits, base)
    except ValueError:  # 0x_ and the like
        return text


def _real(text: str) -> Value:
    sign = -1.0 if text[0] == "-" else 1.0
    digits = text.lstrip("+-").lower()
    if ":" in digits:
        return sign * _sixties(digits)
    return sign * float(digits.replace(".inf", "inf").replace(".nan", "nan"))


def _sixties(digits: str) -> float:
    """Return hours, minutes and seconds as seconds."""
    total = 0.0
    for part in digits.split(":"):
        total = total * 60.0 + float(part)
    return total
