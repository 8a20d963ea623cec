# SPDX-License-Identifier: GPL-3.0-or-later
"""The arguments of a description: what it declares, what the user gives, and a quick list for asking the user."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..diagnostics import Diagnostic, Level
from ..errors import UrdfReferenceError
from ..urdf.remarks import listed, quoted


@dataclass(frozen=True, slots=True)
class XacroArgument:
    """An argument that a description takes; ``default`` is None if it must be given."""

    name: str
    default: str | None


class Arguments:
    """The values of the arguments while a description is expanded.

    Args:
        given: What the user gives.
    """

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = dict(given)
        self._defaults: dict[str, str | None] = {}
        self._used: set[str] = set()

    def is_given(self, name: str) -> bool:
        """Return whether the user gives a value, so that the default is not needed."""
        return name in self._given

    def is_declared(self, name: str) -> bool:
        """Return whether there is a declaration already; the first one counts."""
        return name in self._defaults

    def declare(self, name: str, default: str | None) -> None:
        """Add a declaration."""
        self._defaults.setdefault(name, default)

    def value(self, name: str) -> str:
        """Return the value of an argument.

        Raises:
            UrdfReferenceError: If it has none.
        """
        self._used.add(name)
        default = self._defaults.get(name)
        if name in self._given:
            return self._given[name]
        if default is not None:
            return default
        if name in self._defaults:
            raise UrdfReferenceError(f"the argument {quoted(name)} has no default; give it as {name}:=VALUE")
        known = listed(list(self._defaults), 12)
        raise UrdfReferenceError(
            f"the argument {quoted(name)} is not declared by <xacro:arg>" + (f"; known: {known}" if known else "")
        )

    def known(self) -> dict[str, None]:
        """Return the names that have values or declarations."""
        return dict.fromkeys((*self._defaults, *self._given))

    def declared(self) -> tuple[XacroArgument, ...]:
        """Return the arguments that were declared, in that order."""
        return tuple(XacroArgument(name, default) for name, default in self._defaults.items())

    def in_use(self) -> tuple[tuple[str, str], ...]:
        """Return the values of the declared arguments that have one."""
        values = ((name, self._given.get(name, default)) for name, default in self._defaults.items())
        return tuple((name, value) for name, value in values if value is not None)

    def remarks(self, file: str) -> tuple[Diagnostic, ...]:
        """Return a warning for each argument that the user gives in vain."""
        vain = [name for name in self._given if name not in self._defaults and name not in self._used]
        known = listed(list(self._defaults), 12) or "none"
        text = "the description takes no argument {}, so its value is not used; it takes: {}"
        return tuple(Diagnostic(Level.WARNING, text.format(quoted(name), known), file) for name in vain)
