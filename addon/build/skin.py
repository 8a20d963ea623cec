# SPDX-License-Identifier: GPL-3.0-or-later
"""One mesh of all visuals, every vertex bound to one bone with full weight."""

from __future__ import annotations

import json
from typing import cast

import bpy
import numpy as np

from ...core.plan import SkinPlan
from ..properties import object_data
from ..skin import PART_ATTRIBUTE, POINT_ATTRIBUTE, SKIN_PART
from .materials import MaterialBuilder
from .meshes import build_mesh


def build_skin_mesh(plan: SkinPlan, materials: MaterialBuilder) -> bpy.types.Mesh:
    """Return the mesh datablock; it remembers of each vertex where on which visual it belongs."""
    pairs = zip(plan.data.materials, plan.colored, strict=True)
    own = [materials.surface(material, vertex_colors=colored) for material, colored in pairs]
    mesh = build_mesh(plan.name, plan.data, list(own), deformed=True)
    part = np.zeros(len(plan.data.vertices), dtype=np.int32)
    for number, item in enumerate(plan.parts, start=1):
        part[item.start : item.stop] = number
    numbers = cast("bpy.types.IntAttribute", mesh.attributes.new(PART_ATTRIBUTE, "INT", "POINT"))
    numbers.data.foreach_set("value", part)
    points = cast("bpy.types.FloatVectorAttribute", mesh.attributes.new(POINT_ATTRIBUTE, "FLOAT_VECTOR", "POINT"))
    points.data.foreach_set("vector", plan.link_vertices.ravel())
    return mesh


def build_skin(
    plan: SkinPlan, rig: bpy.types.Object, mesh: bpy.types.Mesh, home: bpy.types.Collection
) -> bpy.types.Object:
    """Return the object of a skin's mesh, in the collection ``home``, deformed by the rig."""
    obj = bpy.data.objects.new(plan.name, mesh)
    obj.parent = rig
    group_vertices(plan, obj)
    modifier = cast("bpy.types.ArmatureModifier", obj.modifiers.new("Armature", "ARMATURE"))
    modifier.object = rig
    modifier.use_vertex_groups, modifier.use_bone_envelopes = True, False
    object_data(obj).part = SKIN_PART
    home.objects.link(obj)
    return obj


def group_vertices(plan: SkinPlan, obj: bpy.types.Object) -> None:
    """Bind the vertices of a skin to their bones, and store which link's they are."""
    obj.vertex_groups.clear()
    for part in plan.parts:
        group = obj.vertex_groups.get(part.bone) or obj.vertex_groups.new(name=part.bone)
        group.add(list(range(part.start, part.stop)), 1.0, "REPLACE")
    object_data(obj).parts = json.dumps([part.link for part in plan.parts], ensure_ascii=False)
