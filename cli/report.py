# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of ``convert`` and ``verify``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import bpy

from ..addon.properties import object_data
from ..addon.rig import armature_of
from ..addon.skin import skin_parts, skins_of
from ..core.diagnostics import Diagnostic
from ..core.model import Robot
from ..core.verification import Verification


def rig_counts(robot: Robot, rig: bpy.types.Object) -> dict[str, int]:
    """Return how many of everything a rig has."""
    shapes = [obj for obj in rig.children if object_data(obj).index >= 0]
    skins = skins_of(rig)
    seen = [*shapes, *skins]
    meshes = [obj.data for obj in seen if isinstance(obj.data, bpy.types.Mesh)]
    materials = {slot.material for obj in seen for slot in obj.material_slots if slot.material is not None}
    images = {
        node.image
        for material in materials
        for node in material.node_tree.nodes
        if isinstance(node, bpy.types.ShaderNodeTexImage) and node.image is not None
    }
    collisions = sum(object_data(obj).is_collision for obj in shapes)
    return {
        "links": len(robot.links),
        "joints": len(robot.joints),
        "dofs": len(robot.dofs),
        "bones": len(armature_of(rig).bones),
        "visuals": len(shapes) - collisions + sum(len(skin_parts(skin)) for skin in skins),
        "collisions": collisions,
        "meshes": len(set(meshes)),
        "triangles": sum(len(mesh.polygons) for mesh in meshes),
        "materials": len(materials),
        "images": len(images),
    }


def make_report(
    source: Path,
    output: Path | None,
    robot: Robot,
    counts: Mapping[str, int],
    seconds: Mapping[str, float],
    verification: Verification | None,
    diagnostics: Iterable[Diagnostic],
) -> dict[str, object]:
    """Return the report as one JSON object."""
    return {
        "input": str(source),
        "output": None if output is None else str(output),
        "blender": bpy.app.version_string,
        "robot": robot.name,
        "counts": dict(counts),
        "seconds": {name: round(value, 4) for name, value in seconds.items()},
        "verify": None if verification is None else verification.as_dict(),
        "diagnostics": [item.as_dict() for item in diagnostics],
    }
