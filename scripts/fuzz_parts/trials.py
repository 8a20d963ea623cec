# SPDX-License-Identifier: GPL-3.0-or-later
"""What is done with a mutated file: all of core that Blender would ask for, with the project's own errors alone."""

from __future__ import annotations

import contextlib
import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from urdf_rig.core import forward_kinematics, load
from urdf_rig.core.errors import MeshError, UrdfRigError
from urdf_rig.core.meshes.library import decode
from urdf_rig.core.meshes.operations import scaled, signed_volume, transformed_bounds
from urdf_rig.core.plan import plan_rig
from urdf_rig.core.plan.inertia import plan_inertia
from urdf_rig.core.shapes import load_shapes
from urdf_rig.core.urdf.srdf import find_srdf, read_srdf
from urdf_rig.core.verification import sample_configurations

from .kinds import mutated

Trial = Callable[[int, Path], str]
_MAX_BYTES = 400_000
_TOO_LARGE = "does not fit into memory"


def trial_of(kind: str, sources: Sequence[Path], seed: int) -> Trial:
    """Return a function that does the trial of a number in a folder, and returns an empty text or what is wrong."""
    attempt = {"descriptions": _description, "meshes": _mesh}[kind]

    def trial(number: int, folder: Path) -> str:
        rng = random.Random(f"{kind} {seed} {number}")
        source, donor = rng.choice(sources), rng.choice(sources)
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        data = mutated(_read(source), source.suffix.lower(), rng, _read(donor))
        (folder / source.name).write_bytes(data)
        return attempt(folder / source.name, source, rng)

    return trial


def _read(path: Path) -> bytes:
    return path.read_bytes()[:_MAX_BYTES]


def _description(path: Path, source: Path, rng: random.Random) -> str:
    for beside in source.parent.parent.rglob("*.srdf"):
        (path.parent / path.name).with_suffix(".srdf").write_bytes(mutated(_read(beside), ".srdf", rng, b""))
        break
    with contextlib.suppress(UrdfRigError):
        robot = load(path)
        numbers: list[ArrayLike] = []
        for base in (robot.root, robot.links[-1].name):
            plan = plan_rig(robot, load_shapes(robot, collisions=True).shapes, base)
            numbers += [part for bone in plan.bones for part in (bone.head, bone.tail, bone.roll, bone.a_h_link)]
        numbers += [part for item in plan_inertia(robot) for part in (item.link_h_box, item.size) if part is not None]
        for configuration in sample_configurations(robot, 2):
            numbers += forward_kinematics(robot, configuration).values()
        beside = find_srdf(path, robot.name)
        if beside is not None:
            read_srdf(beside, robot)
        # Blender keeps them as float32
        if any(not np.isfinite(np.asarray(part, dtype=np.float32)).all() for part in numbers):
            return "a bone, a pose or an inertia box has numbers that are none"
    return ""


def _mesh(path: Path, source: Path, rng: random.Random) -> str:
    library = source.with_suffix(".mtl")
    if path.suffix.lower() == ".obj" and library.is_file():
        (path.parent / library.name).write_bytes(mutated(_read(library), ".mtl", rng, b""))
    try:
        mesh = decode(path, dae_up_axis=rng.choice(("ignore", "obey")))
    except MeshError as error:
        return str(error) if _TOO_LARGE in str(error) else ""
    count = len(mesh.vertices)
    if not (np.isfinite(mesh.vertices).all() and mesh.triangles.min() >= 0 and mesh.triangles.max() < count):
        return "the mesh has vertices that are no numbers, or triangles without vertices"
    if mesh.material_index.max(initial=-1) >= len(mesh.materials):
        return "the mesh has triangles without their material"
    turned = scaled(mesh, (1.0, -2.0, 0.5))
    with np.errstate(all="ignore"):
        transformed_bounds(turned, np.eye(4))
        signed_volume(turned)
    return ""
