# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluates expressions from files that nobody vouches for.

The tree is walked here; Python's ``eval`` and ``compile`` take no part. Only the values of ``values.py`` exist, so
there is no object whose attributes lead anywhere: a dot means a key of a dict, a member of a namespace, or one of the
methods in ``methods.py``. Each node costs a step, each result its length; an expression has 100 000 steps.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from ..errors import UrdfError, UrdfReferenceError, UrdfValueError
from ..urdf.remarks import quoted
from .budget import Budget
from .methods import call_method
from .operators import as_key, binary, compare, comparison_cost, unary
from .parsing import parse_expression
from .values import (
    Complaint,
    Function,
    Named,
    UndefinedName,
    Value,
    check_items,
    checked,
    items_of,
    kind_of,
    size,
)

MAX_EXPRESSION_STEPS = 100_000
_REFUSALS = (ArithmeticError, LookupError, TypeError, ValueError, RecursionError, MemoryError)
_MOST_NAMES = 500


class Names(Protocol):
    """What the names in an expression stand for; ``cost`` is the steps that looking for one takes."""

    @property
    def cost(self) -> int:
        """Return that cost."""

    def lookup(self, name: str) -> Value:
        """Return the value of a name, or raise KeyError."""

    def known(self) -> Iterable[str]:
        """Return the names that there are."""


def evaluate(text: str, names: Names, budget: Budget, parse: Callable[[str], ast.expr] = parse_expression) -> Value:
    """Return the value of an expression.

    Args:
        text: The expression, without ``${}``.
        names: What its names stand for.
        budget: What it may take of the whole expansion.
        parse: As ``parse_expression``; it may remember.

    Raises:
        UrdfReferenceError: If a name is not defined.
        UrdfValueError: If there is no value, or the expression is not allowed or takes too much.
        UrdfError: What ``names`` and its functions raise, as it is.
    """
    try:
        return Evaluator(names, budget).value(parse(text))
    except UrdfError:
        raise
    except UndefinedName as error:
        raise UrdfReferenceError(f"{error}, in the expression {quoted(text)}") from None
    except Complaint as error:
        raise UrdfValueError(f"{quoted(text)} cannot be evaluated: {error}") from None
    except RecursionError:
        raise UrdfValueError(f"{quoted(text)} cannot be evaluated: it is nested too deeply") from None
    except _REFUSALS as error:
        reason = str(error.args[-1]) if error.args else type(error).__name__
        raise UrdfValueError(f"{quoted(text)} cannot be evaluated: {reason[:200]}") from None


