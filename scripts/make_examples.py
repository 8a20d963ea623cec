# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the two example robots. The files come out the same, byte for byte, whenever and wherever this runs.

Run it as ``python3 scripts/make_examples.py`` after changing a shape in ``scripts/example_parts``; it needs numpy.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from example_parts import arm6, gripper

ROBOTS = {"arm6": arm6.write, "gripper": gripper.write}


def main() -> None:
    """Write the robots that the command line names, or all of them."""
    parser = argparse.ArgumentParser(description="Make the example robots.")
    parser.add_argument("robots", nargs="*", metavar="ROBOT", help=f"any of {', '.join(ROBOTS)}; all if none is named")
    examples = Path(__file__).resolve().parent.parent / "examples"
    parser.add_argument("--out", type=Path, default=examples, help="folder to write to (default: examples/)")
    options = parser.parse_args()
    unknown = set(options.robots) - set(ROBOTS)
    if unknown:
        parser.error(f"no such robot: {', '.join(sorted(unknown))}")
    for name in options.robots or ROBOTS:
        ROBOTS[name](options.out / name)


if __name__ == "__main__":
    main()
