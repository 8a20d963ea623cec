# SPDX-License-Identifier: GPL-3.0-or-later
"""Render one small picture of each robot in scripts/corpus_parts/sheet.json, and all of them as one sheet.

    python3 scripts/contact_sheet.py FOLDER [FOLDER ...]

The folders hold the robots' packages; corpus.py says where these come from. Tiles that are there are not rendered
again, so that the command can be interrupted; --again does. The sheet and the list of what is where go to docs/.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from pathlib import Path

from _bootstrap import load_package
from _environments import ROOT, SetupError
from _in_blender import run_in_blender

_LIST = Path(__file__).parent / "corpus_parts" / "sheet.json"
_COLUMNS = 6


def main() -> int:
    """Exit status: 0 done, 1 a robot or Blender is missing, 2 wrong usage."""
    options = _parse()
    if importlib.util.find_spec("bpy"):
        return _run(options)
    return run_in_blender(__file__)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="where the robots are")
    parser.add_argument("--out", type=Path, default=ROOT / "docs", help="folder of page and images (default: docs)")
    parser.add_argument("--tiles", type=Path, default=ROOT / "build" / "tiles", help="folder for the tiles")
    parser.add_argument("--size", type=int, default=256, metavar="PIXELS", help="of a tile (%(default)s)")
    parser.add_argument("--only", default="", metavar="TEXT", help="render only tiles whose robot's path holds this")
    parser.add_argument("--again", action="store_true", help="render tiles that are there already")
    return parser.parse_args()


def _run(options: argparse.Namespace) -> int:
    names = json.loads(_LIST.read_text(encoding="utf-8"))["robots"]
    robots = _located(names, options.folders)
    load_package()
    from corpus_parts.tiles import render_tile, write_sheet

    from urdf_rig.cli.session import extension_registered, messages_on_stderr

    options.tiles.mkdir(parents=True, exist_ok=True)
    tiles = [options.tiles.absolute() / f"{name.replace('/', '_')}.png" for name in names]
    with extension_registered(), messages_on_stderr():
        for name, robot, tile in zip(names, robots, tiles, strict=True):
            if options.only in name and (options.again or not tile.exists()):
                render_tile(robot, tile, options.size)
    if any(not tile.exists() for tile in tiles):
        raise SetupError("the sheet is not written, as tiles are missing: leave --only out")
    write_sheet(tiles, options.out / "images" / "contact_sheet.png", _COLUMNS)
    (options.out / "contact_sheet.md").write_text(_page(names), encoding="utf-8")
    size = (options.out / "images" / "contact_sheet.png").stat().st_size
    print(f"{options.out / 'contact_sheet.md'}: {len(tiles)} robots, {size // 1000} kB")
    return 0


def _located(names: list[str], folders: list[Path]) -> list[Path]:
    known = [path for folder in folders for suffix in ("urdf", "xacro") for path in folder.rglob(f"*.{suffix}")]
    found = {name: next((path for path in sorted(known) if str(path).endswith(f"/{name}")), None) for name in names}
    missing = [name for name, path in found.items() if path is None]
    if missing:
        raise SetupError(f"not in the folders: {', '.join(missing)}")
    return [path for path in found.values() if path is not None]


def _page(names: list[str]) -> str:
    rows = [names[start : start + _COLUMNS] for start in range(0, len(names), _COLUMNS)]
    lines = [
        "# Contact sheet",
        "",
        f"{len(names)} robots as imported, at zero, one Cycles preview each. Written by `python3 "
        "scripts/contact_sheet.py FOLDER …`.",
        "",
        "![Robots](images/contact_sheet.png)",
        "",
        "| " + " | ".join(map(str, range(1, _COLUMNS + 1))) + " |",
        "|" + " --- |" * _COLUMNS,
        *("| " + " | ".join(f"`{name}`" for name in row) + " |" for row in rows),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SetupError as error:
        print(f"contact_sheet: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
