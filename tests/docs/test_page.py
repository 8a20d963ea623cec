# SPDX-License-Identifier: GPL-3.0-or-later
"""The page as Chromium shows it. It needs the program ``chromium``, or one named by ``URDF_RIG_CHROMIUM``."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # nothing may come from the network
    "--window-size=1400,1000",
    "--virtual-time-budget=10000",
)
_MEASURE = """
<script>
document.fonts.ready.then(() => {
  const box = element => { const r = element.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  const area = element => { const [l, t, r, b] = box(element); return Math.min(r - l, b - t); };
  const invisible = /^[\\u2061-\\u2064]$/;
  const texts = [...document.querySelectorAll("math mi, math mn, math mo, math mtext")];
  const result = {
    formulas: [...document.querySelectorAll("math")].map(m => [m.textContent, area(m)]),
    signs: texts.filter(t => t.textContent.trim() && !invisible.test(t.textContent))
      .map(t => [t.textContent, area(t)]),
    outside: [...document.querySelectorAll("math")].filter(m => !m.namespaceURI.endsWith("/MathML")).length,
    prescripts: [...document.querySelectorAll("mmultiscripts")].map(m => [box(m.children[0]), box(m.lastElementChild)]),
    matrices: [...document.querySelectorAll("mtable")]
      .filter(t => t.previousElementSibling && t.previousElementSibling.textContent === "[")
      .map(t => { const a = box(t), b = box(t.previousElementSibling); return [a[3] - a[1], b[3] - b[1]]; }),
    roots: [...document.querySelectorAll("msqrt")]
      .map(r => box(r.firstElementChild)[0] - box(r)[0]),
    images: [...document.images].map(i => i.naturalWidth),
    fonts: [...document.fonts].map(f => [f.family.replaceAll('"', ""), f.status]),
    text: document.body.innerText,
    anchors: [...document.querySelectorAll("a[href^='#']")]
      .map(a => [a.hash, !!document.getElementById(a.hash.slice(1))]),
    cut: [...document.querySelectorAll(".table, .formula")]
      .filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent.slice(0, 80)),
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  };
  const out = document.createElement("pre");
  out.id = "measured";
  out.textContent = JSON.stringify(result);
  document.body.append(out);
});
</script>
"""


@pytest.fixture(scope="session")
def page(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page, built by the command."""
    out = tmp_path_factory.mktemp("pages")
    command = [sys.executable, str(root / "scripts" / "build_docs.py"), "--out", str(out)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    return out / "formalism.html"


@pytest.fixture(scope="session")
def shown(page: Path, tmp_path_factory: pytest.TempPathFactory) -> dict:
    """What Chromium makes of the page: sizes and visible text."""
    program = os.environ.get("URDF_RIG_CHROMIUM") or next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if program is None:
        pytest.fail("the page cannot be looked at: install Chromium ('apt install chromium')")
    folder = tmp_path_factory.mktemp("browser")
    measured = folder / "measured.html"
    measured.write_text(page.read_text(encoding="utf-8").replace("</body>", _MEASURE + "</body>"), encoding="utf-8")
    command = [program, *_OPTIONS, f"--user-data-dir={folder / 'profile'}", "--dump-dom", measured.as_uri()]
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=180, check=False)
    found = re.search(r'<pre id="measured">(.*?)</pre>', result.stdout, re.DOTALL)
    assert found is not None, result.stderr
    return json.loads(html.unescape(found[1]))


def test_all_formulas_of_the_text_are_on_the_page(shown: dict, text: str):
    count = len(re.findall(r"```math\n", text)) + len(re.findall(r"\$`", text))
    assert len(shown["formulas"]) == count > 150
    assert shown["outside"] == 0


def test_formulas_and_all_their_signs_are_visible(shown: dict):
    assert [formula for formula, size in shown["formulas"] if size < 3.0] == []
    assert len(shown["signs"]) > 1000
    assert [sign for sign, size in shown["signs"] if size < 0.5] == []


def test_nothing_is_left_as_source(shown: dict):
    assert "The formalism of URDF Rig" in shown["text"]
    assert re.findall(r"\$|\\[a-zA-Z]+|\\\\|[_^]\{|\{\}\^|&\w+;|```", shown["text"]) == []


def test_prescripts_stand_above_and_before_their_letter(shown: dict):
    assert len(shown["prescripts"]) > 100
    for (left, top, _, bottom), (_, script_top, script_right, script_bottom) in shown["prescripts"]:
        assert script_right <= left + 1.0
        assert script_top < (top + bottom) / 2.0
        assert script_bottom < bottom


def test_brackets_are_as_tall_as_their_matrices(shown: dict):
    assert len(shown["matrices"]) > 10
    for matrix, bracket in shown["matrices"]:
        assert bracket > 0.85 * matrix


def test_roots_have_their_sign(shown: dict):
    assert len(shown["roots"]) >= 3
    assert min(shown["roots"]) > 5.0


def test_figures_and_font_are_inside(shown: dict, page: Path):
    assert len(shown["images"]) == 4
    assert min(shown["images"]) >= 600
    assert shown["fonts"] == [["Page Math", "loaded"]]
    source = page.read_text(encoding="utf-8")
    assert (
        re.findall(
            r"""<(?:script|link|iframe|object)\b|(?:src|srcset|data)=["'](?!data:)|url\(["']?(?!["']?data:)|@import""",
            source,
        )
        == []
    )


def test_contents_and_links_lead_somewhere_and_nothing_is_cut_off(shown: dict):
    assert len(shown["anchors"]) > 10
    assert [anchor for anchor, found in shown["anchors"] if not found] == []
    assert shown["cut"] == []
    assert shown["wide"] <= 0
