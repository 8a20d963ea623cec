# SPDX-License-Identifier: GPL-3.0-or-later
"""The API reference, and the links of all pages."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parents[2]
WRITTEN = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")  # before any test builds it anew


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The HTML pages by name."""
    out = tmp_path_factory.mktemp("all")
    command = [sys.executable, str(ROOT / "scripts" / "build_docs.py"), "--out", str(out)]
    subprocess.run(command, capture_output=True, timeout=300, check=True)
    return {page.name: page.read_text(encoding="utf-8") for page in out.glob("*.html")}


class Links(HTMLParser):
    """Collects where links lead, and the anchors."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.doubled: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        if tag == "a":
            self.links.append(values.get("href") or "")
        if values.get("id"):
            if values["id"] in self.anchors:
                self.doubled.append(str(values["id"]))
            self.anchors.add(str(values["id"]))


def test_the_reference_is_that_of_the_docstrings(pages: dict[str, str]) -> None:
    current = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert current == WRITTEN, "run 'python3 scripts/build_docs.py' and commit docs/api.md"


def test_the_reference_has_every_public_name(pages: dict[str, str]) -> None:
    root = (ROOT / "__init__.py").read_text(encoding="utf-8")
    names = re.findall(r'^    "(\w+)",$', root[root.index("__all__") :], re.MULTILINE)
    assert len(names) > 10
    missing = [name for name in names if f"`{name}`" not in WRITTEN and name not in ("register", "unregister")]
    assert not missing


def test_links_between_the_pages_lead_somewhere(pages: dict[str, str]) -> None:
    read = {name: Links(page) for name, page in pages.items()}
    assert {"index.html", "formalism.html", "api.html", "guide.html", "newcomer.html", "traps.html"} <= set(read)
    for name, page in read.items():
        assert not page.doubled, f"{name}: {page.doubled}"
        for link in page.links:
            if link.startswith(("http://", "https://")):
                continue
            target, _, anchor = link.partition("#")
            assert (target or name) in read, f"{name}: {link}"
            assert not anchor or unquote(anchor) in read[target or name].anchors, f"{name}: {link}"


def test_links_of_the_markdown_files_lead_to_files_that_are_there() -> None:
    files = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    for file in files:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if not re.match(r"#|https?:", link):
                assert (file.parent / unquote(link.partition("#")[0])).exists(), f"{file.name}: {link}"
