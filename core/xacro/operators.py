# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands between values: arithmetic and comparisons, refused before a result could become too large."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from .formatting import format_percent
from .values import (
    MAX_BITS,
    Complaint,
    Function,
    Named,
    Value,
    check_items,
    check_text,
    checked,
    kind_of,
    weigh,
)

_SIGNS: dict[type[ast.operator], str] = {
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"},
    **{ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|", ast.BitXor: "^", ast.BitAnd: "&", ast.MatMult: "@"},
}
_PLAIN: dict[str, Callable[[Any, Any], Any]] = {
    **{"+": operator.add, "-": operator.sub, "/": operator.truediv, "//": operator.floordiv, "%": operator.mod},
    **{">>": operator.rshift, "|": operator.or_, "^": operator.xor, "&": operator.and_},
}


def binary(kind: type[ast.operator], left: Value, right: Value) -> Value:
    """Return ``left <operator> right``.

    Raises:
        Complaint: If there is no such thing, or it would be too large.
        ArithmeticError, TypeError, ValueError: As Python.
    """
    sign = _SIGNS[kind]
    if isinstance(left, int | float) and isinstance(right, int | float):
        return checked(_arithmetic(sign, left, right))
    if sign == "%" and isinstance(left, str):
        return format_percent(left, right)
    if sign == "+":
        return _joined(left, right)
    if sign == "*":
        return _repeated(left, right)
    raise _impossible(sign, left, right)


def _arithmetic(sign: str, left: int | float, right: int | float) -> Value:
    if sign == "**":
        return _power(left, right)
    whole = isinstance(left, int) and isinstance(right, int)
    if sign == "*":
        if whole and int(left).bit_length() + int(right).bit_length() > MAX_BITS + 1:
            raise Complaint(f"a whole number has more than {MAX_BITS} bits")
        return left * right
    if sign == "<<" and isinstance(left, int) and isinstance(right, int):
        if right > MAX_BITS:
            raise Complaint(f"a whole number has more than {MAX_BITS} bits")
        return left << right
    if sign not in _PLAIN:
        raise _impossible(sign, left, right)
    result: Value = _PLAIN[sign](left, right)
    return result


def _power(base: int | float, exponent: int | float) -> Value:
    if isinstance(base, int) and isinstance(exponent, int) and exponent > 0 and abs(base) > 1:
        # (bits - 1) * exponent is what the result has at least
        if exponent > MAX_BITS or (int(base).bit_length() - 1) * exponent > MAX_BITS:
            raise Complaint(f"the power is a whole number with more than {MAX_BITS} bits")
    elif isinstance(base, float) and base < 0 and isinstance(exponent, float) and not exponent.is_integer():
        raise Complaint("a negative number has no real power of that kind")
    result: Value = base**exponent
    if isinstance(result, complex):
        raise Complaint("a negative number has no real power of that kind")
    return result


def _joined(left: Value, right: Value) -> Value:
    if isinstance(left, str) and isinstance(right, str):
        check_text(len(left) + len(right))
        return left + right
    if isinstance(left, list) and isinstance(right, list):
        check_items(len(left) + len(right))
        return left + right
    if isinstance(left, tuple) and isinstance(right, tuple):
        check_items(len(left) + len(right))
        return left + right
    raise _impossible("+", left, right)


def _repeated(left: Value, right: Value) -> Value:
    if isinstance(left, int):
        left, right = right, left
    if not isinstance(right, int):
        raise _impossible("*", left, right)
    if isinstance(left, str):
        check_text(len(left) * max(right, 0))
        return left * right
    if isinstance(left, list | tuple):
        check_items(len(left) * max(right, 0))
        return left * right
    raise _impossible("*", left, right)


def _impossible(sign: str, left: Value, right: Value) -> Complaint:
    return Complaint(f"{sign} is not possible between {kind_of(left)} and {kind_of(right)}")


def unary(kind: type[ast.unaryop], value: Value) -> Value:
    """Return ``<operator> value``.

    Raises:
        Complaint: If there is no such thing.
    """
    if kind is ast.Not:
        return not value
    if kind is ast.Invert and isinstance(value, int):
        return ~int(value)
    if kind is not ast.Invert and isinstance(value, int | float):
        return -value if kind is ast.USub else +value
    raise Complaint(f"the sign is not possible before {kind_of(value)}")


_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    **{ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt},
    **{ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not},
}


def comparison_cost(left: Value, right: Value) -> int:
    """Return the steps that comparing takes.

    Raises:
        Complaint: If they are too many.
    """
    return weigh(left) + weigh(right)


def compare(kind: type[ast.cmpop], left: Value, right: Value) -> bool:
    """Return whether a comparison holds; weigh both sides first.

    Raises:
        Complaint: If the two cannot be compared.
        TypeError: As Python.
    """
    if kind in (ast.In, ast.NotIn):
        return _contains(right, left) is (kind is ast.In)
    return bool(_COMPARISONS[kind](left, right))


def _contains(container: Value, item: Value) -> bool:
    if isinstance(container, dict):
        return as_key(item) in container
    if isinstance(container, list | tuple | range):
        return item in container
    if isinstance(container, str) and isinstance(item, str):
        return item in container
    raise Complaint(f"{kind_of(item)} cannot be in {kind_of(container)}")


def as_key(value: Value) -> bool | int | float | str | None:
    """Return a value as the key of a dict.

    Raises:
        Complaint: If it is a list or the like.
    """
    if not isinstance(value, bool | int | float | str | None) or isinstance(value, Function | Named):
        raise Complaint(f"{kind_of(value)} cannot be a key")
    return value
