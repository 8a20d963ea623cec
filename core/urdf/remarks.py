# SPDX-License-Identifier: GPL-3.0-or-later
"""Wording of remarks and errors: every one says in which file and line, and what it is about."""

from __future__ import annotations

from ..diagnostics import Diagnostic, Diagnostics, Level
from ..errors import UrdfReferenceError, UrdfValueError
from .xml import Element

_SHOWN = 120


def quoted(text: str) -> str:
    """Return ``text`` in quotes, made printable and cut to a length that a message can hold."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def tagged(tag: str) -> str:
    """Return a tag as written, cut to a length that a message can hold."""
    return f"<{tag if len(tag) <= _SHOWN else tag[:_SHOWN] + '…'}>"


def listed(names: list[str], most: int = 50) -> str:
    """Return the quoted names with commas, no more than ``most`` of them."""
    shown = ", ".join(quoted(name) for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


def warn(remarks: Diagnostics, element: Element, message: str, who: str) -> None:
    """Note that something at ``element`` was put right or left out."""
    remarks.extend((Diagnostic(Level.WARNING, message, element.file, element.line, who),))


def note(remarks: Diagnostics, element: Element, message: str, who: str = "") -> None:
    """Note something at ``element`` that worked, but that a reader may want to know."""
    remarks.extend((Diagnostic(Level.INFO, message, element.file, element.line, who),))


def value_error(element: Element, message: str, who: str) -> UrdfValueError:
    """Return the error for something at ``element`` that cannot be used."""
    return UrdfValueError(message, file=element.file, line=element.line, element=who)


def reference_error(element: Element, message: str, who: str) -> UrdfReferenceError:
    """Return the error for a name at ``element`` that does not fit the others."""
    return UrdfReferenceError(message, file=element.file, line=element.line, element=who)


def only(parent: Element, tag: str, remarks: Diagnostics, who: str) -> Element | None:
    """Return the first child called ``tag``; more of them are noted and, as in RViz, not looked at."""
    found = list(parent.all(tag))
    if len(found) > 1:
        warn(remarks, found[1], f"there is more than one <{tag}>; the first is used", who)
    return found[0] if found else None
