# SPDX-License-Identifier: GPL-3.0-or-later
"""Macro calls: parameters from attributes, blocks from the elements in the call, defaults for the rest."""

from __future__ import annotations

from ..errors import UrdfReferenceError, UrdfValueError
from ..urdf.remarks import listed, quoted, tagged
from ..urdf.xml import Element
from .frames import Call, Frame
from .macros import Macro
from .scopes import Block, Scope
from .state import State

MAX_CALLS = 400
"""Macro calls within each other."""


def call_by_attribute(state: State, element: Element, frame: Frame) -> None:
    """Start the macro whose name is the attribute ``macro``.

    Raises:
        UrdfError: As ``start_call``.
    """
    if "macro" not in element.attributes:
        raise UrdfValueError("the attribute 'macro' is missing")
    name = state.texts.string(element.attributes["macro"], frame.scope)
    start_call(state, element, name, frame, leave_out="macro")


def start_call(state: State, element: Element, name: str, frame: Frame, leave_out: str = "") -> None:
    """Put a macro's contents on the stack; before them what stands in the call, if there is something.

    Raises:
        UrdfError: If there is no such macro, or its parameters and the call don't fit.
    """
    macro, scope, macros = frame.macros.resolve(name, frame.scope)
    depth = frame.call.depth + 1 if frame.call else 1
    if depth > MAX_CALLS:
        raise UrdfReferenceError(f"more than {MAX_CALLS} macros call each other; does {quoted(name)} ever stop?")
    state.budget.spend(10 + depth // 4)
    inner = scope.child()
    body = frame.on(macro.body)
    body.scope, body.macros = inner, macros.child()
    body.call = Call(macro.name, element, frame.call, depth)
    left = _pass_attributes(state, element, macro, frame.scope, inner, leave_out)

    def enter(blocks: list[Element]) -> None:
        state.at = element
        for parameter in _pass_blocks(left, blocks, macro, inner):
            _pass_default(state, parameter, macro, frame.scope, inner)
        state.inherit_namespaces(macro.body, frame.target)
        state.frames.append(body)

    if not element.children:
        enter([])
        return
    inside = frame.on(element)
    inside.target = Element(element.tag, {}, element.file, element.line)
    inside.done = lambda: enter(inside.target.children)
    state.frames.append(inside)


def _pass_attributes(
    state: State, element: Element, macro: Macro, caller: Scope, inner: Scope, leave_out: str
) -> list[str]:
    """Set the parameters that are attributes of a call; return the names of the others."""
    left = list(macro.parameters)
    for name, text in element.attributes.items():
        if name == leave_out or name.startswith("xmlns:"):
            continue
        if name not in left:
            known = listed(list(macro.parameters), 20) or "none"
            raise UrdfReferenceError(f"the macro {quoted(macro.name)} has no parameter {quoted(name)}; known: {known}")
        left.remove(name)
        inner.set(name, state.texts.value(text, caller), lazy=False)
    return left


def _pass_blocks(left: list[str], blocks: list[Element], macro: Macro, inner: Scope) -> list[str]:
    """Set the block parameters; return the names of the parameters that are none."""
    waiting = iter(blocks)
    others: list[str] = []
    for parameter in left:
        if not parameter.startswith("*"):
            others.append(parameter)
            continue
        block = next(waiting, None)
        if block is None:
            raise UrdfReferenceError(f"the macro {quoted(macro.name)} needs an element for {quoted(parameter)}")
        inner.set(parameter, Block(block, content_only=parameter.startswith("**")), lazy=False)
    unused = next(waiting, None)
    if unused is not None:
        raise UrdfReferenceError(f"the macro {quoted(macro.name)} has no use for the element {tagged(unused.tag)}")
    return others


def _pass_default(state: State, parameter: str, macro: Macro, caller: Scope, inner: Scope) -> None:
    default = macro.defaults.get(parameter)
    if default is not None and default.forward:
        try:
            inner.set(parameter, caller.lookup(parameter), lazy=False)
        except KeyError:
            pass
        else:
            return
    if default is None or (default.forward and default.text is None):
        raise UrdfReferenceError(f"the macro {quoted(macro.name)} needs the parameter {quoted(parameter)}")
    inner.set(parameter, state.texts.value(default.text or "", caller), lazy=False)
