# SPDX-License-Identifier: GPL-3.0-or-later
"""Convert a robot description on a machine where nothing is set up.

    python3 scripts/convert.py robot.urdf robot.blend [options of 'urdf-rig convert']
    blender --background --python scripts/convert.py -- robot.urdf robot.blend [options]

The first form uses an installed Blender (4.2 or newer), or else makes the virtual environment '.venv' in the checkout
with Blender's Python module, once: a download of some 430 MB. URDF_RIG_BLENDER is the path of the Blender to use, or
'none' for '.venv'.

Exit status: 0 done; 1 the input is refused, or the set-up is not possible; 2 wrong usage; 3 written, but verification
failed.
"""

import os
import shutil
import sys

if sys.version_info < (3, 8):
    sys.exit("scripts/convert.py: Python 3.8 or newer is needed to set things up, this is %d.%d" % sys.version_info[:2])

HERE = os.path.abspath(__file__)
sys.path.insert(0, os.path.dirname(HERE))  # Blender does not do so for --python

from typing import NoReturn

from _bootstrap import VENV, blender_environment, environment_ready, find_blender, load_package
from _environments import SetupError
from _process import clean_environment, hand_over

_BUG = 70  # what Blender is told to exit with when a script raises
_NO_NUMPY = 75  # what this script exits with in a Blender that cannot run the project


def main() -> int:
    """Do the job here if Blender is here, otherwise where Blender is."""
    if "bpy" in sys.modules:
        return convert_in_blender()
    arguments = sys.argv[1:]
    if os.path.realpath(sys.prefix) == os.path.realpath(str(VENV)):
        leave(convert(arguments))
    blender = find_blender()
    asks_help = not {"-h", "--help"}.isdisjoint(arguments)
    if not arguments or (asks_help and not blender and not environment_ready()):
        print(__doc__.strip(), file=sys.stdout if asks_help else sys.stderr)
        return 0 if asks_help else 2
    if blender:
        program, version = blender
        tell("using Blender {} at {}".format(version, program))
        command = [
            program,
            "--background",
            "--factory-startup",
            "--python-exit-code",
            str(_BUG),
            "--python",
            HERE,
            "--",
        ]
        status = hand_over([*command, *arguments], clean_environment())
        if status != _NO_NUMPY:
            return status
        tell("that Blender's Python has no usable numpy, so it is left alone")
    python, version = blender_environment()
    tell("using Blender {} as a Python module in {}".format(version, VENV))
    return hand_over([str(python), HERE, *arguments], clean_environment())


def convert(arguments: "list[str]") -> int:
    """Run the command line of the checkout in this process."""
    load_package()
    from urdf_rig.cli.main import main as run

    return run(["convert", *arguments])


def convert_in_blender() -> int:
    """Run inside a Blender program: the arguments stand behind ``--``."""
    try:
        import numpy
    except ImportError:
        return _NO_NUMPY
    del numpy
    return convert(sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else [])


def leave(status: int) -> NoReturn:
    """End a process that has Blender as a module: some of its versions crash or hang in Python's own way out."""
    bpy = sys.modules.get("bpy")
    if bpy is not None:
        shutil.rmtree(bpy.app.tempdir, ignore_errors=True)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def tell(text: str) -> None:
    """Say what is being done, on stderr."""
    print("convert: " + text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SetupError as error:
        tell(str(error))
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
