# SPDX-License-Identifier: GPL-3.0-or-later
"""Expands a description: walks its elements, runs what has the prefix ``xacro:``, copies the rest evaluated.

What comes out is an element tree in which every element knows the file and line that it was written in.
"""

from __future__ import annotations

from ..errors import UrdfError, UrdfValueError
from ..urdf.xml import MAX_DEPTH, Element
from .calls import start_call
from .directives import DIRECTIVES
from .frames import Frame, append_text, contents
from .macros import MacroScope
from .scopes import Scope
from .state import PREFIX, State

_OLD_TAGS = ("macro", "property", "include", "insert_block", "if", "unless")
"""What xacro's own tags were before they got a prefix."""


def expand(state: State, root: Element) -> Element:
    """Return the root of the result.

    Args:
        state: Of an expansion that has not begun.
        root: Of the file that the user opened.

    Raises:
        UrdfError: If the description is refused, with the file and line of the element at fault.
    """
    try:
        return _expanded(state, root)
    except RecursionError:
        raise state.located(UrdfValueError("properties or texts refer to each other too deeply")) from None
    except UrdfError as error:
        raise state.located(error) from None


def _expanded(state: State, root: Element) -> Element:
    state.at = root
    result = Element(root.tag, {}, root.file, root.line)
    _copy_attributes(state, root, result, state.top_scope)
    state.frames.append(Frame(root, contents(root), result, 0, state.top_scope, MacroScope(), state.including[0]))
    while state.frames:
        _step(state, state.frames[-1])
    return result


def _step(state: State, frame: Frame) -> None:
    state.texts.file = frame.file
    state.call = frame.call
    item = next(frame.items, None)
    if item is None:
        state.frames.pop()
        if frame.done is not None:
            frame.done()
    elif isinstance(item, Element):
        state.at = item
        state.budget.spend(2)
        _element(state, item, frame)
    elif not item.isspace():
        state.at = frame.source
        append_text(frame.target, state.written(state.texts.string(item, frame.scope)))


def _element(state: State, element: Element, frame: Frame) -> None:
    directive = DIRECTIVES.get(element.tag)
    if directive is not None:
        directive(state, element, frame)
    elif element.tag.startswith(PREFIX):
        start_call(state, element, element.tag[len(PREFIX) :], frame)
    else:
        _copy(state, element, frame)


def _copy(state: State, element: Element, frame: Frame) -> None:
    if frame.depth + 1 >= MAX_DEPTH:
        raise UrdfValueError(f"the elements are nested more than {MAX_DEPTH} deep once expanded")
    if frame.depth == 0 and element.tag in _OLD_TAGS:
        state.warn(f"without the prefix, as in <{PREFIX}{element.tag}>, this has not meant anything for years", element)
    state.budget.write_element()
    copy = Element(element.tag, {}, element.file, element.line)
    _copy_attributes(state, element, copy, frame.scope)
    frame.target.children.append(copy)
    if element.children or element.text:
        inner = frame.on(element)
        inner.target, inner.depth = copy, frame.depth + 1
        state.frames.append(inner)


def _copy_attributes(state: State, element: Element, copy: Element, scope: Scope) -> None:
    for name, value in element.attributes.items():
        if name != "xmlns:xacro" and not name.startswith(PREFIX):
            copy.attributes[name] = state.written(state.texts.string(value, scope))
