# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the API reference from the docstrings, and all of the documentation as HTML pages that read offline.

    python3 scripts/build_docs.py [--out FOLDER]

The formalism is among them, with native MathML. Any Python from 3.8 starts it; what it needs is set up in the
environment 'docs', once.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

from _environments import ROOT, SetupError, ensure, environments_root, recipe
from _process import clean_environment, hand_over
from _progress import Progress

_NEEDS = ("griffe", "markdown_it", "math_core", "fontTools", "ziamath")
_OUT = ROOT / "build" / "docs"


def main() -> int:
    """Write the pages. Exit status: 0 done, 1 they cannot be built, 2 wrong usage."""
    parser = argparse.ArgumentParser(description="Build the documentation as HTML pages that read offline.")
    parser.add_argument("--out", type=Path, default=_OUT, help="folder to write into (default: build/docs)")
    out: Path = parser.parse_args().out
    if not all(importlib.util.find_spec(name) for name in _NEEDS):
        with Progress("Setting up the environment for the documentation", quiet=True) as progress:
            python = ensure(environments_root() / "docs", recipe("docs"), report=progress.detail, replace=True)
        return hand_over([str(python), __file__, *sys.argv[1:]], clean_environment())
    from page_parts.formulas import FormulaError
    from page_parts.page import build_page
    from page_parts.reference import reference

    try:
        (ROOT / "docs" / "api.md").write_text(reference(ROOT), encoding="utf-8")
        pages = {file: f"{file.stem.lower()}.html" for file in sorted((ROOT / "docs").glob("*.md"))}
        pages[ROOT / "README.md"] = "index.html"
        out.mkdir(parents=True, exist_ok=True)
        for file, name in pages.items():
            page = build_page(file, pages)
            (out / name).write_text(page, encoding="utf-8")
            print(f"{out / name}  {len(page.encode()) // 1000} kB")
    except (FormulaError, OSError) as error:
        print(f"build_docs: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SetupError as error:
        print(f"build_docs: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
