# SPDX-License-Identifier: GPL-3.0-or-later
"""A rig's skin, the one mesh of all visuals, as Blender deforms it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import cast

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.errors import RigError
from ..core.model import Robot
from ..core.skin_verification import Body, bodies_of, stray_distances
from ..core.verification import Strayed
from .convert import to_array
from .properties import object_data

Array = NDArray[np.float64]

SKIN_PART = "skin"
# Blender's exporters leave attributes alone whose name starts with a dot
PART_ATTRIBUTE = ".urdf_rig_part"
POINT_ATTRIBUTE = ".urdf_rig_point"


def skins_of(rig: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the rig's skins."""
    return [obj for obj in rig.children if obj.type == "MESH" and object_data(obj).part == SKIN_PART]


def skin_parts(skin: bpy.types.Object) -> list[str]:
    """Return the links of the visuals that a skin shows, one entry a visual; none where that was lost."""
    try:
        parts = json.loads(object_data(skin).parts)
    except ValueError:
        return []
    return parts if isinstance(parts, list) and all(isinstance(part, str) for part in parts) else []


class SkinReader:
    """Compares a skin with forward kinematics, pose by pose.

    Attributes:
        problem: Why it cannot be compared; empty where it can.
    """

    def __init__(self, robot: Robot, base: str, skin: bpy.types.Object, shown: bpy.types.Object) -> None:
        """``shown`` is the object that Blender evaluates: the skin, or a copy of one that is hidden."""
        self._robot, self._base, self._shown = robot, base, shown
        self._name = skin.name
        self._bodies: tuple[Body, ...] = ()
        self._distances: list[list[float]] = []
        self.problem = ""
        try:
            self._bodies = _bodies(robot, skin)
        except RigError as error:
            self.problem = str(error)

    def measure(self, graph: bpy.types.Depsgraph, rig: bpy.types.Object, q: Mapping[str, Array]) -> None:
        """Compare the vertices, as the evaluated ``rig`` deforms them, with the configuration ``q``."""
        shown = self._shown.evaluated_get(graph)
        mesh = shown.data
        assert isinstance(mesh, bpy.types.Mesh) and isinstance(self._shown.data, bpy.types.Mesh)
        if not self.problem and len(mesh.vertices) != len(self._shown.data.vertices):
            self.problem = f"{self._name!r} has modifiers that change its vertices: it cannot be verified"
        if self.problem:
            return
        points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", points)
        a_h_mesh = np.linalg.inv(to_array(rig.matrix_world)) @ to_array(shown.matrix_world)
        base_points = points.reshape(-1, 3) @ a_h_mesh[:3, :3].T + a_h_mesh[:3, 3]
        self._distances.append(stray_distances(self._robot, self._base, q, self._bodies, base_points))

    def result(self) -> list[Strayed]:
        """Return how far each link's vertices were off in each pose."""
        if self.problem:
            return []
        series = np.array(self._distances).reshape(-1, len(self._bodies)).T
        return [
            Strayed(body.link, f"mesh {self._name!r}", body.radius, distances)
            for body, distances in zip(self._bodies, series, strict=True)
        ]


def _bodies(robot: Robot, skin: bpy.types.Object) -> tuple[Body, ...]:
    """Return which vertices are fixed to which link.

    Raises:
        RigError: If the mesh is being edited, or does not say so any more.
    """
    mesh = skin.data
    assert isinstance(mesh, bpy.types.Mesh)
    if skin.mode == "EDIT":
        raise RigError(f"{skin.name!r} is being edited: leave Edit Mode first")
    parts = skin_parts(skin)
    if not parts or {PART_ATTRIBUTE, POINT_ATTRIBUTE} - {item.name for item in mesh.attributes}:
        raise RigError(f"{skin.name!r} has lost which of its vertices belong to which link")
    part = np.empty(len(mesh.vertices), dtype=np.int32)
    cast("bpy.types.IntAttribute", mesh.attributes[PART_ATTRIBUTE]).data.foreach_get("value", part)
    points = np.empty(3 * len(part), dtype=np.float32)
    cast("bpy.types.FloatVectorAttribute", mesh.attributes[POINT_ATTRIBUTE]).data.foreach_get("vector", points)
    known = {link.name for link in robot.links}
    bodies = bodies_of(parts, part, points.reshape(-1, 3).astype(np.float64))
    return tuple(body for body in bodies if body.link in known)


@contextmanager
def skin_readers(
    context: bpy.types.Context, robot: Robot, base: str, rig: bpy.types.Object
) -> Iterator[list[SkinReader]]:
    """Give a reader for each of the rig's skins; of one that is hidden Blender evaluates a copy meanwhile."""
    copies: list[bpy.types.Object] = []
    try:
        readers = []
        for skin in skins_of(rig):
            shown = skin
            if not skin.visible_get(view_layer=context.view_layer):
                shown = skin.copy()
                copies.append(shown)
                shown.hide_viewport = False
                context.view_layer.layer_collection.collection.objects.link(shown)
            readers.append(SkinReader(robot, base, skin, shown))
        yield readers
    finally:
        bpy.data.batch_remove(copies)
