# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions of expressions beside ``math``: those of Python that xacro knows, each bounded in time and size."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .operators import as_key, binary
from .values import (
    MAX_BITS,
    Complaint,
    Function,
    Machine,
    Value,
    check_items,
    checked,
    items_of,
    kind_of,
    text_of_value,
    weigh,
)

_Args = Sequence[Value]
_Named = Mapping[str, Value]
_MAX_DIGITS = 600
_MAX_PLACES = 400


def plain(name: str, function: Callable[..., Any], kinds: tuple[type, ...] = ()) -> Function:
    """Return a function that takes time in proportion to what its arguments hold, and nothing else.

    Args:
        name: As in expressions.
        function: Called with the arguments as they are.
        kinds: As in ``Function``.
    """

    def run(machine: Machine, args: _Args, named: _Named) -> Value:
        machine.spend(sum(map(weigh, args)) + sum(map(weigh, named.values())))
        result: Value = function(*args, **named)
        return result

    return Function(name, run, kinds)


def _int(value: Value = 0, *base: Value) -> Value:
    if isinstance(value, str) and len(value) > _MAX_DIGITS:
        raise Complaint("the text is too long for a number")
    return int(value, *base)  # type: ignore[call-overload]


def _float(value: Value = 0.0) -> float:
    if not isinstance(value, str | int | float):
        raise Complaint(f"{kind_of(value)} is no number")
    return float(value)


def _list(value: Value = ()) -> Value:
    return items_of(value)


def _tuple(value: Value = ()) -> Value:
    return tuple(items_of(value))


def _dict(pairs: Value = (), **named: Value) -> Value:
    result: dict[Any, Value] = {}
    if isinstance(pairs, dict):
        result.update(pairs)
    else:
        for pair in items_of(pairs):
            key, value = items_of(pair)
            result[as_key(key)] = value
    result.update(named)
    return result


def _round(number: Value, ndigits: Value = None) -> Value:
    if not isinstance(number, int | float):
        raise Complaint(f"{kind_of(number)} cannot be rounded")
    if ndigits is None:
        return round(number)
    if not isinstance(ndigits, int) or abs(ndigits) > _MAX_PLACES:
        raise Complaint(f"round() takes at most {_MAX_PLACES} places")
    return round(number, ndigits)


def _range(*bounds: Value) -> range:
    if not all(isinstance(bound, int) for bound in bounds):
        raise Complaint("range() takes whole numbers")
    result: range = range(*bounds)  # type: ignore[call-overload]
    if result and max(abs(result[0]), abs(result[-1])).bit_length() > MAX_BITS:
        raise Complaint("range() takes smaller numbers")
    try:
        check_items(len(result))
    except OverflowError:
        raise Complaint("range() is too long") from None
    return result


def _abs(number: Value) -> Value:
    if not isinstance(number, int | float):
        raise Complaint(f"{kind_of(number)} has no absolute value")
    return abs(number)


def _divmod(left: Value, right: Value) -> Value:
    return binary(ast.FloorDiv, left, right), binary(ast.Mod, left, right)


def _len(value: Value) -> int:
    if not isinstance(value, str | list | tuple | dict | range):
        raise Complaint(f"{kind_of(value)} has no length")
    return len(value)


def _enumerate(value: Value, start: Value = 0) -> Value:
    if not isinstance(start, int):
        raise Complaint("enumerate() starts with a whole number")
    return list(enumerate(items_of(value), start))


def _zip(*values: Value) -> Value:
    return list(zip(*map(items_of, values), strict=False))


def _repr(value: Value) -> str:
    return repr(value) if isinstance(value, str) else text_of_value(value)


def _isinstance(value: Value, kinds: Value) -> bool:
    wanted = kinds if isinstance(kinds, tuple) else (kinds,)
    types: tuple[type, ...] = ()
    for kind in wanted:
        if not isinstance(kind, Function) or not kind.kinds:
            raise Complaint(f"{kind_of(kind)} is no type")
        types += kind.kinds
    return isinstance(value, types)


