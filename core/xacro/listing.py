# SPDX-License-Identifier: GPL-3.0-or-later
"""Which arguments a description takes, from looking at its ``<xacro:arg>`` and includes without expanding it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from ..errors import UrdfError
from ..urdf.xml import Element
from .arguments import Arguments, XacroArgument
from .budget import Budget
from .files import Files, FindPackage, absolute, no_package
from .mathematics import SYMBOLS
from .scopes import Scope
from .texts import Texts

_MAX_FILES = 100


def xacro_arguments(
    path: Path, find_package: FindPackage = no_package, allowed_roots: Iterable[Path] = ()
) -> tuple[XacroArgument, ...]:
    """Return the arguments that a description takes, in the order in which it declares them.

    Includes are followed as far as their names can be told without expanding; a default that cannot, is shown as it
    is written. What stands in a condition is listed too.

    Args:
        path: The description.
        find_package: Returns a package's folder, or raises ResourceNotFoundError.
        allowed_roots: Folders whose files may be read, besides the description's own.

    Raises:
        UrdfError: If the file itself cannot be read.
    """
    top = absolute(path)
    budget = Budget()
    arguments = Arguments({})
    files = Files(top, find_package, allowed_roots, budget)
    texts = Texts(arguments, files, budget, top)
    scope = Scope(texts.value, SYMBOLS)
    waiting = [_listed(files.parse(top, str(path)), top)]
    seen = {top}
    while waiting:
        step = next(waiting[-1], None)
        if step is None:
            waiting.pop()
            continue
        element, texts.file = step
        if element.tag == "xacro:arg":
            _declare(element, arguments, texts, scope)
        elif element.tag == "xacro:include":
            waiting += [_listed(root, at) for at, root in _included(element, texts, scope, files, seen)]
    return arguments.declared()


def _listed(root: Element, path: Path) -> Iterator[tuple[Element, Path]]:
    return ((element, path) for element in root.walk() if element.tag in ("xacro:arg", "xacro:include"))


def _declare(element: Element, arguments: Arguments, texts: Texts, scope: Scope) -> None:
    default = element.attributes.get("default")
    if "name" not in element.attributes:
        return
    if default is not None:
        with suppress(UrdfError):  # a property that only expanding would set
            default = texts.string(default, scope)
    arguments.declare(element.attributes["name"], default)


def _included(
    element: Element, texts: Texts, scope: Scope, files: Files, seen: set[Path]
) -> Iterator[tuple[Path, Element]]:
    """Yield the files of an include that can be read and were not yet, last one first."""
    try:
        paths = files.locate(texts.string(element.attributes.get("filename", ""), scope), texts.file.parent)
    except UrdfError:
        return
    for path in reversed(paths):
        if path in seen or len(seen) >= _MAX_FILES:
            continue
        seen.add(path)
        try:
            yield path, files.parse(path)
        except UrdfError:
            continue
