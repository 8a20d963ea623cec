# SPDX-License-Identifier: GPL-3.0-or-later
"""From a description on disk to a rig in the scene: the one path that the operator and the command line share."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import bpy

from ..core import load
from ..core.diagnostics import Diagnostic
from ..core.loading import with_text
from ..core.model import Robot
from ..core.plan import RigPlan, plan_rig
from ..core.shapes import load_shapes_stepwise
from ..core.stepwise import finished, scaled
from .build import build_stepwise
from .build.inertia import show_inertia
from .ik.settings import make_room
from .semantics import remember_semantics
from .sliders import define_sliders
from .stored_options import remember_options

Progress = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How to import; the names are those of the dialog and of the command line."""

    base: str = ""
    packages: Mapping[str, Path] = field(default_factory=dict)
    package_paths: tuple[Path, ...] = ()
    xacro_args: Mapping[str, str] = field(default_factory=dict)
    visuals: bool = True
    collisions: bool = False
    cameras: bool = True
    inertia: bool = False
    skinned: bool = False
    fixed_frames: bool = True
    pack_textures: bool = False
    dae_up_axis: str = "ignore"
    gltf_up_axis: str = "ignore"


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import has made, and how long its stages took [s]."""

    rig: bpy.types.Object
    plan: RigPlan
    diagnostics: tuple[Diagnostic, ...]
    seconds: Mapping[str, float]


def import_robot(
    context: bpy.types.Context, source: Path | Robot, options: ImportOptions, progress: Progress | None = None
) -> Imported:
    """Return the rig of a robot; the file is left as it was if that fails.

    Args:
        context: Its scene receives the rig.
        source: The description, or a robot in memory, which knows its own packages.
        options: How to import.
        progress: Called with the share done, 0..1, and what is being done.

    Raises:
        UrdfError: If the description is refused.
        UnknownNameError: If ``options.base`` is not a link.
    """
    return finished(import_stepwise(context, source, options), progress)


def import_stepwise(
    context: bpy.types.Context, source: Path | Robot, options: ImportOptions
) -> Generator[tuple[float, str], None, Imported]:
    """Do the work of ``import_robot`` a mesh at a time; yield what ``progress`` is called with, return the result.

    Closing the generator before its end cancels the import: the file is as it was.
    """
    started = time.perf_counter()
    yield 0.0, f"Reading {source.name}"
    robot = with_text(source) if isinstance(source, Robot) else _loaded(source, options)
    if options.base:
        robot.link(options.base)
    read = time.perf_counter()
    shapes = load_shapes_stepwise(
        robot,
        visuals=options.visuals,
        collisions=options.collisions,
        dae_up_axis=options.dae_up_axis,
        gltf_up_axis=options.gltf_up_axis,
    )
    loaded = yield from scaled(shapes, 0.05, 0.6, _numbered("Reading mesh"))
    meshes = time.perf_counter()
    plan = plan_rig(
        robot,
        loaded.shapes,
        options.base or None,
        cameras=options.cameras,
        fixed_frames=options.fixed_frames,
        skinned=options.skinned,
    )
    rig = yield from scaled(
        build_stepwise(context, plan, pack_textures=options.pack_textures), 0.6, 0.95, _numbered("Building mesh")
    )
    if options.inertia:
        show_inertia(rig, robot)
    semantic_remarks = remember_semantics(rig, robot)
    make_room(rig)
    remember_options(rig, options)
    define_sliders()
    seconds = {"read": read - started, "meshes": meshes - read, "build": time.perf_counter() - meshes}
    return Imported(rig, plan, (*robot.diagnostics, *loaded.diagnostics, *semantic_remarks), seconds)


def _loaded(path: Path, options: ImportOptions) -> Robot:
    return load(path, packages=options.packages, package_paths=options.package_paths, xacro_args=options.xacro_args)


def _numbered(what: str) -> Callable[[tuple[int, int, str]], tuple[float, str]]:
    """Return what tells of numbered steps how far they are."""
    return lambda step: (step[0] / step[1], f"{what} {step[0] + 1} of {step[1]}: {step[2]}")
