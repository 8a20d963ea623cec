# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole rig from a plan, or nothing."""

from __future__ import annotations

from collections.abc import Generator

import bpy

from ...core.plan import RigPlan
from .armature import build_armature
from .cameras import build_cameras
from .materials import MaterialBuilder
from .shapes import build_plan_mesh, build_shapes
from .skin import build_skin_mesh
from .transaction import leave_edit_mode, rolled_back_on_error


def build_stepwise(
    context: bpy.types.Context, plan: RigPlan, *, pack_textures: bool = False
) -> Generator[tuple[int, int, str], None, bpy.types.Object]:
    """Make a new rig a mesh at a time; return its armature object, selected and active, in a collection of its own.

    Before each mesh its number, the number of meshes and its name are yielded. The armature is scaled so that a metre
    of the robot is a metre in the scene's unit. If anything goes wrong, or the generator is closed before its end,
    everything made so far is removed.
    """
    with rolled_back_on_error():
        materials = MaterialBuilder(pack=pack_textures)
        meshes = {}
        count = len(plan.meshes) + (plan.skin is not None)
        for index, (key, mesh) in enumerate(plan.meshes.items()):
            yield index, count, mesh.name
            meshes[key] = build_plan_mesh(mesh, materials)
        if plan.skin is not None:
            yield count - 1, count, plan.skin.name
        skin = None if plan.skin is None else build_skin_mesh(plan.skin, materials)
        leave_edit_mode()
        collection = bpy.data.collections.new(plan.robot.name)
        context.scene.collection.children.link(collection)
        rig = build_armature(context, plan, collection)
        build_shapes(plan, rig, collection, meshes, materials, skin)
        unit = context.scene.unit_settings
        if unit.system != "NONE":
            rig.scale = (1.0 / unit.scale_length,) * 3
        build_cameras(plan, rig, collection)
        rig.select_set(True)
        context.view_layer.objects.active = rig
        context.view_layer.update()
    return rig
