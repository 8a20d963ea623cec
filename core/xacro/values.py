# SPDX-License-Identifier: GPL-3.0-or-later
"""The values that expressions can have, and how large each may be.

Values are never changed once made, so that they can be shared; but a list that holds one list twice, and so on, can
be small in memory and endless as text. Whatever walks through a value weighs it first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

MAX_BITS = 2_048
"""Of a whole number: enough for any float."""
MAX_TEXT = 100_000
MAX_ITEMS = 10_000
MAX_WEIGHT = 100_000
MAX_NESTING = 50

Value: TypeAlias = object
"""None, bool, int, float, str, list, tuple, dict, range, ``Function``, or something with ``member``."""


class Complaint(Exception):  # noqa: N818  the evaluator makes a UrdfError of it
    """Why an expression is refused; said without naming the expression, which the evaluator does."""


class UndefinedName(Complaint):
    """A name that nothing defines."""


class Machine(Protocol):
    """What a function may ask of the evaluator that calls it."""

    def spend(self, steps: int = 1) -> None:
        """Take steps off what the expression has."""

    def spend_for(self, value: Value) -> None:
        """Take off what reading a value costs."""

    def call(self, function: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        """Return what another function returns."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Function:
    """Something that an expression can call.

    Attributes:
        name: As in expressions.
        run: Called with the evaluator, the positional and the keyword arguments.
        kinds: What ``isinstance`` takes this name for; empty if it is no type.
    """

    name: str
    run: Callable[[Machine, Sequence[Value], Mapping[str, Value]], Value]
    kinds: tuple[type, ...] = ()

    def __repr__(self) -> str:
        return f"<function {self.name}>"


class Named:
    """Something with members that are reached by a dot. It is no value of its own."""

    def member(self, name: str) -> Value:
        """Return a member.

        Raises:
            KeyError: If there is none.
        """
        raise KeyError(name)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Namespace(Named):
    """A fixed group of names, such as ``math``."""

    name: str
    members: Mapping[str, Value]

    def member(self, name: str) -> Value:
        """Return a member, as ``Named`` says."""
        return self.members[name]

    def __repr__(self) -> str:
        return f"<{self.name}>"


def kind_of(value: Value) -> str:
    """Return what a message calls a value."""
    if value is None:
        return "None"
    if isinstance(value, Function):
        return f"the function {value.name}"
    if isinstance(value, Named):
        return "a namespace"
    names: dict[type, str] = {str: "a text", bool: "a truth value", int: "a number", float: "a number"}
    return names.get(type(value), f"a {type(value).__name__}")


def checked(value: Value) -> Value:
    """Return the value.

    Raises:
        Complaint: If it is larger than a value may be, or of another kind.
    """
    if isinstance(value, bool | float | None):
        return value
    if isinstance(value, int):
        if value.bit_length() > MAX_BITS:
            raise Complaint(f"a whole number has more than {MAX_BITS} bits")
    elif isinstance(value, str):
        check_text(len(value))
    elif isinstance(value, list | tuple | dict | range):
        check_items(len(value))
    elif not isinstance(value, Function | Named):
        raise Complaint(f"the result is {kind_of(value)}, which cannot be used")
    return value


def check_text(length: int) -> None:
    """Refuse a text of a length.

    Raises:
        Complaint: If it is too long.
    """
    if length > MAX_TEXT:
        raise Complaint(f"a text is longer than {MAX_TEXT} characters")


def check_items(count: int) -> None:
    """Refuse a list of a length.

    Raises:
        Complaint: If it is too long.
    """
    if count > MAX_ITEMS:
        raise Complaint(f"a list has more than {MAX_ITEMS} entries")


def size(value: Value) -> int:
    """Return the steps that reading a value takes, without what is inside of what it holds."""
    if isinstance(value, str):
        return 1 + len(value) // 32
    return 1 + len(value) if isinstance(value, list | tuple | dict | range) else 1


def weigh(value: Value) -> int:
    """Return the steps that a walk through all of a value takes.

    Raises:
        Complaint: If they are too many.
    """
    total = 0
    waiting: list[tuple[Value, int]] = [(value, 0)]
    while waiting:
        item, depth = waiting.pop()
        total += size(item)
        if total > MAX_WEIGHT or depth > MAX_NESTING:
            raise Complaint("a value is too large, counting all that it holds")
        if isinstance(item, dict):
            waiting += [(inside, depth + 1) for pair in item.items() for inside in pair]
        elif isinstance(item, list | tuple):
            waiting += [(inside, depth + 1) for inside in item]
    return total


def text_of_value(value: Value) -> str:
    """Return a value as it is written into a document.

    Raises:
        Complaint: If it would be too long, or is no value but a function or namespace.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Function | Named):
        raise Complaint(f"{kind_of(value)} has no text; is something missing after its name?")
    weigh(value)
    text = str(value)
    check_text(len(text))
    return text


def items_of(value: Value) -> list[Value]:
    """Return what a loop over a value yields.

    Raises:
        Complaint: If nothing can loop over it, or it is too long.
    """
    if not isinstance(value, str | list | tuple | dict | range):
        raise Complaint(f"{kind_of(value)} has no entries to go through")
    check_items(len(value))
    return list(value)
