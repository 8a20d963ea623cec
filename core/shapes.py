# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot's visuals and collisions with their meshes read: each file once, and one bad file is only one remark."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .diagnostics import Diagnostic, Diagnostics
from .errors import MeshError, ResourceNotFoundError
from .meshes import primitives
from .meshes.data import MeshData, Rgba
from .meshes.library import MeshLibrary
from .meshes.operations import scaled, signed_volume, transformed_bounds
from .model import Box, Capsule, Cylinder, Mesh, Robot, Shape, Sphere
from .stepwise import finished
from .urdf.resources import ResourceResolver

Array = NDArray[np.float64]
MeshKey = tuple[object, ...]
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True, eq=False)
class LoadedShape:
    """One visual or collision.

    Attributes:
        name: A name for its object: the link's, with the shape's own name or number where that is needed.
        link: The link it belongs to.
        shape: What the description says.
        is_collision: Whether it is a ``<collision>``.
        key: Equal for shapes that share one mesh: same file and scale, or same primitive.
        mesh_name: What to call that mesh.
        path: The mesh file; None for primitives and for files that are missing.
        mesh: The mesh with its scale applied, or None where it is missing or cannot be read.
        texture: The image file of the URDF material; None where it names none or it is missing.
    """

    name: str
    link: str
    shape: Shape
    is_collision: bool
    key: MeshKey
    mesh_name: str
    path: Path | None
    mesh: MeshData | None
    texture: Path | None = None

    def bounds(self, base_h_link: Array) -> tuple[Array, Array] | None:
        """Return the lowest and highest corner (3,), (3,) [m] of the mesh in the base's frame; None without a mesh."""
        if self.mesh is None:
            return None
        return transformed_bounds(self.mesh, base_h_link @ self.shape.origin.matrix)

    def signed_volume(self) -> float | None:
        """Return the volume [m³] that the mesh encloses, positive for outward faces; None without a mesh."""
        return None if self.mesh is None else signed_volume(self.mesh)

    def appearance(self) -> tuple[Rgba | None, str | None]:
        """Return the display colour and the texture's name that are shown, each None where there is none.

        A mesh's own materials win over the URDF's, which serves faces without one, as in RViz.
        """
        mesh, material = self.mesh, self.shape.material
        if mesh is not None and mesh.materials and not (mesh.material_index < 0).any():
            own = mesh.materials[int(mesh.material_index[0])]
            return own.rgba, None if own.texture is None else own.texture.name
        return (None, None) if material is None else (material.rgba, material.texture)


@dataclass(frozen=True, slots=True, eq=False)
class LoadedShapes:
    """All shapes asked for, in document order, and the remarks on them."""

    shapes: tuple[LoadedShape, ...]
    diagnostics: tuple[Diagnostic, ...]


def load_shapes(
    robot: Robot,
    *,
    visuals: bool = True,
    collisions: bool = False,
    dae_up_axis: str = "ignore",
    gltf_up_axis: str = "ignore",
    progress: Progress | None = None,
) -> LoadedShapes:
    """Read the meshes of a robot's shapes.

    Args:
        robot: Any robot; mesh files are looked for around ``robot.source`` and in its package paths.
        visuals: Whether to read visuals.
        collisions: Whether to read collisions.
        dae_up_axis: ``ignore`` (as RViz does) or ``obey`` COLLADA's up axis.
        gltf_up_axis: ``ignore`` (what most descriptions expect) or ``obey`` glTF's convention that Y is up.
        progress: Called before each shape with its number, the number of shapes and its mesh's name.
    """
    steps = load_shapes_stepwise(
        robot, visuals=visuals, collisions=collisions, dae_up_axis=dae_up_axis, gltf_up_axis=gltf_up_axis
    )
    return finished(steps, progress)


