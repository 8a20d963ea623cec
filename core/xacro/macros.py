# SPDX-License-Identifier: GPL-3.0-or-later
"""Macros: their parameters, and where their names are looked up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import UrdfReferenceError, UrdfValueError
from ..urdf.remarks import listed, quoted
from ..urdf.xml import Element
from .scopes import Scope

_NAME = re.compile(r"([^\s:=]+)\s*:?=\s*(\^\|?)?")
_WORD = re.compile(r"""(?:'[^']*'|"[^"]*"|[^\s'"])+""")
_MAX_LENGTH = 20_000


@dataclass(frozen=True, slots=True)
class Default:
    """What a parameter is that a call does not give: the caller's property of that name if ``forward``, else a text."""

    forward: bool
    text: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Macro:
    """A macro: its element, and its parameters with their defaults."""

    name: str
    body: Element
    parameters: tuple[str, ...]
    defaults: Mapping[str, Default]


def parse_parameters(text: str) -> tuple[tuple[str, ...], dict[str, Default]]:
    """Return the names in ``params``, and the defaults of those that have one.

    A parameter is ``name``, ``name:=default``, ``name:=^`` (the caller's property) or ``name:=^|default``; ``*name``
    and ``**name`` are blocks. A default ends at a blank outside of quotes and of ``${}`` or ``$()`` at its start.

    Raises:
        UrdfValueError: If the quotes don't match, or it is too long.
    """
    if len(text) > _MAX_LENGTH:
        raise UrdfValueError(f"the parameters are longer than {_MAX_LENGTH} characters: {quoted(text)}")
    names: list[str] = []
    defaults: dict[str, Default] = {}
    position = 0
    while True:
        while position < len(text) and text[position].isspace():
            position += 1
        if position >= len(text):
            return tuple(names), defaults
        found = _NAME.match(text, position)
        if found is None:
            end = next((at for at in range(position, len(text)) if text[at].isspace()), len(text))
            names.append(text[position:end])
            position = end
            continue
        names.append(found[1])
        position = _default_end(text, found.end())
        defaults[found[1]] = Default(found[2] is not None, text[found.end() : position] or None)


def _default_end(text: str, start: int) -> int:
    for opening, closing in (("${", "}"), ("$(", ")")):
        end = start if text.startswith(opening, start) else -1
        while end >= 0:
            end = text.find(closing, end + 1)
            if end >= 0 and _ends(text, end + 1):
                return end + 1
    found = _WORD.match(text, start)
    end = found.end() if found else start
    if not _ends(text, end):
        raise UrdfValueError(f"the quotes in the parameters don't match: {quoted(text)}")
    return end


def _ends(text: str, position: int) -> bool:
    return position >= len(text) or text[position].isspace()


class MacroScope:
    """A table of macros and of the namespaces that hold macros."""

    def __init__(self, parent: MacroScope | None = None) -> None:
        self._parent = parent
        self._entries: dict[str, Macro | MacroScope] = {}

    def child(self) -> MacroScope:
        """Return a new table on this one."""
        return MacroScope(self)

    def set(self, name: str, entry: Macro | MacroScope) -> None:
        """Add a macro or a namespace."""
        self._entries[name] = entry

    def get(self, name: str) -> Macro | MacroScope | None:
        """Return what a name without dots stands for."""
        table: MacroScope | None = self
        while table is not None:
            if name in table._entries:
                return table._entries[name]
            table = table._parent
        return None

    def listed(self) -> str:
        """Return the known macros, for a message."""
        names: dict[str, None] = {}
        table: MacroScope | None = self
        while table is not None:
            names.update(dict.fromkeys(name for name, entry in table._entries.items() if isinstance(entry, Macro)))
            table = table._parent
        return listed(list(names), 12) or "none"

    def resolve(self, name: str, scope: Scope) -> tuple[Macro, Scope, MacroScope]:
        """Return the macro of a name such as ``arm`` or ``namespace.arm``, and the tables that its call stands on.

        Raises:
            UrdfReferenceError: If there is none.
        """
        found = self.get(name)
        if isinstance(found, Macro):
            return found, scope, self
        macros: MacroScope | None = self
        *namespaces, last = name.split(".")
        for namespace in namespaces:
            inner = macros.get(namespace) if macros else None
            macros = inner if isinstance(inner, MacroScope) else None
            table = scope.find(namespace) if macros else None
            scope = table if isinstance(table, Scope) else scope
        found = macros.get(last) if macros else None
        if macros is None or not isinstance(found, Macro):
            raise UrdfReferenceError(f"there is no macro {quoted(name)}; known: {(macros or self).listed()}")
        return found, scope, macros
