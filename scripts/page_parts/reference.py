# SPDX-License-Identifier: GPL-3.0-or-later
"""The public names with their docstrings as one Markdown page. The sources are parsed, never imported."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import griffe

_INTRODUCTION = """# API reference

Written by `python3 scripts/build_docs.py` from the docstrings; edit those. Radians, metres and seconds throughout;
quaternions `w x y z`; `A_H_B` maps coordinates in frame B to coordinates in frame A.
After `pip install .`, all names of the first two sections are there as `urdf_rig.NAME`; inside Blender, with the
extension installed, scripts import the same from `bl_ext.user_default.urdf_rig`.
"""
_SECTIONS = {
    "In Blender": ("urdf_rig.addon.scripting", "These need Blender, or the package `bpy`."),
    "Without Blender": ("urdf_rig.core", "These need numpy only; they are in `urdf_rig.core` too, with some more."),
    "Inverse kinematics: goals and results": ("urdf_rig.core.ik", "From `urdf_rig.core.ik`."),
    "Poses": ("urdf_rig.core.poses", "Joint values by name, from `urdf_rig.core.poses`."),
    "Waypoints": ("urdf_rig.core.waypoints", "From `urdf_rig.core.waypoints`."),
    "Motion": ("urdf_rig.core.motion", "Files, fitting, and what a robot cannot do; from `urdf_rig.core.motion`."),
    "What changes between two descriptions": ("urdf_rig.core.description_changes", ""),
    "The robot": ("urdf_rig.core.model", ""),
    "Results of a verification": ("urdf_rig.core.verification", ""),
    "Errors": ("urdf_rig.core.errors", ""),
}


def reference(root: Path) -> str:
    """Return the page of the package whose checkout is ``root``."""
    with tempfile.TemporaryDirectory() as folder:  # by the package's own name, and without the environments in it
        for part in ("__init__.py", "core", "addon"):
            copy = Path(folder, "urdf_rig", part)
            copy.parent.mkdir(exist_ok=True)
            if (root / part).is_dir():
                shutil.copytree(root / part, copy, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(root / part, copy)
        package = griffe.load("urdf_rig", search_paths=[folder], docstring_parser=griffe.Parser.google)
    parts, done = [_INTRODUCTION], set[str]()
    for title, (path, remark) in _SECTIONS.items():
        entries = []
        for member in _public(package[path.removeprefix("urdf_rig.")]):
            if member.path not in done:
                done.add(member.path)
                entries += _class(member) if isinstance(member, griffe.Class) else _function(member, "###")
        parts += [f"## {title}", *([remark] if remark else []), *entries]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _public(module: griffe.Object | griffe.Alias) -> Iterable[griffe.Class | griffe.Function]:
    """Return a module's public classes and functions: those of ``__all__``, or its own with a docstring."""
    for name, member in module.members.items():
        if module.exports is not None:
            if name not in {str(export) for export in module.exports}:
                continue
        elif member.is_alias or name.startswith("_"):
            continue
        target = member.final_target if isinstance(member, griffe.Alias) else member
        if isinstance(target, griffe.Class | griffe.Function) and target.docstring is not None:
            yield target


def _class(cls: griffe.Class) -> list[str]:
    fields = [member for member in cls.members.values() if isinstance(member, griffe.Attribute) and _is_field(member)]
    parts = [f"### `{cls.name}`", *_text(cls)]
    if fields:
        rows = (f"{each.name}: {each.annotation}" + (f" = {_value(each)}" if each.value else "") for each in fields)
        parts.append("```python\n" + "\n".join(rows) + "\n```")
    for member in cls.members.values():
        if isinstance(member, griffe.Attribute | griffe.Function) and "property" in member.labels:
            parts += [f"`{cls.name}.{member.name}`: {_first_line(member)}"]
        elif isinstance(member, griffe.Function) and member.docstring and not member.name.startswith("_"):
            parts += _function(member, "####")
    return parts


def _value(member: griffe.Attribute) -> str:
    """Return a field's default with the quotes that the formatter wants, which reads the pages' code too."""
    text = str(member.value)
    return text if '"' in text else text.replace("'", '"')


def _is_field(member: griffe.Attribute) -> bool:
    return not member.name.startswith("_") and member.annotation is not None and "property" not in member.labels


def _first_line(member: griffe.Object) -> str:
    return member.docstring.value.splitlines()[0] if member.docstring else ""


def _function(function: griffe.Function, heading: str) -> list[str]:
    written = re.sub(r"\s+", " ", str(function.signature()))
    if len(written) > 100:
        written = re.sub(r", (?=\*?\*?\w+(?::|,|$)|\*,|/)", ",\n    ", written.replace("(", "(\n    ", 1))
        written = re.sub(r"\)( ->|$)", r",\n)\1", written, count=0) if ")" in written else written
    return [f"{heading} `{function.name}`", f"```python\n{written}\n```", *_text(function)]


def _text(member: griffe.Object) -> list[str]:
    """Return a docstring's sections."""
    return [_SHOWN[section.kind](section) for section in (member.docstring.parsed if member.docstring else ())]


def _named(section: griffe.DocstringSection) -> str:
    return "\n".join(f"- `{item.name}`: {_line(item.description)}" for item in section.value)


def _raised(section: griffe.DocstringSection) -> str:
    return "\n".join(f"- raises `{item.annotation}`: {_line(item.description)}" for item in section.value)


def _returned(section: griffe.DocstringSection) -> str:
    return "Returns " + " ".join(_line(item.description) for item in section.value)


def _admonition(section: griffe.DocstringSection) -> str:
    return f"{section.title}: {_line(section.value.contents)}"


_KIND = griffe.DocstringSectionKind
_SHOWN: dict[griffe.DocstringSectionKind, Callable[[griffe.DocstringSection], str]] = {
    _KIND.text: lambda section: _examples_fenced(section.value),
    _KIND.parameters: _named,
    _KIND.attributes: _named,
    _KIND.raises: _raised,
    _KIND.returns: _returned,
    _KIND.admonition: _admonition,
}


def _line(text: str) -> str:
    return " ".join(text.replace("``", "`").split())


def _examples_fenced(text: str) -> str:
    """Fence the examples among paragraphs; double backquotes become single ones."""
    paragraphs = []
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.startswith(">>>"):
            paragraphs.append(f"```pycon\n{paragraph}\n```")
        else:
            paragraphs.append(paragraph.replace("``", "`"))
    return "\n\n".join(paragraphs)