def _ord(text: Value) -> int:
    if not isinstance(text, str) or len(text) != 1:
        raise Complaint("ord() takes one character")
    return ord(text)


def _sum(machine: Machine, args: _Args, named: _Named) -> Value:
    if not 1 <= len(args) + len(named) <= 2 or not args or set(named) - {"start"}:
        raise Complaint("sum() takes a list, and perhaps a start")
    total: Value = args[1] if len(args) == 2 else named.get("start", 0)
    for item in items_of(args[0]):
        total = binary(ast.Add, total, item)
        machine.spend_for(total)
    return total


def _map(machine: Machine, args: _Args, named: _Named) -> Value:
    if len(args) < 2 or named:
        raise Complaint("map() takes a function and a list")
    rows = zip(*map(items_of, args[1:]), strict=False)
    return [machine.call(args[0], row, {}) for row in rows]


def _filter(machine: Machine, args: _Args, named: _Named) -> Value:
    if len(args) != 2 or named:
        raise Complaint("filter() takes a function and a list")
    keep, items = args[0], items_of(args[1])
    return [item for item in items if (item if keep is None else machine.call(keep, (item,), {}))]


def _keys(machine: Machine, items: list[Value], key: Value) -> list[Any]:
    keys = items if key is None else [machine.call(key, (item,), {}) for item in items]
    machine.spend(sum(map(weigh, keys)) * max(1, len(keys).bit_length()))
    return keys


def _sorted(machine: Machine, args: _Args, named: _Named) -> Value:
    if len(args) != 1 or set(named) - {"key", "reverse"}:
        raise Complaint("sorted() takes a list, and perhaps key= and reverse=")
    items = items_of(args[0])
    keys = _keys(machine, items, named.get("key"))
    order = sorted(range(len(items)), key=keys.__getitem__, reverse=bool(named.get("reverse", False)))
    return [items[index] for index in order]


def _extreme(name: str, choose: Callable[..., int]) -> Function:
    def run(machine: Machine, args: _Args, named: _Named) -> Value:
        if not args or set(named) - {"key", "default"}:
            raise Complaint(f"{name}() takes values, and perhaps key= and default=")
        items = items_of(args[0]) if len(args) == 1 else list(args)
        if not items and "default" in named:
            return named["default"]
        keys = _keys(machine, items, named.get("key"))
        return items[choose(range(len(items)), key=keys.__getitem__)]

    return Function(name, run)


def _any(value: Value) -> bool:
    return any(items_of(value))


def _all(value: Value) -> bool:
    return all(items_of(value))


def _reversed(value: Value) -> Value:
    return items_of(value)[::-1]


def _bool(value: Value = False) -> bool:
    return bool(checked(value))


_DIRECT = (
    *(plain("list", _list, (list,)), plain("dict", _dict, (dict,)), Function("map", _map), plain("len", _len)),
    *(plain("str", lambda value="": text_of_value(value), (str,)), plain("float", _float, (float,))),
    *(plain("int", _int, (int,)), plain("bool", _bool, (bool,)), plain("round", _round)),
    *(_extreme("min", min), _extreme("max", max), Function("sorted", _sorted), plain("range", _range, (range,))),
)
_IN_PYTHON = (
    *(plain("abs", _abs), plain("all", _all), plain("any", _any), plain("divmod", _divmod), plain("zip", _zip)),
    *(plain("enumerate", _enumerate), Function("filter", _filter), plain("isinstance", _isinstance)),
    *(plain("ord", _ord), plain("repr", _repr), plain("reversed", _reversed), Function("sum", _sum)),
    plain("tuple", _tuple, (tuple,)),
)

DIRECT: Mapping[str, Value] = {function.name: function for function in _DIRECT}
"""What xacro knows without a namespace."""
IN_PYTHON: Mapping[str, Value] = {function.name: function for function in (*_DIRECT, *_IN_PYTHON)}
"""What xacro knows as ``python.name``."""
