# SPDX-License-Identifier: GPL-3.0-or-later
"""What each ``xacro:`` element does, but for the calls of macros."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ..errors import ResourceNotFoundError, UrdfReferenceError, UrdfValueError
from ..urdf.remarks import quoted
from ..urdf.xml import Element
from .calls import call_by_attribute
from .frames import Frame, contents
from .macros import Macro, MacroScope, parse_parameters
from .scopes import Block
from .state import PREFIX, State

MAX_INCLUDES = 50
"""Files within each other."""
Directive = Callable[[State, Element, Frame], None]


def _arg(state: State, element: Element, frame: Frame) -> None:
    given = state.attributes(element, ("name",), "default")
    name, default = given["name"], given.get("default")
    if state.arguments.is_declared(name):
        return
    if default is not None and not state.arguments.is_given(name):
        default = state.texts.string(default, frame.scope)
    state.arguments.declare(name, default)


def _attribute(state: State, element: Element, frame: Frame) -> None:
    given = state.attributes(element, ("name", "value"))
    name = state.xml_name(given["name"], frame.scope)
    frame.target.attributes[name] = state.written(state.texts.string(given["value"], frame.scope))


def _element(state: State, element: Element, frame: Frame) -> None:
    if "xacro:name" not in element.attributes:
        raise UrdfValueError("the attribute 'xacro:name' is missing")
    name = state.xml_name(element.attributes["xacro:name"], frame.scope)
    rest = {key: value for key, value in element.attributes.items() if key != "xacro:name"}
    renamed = Element(name, rest, element.file, element.line, element.text, "", element.children)
    state.frames.append(frame.on(element, iter([renamed])))


def _condition(state: State, element: Element, frame: Frame) -> None:
    given = state.attributes(element, ("value",))
    if state.texts.truth(given["value"], frame.scope) is (element.tag == "xacro:if"):
        state.frames.append(frame.on(element))


def _include(state: State, element: Element, frame: Frame) -> None:
    given = state.attributes(element, ("filename",), "ns", "optional")
    optional = state.texts.truth(given.get("optional", "false"), frame.scope)
    try:
        paths = state.files.locate(state.texts.string(given["filename"], frame.scope), frame.file.parent)
    except ResourceNotFoundError:
        if optional:
            return
        raise
    if not paths:
        state.warn(f"no file fits {quoted(given['filename'])}", element)
    scope, macros = frame.scope, frame.macros
    if given.get("ns"):
        name = state.texts.string(given["ns"], scope)
        scope, macros = scope.child(is_namespace=True), MacroScope()
        frame.scope.set(name, scope, lazy=False)
        frame.macros.set(name, macros)
    for path in reversed(paths):
        inner = frame.on(element, _contents_of_file(state, path, element, frame.target))
        inner.scope, inner.macros, inner.file = scope, macros, path
        state.frames.append(inner)


def _contents_of_file(state: State, path: Path, element: Element, target: Element) -> Iterator[Element | str]:
    """Yield what is in a file; it is opened when its turn has come, and closed after it."""
    state.at = element
    if path in state.including:
        chain = [*state.including[state.including.index(path) :], path]
        raise UrdfReferenceError(f"the file {path} includes itself: {' -> '.join(other.name for other in chain)}")
    if len(state.including) > MAX_INCLUDES:
        raise UrdfReferenceError(f"more than {MAX_INCLUDES} files include each other, the last is {path}")
    state.including.append(path)
    root = state.files.parse(path)
    state.inherit_namespaces(root, target)
    yield from contents(root)
    state.including.pop()


def _insert_block(state: State, element: Element, frame: Frame) -> None:
    name = state.attributes(element, ("name",))["name"]
    for key in (f"**{name}", f"*{name}"):
        try:
            block = frame.scope.find(key)
        except KeyError:
            continue
        if isinstance(block, Block):
            items = None if block.content_only else iter([block.element])
            state.frames.append(frame.on(block.element, items))
            return
    raise UrdfReferenceError(f"there is no block {quoted(name)}")


def _macro(state: State, element: Element, frame: Frame) -> None:
    given = state.attributes(element, ("name",), "params")
    name = given["name"].removeprefix(PREFIX)
    if name == "call" or "." in name or not name:
        raise UrdfValueError(f"{quoted(name)} cannot be the name of a macro")
    if f"{PREFIX}{name}" in DIRECTIVES:
        state.warn(f"the macro {quoted(name)} can never be called, as <xacro:{name}> means something else", element)
    frame.macros.set(name, Macro(name, element, *parse_parameters(given.get("params", ""))))


def _property(state: State, element: Element, frame: Frame) -> None:
    given = state.attributes(element, ("name",), "value", "default", "remove", "scope", "lazy_eval")
    scope = frame.scope
    name = state.texts.string(given["name"], scope)
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("__"):
        raise UrdfValueError(f"{quoted(name)} cannot be the name of a property")
    remove = state.texts.truth(given.get("remove", "false"), scope)
    if ("value" in given) + ("default" in given) + remove > 1:
        raise UrdfValueError(f"the property {quoted(name)} has more than one of value, default and remove")
    if remove:
        scope.remove(name)
    elif "default" not in given:
        _set_property(state, element, name, given.get("value"), frame)
    elif name not in scope:
        _set_property(state, element, name, given["default"], frame)


def _set_property(state: State, element: Element, name: str, text: str | None, frame: Frame) -> None:
    lazy = state.texts.truth(element.attributes.get("lazy_eval", "true"), frame.scope)
    target, kind = frame.scope, element.attributes.get("scope")
    if kind == "global":
        target, lazy = frame.scope.top(), False
    elif kind == "parent":
        caller = frame.scope.caller()
        if caller is None:
            state.warn(f"the property {quoted(name)} is set in the scope of a caller, but nothing called", element)
        target, lazy = caller or frame.scope, False
    elif kind is not None and kind != "local":
        state.warn(f"the scope {quoted(kind)} is not known; known: 'parent', 'global'", element)
    if text is None:
        target.set(f"**{name}", Block(element, content_only=True), lazy=False)
    else:
        target.set(name, text if lazy else state.texts.value(text, frame.scope), lazy=lazy)


DIRECTIVES: Mapping[str, Directive] = {
    "xacro:arg": _arg,
    "xacro:attribute": _attribute,
    "xacro:call": call_by_attribute,
    "xacro:element": _element,
    "xacro:if": _condition,
    "xacro:include": _include,
    "xacro:insert_block": _insert_block,
    "xacro:macro": _macro,
    "xacro:property": _property,
    "xacro:unless": _condition,
}
