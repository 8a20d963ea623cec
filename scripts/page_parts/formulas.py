# SPDX-License-Identifier: GPL-3.0-or-later
"""LaTeX formulas as MathML, with real prescripts: the frame of ``{}^A H_B`` belongs to its H."""

from __future__ import annotations

from xml.etree import ElementTree

from math_core import LatexError, LatexToMathML

_CONVERTER = LatexToMathML()
_SCRIPTS = {"msub": ("sub",), "msup": ("sup",), "msubsup": ("sub", "sup")}


class FormulaError(Exception):
    """A formula that cannot be converted; the message holds its source."""


def to_mathml(latex: str, *, display: bool) -> str:
    """Return a ``<math>`` element.

    Raises:
        FormulaError: If the formula has a mistake, or a command that is not known.
    """
    try:
        text = _CONVERTER.convert_with_local_state(latex, displaystyle=display)
    except LatexError as error:
        raise FormulaError(f"{error}\nin the formula: {latex}") from error
    root = ElementTree.fromstring(text.replace("&ApplyFunction;", "\u2061"))
    _attach_prescripts(root, latex)
    if display:
        root.set("display", "block")
    return ElementTree.tostring(root, encoding="unicode")


def _attach_prescripts(parent: ElementTree.Element, latex: str) -> None:
    """Join each script on nothing with the element after it, which is what TeX writes for a prescript."""
    children: list[ElementTree.Element] = []
    waiting: dict[str, ElementTree.Element] | None = None
    for child in list(parent):
        _attach_prescripts(child, latex)
        if waiting is None and child.tag in _SCRIPTS and _is_empty(child[0]):
            waiting = dict(zip(_SCRIPTS[child.tag], child[1:]))
        elif waiting is not None and child.tag == "mspace":
            children.append(child)  # a space between prescript and base would be lost
        elif waiting is not None:
            children.append(_with_prescripts(child, waiting))
            waiting = None
        else:
            children.append(child)
    if waiting is not None:
        raise FormulaError(f"a prescript stands before nothing in the formula: {latex}")
    parent[:] = children


def _is_empty(element: ElementTree.Element) -> bool:
    return element.tag == "mrow" and len(element) == 0 and not (element.text or "").strip()


def _with_prescripts(element: ElementTree.Element, before: dict[str, ElementTree.Element]) -> ElementTree.Element:
    """Put prescripts on an element, or on its base where it has scripts: Chromium spaces all four together badly."""
    scripted = element.tag in _SCRIPTS
    out = ElementTree.Element("mmultiscripts")
    out.append(element[0] if scripted else element)
    out.append(ElementTree.Element("mprescripts"))
    out.extend(before.get(place, ElementTree.Element("mrow")) for place in ("sub", "sup"))
    if not scripted:
        return out
    element[0] = out
    return element
