# SPDX-License-Identifier: GPL-3.0-or-later
"""The methods of texts, lists and dicts that expressions may call. ``format`` is not among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .values import Complaint, Value, check_items, check_text, items_of, kind_of

_TEXT = frozenset(
    (
        *("capitalize", "casefold", "count", "endswith", "find", "index", "isalnum", "isalpha"),
        *("isascii", "isdecimal", "isdigit", "isidentifier", "islower", "isnumeric", "isspace", "istitle"),
        *("isupper", "lower", "lstrip", "partition", "removeprefix", "removesuffix", "rfind", "rindex"),
        *("rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith", "strip", "swapcase"),
        *("title", "upper"),
    )
)
_PADDING = frozenset(("center", "ljust", "rjust", "zfill"))
_SEQUENCE = frozenset(("count", "index"))


def has_method(value: Value, name: str) -> bool:
    """Return whether ``value.name(…)`` can be called."""
    if isinstance(value, str):
        return name in _TEXT or name in _PADDING or name in ("join", "replace")
    if isinstance(value, list | tuple | range):
        return name in _SEQUENCE
    return isinstance(value, dict) and name in ("get", "items", "keys", "values")


def call_method(value: Value, name: str, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    """Return ``value.name(…)``.

    Raises:
        Complaint: If there is no such method, or the result would be too large.
        TypeError, ValueError: As Python.
    """
    if has_method(value, name):
        if isinstance(value, str):
            return _of_text(value, name, args, named)
        if isinstance(value, dict):
            return _of_dict(value, name, args)
        result: Value = getattr(value, name)(*args, **named)
        return result
    hint = "; write '%.3f' % value" if name in ("format", "format_map") else ""
    raise Complaint(f"{kind_of(value)} has no method {name}() that can be used here{hint}")


def _of_text(text: str, name: str, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    if name == "join":
        return _join(text, args)
    if name == "replace":
        return _replace(text, args)
    if name in _PADDING and args and isinstance(args[0], int):
        check_text(args[0])
    result: Value = getattr(text, name)(*args, **named)
    return result


def _join(text: str, args: Sequence[Value]) -> str:
    if len(args) != 1:
        raise Complaint("join() takes one list")
    parts = items_of(args[0])
    texts = [part for part in parts if isinstance(part, str)]
    if len(texts) != len(parts):
        raise Complaint("join() takes a list of texts; turn numbers into texts by str()")
    check_text(sum(map(len, texts)) + len(text) * len(texts))
    return text.join(texts)


def _replace(text: str, args: Sequence[Value]) -> str:
    if len(args) not in (2, 3) or not isinstance(args[0], str) or not isinstance(args[1], str):
        raise Complaint("replace() takes two texts, and perhaps how often")
    old, new = args[0], args[1]
    most = args[2] if len(args) == 3 else -1
    if not isinstance(most, int):
        raise Complaint("replace() takes a number as its third argument")
    times = text.count(old) if most < 0 else min(most, text.count(old))
    check_text(len(text) + times * len(new))
    return text.replace(old, new, most)


def _of_dict(table: dict[Value, Value], name: str, args: Sequence[Value]) -> Value:
    if name == "get":
        if len(args) not in (1, 2) or not isinstance(args[0], bool | int | float | str | None):
            raise Complaint("get() takes a key, and perhaps a value for where there is none")
        return table.get(args[0], args[1] if len(args) == 2 else None)
    if args:
        raise Complaint(f"{name}() takes nothing")
    check_items(len(table))
    if name == "items":
        return list(table.items())
    return list(table) if name == "keys" else list(table.values())
