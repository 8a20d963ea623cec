# SPDX-License-Identifier: GPL-3.0-or-later
"""Build the formalism as one HTML page with native MathML that reads offline.

    python3 scripts/build_docs.py [--out FILE.html]

Any Python from 3.8 starts it; what it needs is set up in the environment 'docs', once.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

from _environments import ROOT, SetupError, ensure, environments_root, recipe
from _process import clean_environment, hand_over
from _progress import Progress

_SOURCE = ROOT / "docs" / "formalism.md"
_NEEDS = ("markdown_it", "math_core", "fontTools", "ziamath")


def main() -> int:
    """Write the page. Exit status: 0 done, 1 it cannot be built, 2 wrong usage."""
    parser = argparse.ArgumentParser(description="Build docs/formalism.md as one HTML page that reads offline.")
    default = ROOT / "build" / "docs" / "formalism.html"
    parser.add_argument("--out", type=Path, default=default, help="file to write (default: build/docs/formalism.html)")
    out: Path = parser.parse_args().out
    if not all(importlib.util.find_spec(name) for name in _NEEDS):
        with Progress("Setting up the environment for the documentation", quiet=True) as progress:
            python = ensure(environments_root() / "docs", recipe("docs"), report=progress.detail, replace=True)
        return hand_over([str(python), __file__, *sys.argv[1:]], clean_environment())
    from page_parts.formulas import FormulaError
    from page_parts.page import build_page

    try:
        page = build_page(_SOURCE)
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(page, encoding="utf-8")
    except (FormulaError, OSError) as error:
        print(f"build_docs: {error}", file=sys.stderr)
        return 1
    print(f"{out}  {len(page.encode()) // 1000} kB")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SetupError as error:
        print(f"build_docs: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
