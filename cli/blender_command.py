# SPDX-License-Identifier: GPL-3.0-or-later
"""``blender --command urdf_rig …``: the command line inside Blender."""

from __future__ import annotations

import bpy

_registered: list[object] = []


def _run(argv: list[str]) -> int:
    from .main import main  # what it needs is imported only when it is asked for

    return main(argv, program="blender --command urdf_rig")


def register() -> None:
    """Register the command."""
    _registered.append(bpy.utils.register_cli_command("urdf_rig", _run))


def unregister() -> None:
    """Remove it."""
    while _registered:
        bpy.utils.unregister_cli_command(_registered.pop())
