# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing the scene: .blend, or one of Blender's own exporters by the suffix."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy

from ..core.errors import ModelError, RigError


def _write_blend(path: str) -> None:
    preferences = bpy.context.preferences.filepaths
    versions, preferences.save_version = preferences.save_version, 0
    try:
        bpy.ops.wm.save_as_mainfile(filepath=path, compress=True, check_existing=False)
    finally:
        preferences.save_version = versions


def _write_gltf(path: str) -> None:
    form = "GLB" if path.lower().endswith(".glb") else "GLTF_SEPARATE"
    bpy.ops.export_scene.gltf(filepath=path, export_format=form, use_visible=True)


def _write_fbx(path: str) -> None:
    bpy.ops.export_scene.fbx(filepath=path, use_visible=True, add_leaf_bones=False)


def _write_usd(path: str) -> None:
    bpy.ops.wm.usd_export(filepath=path)


_WRITERS: dict[str, Callable[[str], None]] = {
    ".blend": _write_blend,
    ".glb": _write_gltf,
    ".gltf": _write_gltf,
    ".fbx": _write_fbx,
    ".usd": _write_usd,
    ".usdc": _write_usd,
    ".usda": _write_usd,
    ".usdz": _write_usd,
}


def check_output(path: Path) -> None:
    """Check, before any work is done, that ``path`` can be written.

    Raises:
        ModelError: If its suffix is not known or its folder does not exist.
    """
    if path.suffix.lower() not in _WRITERS:
        raise ModelError(f"{path.name!r}: the suffix has to be one of {', '.join(_WRITERS)}")
    if not path.absolute().parent.is_dir():
        raise ModelError(f"the folder of {path} does not exist")


def write(context: bpy.types.Context, rig: bpy.types.Object, path: Path) -> None:
    """Write the file.

    Raises:
        RigError: If Blender cannot write it.
    """
    writer = _WRITERS[path.suffix.lower()]
    try:
        writer(str(path.absolute()))
    except RuntimeError as error:  # what operators raise for their error reports
        raise RigError(f"{path} cannot be written: {str(error).strip()}") from error
