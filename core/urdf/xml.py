# SPDX-License-Identifier: GPL-3.0-or-later
"""XML into a small element tree that knows its lines. Bounded in size, depth and count; no entities, no DTD."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from ..errors import UrdfSyntaxError
from .encoding import MAX_BYTES, text_of

MAX_DEPTH = 200
MAX_NODES = 500_000
"""Elements and attributes together; a large humanoid has some ten thousand."""

_REMEDIES = {
    expat.errors.XML_ERROR_NO_ELEMENTS: "the file is empty or ends before it is complete",
    expat.errors.XML_ERROR_INVALID_TOKEN: "look for a bare & or <, or a quote that is missing, near this line",
    expat.errors.XML_ERROR_TAG_MISMATCH: "an end tag does not close the tag that was opened last",
    expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: "there is something after the end of the robot; remove it",
    expat.errors.XML_ERROR_DUPLICATE_ATTRIBUTE: "an attribute is given twice in one tag",
    expat.errors.XML_ERROR_UNDEFINED_ENTITY: "only &amp; &lt; &gt; &quot; &apos; and character numbers are known",
}


@dataclass(slots=True, eq=False)
class Element:
    """An element with its names as written, prefixes included (``xacro:include``).

    Attributes:
        text: Character data before the first child.
        tail: Character data between the end tag and the next tag of the parent.
        file: Where it was read from; an included file for what an inclusion brought in.
        line: 1-based line of the start tag.
    """

    tag: str
    attributes: dict[str, str]
    file: str = ""
    line: int = 0
    text: str = ""
    tail: str = ""
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> Iterator[Element]:
        """Yield the direct children called ``tag``."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """Return the first direct child called ``tag``."""
        return next(self.all(tag), None)

    def walk(self) -> Iterator[Element]:
        """Yield this element and all below it, in document order."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children))


class _Builder:
    """The expat handlers."""

    def __init__(self, file: str, parser: expat.XMLParserType, lines_before: int) -> None:
        self.root: Element | None = None
        self._file = file
        self._parser = parser
        self._lines_before = lines_before
        self._open: list[Element] = []
        self._last: Element | None = None
        self._pieces: list[str] = []
        self._nodes = 0
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._pieces.append
        parser.StartDoctypeDeclHandler = self._doctype

    def _line(self) -> int:
        return self._parser.CurrentLineNumber + self._lines_before

    def _refuse(self, message: str) -> UrdfSyntaxError:
        return UrdfSyntaxError(message, file=self._file, line=self._line())

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._flush()
        self._nodes += 1 + len(attributes)
        if len(self._open) >= MAX_DEPTH:
            raise self._refuse(f"elements are nested more than {MAX_DEPTH} deep; this is no robot description")
        if self._nodes > MAX_NODES:
            raise self._refuse(f"the file has more than {MAX_NODES} elements and attributes; split the model")
        element = Element(tag, attributes, self._file, self._line())
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def _end(self, _tag: str) -> None:
        self._flush()
        self._last = self._open.pop()

    def _flush(self) -> None:
        """Give the character data since the last tag to the element that it belongs to."""
        text = "".join(self._pieces)
        self._pieces.clear()
        if self._open and self._last is not None:
            self._last.tail = text
        elif self._open:
            self._open[-1].text = text
        self._last = None

    def _doctype(self, *_: object) -> None:
        raise self._refuse("document type and entity declarations are not read; remove the <!DOCTYPE …>")


def parse_xml(data: bytes | str, *, file: str = "") -> Element:
    """Return the root element.

    Args:
        data: The document; bytes are decoded by their BOM or declaration, in text a declared encoding means nothing.
        file: Name for messages.

    Raises:
        UrdfSyntaxError: If it is not well-formed, too large, or has a document type.
    """
    text = data if isinstance(data, str) else text_of(data, file=file)
    if len(text) > MAX_BYTES:
        raise UrdfSyntaxError(f"larger than {MAX_BYTES >> 20} MiB; this is no robot description", file=file)
    # blanks before <?xml …> are common, some programs write C's final zero too, and RViz reads over both
    text = text.rstrip("\0")
    document = text.lstrip(" \t\r\n\ufeff")
    parser = expat.ParserCreate("utf-8")
    lines_before = text.count("\n", 0, len(text) - len(document))
    builder = _Builder(file, parser, lines_before)
    try:
        parser.Parse(document.encode("utf-8"), True)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, str(error))
        remedy = _REMEDIES.get(reason, "")
        message = f"not well-formed XML: {reason}" + (f" ({remedy})" if remedy else "")
        raise UrdfSyntaxError(message, file=file, line=error.lineno + lines_before) from None
    except UnicodeEncodeError:
        raise UrdfSyntaxError("the text holds half a surrogate pair; save it as UTF-8", file=file) from None
    if builder.root is None:
        raise UrdfSyntaxError("there is no element in it", file=file)
    return builder.root
