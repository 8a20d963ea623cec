# SPDX-License-Identifier: GPL-3.0-or-later
"""The text keeps its promises: functions and tests exist, and hosting sites can typeset its formulas."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

# what GitHub refuses in formulas
_REFUSED = ("operatorname", "mbox", "phantom", "newcommand", "def", "require", "href", "text{$")


def _outside_of_code(text: str) -> str:
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return re.sub(r"(\$`[^`]*`\$)|`[^`\n]*`", r"\1", text)


def _formulas(text: str) -> list[str]:
    return re.findall(r"```math\n(.*?)```", text, re.DOTALL) + re.findall(r"\$`(.*?)`\$", text, re.DOTALL)


def _rows(text: str) -> list[list[str]]:
    table = text.split("### 10.1", 1)[1].split("### 10.2", 1)[0]
    rows = [line.strip("|").split(" | ") for line in table.splitlines() if line.startswith("|")]
    return rows[2:]


def _object(name: str) -> object:
    module, _, attribute = f"urdf_rig.{name}".rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def test_every_function_that_is_named_exists(text: str):
    names = set(re.findall(r"`(core\.[\w.]+\w)`", text))
    assert len(names) > 30
    for name in names:
        assert callable(_object(name)), name


def test_every_function_named_in_a_section_is_in_the_table(text: str):
    in_table = {row[2].strip(" `") for row in _rows(text)}
    for line in re.findall(r"^Functions: (.*?)\n\n", text, re.MULTILINE | re.DOTALL):
        assert in_table & set(re.findall(r"`([\w.]+)`", line)), line


def test_every_formula_in_the_table_has_a_test_that_names_its_function(text: str, root: Path):
    for _, _, function, tests in _rows(text):
        name = function.strip(" `").rpartition(".")[2]
        for place in re.findall(r"`([^`]+)`", tests):
            path = root / place
            files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
            assert any(re.search(rf"\b{name}\b", file.read_text(encoding="utf-8")) for file in files), (name, place)


def test_every_section_that_the_code_cites_exists(text: str, root: Path):
    sections = set(re.findall(r"^## (\d+)\. ", text, re.MULTILINE))
    assert sections == {str(number) for number in range(1, 11)}
    for path in sorted((root / "core").rglob("*.py")):
        code = path.read_text(encoding="utf-8")
        for cited in re.findall(r"formalism,? sections? ([\d, and]+)", code):
            assert set(re.findall(r"\d+", cited)) <= sections, path


def test_every_source_that_is_cited_exists_and_the_other_way_round(text: str):
    body, sources = text.split("### 10.2 Sources", 1)
    prose = _outside_of_code(re.sub(r"\$`.*?`\$", "", body + re.sub(r"^\d+\. .*$", "", sources, flags=re.MULTILINE)))
    cited = {number for group in re.findall(r"\[(\d+(?:, \d+)*)\]", prose) for number in group.split(", ")}
    listed = re.findall(r"^(\d+)\. ", sources, re.MULTILINE)
    assert listed == [str(number) for number in range(1, len(listed) + 1)]
    assert cited == set(listed)


def test_figures_exist_and_are_small(text: str, root: Path):
    figures = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", text)
    assert {path for _, path in figures} >= {
        f"images/{name}.png" for name in ("bone-frame", "roll", "pole", "re-rooting")
    }
    for words, path in figures:
        assert len(words) > 40
        assert (root / "docs" / path).stat().st_size < 150_000


@pytest.mark.parametrize("macro", _REFUSED)
def test_formulas_hold_nothing_that_hosting_sites_refuse(text: str, macro: str):
    assert len(_formulas(text)) > 150
    assert [formula for formula in _formulas(text) if re.search(rf"\\{re.escape(macro)}(?![a-z])", formula)] == []


def test_inline_formulas_are_where_hosting_sites_see_them(text: str):
    prose = _outside_of_code(text)
    # GitHub typesets no formula that touches a letter, a digit or a hyphen, or stands in a link or in bold type
    assert re.findall(r"[\w\-*]\$`[^`]*`\$", prose) == []
    assert re.findall(r"\$`[^`]*`\$[\w\-*]", prose) == []
    assert re.findall(r"\[[^\]]*\$`[^`]*`\$[^\]]*\]\(", prose) == []
    assert "$" not in re.sub(r"\$`[^`]*`\$", "", prose)
    assert all("|" not in formula for formula in re.findall(r"\$`(.*?)`\$", text))


def test_displayed_formulas_stand_alone(text: str):
    assert re.findall(r"^[ >*-]+```math", text, re.MULTILINE) == []
    assert re.findall(r"[^\n]\n```math", text) == []
