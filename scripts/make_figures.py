# SPDX-License-Identifier: GPL-3.0-or-later
"""Render the figures of the formalism, and the picture of the example robots, into docs/images.

    python3 scripts/make_figures.py [FIGURE ...] [--out FOLDER]

Any Python from 3.8 starts it; Blender comes from the developer's environment that test.py uses too.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from _bootstrap import load_package
from _environments import ROOT, SetupError
from _in_blender import run_in_blender

_FIGURES = ("bone-frame", "roll", "pole", "re-rooting", "examples")


def main() -> int:
    """Render what the command line names, or all. Exit status: 0 done, 1 no Blender, 2 wrong usage."""
    parser = argparse.ArgumentParser(description="Render figures for the documentation.")
    parser.add_argument(
        "figures", nargs="*", metavar="FIGURE", help=f"any of {', '.join(_FIGURES)}; all if none is named"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images", help="folder (default: docs/images)")
    options = parser.parse_args()
    unknown = set(options.figures) - set(_FIGURES)
    if unknown:
        parser.error(f"no such figure: {', '.join(sorted(unknown))}")
    if importlib.util.find_spec("bpy"):
        _render(options.figures or list(_FIGURES), options.out)
        return 0
    return run_in_blender(__file__)


def _render(names: list[str], folder: Path) -> None:
    load_package()
    from figure_parts import arms, bones, robots
    from figure_parts.studio import write_png

    from urdf_rig.cli.session import extension_registered

    folder.mkdir(parents=True, exist_ok=True)
    makers: dict[str, Callable[[], Any]] = {
        "bone-frame": bones.bone_frame,
        "roll": bones.roll,
        "pole": bones.pole,
        "examples": lambda: robots.examples(ROOT / "examples"),
        "re-rooting": lambda: arms.re_rooting(ROOT / "examples" / "arm6" / "arm6.urdf"),
    }
    with extension_registered():
        for name in names:
            path = folder / f"{name}.png"
            write_png(path, makers[name]())
            print(f"{path}  {path.stat().st_size // 1000} kB", flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SetupError as error:
        print(f"make_figures: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
