# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties by name: each macro call and each included namespace has a table of its own on its caller's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..errors import UrdfReferenceError
from ..urdf.remarks import quoted
from ..urdf.xml import Element
from .mathematics import EXTRA_SYMBOLS
from .values import Named, Value

_MAX_NUMBER = 600
_SHOWN_CHAIN = 12
Evaluate = Callable[[str, "Scope"], Value]


@dataclass(frozen=True, slots=True, eq=False)
class Block(Named):
    """Elements that a name stands for: a block parameter of a macro, or a property with contents."""

    element: Element
    content_only: bool


def literal(text: str) -> Value:
    """Return the number or truth value that a text is; without its quotes, if it has them; else the text.

    As in xacro, a text with an underscore is no number although Python would read it as one.
    """
    if len(text) >= 2 and text[0] == "'" == text[-1]:
        return text[1:-1]
    if "_" in text or len(text) > _MAX_NUMBER:
        return text
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return {"true": True, "True": True, "false": False, "False": False}.get(text, text)


class Scope(Named):
    """A table of properties. Values that are expressions are evaluated when they are first asked for.

    Args:
        evaluate: Evaluates a text in a scope.
        symbols: What is known before the first property.
        parent: Where to look for what is not in this table; None for the file's own.
        is_namespace: Whether an ``ns`` of an include made it, and no macro call.
    """

    def __init__(
        self,
        evaluate: Evaluate,
        symbols: Mapping[str, Value],
        parent: Scope | None = None,
        *,
        is_namespace: bool = False,
    ) -> None:
        self.parent = parent
        self.is_namespace = is_namespace
        self._depth: int = 0 if parent is None else parent._depth + 1
        self._evaluate = evaluate
        self._symbols = symbols
        self._values: dict[str, Value] = {}
        self._lazy: set[str] = set()
        self._under_way: list[str] = []

    @property
    def cost(self) -> int:
        """Steps that looking for a name takes."""
        return 1 + self._depth // 8

    def child(self, *, is_namespace: bool = False) -> Scope:
        """Return a new table on this one."""
        return Scope(self._evaluate, self._symbols, self, is_namespace=is_namespace)

    def chain(self) -> Iterator[Scope]:
        """Yield this table and those below it."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def own(self, name: str) -> Value:
        """Return the value of a name in this table.

        Raises:
            KeyError: If it is not there.
            UrdfError: If it cannot be evaluated.
        """
        value = self._values[name]
        if name not in self._lazy:
            return value
        if name in self._under_way:
            chain = " -> ".join((*self._under_way[-_SHOWN_CHAIN:], name))
            raise UrdfReferenceError(
                f'the property {quoted(name)} refers to itself: {chain}; lazy_eval="false" takes the value of before'
            )
        self._under_way.append(name)
        try:
            result = self._evaluate(str(value), self)
        finally:
            self._under_way.pop()
        self._values[name] = literal(result) if isinstance(result, str) else result
        self._lazy.discard(name)
        return self._values[name]

    def find(self, name: str) -> Value:
        """Return the value of a property, here or below.

        Raises:
            KeyError: If there is none.
            UrdfError: If it cannot be evaluated.
        """
        for scope in self.chain():
            if name in scope._values:
                return scope.own(name)
        raise KeyError(name)

    def member(self, name: str) -> Value:
        """Return what a name stands for in ``namespace.name``, as ``lookup``."""
        return self.lookup(name)

    def lookup(self, name: str) -> Value:
        """Return what a name in an expression stands for.

        Raises:
            KeyError: If nothing.
            UrdfError: If the property cannot be evaluated.
        """
        try:
            return self.find(name)
        except KeyError:
            return self._symbols[name] if name in self._symbols else EXTRA_SYMBOLS[name]

    def known(self) -> Iterable[str]:
        """Yield the names that there are, nearest first."""
        for scope in self.chain():
            yield from scope._values
        yield from self._symbols
        yield from EXTRA_SYMBOLS

    def __contains__(self, name: str) -> bool:
        return name in self._symbols or any(name in scope._values for scope in self.chain())

    def set(self, name: str, value: Value, *, lazy: bool) -> None:
        """Give a name in this table a value; a text that is no number is evaluated later, if ``lazy``."""
        value = literal(value) if isinstance(value, str) else value
        self._values[name] = value
        if lazy and isinstance(value, str):
            self._lazy.add(name)
        else:
            self._lazy.discard(name)

    def remove(self, name: str) -> None:
        """Forget a property, here and below."""
        for scope in self.chain():
            scope._values.pop(name, None)
            scope._lazy.discard(name)

    def caller(self) -> Scope | None:
        """Return the table of whoever called this macro, or included this namespace."""
        target = self.parent
        while target is not None and target.is_namespace and not self.is_namespace:
            target = target.parent
        return target

    def top(self) -> Scope:
        """Return the file's own table."""
        return next(scope for scope in self.chain() if scope.parent is None)
