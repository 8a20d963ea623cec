# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint values as text to copy and paste: JSON, a Python dict or YAML. Reading runs nothing and is bounded."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence

from ..errors import UrdfRigError
from ..motion.errors import MotionError
from ..motion.yaml_nodes import parse_yaml_documents

JointNumbers = float | tuple[float, ...]
"""The value of a scalar joint [rad or m], or the numbers of a planar (3) or floating (7) one."""

FORMS = ("JSON", "PYTHON", "YAML")
_MOST_CHARACTERS = 200_000
_MOST_DEPTH = 16
_DIGITS = 9
_MOST_NUMBERS = 7  # of a floating joint
_TOKEN = re.compile(
    r"\s+|\#[^\n]*|[{}\[\](),:]|True\b|False\b|None\b|[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?"
    r'|"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*'"
)
_NAMES = ("name", "names", "joints", "joint_names")
_VALUES = ("position", "positions", "values")


def joint_text(values: Mapping[str, JointNumbers], form: str) -> str:
    """Return joint values in one of ``FORMS``, which ``parse_joint_text`` reads and so do other programs.

    Args:
        values: By joint name.
        form: Which.

    Raises:
        MotionError: If there is no such form.
    """
    plain = {name: _plain(value) for name, value in values.items()}
    if form == "JSON":
        return json.dumps(plain, ensure_ascii=False, indent=2) + "\n"
    if form == "PYTHON":
        return "{\n" + "".join(f"    {name!r}: {value!r},\n" for name, value in plain.items()) + "}\n"
    if form == "YAML":
        # quoted names, since "on" or "1" is a joint's name too; 1e-05 is a text to the parsers that ROS uses
        rows = (f"{json.dumps(name)}: {_with_point(repr(value))}\n" for name, value in plain.items())
        return "".join(rows) or "{}\n"
    raise MotionError(f"there is no form {form!r}; known: {', '.join(FORMS)}")


def _plain(value: JointNumbers) -> float | list[float]:
    if isinstance(value, Sequence):
        return [round(float(number), _DIGITS) + 0.0 for number in value]
    return round(float(value), _DIGITS) + 0.0


def _with_point(text: str) -> str:
    return re.sub(r"(?<![.\d])(\d+)e", r"\1.0e", text)


def parse_joint_text(text: str) -> dict[str, JointNumbers]:
    """Return the joint values in a text: a table from name to number, or two lists as a ROS JointState has them.

    Args:
        text: JSON, a Python dict of plain numbers, or YAML.

    Raises:
        MotionError: If it is none of these, too long, or holds anything but finite numbers.
    """
    if len(text) > _MOST_CHARACTERS:
        raise MotionError(f"the text is longer than {_MOST_CHARACTERS} characters")
    readers: tuple[tuple[str, Callable[[str], object]], ...] = (
        ("JSON", _from_json),
        ("a Python dict", _from_python),
        ("YAML", _from_yaml),
    )
    for _, reader in readers:
        try:
            found = reader(text)
        except (UrdfRigError, ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(found, dict):
            return _numbers(_as_table(found))
    kinds = ", ".join(kind for kind, _ in readers)
    raise MotionError(f"the text holds no joint values: it is not a table of names and numbers in {kinds}")


def _from_json(text: str) -> object:
    value: object = json.loads(text)
    return value


def _from_python(text: str) -> object:
    depth, place = 0, 0
    while place < len(text):  # nothing that the compiler could choke on gets to it: no operators, no deep nesting
        token = _TOKEN.match(text, place)
        if token is None:
            raise ValueError("not a Python literal")
        place = token.end()
        depth += (token.group() in "{[(") - (token.group() in "}])")
        if depth > _MOST_DEPTH:
            raise ValueError("nested too deep")
    value: object = ast.literal_eval(text.strip())
    return value


def _from_yaml(text: str) -> object:
    documents = parse_yaml_documents(text)
    return documents[0] if len(documents) == 1 else None


def _as_table(found: Mapping[object, object]) -> Mapping[object, object]:
    """Return names with their values, also where names and values are lists of their own."""
    names = next((found[key] for key in _NAMES if isinstance(found.get(key), list | tuple)), None)
    values = next((found[key] for key in _VALUES if isinstance(found.get(key), list | tuple)), None)
    if not (isinstance(names, list | tuple) and isinstance(values, list | tuple)):
        return found
    if len(names) != len(values):
        raise MotionError(f"there are {len(names)} joint names and {len(values)} values")
    if not all(isinstance(name, str) for name in names):
        raise MotionError("a joint name is no text")
    return dict(zip(names, values, strict=True))


def _numbers(table: Mapping[object, object]) -> dict[str, JointNumbers]:
    if not table:
        raise MotionError("the text holds no joint values: the table is empty")
    return {_name(key): _number(_name(key), value) for key, value in table.items()}


def _name(key: object) -> str:
    if not isinstance(key, str):
        raise MotionError(f"the joint name {str(key)[:40]!r} is no text: write it in quotes")
    return key


def _number(name: str, value: object) -> JointNumbers:
    if isinstance(value, list | tuple) and 0 < len(value) <= _MOST_NUMBERS:
        return tuple(_finite(name, item) for item in value)
    return _finite(name, value)


def _finite(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MotionError(f"the value of joint {name[:80]!r} is no number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise MotionError(f"the value of joint {name[:80]!r} is not finite")
    return number
