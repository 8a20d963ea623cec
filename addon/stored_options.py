# SPDX-License-Identifier: GPL-3.0-or-later
"""How a rig was imported, kept on its armature for reading the description again, and what that has changed last."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

import bpy
from bpy.props import PointerProperty, StringProperty

from .rig import armature_of

_SWITCHES = ("visuals", "collisions", "cameras", "inertia", "skinned", "pack_textures")
_TEXTS = ("dae_up_axis", "gltf_up_axis")


class URDF_RIG_PG_import(bpy.types.PropertyGroup):
    """How a robot was imported"""

    if TYPE_CHECKING:
        options: str
        changes: str
    else:
        options: StringProperty(name="Import Options", description="How the robot was imported, as JSON")
        changes: StringProperty(name="Changes", description="What reading the description again has changed, by lines")


def import_data(rig: bpy.types.Object) -> URDF_RIG_PG_import:
    """Return how a rig was imported."""
    return cast("URDF_RIG_PG_import", armature_of(rig).urdf_rig_import)  # type: ignore[attr-defined]


class Options(Protocol):
    """What is kept of ``ImportOptions``, beside switches and texts."""

    @property
    def packages(self) -> Mapping[str, Path]:
        """Folder of each package."""

    @property
    def package_paths(self) -> tuple[Path, ...]:
        """Folders that hold packages."""

    @property
    def xacro_args(self) -> Mapping[str, str]:
        """Arguments of a xacro file."""


def remember_options(rig: bpy.types.Object, options: Options) -> None:
    """Store the ``ImportOptions`` that a rig was imported with."""
    known: dict[str, Any] = {name: getattr(options, name) for name in _SWITCHES + _TEXTS}
    known["packages"] = {name: str(folder) for name, folder in options.packages.items()}
    known["package_paths"] = [str(folder) for folder in options.package_paths]
    known["xacro_args"] = dict(options.xacro_args)
    import_data(rig).options = json.dumps(known, ensure_ascii=False)


def remembered_options(rig: bpy.types.Object) -> dict[str, Any]:
    """Return the arguments for ``ImportOptions`` that are stored; what is missing or damaged is left out."""
    try:
        stored = json.loads(import_data(rig).options or "{}")
    except ValueError:
        return {}
    if not isinstance(stored, dict):
        return {}
    known: dict[str, Any] = {name: stored[name] for name in _SWITCHES if isinstance(stored.get(name), bool)}
    known |= {name: stored[name] for name in _TEXTS if stored.get(name) in ("obey", "ignore")}
    known["xacro_args"] = _texts(stored.get("xacro_args"))
    known["packages"] = {name: Path(folder) for name, folder in _texts(stored.get("packages")).items()}
    folders = stored.get("package_paths")
    if isinstance(folders, list) and all(isinstance(folder, str) for folder in folders):
        known["package_paths"] = tuple(Path(folder) for folder in folders)
    return known


def _texts(stored: object) -> Mapping[str, str]:
    if not isinstance(stored, dict):
        return {}
    return {name: text for name, text in stored.items() if isinstance(name, str) and isinstance(text, str)}


def register() -> None:
    """Register the property group and hang it on armatures."""
    bpy.utils.register_class(URDF_RIG_PG_import)
    bpy.types.Armature.urdf_rig_import = PointerProperty(type=URDF_RIG_PG_import)  # type: ignore[attr-defined]


def unregister() -> None:
    """Take the property group away; the data stays in the file."""
    del bpy.types.Armature.urdf_rig_import  # type: ignore[attr-defined]
    bpy.utils.unregister_class(URDF_RIG_PG_import)
