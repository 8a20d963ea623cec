# SPDX-License-Identifier: GPL-3.0-or-later
"""The text of an expression into a syntax tree of allowed nodes. Nothing is compiled or run."""

from __future__ import annotations

import ast

from .budget import Budget
from .values import MAX_BITS, Complaint

MAX_LENGTH = 8_000
MAX_NODES = 4_000
MAX_DEPTH = 60
"""Levels of brackets, calls, conditions; a chain ``a + b + c`` is one level."""
_STEPS_TO_PARSE = 80
_REMEMBERED = 200_000
"""Characters."""

_ALLOWED: tuple[type[ast.AST], ...] = (
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Subscript, ast.Slice, ast.Attribute, ast.Call),
    *(ast.Constant, ast.Name, ast.List, ast.Tuple, ast.Dict, ast.Starred, ast.keyword, ast.comprehension),
    *(ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.operator, ast.unaryop, ast.boolop, ast.cmpop),
    ast.expr_context,
)
_NAMES: dict[type[ast.AST], str] = {
    ast.Lambda: "lambda",
    ast.JoinedStr: "an f-string; write '%.3f' % value",
    ast.NamedExpr: "an assignment",
    ast.Set: "a set; use a list",
    ast.SetComp: "a set; use a list",
}


def parse_expression(text: str) -> ast.expr:
    """Return the tree of an expression.

    Raises:
        Complaint: If it is no expression, uses what is not allowed, or is too long or nested too deeply.
    """
    source = text.strip().replace("\n", " ")
    if not source:
        raise Complaint("there is nothing in it")
    if len(source) > MAX_LENGTH:
        raise Complaint(f"it is longer than {MAX_LENGTH} characters")
    try:
        body = ast.parse(source, mode="eval").body
    except SyntaxError as error:
        raise Complaint(f"it is no valid expression: {error.msg}") from None
    except ValueError as error:
        raise Complaint(f"it is no valid expression: {error}") from None
    except (RecursionError, MemoryError):
        raise Complaint("it is nested too deeply") from None
    _check(body)
    return body


def _check(body: ast.expr) -> None:
    waiting: list[tuple[ast.AST, int]] = [(body, 0)]
    seen = 0
    while waiting:
        node, depth = waiting.pop()
        seen += 1
        if depth > MAX_DEPTH or seen > MAX_NODES:
            raise Complaint("it is nested too deeply" if depth > MAX_DEPTH else "it is too long")
        _check_node(node)
        for child in ast.iter_child_nodes(node):
            chained = isinstance(node, ast.BinOp) and child is node.left
            waiting.append((child, depth if chained else depth + 1))


def _check_node(node: ast.AST) -> None:
    if not isinstance(node, _ALLOWED):
        raise Complaint(f"it uses {_NAMES.get(type(node), type(node).__name__)}, which is not allowed")
    if isinstance(node, ast.Constant):
        _check_constant(node.value)
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    if name.startswith("__"):
        raise Complaint(f"names with two underscores, such as {name}, are not allowed")
    if isinstance(node, ast.comprehension) and node.is_async:
        raise Complaint("it uses async, which is not allowed")


def _check_constant(value: object) -> None:
    if not isinstance(value, bool | int | float | str | None):
        raise Complaint(f"{value!r} is neither number nor text")
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise Complaint(f"a whole number has more than {MAX_BITS} bits")


class RememberedTrees:
    """Parses each of the expressions that macros repeat once, as long as they are not too many.

    Args:
        budget: What parsing is taken from.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._trees: dict[str, ast.expr] = {}
        self._room = _REMEMBERED

    def parse(self, text: str) -> ast.expr:
        """Return the tree, as ``parse_expression``."""
        tree = self._trees.get(text)
        if tree is None:
            self._budget.spend(_STEPS_TO_PARSE + len(text) // 2)
            tree = parse_expression(text)
            if self._room > len(text):
                self._trees[text] = tree
                self._room -= len(text)
        return tree
