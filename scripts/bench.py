# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure speed, each time beside other libraries in the same run, on one core.

    python3 scripts/bench.py fk
    python3 scripts/bench.py kinematics
    python3 scripts/bench.py ik
    python3 scripts/bench.py import
    python3 scripts/bench.py motion

It runs in the environment that has those libraries, which is made on first use; with --here in the Python at hand
(3.11 or newer, with numpy), beside whatever of them that one has.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import sys
from typing import NamedTuple

from _bootstrap import load_package
from _environments import SetupError, ensure, environments_root, python_of, recipe
from _process import clean_environment, hand_over
from _progress import Progress


class Part(NamedTuple):
    """One subcommand: its module in ``bench_parts``, its environment, the robots measured, and what it is."""

    module: str
    environment: str
    robots: tuple[str, ...]
    text: str


PARTS = {
    "fk": Part("forward", "oracle", ("talos_full_v2",), "forward kinematics of every link"),
    "kinematics": Part("jacobians", "oracle", ("talos_full_v2",), "Jacobians and their derivatives"),
    "ik": Part("ik", "ik", (), "inverse kinematics: success and time"),
    "import": Part(
        "imports", "bpy-5.3", ("panda", "so101", "robotiq_2f_85", "vega_1p"), "robots into Blender, by stages"
    ),
    "motion": Part("motion", "bpy-5.3", (), "ten minutes of forty joints into Blender and out, in every format"),
}
# numpy's libraries read these when they are loaded
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"), "1")


def main(arguments: list[str]) -> int:
    """Run one subcommand. Exit status: 0 done, 1 cannot be done here, 2 wrong usage."""
    options = _parse(arguments)
    part = PARTS[options.command]
    if not options.here:
        return _elsewhere(options.environment or part.environment, arguments)
    if sys.version_info < (3, 11) or importlib.util.find_spec("numpy") is None:
        print("bench: --here needs Python 3.11 or newer with numpy: leave it out", file=sys.stderr)
        return 1
    if any(os.environ.get(name) != value for name, value in _ONE_THREAD.items()):
        return hand_over([sys.executable, __file__, *arguments], {**os.environ, **_ONE_THREAD})
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    load_package()
    options.robots = options.robots or part.robots
    importlib.import_module(f"bench_parts.{part.module}").run(options)
    return 0


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bench.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, part in PARTS.items():
        command = commands.add_parser(name, help=part.text, description=f"Measure {part.text}.")
        command.add_argument("--here", action="store_true", help="use this Python, not an environment made for it")
        command.add_argument(
            "--environment", metavar="NAME", help=f"of scripts/environments.json, instead of {part.environment}"
        )
        command.add_argument(
            "--robot",
            dest="robots",
            action="append",
            metavar="NAME",
            help=f"of tests/corpus/robots.json, or a file; may be given again ({', '.join(part.robots)})",
        )
        command.add_argument("--rounds", type=int, default=30, help="how often each has its turn (%(default)s)")
        command.add_argument("--large", action="store_true", help="up to 100,000 configurations, which takes 2 GB")
    commands.choices["ik"].add_argument("--full", action="store_true", help="1,000 targets an arm, which takes an hour")
    commands.choices["ik"].add_argument("--alone", action="store_true", help="leave the other solvers out")
    return parser.parse_args(arguments)


def _elsewhere(name: str, arguments: list[str]) -> int:
    """Run in an environment, made now if it is not there, and return the exit status."""
    programs = {}
    for each in (name, "robots"):
        folder = environments_root() / each
        programs[each] = python_of(folder)
        if not programs[each].exists():
            with Progress(f"Setting up {folder}, once") as progress:
                ensure(folder, recipe(each), report=progress.detail, replace=False)
    return hand_over([str(programs[name]), __file__, *arguments, "--here"], clean_environment(_ONE_THREAD))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except SetupError as error:
        print(f"bench: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
