# SPDX-License-Identifier: GPL-3.0-or-later
"""Visual and collision objects, each riding on its link's bone."""

from __future__ import annotations

from collections.abc import Mapping

import bpy

from ...core.plan import MeshKey, MeshPlan, RigPlan, ShapePlan, urdf_surface
from ..properties import object_data
from .materials import MaterialBuilder
from .meshes import bare_slot, build_mesh
from .parenting import Seat, hang, seats
from .skin import build_skin

_PLACEHOLDER_SIZE = 0.03


def build_shapes(
    plan: RigPlan,
    rig: bpy.types.Object,
    collection: bpy.types.Collection,
    meshes: Mapping[MeshKey, bpy.types.Mesh],
    materials: MaterialBuilder,
    skin: bpy.types.Mesh | None = None,
) -> list[bpy.types.Object]:
    """Return one object for each shape, in new ``Visual`` and ``Collision`` collections inside ``collection``.

    ``skin`` is the mesh of the plan's skin, whose object is the first one then.
    """
    homes: dict[bool, bpy.types.Collection] = {}
    places = seats(rig, plan.rides)
    numbers: dict[tuple[str, bool], int] = {}
    made = []
    if plan.skin is not None and skin is not None:
        homes[False] = _home(collection, False)
        made.append(build_skin(plan.skin, rig, skin, homes[False]))
    for shape in plan.shapes:
        if shape.is_collision not in homes:
            homes[shape.is_collision] = _home(collection, shape.is_collision)
        mesh = None if shape.mesh is None else meshes[shape.mesh]
        obj = _object(shape, rig, mesh, places[shape.link])
        data = object_data(obj)
        slot = (shape.link, shape.is_collision)
        data.link, data.is_collision, data.index = shape.link, shape.is_collision, numbers.get(slot, 0)
        numbers[slot] = data.index + 1
        homes[shape.is_collision].objects.link(obj)
        if shape.is_collision:
            obj.display_type = "WIRE"
            obj.hide_render = True
        elif mesh is not None:
            _paint(obj, mesh, shape, materials)
        made.append(obj)
    return made


def build_plan_mesh(mesh: MeshPlan, materials: MaterialBuilder) -> bpy.types.Mesh:
    """Return the mesh datablock of a plan, with the materials that its file brings."""
    colored = mesh.data.corner_colors is not None
    own = [materials.surface(material, vertex_colors=colored) for material in mesh.data.materials]
    return build_mesh(mesh.name, mesh.data, list(own))


def _home(parent: bpy.types.Collection, is_collision: bool) -> bpy.types.Collection:
    home = bpy.data.collections.new("Collision" if is_collision else "Visual")
    home.hide_viewport = home.hide_render = is_collision
    parent.children.link(home)
    return home


def _object(shape: ShapePlan, rig: bpy.types.Object, mesh: bpy.types.Mesh | None, seat: Seat) -> bpy.types.Object:
    obj = bpy.data.objects.new(shape.name, mesh)
    if mesh is None:
        obj.empty_display_type = "CUBE"
        obj.empty_display_size = _PLACEHOLDER_SIZE
    hang(obj, rig, seat)
    # the object's own transform is the shape's origin, as the description has it: fixed-axis rpy is Blender's XYZ Euler
    obj.location, obj.rotation_euler = shape.origin.xyz, shape.origin.rpy
    return obj


def _paint(obj: bpy.types.Object, mesh: bpy.types.Mesh, shape: ShapePlan, materials: MaterialBuilder) -> None:
    """Give the URDF material to the faces that have none of their own."""
    surface = urdf_surface(shape.material, shape.texture)
    slot = bare_slot(mesh)
    if surface is not None and slot is not None:
        # on the object, since other objects with other colours share the mesh
        obj.material_slots[slot].link = "OBJECT"
        obj.material_slots[slot].material = materials.surface(surface)
