# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions that xacro adds to those of Python: ``xacro.load_yaml`` and the like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ..diagnostics import Level
from .functions import plain
from .mathematics import SYMBOLS
from .values import Complaint, Function, Namespace, Value, text_of_value


class Host(Protocol):
    """What the functions ask of the expansion."""

    def load_yaml(self, name: str) -> Value:
        """Return what a YAML file holds."""

    def absolute(self, name: str) -> str:
        """Return a file name, made absolute."""

    def argument(self, name: str) -> str:
        """Return the value of an argument."""

    def say(self, level: Level, text: str) -> None:
        """Tell the user something."""


def symbols_for(host: Host) -> Mapping[str, Value]:
    """Return what expressions know before the first property."""
    files: dict[str, Value] = {
        "load_yaml": plain("load_yaml", lambda name: host.load_yaml(_text(name))),
        "abs_filename": plain("abs_filename", lambda name: host.absolute(_text(name))),
        "dotify": plain("dotify", _dotify),
    }
    others: dict[str, Value] = {
        "arg": plain("arg", lambda name: host.argument(_text(name))),
        "tokenize": plain("tokenize", _tokenize),
        "fatal": plain("fatal", _fatal),
        "message": _message("message", host, Level.INFO),
        "warning": _message("warning", host, Level.WARNING),
        "error": _message("error", host, Level.WARNING),
        "print_location": plain("print_location", lambda *_args: ""),
    }
    return {**SYMBOLS, **files, "xacro": Namespace("xacro", {**files, **others})}


def _text(value: Value) -> str:
    if not isinstance(value, str):
        raise Complaint("a name is a text in quotes")
    return value


def _dotify(value: Value) -> Value:
    """Return a dict as it is: the dot works with every one."""
    if not isinstance(value, dict):
        raise Complaint("dotify() takes a dict")
    return value


def _tokenize(text: Value, sep: Value = ",; ", skip_empty: Value = True) -> Value:
    parts, start = [], 0
    source, separators = _text(text), set(_text(sep))
    for position, character in enumerate(source):
        if character in separators:
            parts.append(source[start:position])
            start = position + 1
    parts.append(source[start:])
    return [part for part in parts if part or not skip_empty]


def _spoken(parts: tuple[Value, ...]) -> str:
    return " ".join(map(text_of_value, parts))[:1_000]


def _fatal(*parts: Value) -> Value:
    raise Complaint(f"the description stops: {_spoken(parts)}")


def _message(name: str, host: Host, level: Level) -> Function:
    def say(*parts: Value, **_named: Value) -> str:
        host.say(level, _spoken(parts))
        return ""

    return plain(name, say)
