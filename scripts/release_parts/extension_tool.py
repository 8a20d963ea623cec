# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's own command line for extensions, called without starting Blender."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

from _process import run


class ReleaseError(Exception):
    """The release cannot be made; the message says why."""


def _scripts_of_blender() -> Path:
    """Return the folder ``scripts`` of this Python's bpy, without importing it."""
    spec = importlib.util.find_spec("bpy")
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    for folder in folders:
        for found in Path(folder).glob("*/scripts"):
            return found
    raise ReleaseError("this Python has no bpy")


def extension_tool(*arguments: str) -> str:
    """Run the tool and return what it printed.

    Raises:
        ReleaseError: If it fails, or warns of something.
    """
    tool = _scripts_of_blender() / "addons_core/bl_pkg/cli/blender_ext.py"
    result = run([sys.executable, str(tool), *arguments], timeout=300)
    if result.status != 0 or re.search("warning", result.output, re.IGNORECASE):
        raise ReleaseError(f"Blender's extension {arguments[0]} says:\n{result.output.strip()}")
    return result.output


def valid_tags() -> Path:
    """Return the list of tags that Blender knows."""
    return _scripts_of_blender() / "modules/_bpy_internal/extensions/tags.py"
