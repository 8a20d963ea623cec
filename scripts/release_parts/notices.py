# SPDX-License-Identifier: GPL-3.0-or-later
"""The licences of the bundled wheels, as they stand in the wheels themselves or, where one has none, beside it."""

from __future__ import annotations

import email.parser
import zipfile
from pathlib import Path

_HEAD = """# Libraries in this folder

URDF Rig ships these libraries unchanged, as wheels from PyPI. Each stands under its own licence, which allows that.
Made by `scripts/build.py --notices`; the texts are those in the wheels, or beside them.
"""


def notices(wheels: tuple[Path, ...]) -> str:
    """Return a Markdown page with name, version, licence and licence text of each wheel."""
    return "\n".join([_HEAD, *(_notice(wheel) for wheel in sorted(wheels))])


def _notice(path: Path) -> str:
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        metadata = next(name for name in names if name.endswith(".dist-info/METADATA"))
        told = email.parser.Parser().parsestr(wheel.read(metadata).decode("utf-8"))
        folder = metadata[: -len("METADATA")]
        texts = [_text_of(wheel, folder, name) for name in told.get_all("License-File", [])]
    beside = path.with_name(f"{told['Name']}-LICENSE.txt")  # for a wheel that has none inside
    if not texts and beside.is_file():
        texts = [(beside.name, beside.read_text(encoding="utf-8"))]
    licence = told.get("License-Expression") or told.get("License") or _classified(told.get_all("Classifier", []))
    pages = dict(item.split(", ", 1) for item in told.get_all("Project-URL", []))
    page = told.get("Home-page") or pages.get("Homepage") or pages.get("Home") or ""
    lines = [f"## {told['Name']} {told['Version']}", "", f"Licence: {licence}. {page}", ""]
    for name, text in texts:
        lines += [f"### {name}", "", "```", text.strip("\n"), "```", ""]
    return "\n".join(lines)


def _classified(classifiers: list[str]) -> str:
    """Return the licence that a wheel's classifiers name, where its metadata has no field for it."""
    return ", ".join(item.rpartition(" :: ")[2] for item in classifiers if item.startswith("License :: "))


def _text_of(wheel: zipfile.ZipFile, folder: str, name: str) -> tuple[str, str]:
    """Return a licence file's name and text; newer wheels keep them in a folder of their own."""
    inside = folder + "licenses/" + name
    path = inside if inside in wheel.namelist() else folder + name
    text = wheel.read(path).decode("utf-8").replace("\r\n", "\n")
    return name, "\n".join(line.rstrip() for line in text.split("\n"))
