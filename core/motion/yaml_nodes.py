# SPDX-License-Identifier: GPL-3.0-or-later
"""YAML recordings into lists and tables that know where they stand, from the events of ruamel.yaml's parser.

No tag makes an object, aliases are refused, and every size is bounded. Scalars are read as descriptions' are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..xacro.yaml_files import plain_scalar
from .errors import MotionError

MAX_BYTES = 32 << 20
MAX_EVENTS = 1_000_000
"""Half a minute of parsing."""
MAX_DEPTH = 20


class Series(list[object]):
    """A list with the line and column where it begins."""

    line = 0
    column = 0


class Table(dict[object, object]):
    """A mapping with the line and column where it begins."""

    line = 0
    column = 0


class Tagged(str):
    """A scalar's text with its tag, such as ``!degrees``; to those who know no tags, a text."""

    __slots__ = ("tag",)
    tag: str


def parse_yaml_documents(text: str, *, file: str = "") -> list[object]:
    """Return the values of all documents, empty ones left out.

    Raises:
        MotionError: If it is no YAML, too large, or has tags or aliases.
    """
    if len(text) > MAX_BYTES:
        raise MotionError(f"larger than {MAX_BYTES >> 20} MiB: take CSV for that much", file=file)
    events = _events(text, file)
    documents: list[object] = []
    for event in events:
        if type(event).__name__ == "DocumentStartEvent":
            value = _value(next(events), events, file, 0)
            if value is not None:
                documents.append(value)
    return documents


def _events(text: str, file: str) -> Iterator[Any]:
    # here, since other formats need not wait for the import
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    count = 0
    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            count += 1
            if count > MAX_EVENTS:
                raise MotionError(f"more than {MAX_EVENTS} entries: take CSV for that much", file=file)
            yield event
    except MarkedYAMLError as error:
        mark = error.problem_mark
        reason = " ".join(str(error.problem).split())
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        raise MotionError(f"not valid YAML: {reason}", file=file, line=line, column=column) from None
    except YAMLError as error:
        raise MotionError(f"not valid YAML: {str(error).splitlines()[0]}", file=file) from None
    except (ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError) as error:
        # what the parser trips over on nonsense
        raise MotionError(f"not valid YAML: {type(error).__name__}", file=file) from None


def _value(event: Any, events: Iterator[Any], file: str, depth: int) -> object:  # noqa: ANN401  # no stubs
    kind = type(event).__name__
    if kind == "ScalarEvent":
        if event.tag is not None:
            text = Tagged(event.value)
            text.tag = str(event.tag)
            return text
        return plain_scalar(str(event.value)) if event.implicit[0] else str(event.value)
    line, column = event.start_mark.line + 1, event.start_mark.column + 1
    if depth > MAX_DEPTH:
        raise MotionError(f"nested more than {MAX_DEPTH} deep", file=file, line=line, column=column)
    if kind == "SequenceStartEvent":
        series = Series()
        series.line, series.column = line, column
        while type(following := next(events)).__name__ != "SequenceEndEvent":
            series.append(_value(following, events, file, depth + 1))
        return series
    if kind == "MappingStartEvent":
        table = Table()
        table.line, table.column = line, column
        while type(following := next(events)).__name__ != "MappingEndEvent":
            key = _value(following, events, file, depth + 1)
            if isinstance(key, list | dict):
                raise MotionError("a key is no text", file=file, line=line, column=column)
            table[key] = _value(next(events), events, file, depth + 1)
        return table
    raise MotionError("aliases are not used in recordings", file=file, line=line, column=column)
