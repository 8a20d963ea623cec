# SPDX-License-Identifier: GPL-3.0-or-later
"""A xacro file into a URDF document and the element tree that it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..diagnostics import Diagnostic, Level
from ..errors import UrdfError
from ..urdf.reader import uses_xacro
from ..urdf.xml import Element, parse_xml
from .arguments import Arguments, XacroArgument
from .budget import Budget
from .expander import expand
from .files import Files, FindPackage, absolute, no_package
from .state import State
from .writing import document


@dataclass(frozen=True, slots=True, eq=False)
class ExpandedXacro:
    """What a xacro file expands to.

    Attributes:
        root: The result. Its elements know the xacro files and lines that they come from, so that remarks about
            it lead the user to where the mistake is.
        text: The same as a document.
        arguments: What the description declares, with its defaults.
        includes: The files that were read, YAML files too; the description itself is the first.
        diagnostics: Remarks.
    """

    root: Element
    text: str
    arguments: tuple[XacroArgument, ...]
    includes: tuple[Path, ...]
    diagnostics: tuple[Diagnostic, ...]


def is_xacro(data: bytes) -> bool:
    """Return whether a document has to be expanded: by its contents, whatever its file is called."""
    try:
        return uses_xacro(parse_xml(data))
    except UrdfError:
        return False


def expand_xacro(
    path: Path,
    args: Mapping[str, str] | None = None,
    find_package: FindPackage = no_package,
    allowed_roots: Iterable[Path] = (),
) -> ExpandedXacro:
    """Return what a xacro file expands to.

    Environment variables are not read: ``$(env NAME)`` is refused, ``$(optenv NAME default)`` is the default.

    Args:
        path: The file.
        args: Values for its arguments; one that it does not take is warned of.
        find_package: Returns the folder that ``$(find package)`` means, or raises ResourceNotFoundError.
        allowed_roots: Folders whose files may be included, besides the description's tree and the found packages.

    Raises:
        UrdfReferenceError: If a property, macro, parameter, argument or block is not defined, or refers to itself.
        UrdfValueError: If an expression has no value, is not allowed, or takes too much.
        ResourceNotFoundError: If a file or package is not found.
        UrdfUnsupportedError: If a file is outside of the description, or the environment is asked for.
        UrdfSyntaxError: If a file is no well-formed XML or YAML.
    """
    top = absolute(path)
    budget = Budget()
    arguments = Arguments(args or {})
    files = Files(top, find_package, allowed_roots, budget)
    root = files.parse(top, str(path))
    state = State(top, arguments, files, budget)
    result = expand(state, root)
    for reason in files.guessed.values():
        state.warn(f"{files.tree} is taken for a package, since {reason}", root)
    remarks = (*state.remarks, *arguments.remarks(str(path)), _summary(path, files, arguments))
    return ExpandedXacro(result, document(result), arguments.declared(), tuple(files.read_files), remarks)


def _summary(path: Path, files: Files, arguments: Arguments) -> Diagnostic:
    count = len(files.read_files)
    values = ", ".join(f"{name}:={value}" for name, value in arguments.in_use()) or "none"
    text = f"expanded from xacro, {count} file{'s' if count > 1 else ''}; arguments: {values[:1_000]}"
    return Diagnostic(Level.INFO, text, str(path))
