# SPDX-License-Identifier: GPL-3.0-or-later
"""The user guide is complete: each section of the sidebar and each command has its heading, and pictures are small."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs/guide.md").read_text(encoding="utf-8")
HEADINGS = re.findall(r"^##+ (.+)$", GUIDE, re.MULTILINE)


def test_every_section_of_the_sidebar_is_described() -> None:
    panels = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "addon/ui").glob("*_panel.py"))
    labels = set(re.findall(r'bl_label = "(.+)"', panels)) - {"Robot"}  # the tab itself
    assert len(labels) > 15
    assert labels <= set(HEADINGS), labels - set(HEADINGS)


def test_every_command_is_described() -> None:
    arguments = (ROOT / "cli/arguments.py").read_text(encoding="utf-8")
    names = re.findall(r'add_parser\("([\w-]+)"', arguments)
    assert len(names) >= 8
    assert set(names) <= set(HEADINGS), set(names) - set(HEADINGS)


def test_every_picture_is_shown_and_small() -> None:
    pages = GUIDE + (ROOT / "docs/newcomer.md").read_text(encoding="utf-8")
    pictures = list((ROOT / "docs/images/guide").glob("*.png"))
    assert len(pictures) > 20
    for picture in pictures:
        assert f"(images/guide/{picture.name})" in pages
        assert picture.stat().st_size < 100_000
