# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions and constants of ``math``: those of bounded cost as they are, the others with their results bounded."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .functions import DIRECT, IN_PYTHON, plain
from .operators import binary
from .values import MAX_BITS, Complaint, Function, Machine, Namespace, Value, items_of

_NUMERIC = (
    *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh"),
    *("degrees", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "floor", "fmod", "frexp", "gamma", "gcd"),
    *("hypot", "isclose", "isfinite", "isinf", "isnan", "isqrt", "ldexp", "lgamma", "log", "log10", "log1p", "log2"),
    *("modf", "nextafter", "pow", "radians", "remainder", "sin", "sinh", "sqrt", "tan", "tanh", "trunc", "ulp"),
)
_CONSTANTS = ("pi", "e", "tau", "inf", "nan")


def _numeric(name: str) -> Function:
    function: Callable[..., Any] = getattr(math, name)

    def of_numbers(*args: Value, **named: Value) -> Value:
        if not all(isinstance(value, int | float) for value in (*args, *named.values())):
            raise Complaint(f"{name}() takes numbers")
        return function(*args, **named)

    return plain(name, of_numbers)


def _whole(*numbers: Value) -> list[int]:
    result = [number for number in numbers if isinstance(number, int)]
    if len(result) != len(numbers) or any(number < 0 for number in result):
        raise Complaint("only whole numbers from 0 on are possible here")
    return result


def _factorial(number: Value) -> int:
    (count,) = _whole(number)
    if count > 1 and count * math.log2(count) > 2 * MAX_BITS:
        raise Complaint(f"the factorial of {count} is too large")
    return math.factorial(count)


def _choices(name: str, function: Callable[[int, int], int]) -> Function:
    def choose(total: Value, chosen: Value = None) -> int:
        n, k = _whole(total, total if chosen is None else chosen)
        if min(k, max(n - k, 0) if name == "comb" else k) * n.bit_length() > 2 * MAX_BITS:
            raise Complaint(f"{name}({n}, {k}) is too large")
        return function(n, k)

    return plain(name, choose)


def _perm(n: int, k: int) -> int:
    return math.perm(n, k)


def _lcm(*numbers: Value) -> int:
    result = 1
    for number in numbers:
        if not isinstance(number, int):
            raise Complaint("lcm() takes whole numbers")
        result = math.lcm(result, number)
        if result.bit_length() > MAX_BITS:
            raise Complaint(f"a whole number has more than {MAX_BITS} bits")
    return result


def _prod(machine: Machine, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
    if len(args) != 1 or set(named) - {"start"}:
        raise Complaint("prod() takes a list, and perhaps start=")
    total = named.get("start", 1)
    for item in items_of(args[0]):
        if not isinstance(item, int | float) or not isinstance(total, int | float):
            raise Complaint("prod() takes numbers")
        total = binary(ast.Mult, total, item)
        machine.spend()
    return total


def _numbers(value: Value) -> list[float]:
    numbers = [item for item in items_of(value) if isinstance(item, int | float)]
    if len(numbers) != len(items_of(value)):
        raise Complaint("only numbers are possible here")
    return [float(number) for number in numbers]


def _fsum(value: Value) -> float:
    return math.fsum(_numbers(value))


def _dist(left: Value, right: Value) -> float:
    return math.dist(_numbers(left), _numbers(right))


_MATH: dict[str, Value] = {
    **{name: _numeric(name) for name in _NUMERIC},
    **{name: float(getattr(math, name)) for name in _CONSTANTS},
    **{"factorial": plain("factorial", _factorial), "lcm": plain("lcm", _lcm), "prod": Function("prod", _prod)},
    **{"comb": _choices("comb", math.comb), "perm": _choices("perm", _perm)},
    **{"fsum": plain("fsum", _fsum), "dist": plain("dist", _dist)},
}

SYMBOLS: Mapping[str, Value] = {
    **DIRECT,
    **_MATH,
    "math": Namespace("math", _MATH),
    "python": Namespace("python", {**IN_PYTHON, "True": True, "False": False}),
}
"""What xacro knows before the first property; a property of the same name goes before it."""
EXTRA_SYMBOLS: Mapping[str, Value] = {name: value for name, value in IN_PYTHON.items() if name not in SYMBOLS}
"""What xacro knows in ``python`` only. Understood as it stands where nothing else has the name."""
