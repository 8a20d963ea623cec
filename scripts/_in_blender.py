# SPDX-License-Identifier: GPL-3.0-or-later
"""For scripts that need Blender's Python module: run them again where it is."""

from __future__ import annotations

import sys

from _environments import SetupError, ensure, environments_root, recipe
from _process import clean_environment, hand_over
from _progress import Progress
from _pythons import find_python
from _steps import newest_bpy


def run_in_blender(script: str) -> int:
    """Run ``script`` with this process's arguments in the newest Blender's environment; return its exit status.

    Raises:
        SetupError: If there is no Python for it.
    """
    name = newest_bpy({version for version in ("3.11", "3.13") if find_python([version])})
    if name is None:
        raise SetupError("Python 3.11 or 3.13 (64-bit) is needed: install it, for example with 'pyenv install 3.13'")
    with Progress("Setting up Blender", quiet=True) as progress:
        python = ensure(environments_root() / name, recipe(name), report=progress.detail, replace=True)
    return hand_over([str(python), script, *sys.argv[1:]], clean_environment())
