# SPDX-License-Identifier: GPL-3.0-or-later
"""What all parts of one expansion share: the stack, what has been read and said, and where the expansion is."""

from __future__ import annotations

from pathlib import Path

from ..diagnostics import Diagnostics, Level
from ..errors import ResourceNotFoundError, UrdfError, UrdfValueError
from ..urdf.remarks import listed, note, quoted, tagged, warn
from ..urdf.xml import Element
from .arguments import Arguments
from .budget import Budget
from .files import Files
from .frames import Call, Frame
from .scopes import Scope
from .texts import Texts
from .values import Value
from .writing import has_forbidden_characters, is_xml_name
from .xacro_functions import symbols_for
from .yaml_files import load_yaml

PREFIX = "xacro:"
_MAX_MESSAGES = 200


class State:
    """The state of one expansion.

    Args:
        top: The file that the user opened.
        arguments: Values of its arguments.
        files: What may be read.
        budget: What it may take.

    Attributes:
        frames: The stack; the last one is worked on.
        including: The files that are being read, each included by the one before it.
        at: The element that is worked on, for messages.
        call: The macro call that it is in.
        top_scope: The properties of the description itself.
    """

    def __init__(self, top: Path, arguments: Arguments, files: Files, budget: Budget) -> None:
        self.arguments = arguments
        self.files = files
        self.budget = budget
        self.texts = Texts(arguments, files, budget, top)
        self.remarks = Diagnostics(str(top))
        self.frames: list[Frame] = []
        self.including: list[Path] = [top]
        self.at = Element("robot", {}, str(top))
        self.call: Call | None = None
        self._symbols = symbols_for(self)
        self.top_scope = Scope(self.texts.value, self._symbols)
        self._yaml: dict[Path, Value] = {}
        self._messages = 0

    def located(self, error: UrdfError) -> UrdfError:
        """Return an error that says where in the description it is."""
        trail = f"; in {self.call.trail()}" if self.call else ""
        if error.file:
            elsewhere = "" if error.file == self.at.file else f"; used at {self.at.file}:{self.at.line}"
            message, file, line, element = f"{error.message}{elsewhere}", error.file, error.line, error.element
        else:
            message, file, line, element = error.message, self.at.file, self.at.line, tagged(self.at.tag)
        located = type(error)(f"{message}{trail}", file=file, line=line, element=element)
        located.diagnostics = tuple(self.remarks)
        return located

    def written(self, text: str) -> str:
        """Return a text that goes into the result.

        Raises:
            UrdfValueError: If it is one too many, or cannot stand in XML.
        """
        self.budget.write_text(text)
        if has_forbidden_characters(text):
            raise UrdfValueError(f"{quoted(text)} holds characters that no XML file can")
        return text

    def attributes(self, element: Element, required: tuple[str, ...], *optional: str) -> dict[str, str]:
        """Return the attributes of a ``xacro:`` element; unknown ones are warned of.

        Raises:
            UrdfValueError: If a required one is missing.
        """
        for name in required:
            if name not in element.attributes:
                raise UrdfValueError(f"the attribute {quoted(name)} is missing")
        known = (*required, *optional)
        for name in element.attributes:
            if name not in known and not name.startswith("xmlns:"):
                self.warn(f"the attribute {quoted(name)} means nothing here; known: {listed(list(known))}", element)
        return element.attributes

    def xml_name(self, text: str, scope: Scope) -> str:
        """Return the name of an element or attribute that a text stands for.

        Raises:
            UrdfError: If it is none.
        """
        name = self.texts.string(text, scope)
        if not is_xml_name(name):
            raise UrdfValueError(f"{quoted(name)} cannot be the name of an element or attribute")
        return name

    def inherit_namespaces(self, source: Element, target: Element) -> None:
        """Declare in the result the namespaces that a file or macro declares."""
        for name, value in source.attributes.items():
            if name.startswith("xmlns:") and name != "xmlns:xacro":
                target.attributes.setdefault(name, self.written(value))

    def warn(self, message: str, element: Element) -> None:
        """Note something suspect."""
        warn(self.remarks, element, message, tagged(element.tag))

    # What the functions of ``xacro`` ask for.

    def load_yaml(self, name: str) -> Value:
        """Return what a YAML file holds; it is read once.

        Raises:
            UrdfError: If it may not be read, or is none.
        """
        paths = self.files.locate(name, self.texts.file.parent)
        if len(paths) != 1:
            raise ResourceNotFoundError(f"{quoted(name)} means {len(paths)} files and not one")
        path = paths[0]
        if path not in self._yaml:
            names = Scope(self.texts.value, self._symbols)
            self._yaml[path] = load_yaml(
                self.files.read(path),
                file=str(path),
                evaluate=lambda text: self.texts.expression(text, names),
                budget=self.budget,
            )
        return self._yaml[path]

    def absolute(self, name: str) -> str:
        """Return a file name, made absolute from the folder of the file that is being processed."""
        return str(self.texts.file.absolute().parent / name)

    def argument(self, name: str) -> str:
        """Return the value of an argument.

        Raises:
            UrdfReferenceError: If it has none.
        """
        return self.arguments.value(name)

    def say(self, level: Level, text: str) -> None:
        """Tell the user what the description wants to say."""
        self._messages += 1
        if self._messages <= _MAX_MESSAGES:
            (warn if level is Level.WARNING else note)(self.remarks, self.at, text, tagged(self.at.tag))
