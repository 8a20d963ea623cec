# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigs of a .blend that a command works on."""

from __future__ import annotations

from pathlib import Path

import bpy

from ..addon.rig import is_rig, robot_of
from ..core.errors import ModelError, RigError, UnknownNameError


def open_blend(path: Path) -> bpy.types.Context:
    """Open a .blend without running its scripts, and return the context.

    Raises:
        RigError: If it cannot be opened.
    """
    try:
        bpy.ops.wm.open_mainfile(filepath=str(path.absolute()), load_ui=False, use_scripts=False)
    except RuntimeError as error:
        raise RigError(f"{path} cannot be opened: {str(error).strip()}") from error
    return bpy.context


def rigs_in(context: bpy.types.Context, path: Path) -> dict[str, bpy.types.Object]:
    """Return the rigs of the open file by name.

    Raises:
        RigError: If there is none.
    """
    rigs = {obj.name: obj for obj in context.view_layer.objects if is_rig(obj)}
    if not rigs:
        raise RigError(f"{path} holds no robot: convert or import one first")
    return rigs


def chosen_rig(context: bpy.types.Context, path: Path, name: str, link: str = "") -> bpy.types.Object:
    """Return the rig called ``name``, or, without a name, the only one, among those that have ``link`` if it is given.

    Raises:
        RigError: If the file holds no rig.
        UnknownNameError: If it holds none of that name.
        ModelError: If there are several to choose from.
    """
    rigs = rigs_in(context, path)
    if name:
        if name not in rigs:
            raise UnknownNameError("rig", name, rigs)
        return rigs[name]
    having = {key: rig for key, rig in rigs.items() if not link or any(x.name == link for x in robot_of(rig).links)}
    if len(having) > 1:
        what = f"several robots have a link {link!r}" if link else "there are several robots"
        raise ModelError(f"{what}: choose by --rig {' or '.join(having)}")
    return next(iter((having or rigs).values()))
