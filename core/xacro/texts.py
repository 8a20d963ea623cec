# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts with ``${expressions}`` and ``$(substitutions)`` into values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ..errors import UrdfUnsupportedError, UrdfValueError
from ..urdf.remarks import quoted
from .arguments import Arguments
from .budget import Budget
from .evaluator import Names, evaluate
from .files import Files
from .functions import DIRECT, plain
from .mathematics import SYMBOLS
from .parsing import RememberedTrees
from .values import MAX_TEXT, Complaint, Value, check_text, text_of_value

_TRUTHS = {"true": True, "True": True, "false": False, "False": False}
_MAX_NUMBER = 600
_STEPS_PER_PIECE = 20
_LONGEST_NESTED = 400
"""Characters in which the end of a substitution that holds others is looked for."""
_COMMANDS = "find, arg, eval, dirname, cwd, optenv, anon"


class Texts:
    """Evaluates texts.

    Args:
        arguments: For ``$(arg …)``.
        files: For ``$(find …)``.
        budget: What the expansion may take.

    Attributes:
        file: The file that is being processed; ``$(dirname)`` is its folder.
    """

    def __init__(self, arguments: Arguments, files: Files, budget: Budget, top: Path) -> None:
        self.file = top
        self._arguments = arguments
        self._files = files
        self._budget = budget
        self._top = top
        self._trees = RememberedTrees(budget)

    def value(self, text: str, scope: Names) -> Value:
        """Return what a text stands for: the value of its one expression, or else a text.

        Raises:
            UrdfError: If it cannot be evaluated.
        """
        self._budget.spend(1 + len(text) // 64)
        if "$" not in text:
            return text
        if len(text) > MAX_TEXT:
            raise UrdfValueError(f"a text with $ in it is longer than {MAX_TEXT} characters: {quoted(text)}")
        pieces = [self._piece(kind, piece, scope) for kind, piece in _pieces(text)]
        if len(pieces) == 1:
            return pieces[0]
        texts = [_written(piece, text) for piece in pieces]
        try:
            check_text(sum(map(len, texts)))
        except Complaint as error:
            raise UrdfValueError(f"{error}: {quoted(text)}") from None
        return "".join(texts)

    def string(self, text: str, scope: Names) -> str:
        """Return what a text stands for, as it is written into a document.

        Raises:
            UrdfError: If it cannot be evaluated.
        """
        return _written(self.value(text, scope), text)

    def expression(self, text: str, scope: Names) -> Value:
        """Return the value of an expression without ``${}``.

        Raises:
            UrdfError: If it has none.
        """
        return evaluate(text, scope, self._budget, self._trees.parse)

    def truth(self, text: str, scope: Names) -> bool:
        """Return what a condition stands for: a text must be ``true``, ``false`` or a whole number.

        Raises:
            UrdfError: If it cannot be evaluated, or is neither.
        """
        value = self.value(text, scope)
        if not isinstance(value, str):
            return bool(value)
        if value in _TRUTHS:
            return _TRUTHS[value]
        try:
            return bool(int(value[:_MAX_NUMBER]))
        except ValueError:
            shown = "" if value == text else f", which is {quoted(value)},"
            raise UrdfValueError(f"the condition {quoted(text)}{shown} is neither true nor false") from None

    def _piece(self, kind: str, piece: str, scope: Names) -> Value:
        self._budget.spend(_STEPS_PER_PIECE)
        if kind == "text":
            return piece
        inner = self.string(piece, scope)
        if kind == "expression":
            return self.expression(inner, scope)
        return self._substitution(inner)

    def _substitution(self, text: str) -> str:
        command, *words = text.split(" ") if text else [""]
        if command == "eval":
            return _written(evaluate(text[len("eval ") :], self._eval_names(), self._budget), text)
        words = [word for word in words if word]
        if command == "arg" and len(words) == 1:
            return self._arguments.value(words[0])
        if command == "find" and len(words) == 1:
            return str(self._files.package(words[0]))
        if command == "dirname" and not words:
            return str(self.file.absolute().parent)
        if command == "cwd" and not words:
            return str(self._top.absolute().parent)
        return self._seldom(command, words, text)

    def _seldom(self, command: str, words: list[str], text: str) -> str:
        if command == "optenv" and words:
            return " ".join(words[1:])
        if command == "anon" and len(words) == 1:
            return f"{words[0]}_anonymous"
        if command == "env":
            raise UrdfUnsupportedError(
                f"$({text}) asks for a variable of your computer's environment, which descriptions are not shown; "
                "use an argument, $(arg …)"
            )
        raise UrdfValueError(f"{quoted(f'$({text})')} is no substitution; known: {_COMMANDS}")

    def _eval_names(self) -> Names:
        return _EvalNames(self._arguments, str(self.file.absolute().parent), self._files)


class _EvalNames:
    """What ``$(eval …)`` knows: the arguments, ``arg``, ``find``, ``dirname``, ``optenv``, and mathematics."""

    cost = 1

    def __init__(self, arguments: Arguments, folder: str, files: Files) -> None:
        self._arguments = arguments
        members: dict[str, Value] = {
            "true": True,
            "false": False,
            "arg": plain("arg", lambda name: _automatic(arguments.value(_name(name)))),
            "find": plain("find", lambda name: str(files.package(_name(name)))),
            "dirname": plain("dirname", lambda: folder),
            "optenv": plain("optenv", lambda _name, default="": default),
            "env": plain("env", _no_environment),
        }
        self._members: Mapping[str, Value] = {**SYMBOLS, **DIRECT, **members}

    def lookup(self, name: str) -> Value:
        if name in self._members:
            return self._members[name]
        if name not in self._arguments.known():
            raise KeyError(name)
        return _automatic(self._arguments.value(name))

    def known(self) -> Iterable[str]:
        return (*self._arguments.known(), *self._members)


def _name(value: Value) -> str:
    if not isinstance(value, str):
        raise Complaint("a name is a text in quotes")
    return value


def _no_environment(*_: Value) -> Value:
    raise UrdfUnsupportedError("env() asks for a variable of your computer's environment; use an argument")


def _automatic(text: str) -> Value:
    """Return the number or truth value that an argument's text is, else the text."""
    if len(text) <= _MAX_NUMBER:
        try:
            return float(text) if "." in text else int(text)
        except ValueError:
            pass
    return {"true": True, "false": False}.get(text.lower(), text)


def _written(value: Value, source: str) -> str:
    try:
        return text_of_value(value)
    except Complaint as error:
        raise UrdfValueError(f"{error}: {quoted(source)}") from None
    except RecursionError:
        raise UrdfValueError(f"nested too deeply: {quoted(source)}") from None


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield what a text consists of: ``text``, ``expression`` or ``substitution``, and the inside of each.

    Of ``$$${`` one dollar is dropped, and what follows is text.
    """
    position = 0
    while position < len(text):
        start = text.find("$", position)
        if start < 0:
            start = len(text)
        if start > position:
            yield "text", text[position:start]
        if start == len(text):
            return
        after = start
        while text.startswith("$", after):
            after += 1
        opening = text[after : after + 1]
        if opening not in ("{", "("):
            position = after
            yield "text", text[start:after]
        elif after - start > 1:
            position = after + 1
            yield "text", text[start + 1 : position]
        else:
            end = _end(text, after)
            yield "expression" if opening == "{" else "substitution", text[after + 1 : end]
            position = end + 1


def _end(text: str, opening: int) -> int:
    """Return where the bracket at ``opening`` ends; round ones may hold others, if all are closed."""
    closing = "}" if text[opening] == "{" else ")"
    first = text.find(closing, opening)
    if first < 0:
        raise UrdfValueError(f"{quoted(text[opening - 1 :])} has no {closing}")
    if closing == ")":
        depth = 0
        for position in range(opening, min(len(text), opening + _LONGEST_NESTED)):
            depth += (text[position] == "(") - (text[position] == ")")
            if depth == 0:
                return position
    return first
