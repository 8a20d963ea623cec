# SPDX-License-Identifier: GPL-3.0-or-later
"""An element tree as an XML document."""

from __future__ import annotations

import re

from ..urdf.xml import Element

_INDENT = "  "
_IN_ATTRIBUTE = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAME = re.compile(r"[^\W\d][\w.-]*(:[^\W\d][\w.-]*)?")


def is_xml_name(text: str) -> bool:
    """Return whether a text can be the name of an element or attribute."""
    return len(text) < 1_000 and _NAME.fullmatch(text) is not None


def has_forbidden_characters(text: str) -> bool:
    """Return whether a text holds what no XML document can, such as control characters."""
    return _FORBIDDEN.search(text) is not None


def document(root: Element) -> str:
    """Return an XML 1.0 document in which every element that holds no text has a line of its own."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>\n']
    waiting: list[tuple[Element | str, int]] = [(root, 0)]
    while waiting:
        item, depth = waiting.pop()
        if isinstance(item, str):
            lines.append(item)
            continue
        start = _start(item)
        indent = _INDENT * depth if depth >= 0 else ""
        end = "\n" if depth >= 0 else ""
        if not item.children and not item.text.strip():
            lines.append(f"{indent}{start}/>{end}")
        elif _holds_text(item):
            lines.append(f"{indent}{start}>{item.text.translate(_IN_TEXT)}")
            waiting.append((f"</{item.tag}>{end}", 0))
            for child in reversed(item.children):
                waiting += [(child.tail.translate(_IN_TEXT), 0), (child, -1)]
        else:
            lines.append(f"{indent}{start}>\n")
            waiting.append((f"{indent}</{item.tag}>{end}", 0))
            waiting += [(child, depth + 1) for child in reversed(item.children)]
    return "".join(lines)


def _start(element: Element) -> str:
    return f"<{element.tag}" + "".join(
        f' {name}="{value.translate(_IN_ATTRIBUTE)}"' for name, value in element.attributes.items()
    )


def _holds_text(element: Element) -> bool:
    return bool(element.text.strip()) or any(child.tail.strip() for child in element.children)