def load_shapes_stepwise(
    robot: Robot, *, visuals: bool, collisions: bool, dae_up_axis: str, gltf_up_axis: str
) -> Generator[tuple[int, int, str], None, LoadedShapes]:
    """Do the work of ``load_shapes`` a shape at a time; yield what ``progress`` is called with, return the shapes."""
    loader = _Loader(robot, dae_up_axis, gltf_up_axis)
    wanted = list(_wanted(robot, visuals, collisions))
    shapes = []
    for index, (link, shape, is_collision, name) in enumerate(wanted):
        yield index, len(wanted), shape.geometry.uri if isinstance(shape.geometry, Mesh) else name
        shapes.append(loader.load(link, shape, is_collision, name))
    loader.summarise()
    return LoadedShapes(tuple(shapes), tuple(loader.diagnostics))


def _wanted(robot: Robot, visuals: bool, collisions: bool) -> Iterator[tuple[str, Shape, bool, str]]:
    for is_collision in (False, True):
        if not (collisions if is_collision else visuals):
            continue
        for link in robot.links:
            shapes = link.collisions if is_collision else link.visuals
            for index, shape in enumerate(shapes):
                label = shape.name or ("" if len(shapes) == 1 else str(index + 1))
                stem = f"{link.name} collision" if is_collision else link.name
                yield link.name, shape, is_collision, f"{stem} {label}".rstrip()


class _Loader:
    def __init__(self, robot: Robot, dae_up_axis: str, gltf_up_axis: str) -> None:
        folder = robot.source.parent if robot.source is not None else Path.cwd()
        self.diagnostics = Diagnostics(str(robot.source or ""))
        self._resolver = ResourceResolver(folder, robot.package_paths)
        self._library = MeshLibrary(dae_up_axis=dae_up_axis, gltf_up_axis=gltf_up_axis)
        self._scaled: dict[MeshKey, MeshData] = {}
        self._missing: set[str] = set()

    def load(self, link: str, shape: Shape, is_collision: bool, name: str) -> LoadedShape:
        geometry = shape.geometry
        element = f"link {link!r}"
        texture = None
        if shape.material is not None and shape.material.texture is not None and not is_collision:
            texture = self._find(shape.material.texture, shape.line, element)
        if not isinstance(geometry, Mesh):
            key: MeshKey = (geometry,)
            mesh = self._scaled.setdefault(key, _primitive(geometry))
            return LoadedShape(name, link, shape, is_collision, key, type(geometry).__name__, None, mesh, texture)
        path = self._find(geometry.uri, shape.line, element)
        key = (str(path or geometry.uri), geometry.scale)
        found = None if path is None else self._read(path, key, geometry, shape.line, element)
        stem = (path or Path(geometry.uri)).stem
        return LoadedShape(name, link, shape, is_collision, key, stem, path, found, texture)

    def _find(self, uri: str, line: int, element: str) -> Path | None:
        try:
            return self._resolver.resolve(uri)
        except ResourceNotFoundError as error:
            if uri not in self._missing:
                self._missing.add(uri)
                self.diagnostics.warning(error.message, line, element)
        return None

    def _read(self, path: Path, key: MeshKey, geometry: Mesh, line: int, element: str) -> MeshData | None:
        if key not in self._scaled:
            try:
                mesh = self._library.get(path)
            except MeshError as error:
                self._missing.add(geometry.uri)
                self.diagnostics.warning(f"{error}; a placeholder is shown", line, element)
                return None
            for note in mesh.notes:
                self.diagnostics.info(note, line, element)
            self._scaled[key] = mesh if geometry.scale == (1.0, 1.0, 1.0) else scaled(mesh, geometry.scale)
        return self._scaled[key]

    def summarise(self) -> None:
        if self._missing:
            count = len(self._missing)
            self.diagnostics.warning(f"{count} file(s) missing or unreadable")


def _primitive(geometry: Box | Cylinder | Sphere | Capsule) -> MeshData:
    if isinstance(geometry, Box):
        return primitives.box(geometry.size)
    if isinstance(geometry, Sphere):
        return primitives.sphere(geometry.radius)
    if isinstance(geometry, Cylinder):
        return primitives.cylinder(geometry.radius, geometry.length)
    return primitives.capsule(geometry.radius, geometry.length)
