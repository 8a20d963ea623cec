# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots into Blender by stages, and their mesh files beside Blender's own importers. Needs Blender's Python module.

Wall-clock time, as some of those importers work in threads of their own.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .decoders import beside_decoders
from .robots import locate
from .tables import milliseconds, table
from .timing import take_turns

if TYPE_CHECKING:
    import bpy

_STAGES = ("read", "meshes", "build")
_ROUNDS = 3


class _Robot(NamedTuple):
    """A robot's name and file, and its distinct mesh files by suffix."""

    name: str
    path: Path
    files: dict[str, list[Path]]


def run(options: argparse.Namespace) -> None:
    """Print the tables."""
    try:
        import bpy
    except ImportError:
        raise SystemExit("bench: this Python has no Blender: leave --here out, or 'pip install bpy'") from None
    from urdf_rig.cli.session import blender_session

    rounds = min(options.rounds, _ROUNDS)
    with blender_session() as context, _quiet():
        robots = [_find(name, locate(name)) for name in options.robots]
        files = {robot.name: robot.files for robot in robots}
        tables = _stages(context, robots, rounds), _beside_blenders(robots, rounds), beside_decoders(files, rounds)
    print(*tables, sep="\n", flush=True)
    if not bpy.app.binary_path:
        os._exit(0)  # the modules of some versions crash when Python ends


def _find(name: str, path: Path) -> _Robot:
    from urdf_rig.core import load
    from urdf_rig.core.shapes import load_shapes

    files: dict[str, list[Path]] = {}
    for shape in load_shapes(load(path)).shapes:
        if shape.path is not None and shape.path not in files.setdefault(shape.path.suffix.lower(), []):
            files[shape.path.suffix.lower()].append(shape.path)
    return _Robot(name, path, files)


def _stages(context: bpy.types.Context, robots: list[_Robot], rounds: int) -> str:
    """Return a table of what an import takes; writing the .blend is Blender's doing and stands beside it."""
    import bpy

    from urdf_rig.addon.importer import ImportOptions, import_robot
    from urdf_rig.cli.report import rig_counts

    rows = []
    for robot in robots:
        best: dict[str, float] = {}
        for _ in range(rounds):
            _empty_scene()
            started = time.perf_counter()
            imported = import_robot(context, robot.path, ImportOptions())
            seconds = {**imported.seconds, "import": time.perf_counter() - started}
            with tempfile.TemporaryDirectory() as folder:
                started = time.perf_counter()
                bpy.ops.wm.save_as_mainfile(filepath=str(Path(folder) / "robot.blend"), copy=True)
                seconds["write"] = time.perf_counter() - started
            best = {stage: min(value, best.get(stage, value)) for stage, value in seconds.items()}
        counts = rig_counts(imported.plan.robot, imported.rig)
        numbers = (f"{counts[what]:,}" for what in ("links", "meshes", "triangles"))
        rows.append((robot.name, *numbers, *(milliseconds(best[stage]) for stage in (*_STAGES, "import", "write"))))
    heads = ("", "links", "meshes", "triangles", *(f"{stage} ms" for stage in _STAGES), "import ms", "write ms")
    return table(f"Import by stages, Blender {bpy.app.version_string}, best of {rounds}", heads, rows)


def _beside_blenders(robots: list[_Robot], rounds: int) -> str:
    """Return a table of mesh files brought into a scene, by us and by Blender's importer for the format."""
    import bpy

    rows = []
    for robot in robots:
        for suffix, files in robot.files.items():
            ways: dict[str, Callable[[], object]] = {"ours": lambda files=files: _ours(files)}
            theirs = _importer(suffix)
            if theirs is not None:
                ways["theirs"] = lambda files=files, theirs=theirs: _with(theirs, files)
            times = take_turns(ways, rounds=rounds, clock=time.perf_counter, least=0.0)
            ours = times["ours"].best
            cells = ("none for it", "") if theirs is None else _versus(ours, times["theirs"].best)
            size = sum(file.stat().st_size for file in files) / 1e6
            rows.append((f"{robot.name} {suffix}", f"{len(files)}", f"{size:.1f}", milliseconds(ours), *cells))
    title = f"Mesh files into Blender {bpy.app.version_string}, beside its own importers, best of {rounds}"
    return table(title, ("", "files", "MB", "urdf_rig ms", "Blender ms", "× ours"), rows)


def _versus(ours: float, theirs: float) -> tuple[str, str]:
    return milliseconds(theirs), f"{theirs / ours:.2f}"


def _ours(files: list[Path]) -> None:
    """Decode files and make a mesh with its materials of each, as the import does."""
    from urdf_rig.addon.build.materials import MaterialBuilder
    from urdf_rig.addon.build.meshes import build_mesh
    from urdf_rig.core.meshes.library import decode

    _empty_scene()
    materials = MaterialBuilder()
    for file in files:
        mesh = decode(file)
        colored = mesh.corner_colors is not None
        build_mesh(file.stem, mesh, [materials.surface(each, vertex_colors=colored) for each in mesh.materials])


def _with(importer: Callable[[str], object], files: list[Path]) -> None:
    _empty_scene()
    for file in files:
        importer(str(file))


def _importer(suffix: str) -> Callable[[str], object] | None:
    """Return Blender's importer of a format; None where this Blender has none."""
    import bpy

    importers: dict[str, Callable[[str], object]] = {
        ".stl": lambda path: bpy.ops.wm.stl_import(filepath=path),
        ".obj": lambda path: bpy.ops.wm.obj_import(filepath=path),
        ".ply": lambda path: bpy.ops.wm.ply_import(filepath=path),
        ".glb": lambda path: bpy.ops.import_scene.gltf(filepath=path),
        ".gltf": lambda path: bpy.ops.import_scene.gltf(filepath=path),
    }
    if bpy.app.version < (5, 0):  # COLLADA left with Blender 5.0
        importers[".dae"] = lambda path: bpy.ops.wm.collada_import(filepath=path)
    return importers.get(suffix)


def _empty_scene() -> None:
    import bpy

    for collection in (bpy.data.objects, bpy.data.meshes, bpy.data.materials, bpy.data.images, bpy.data.armatures):
        bpy.data.batch_remove(list(collection))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Drop what Blender's importers print on either stream, from C too."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept, nowhere = (os.dup(1), os.dup(2)), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        if os.name == "posix":
            ctypes.CDLL(None).fflush(None)  # what C has not written yet goes the same way
        for stream, copy in enumerate(kept, 1):
            os.dup2(copy, stream)
            os.close(copy)
        os.close(nowhere)
