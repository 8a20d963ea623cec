# SPDX-License-Identifier: GPL-3.0-or-later
"""The expansion's own stack. What is nested, calls of macros above all, takes no stack of Python's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..urdf.remarks import quoted
from ..urdf.xml import Element
from .macros import MacroScope
from .scopes import Scope

_SHOWN_CALLS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A macro call under way: the macro's name, where it is called, and the call around it."""

    name: str
    site: Element
    around: Call | None
    depth: int

    def trail(self) -> str:
        """Return where this and the calls around it are, for a message."""
        shown: list[str] = []
        call: Call | None = self
        while call is not None and len(shown) < _SHOWN_CALLS:
            shown.append(f"the macro {quoted(call.name)}, called at {call.site.file}:{call.site.line}")
            call = call.around
        return ", in ".join(shown)


@dataclass(slots=True, eq=False)
class Frame:
    """Contents that are being expanded.

    Attributes:
        source: The element whose contents they are.
        items: What is still to come: elements and the texts between them.
        target: The element of the result that takes it.
        depth: Of ``target`` in the result.
        scope: The properties.
        macros: The macros.
        file: The file that is being processed; names in it are relative to its folder.
        call: The macro call around.
        done: Called when nothing is left.
    """

    source: Element
    items: Iterator[Element | str]
    target: Element
    depth: int
    scope: Scope
    macros: MacroScope
    file: Path
    call: Call | None = None
    done: Callable[[], None] | None = None

    def on(self, source: Element, items: Iterator[Element | str] | None = None) -> Frame:
        """Return a frame like this one on other contents: those of ``source``, or ``items``."""
        chosen = contents(source) if items is None else items
        return Frame(source, chosen, self.target, self.depth, self.scope, self.macros, self.file, self.call)


def contents(element: Element) -> Iterator[Element | str]:
    """Yield the texts and elements in an element."""
    if element.text:
        yield element.text
    for child in element.children:
        yield child
        if child.tail:
            yield child.tail


def append_text(target: Element, text: str) -> None:
    """Add a text at the end of what is in an element."""
    if target.children:
        target.children[-1].tail += text
    else:
        target.text += text
