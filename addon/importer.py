# SPDX-License-Identifier: GPL-3.0-or-later
"""From a description on disk to a rig in the scene: the one path that the operator and the command line share."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import bpy

from ..core import load
from ..core.diagnostics import Diagnostic
from ..core.plan import RigPlan, plan_rig
from ..core.shapes import load_shapes
from .build import build_rig
from .sliders import define_sliders

Progress = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How to import; the names are those of the dialog and of the command line."""

    base: str = ""
    packages: Mapping[str, Path] = field(default_factory=dict)
    package_paths: tuple[Path, ...] = ()
    visuals: bool = True
    collisions: bool = False
    dae_up_axis: str = "ignore"


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import has made, and how long its stages took [s]."""

    rig: bpy.types.Object
    plan: RigPlan
    diagnostics: tuple[Diagnostic, ...]
    seconds: Mapping[str, float]


def import_robot(
    context: bpy.types.Context, path: Path, options: ImportOptions, progress: Progress | None = None
) -> Imported:
    """Return the rig of the robot described by ``path``; the file is left as it was if that fails.

    Args:
        context: Its scene receives the rig.
        path: The description.
        options: How to import.
        progress: Called with the share done, 0..1, and what is being done.

    Raises:
        UrdfError: If the description is refused.
        UnknownNameError: If ``options.base`` is not a link.
    """
    report = progress or (lambda _share, _text: None)
    started = time.perf_counter()
    report(0.0, f"Reading {path.name}")
    robot = load(path, packages=options.packages, package_paths=options.package_paths)
    if options.base:
        robot.link(options.base)
    read = time.perf_counter()
    loaded = load_shapes(
        robot,
        visuals=options.visuals,
        collisions=options.collisions,
        dae_up_axis=options.dae_up_axis,
        progress=lambda index, count, name: report(0.1 + 0.6 * index / count, f"Mesh {index + 1} of {count}: {name}"),
    )
    meshes = time.perf_counter()
    report(0.7, "Building the rig")
    plan = plan_rig(robot, loaded.shapes, options.base or None)
    rig = build_rig(context, plan)
    define_sliders()
    report(1.0, "Done")
    seconds = {"read": read - started, "meshes": meshes - read, "build": time.perf_counter() - meshes}
    return Imported(rig, plan, (*robot.diagnostics, *loaded.diagnostics), seconds)