class Evaluator:
    """One evaluation.

    Args:
        names: What names stand for.
        budget: Of the whole expansion.
    """

    def __init__(self, names: Names, budget: Budget) -> None:
        self._names = names
        self._budget = budget
        self._left = MAX_EXPRESSION_STEPS
        self._locals: list[dict[str, Value]] = []
        self._handlers: dict[type[ast.expr], Callable[..., Value]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.BoolOp: self._boolean,
            ast.Compare: self._compare,
            ast.IfExp: self._condition,
            ast.Subscript: self._subscript,
            ast.Slice: self._slice,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.List: self._list,
            ast.Tuple: self._tuple,
            ast.Dict: self._dict,
            ast.ListComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.DictComp: self._dict_comprehension,
        }

    def spend(self, steps: int = 1) -> None:
        """Take steps off what the expression and the expansion have.

        Raises:
            Complaint: If the expression has none left.
            UrdfValueError: If the expansion has none left.
        """
        self._left -= steps
        if self._left < 0:
            raise Complaint("it takes too long")
        self._budget.spend(steps)

    def spend_for(self, value: Value) -> None:
        """Take off what reading a value costs, as ``spend``."""
        self.spend(size(value))

    def value(self, node: ast.expr) -> Value:
        """Return the value of a node."""
        self.spend()
        return self._handlers[type(node)](node)

    def call(self, function: Value, args: Sequence[Value], named: Mapping[str, Value]) -> Value:
        """Return what a function returns.

        Raises:
            Complaint: If it is none, or the result is too large.
        """
        if not isinstance(function, Function):
            raise Complaint(f"{kind_of(function)} cannot be called")
        self.spend(1 + sum(map(size, args)))
        result = checked(function.run(self, args, named))
        self.spend_for(result)
        return result

    def _constant(self, node: ast.Constant) -> Value:
        return node.value

    def _name(self, node: ast.Name) -> Value:
        for table in reversed(self._locals):
            if node.id in table:
                return table[node.id]
        self.spend(self._names.cost)
        try:
            return self._names.lookup(node.id)
        except KeyError:
            raise self._undefined(node.id) from None

    def _undefined(self, name: str) -> UndefinedName:
        known = [other for _, other in zip(range(_MOST_NAMES), self._names.known(), strict=False) if len(other) < 64]
        near = difflib.get_close_matches(name[:64], known, 1)
        return UndefinedName(f"the name {quoted(name)} is not defined" + (f" (is {near[0]!r} meant?)" if near else ""))

    def _binary(self, node: ast.BinOp) -> Value:
        chain: list[ast.BinOp] = [node]
        while isinstance(chain[-1].left, ast.BinOp):  # a long sum is as deep as it is long
            chain.append(chain[-1].left)
        result = self.value(chain[-1].left)
        for link in reversed(chain):
            result = binary(type(link.op), result, self.value(link.right))
            self.spend_for(result)
        return result

    def _unary(self, node: ast.UnaryOp) -> Value:
        return unary(type(node.op), self.value(node.operand))

    def _boolean(self, node: ast.BoolOp) -> Value:
        stops = isinstance(node.op, ast.Or)
        result: Value = None
        for operand in node.values:
            result = self.value(operand)
            if bool(result) is stops:
                break
        return result

    def _compare(self, node: ast.Compare) -> Value:
        left = self.value(node.left)
        for kind, operand in zip(node.ops, node.comparators, strict=True):
            right = self.value(operand)
            self.spend(comparison_cost(left, right))
            if not compare(type(kind), left, right):
                return False
            left = right
        return True

    def _condition(self, node: ast.IfExp) -> Value:
        return self.value(node.body if self.value(node.test) else node.orelse)

    def _subscript(self, node: ast.Subscript) -> Value:
        container = self.value(node.value)
        index = self.value(node.slice)
        if isinstance(container, dict):
            return _entry(container, index)
        if not isinstance(container, str | list | tuple | range):
            raise Complaint(f"{kind_of(container)} has no entries")
        if not isinstance(index, int | slice):
            raise Complaint(f"{kind_of(index)} is no index of {kind_of(container)}")
        result: Value = container[index]
        if isinstance(index, slice):
            self.spend_for(result)
        return result

    def _slice(self, node: ast.Slice) -> slice:
        bounds = [None if part is None else self.value(part) for part in (node.lower, node.upper, node.step)]
        if not all(bound is None or isinstance(bound, int) for bound in bounds):
            raise Complaint("a slice has whole numbers as its bounds")
        return slice(*bounds)

    def _attribute(self, node: ast.Attribute) -> Value:
        owner = self.value(node.value)
        if isinstance(owner, Named):
            try:
                return owner.member(node.attr)
            except KeyError:
                raise UndefinedName(f"the name {quoted(node.attr)} is not defined in {_source(node.value)}") from None
        if isinstance(owner, dict):
            return _entry(owner, node.attr)
        raise Complaint(f"{kind_of(owner)} has no entry {quoted(node.attr)}")

    def _call(self, node: ast.Call) -> Value:
        args = self._spread(node.args)
        named: dict[str, Value] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise Complaint("** is not allowed")
            named[keyword.arg] = self.value(keyword.value)
        function = node.func
        if isinstance(function, ast.Attribute):
            owner = self.value(function.value)
            if not isinstance(owner, Named):
                self.spend(size(owner) + sum(map(size, args)))
                result = checked(call_method(owner, function.attr, args, named))
                self.spend_for(result)
                return result
        return self.call(self.value(function), args, named)

    def _spread(self, nodes: Sequence[ast.expr]) -> list[Value]:
        result: list[Value] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                result += items_of(self.value(node.value))
                self.spend(len(result))
            else:
                result.append(self.value(node))
            check_items(len(result))
        return result

    def _list(self, node: ast.List) -> Value:
        return self._spread(node.elts)

    def _tuple(self, node: ast.Tuple) -> Value:
        return tuple(self._spread(node.elts))

    def _dict(self, node: ast.Dict) -> Value:
        result: dict[Value, Value] = {}
        for key, entry in zip(node.keys, node.values, strict=True):
            if key is None:
                raise Complaint("** is not allowed")
            result[as_key(self.value(key))] = self.value(entry)
        return result

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> Value:
        result: list[Value] = []

        def add() -> None:
            result.append(self.value(node.elt))
            check_items(len(result))

        self._loop(node.generators, add)
        return result

    def _dict_comprehension(self, node: ast.DictComp) -> Value:
        result: dict[Value, Value] = {}

        def add() -> None:
            result[as_key(self.value(node.key))] = self.value(node.value)
            check_items(len(result))

        self._loop(node.generators, add)
        return result

    def _loop(self, generators: Sequence[ast.comprehension], body: Callable[[], None]) -> None:
        first, rest = generators[0], generators[1:]
        items = items_of(self.value(first.iter))
        table: dict[str, Value] = {}
        self._locals.append(table)
        for item in items:
            self.spend()
            self._bind(first.target, item, table)
            if all(self.value(condition) for condition in first.ifs):
                if rest:
                    self._loop(rest, body)
                else:
                    body()
        self._locals.pop()

    def _bind(self, target: ast.expr, item: Value, table: dict[str, Value]) -> None:
        if isinstance(target, ast.Name):
            table[target.id] = item
        elif isinstance(target, ast.Tuple | ast.List):
            parts = items_of(item)
            if len(parts) != len(target.elts):
                raise Complaint(f"there are {len(parts)} values for {len(target.elts)} names")
            for part, inner in zip(parts, target.elts, strict=True):
                self._bind(inner, part, table)
        else:
            raise Complaint("a loop needs a name")


def _source(node: ast.expr) -> str:
    return quoted(ast.unparse(node))


def _entry(table: Mapping[Value, Value], key: Value) -> Value:
    name = as_key(key)
    if name not in table:
        known = ", ".join(quoted(str(other)[:40]) for other, _ in zip(table, range(12), strict=False))
        raise Complaint(f"there is no key {quoted(str(name))}; known: {known or 'none'}")
    return table[name]
