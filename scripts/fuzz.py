# SPDX-License-Identifier: GPL-3.0-or-later
"""Feed mutated robot descriptions and mesh files to the core, without Blender, and report what it does not take well.

    python3 scripts/fuzz.py [FOLDER ...] [--descriptions 10000] [--meshes 5000]

A finding is an exception that is not the project's own, 5 s of processor time, 1 GB of memory, or a mesh that is no
mesh. The files that are mutated are those in the folders, without any the examples. A trial depends on its number, the
seed and the files alone, so that a finding can be repeated: --only descriptions:1234 --keep FOLDER.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path

from _bootstrap import load_package
from _environments import ROOT, SetupError, ensure, environments_root, recipe
from _process import clean_environment, hand_over
from _progress import Progress

_SUFFIXES = {"descriptions": (".urdf", ".xacro"), "meshes": (".stl", ".obj", ".dae", ".glb", ".gltf", ".ply")}
_MAX_BYTES = 400_000
_MAX_SOURCES = 600


def main() -> int:
    """Exit status: 0 nothing found, 1 findings or no environment, 2 wrong usage."""
    if sys.argv[1:] == ["--worker"]:
        load_package()
        from fuzz_parts.child import work

        work()
        return 0
    options = _parse()
    if all(importlib.util.find_spec(name) for name in ("numpy", "collada", "ruamel")):
        return _run(options)
    with Progress("Setting up an environment", quiet=True) as progress:
        python = ensure(environments_root() / "tools", recipe("tools"), report=progress.detail, replace=True)
    return hand_over([str(python), __file__, *sys.argv[1:]], clean_environment())


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="files to mutate (default: examples)")
    parser.add_argument("--descriptions", type=int, default=10_000, metavar="N", help="how many (%(default)s)")
    parser.add_argument("--meshes", type=int, default=5_000, metavar="N", help="how many (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="another number gives other trials (%(default)s)")
    parser.add_argument("--batch", type=int, default=500, help="trials for each process (%(default)s)")
    parser.add_argument("--only", metavar="KIND:NUMBER", help="repeat one trial")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the file of --only in this new folder")
    options = parser.parse_args()
    options.folders = options.folders or [ROOT / "examples"]
    kind, _, number = (options.only or "").partition(":")
    if options.only and not (kind in _SUFFIXES and number.isdigit()):
        parser.error(f"{options.only!r} is not of the form descriptions:1234 or meshes:1234")
    options.trial = (kind, int(number)) if options.only else None
    return options


def _sources(folders: list[Path], kind: str) -> list[Path]:
    """Return the files to mutate, in a fixed order; of many, an even sample for each extension."""
    chosen: list[Path] = []
    for suffix in _SUFFIXES[kind]:
        found = {
            path
            for folder in folders
            for path in folder.absolute().rglob("*")
            if path.suffix.lower() == suffix and path.is_file() and path.stat().st_size <= _MAX_BYTES
        }
        step = max(1.0, len(found) / _MAX_SOURCES)
        files = sorted(found)
        chosen += [files[int(index * step)] for index in range(int(len(files) / step))]
    if not chosen:
        raise SetupError(f"there are no {kind} in {', '.join(map(str, folders))}")
    return chosen


def _run(options: argparse.Namespace) -> int:
    if options.trial is not None:
        return _repeat(options)
    from fuzz_parts.runner import run_trials

    total = 0
    for kind, count in (("descriptions", options.descriptions), ("meshes", options.meshes)):
        if count < 1:
            continue
        sources = _sources(options.folders, kind)
        with Progress(f"{count} mutations of {len(sources)} {kind}") as progress:
            show = _shower(progress, count)
            findings = run_trials(kind, sources, range(count), options.seed, options.batch, show)
        for number, finding in findings.items():
            print(f"{kind}:{number}: {finding.rstrip()}\n")
        print(f"{kind}: {count} trials, {len(findings)} findings", flush=True)
        total += len(findings)
    return 1 if total else 0


def _shower(progress: Progress, count: int) -> Callable[[int, str], None]:
    def show(done: int, _finding: str) -> None:
        progress.detail(f"{done} of {count}")

    return show


def _repeat(options: argparse.Namespace) -> int:
    load_package()
    import tempfile

    from fuzz_parts.trials import trial_of

    kind, number = options.trial
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch) / "trial"
        finding = trial_of(kind, _sources(options.folders, kind), options.seed)(number, folder)
    print(finding or "nothing found")
    return 1 if finding else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SetupError as error:
        print(f"fuzz: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
