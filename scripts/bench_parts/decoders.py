# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh files into arrays, beside the libraries that read them: trimesh, and pycollada with a loop over triangles."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from .tables import milliseconds, table
from .timing import take_turns


def beside_decoders(files_of: Mapping[str, Mapping[str, list[Path]]], rounds: int) -> str:
    """Return a table of decoding alone.

    Args:
        files_of: The distinct mesh files of each robot, by suffix.
        rounds: How often each way is timed; the best counts.
    """
    rows = []
    for robot, by_suffix in files_of.items():
        for suffix, files in by_suffix.items():
            ways = {name: _timed(way, files) for name, way in _ways(suffix).items()}
            times = take_turns(ways, rounds=rounds, clock=time.process_time, least=0.0)
            ours = times["urdf_rig"].best
            for name, measured in times.items():
                ratio = f"{measured.best / ours:.2f}"
                rows.append((f"{robot} {suffix}", name, milliseconds(measured.best), ratio))
    missing = [name for name in ("trimesh", "collada") if importlib.util.find_spec(name) is None]
    lines = [f"{name}: not here; pip install {name.replace('collada', 'pycollada')}" for name in missing]
    title = f"Mesh files into arrays, CPU time, best of {rounds}"
    return "\n".join([table(title, ("", "by", "ms", "× ours"), rows), *lines])


def _timed(way: Callable[[Path], object], files: list[Path]) -> Callable[[], object]:
    return lambda: [way(file) for file in files]


def _ways(suffix: str) -> dict[str, Callable[[Path], object]]:
    from urdf_rig.core.meshes.library import decode

    ways: dict[str, Callable[[Path], object]] = {"urdf_rig": decode}
    if importlib.util.find_spec("trimesh") is not None:
        import trimesh

        ways["trimesh"] = lambda file: trimesh.load_scene(str(file))
    if suffix == ".dae" and importlib.util.find_spec("collada") is not None:
        ways["pycollada, Python loop"] = _pycollada
    return ways


def _pycollada(file: Path) -> list[object]:
    """Read a COLLADA file as pycollada's documentation shows: a loop over the triangles of every bound primitive."""
    import collada
    from collada.common import DaeError

    document = collada.Collada(str(file), ignore=[DaeError])
    triangles: list[object] = []
    for geometry in document.scene.objects("geometry"):
        for primitive in geometry.primitives():
            shapes = primitive.triangleset() if hasattr(primitive, "triangleset") else primitive
            triangles += [triangle.vertices for triangle in shapes]
    return triangles
