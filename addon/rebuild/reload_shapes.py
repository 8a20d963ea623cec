# SPDX-License-Identifier: GPL-3.0-or-later
"""Visuals, collisions, skins and cameras of a rig whose description has changed: what is as before is left alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import bpy
from mathutils import Matrix

from ...core.description_changes import DescriptionChanges, same_camera, shape_changes
from ...core.model import Camera, Robot, Shape
from ...core.plan import MeshKey, RigPlan
from ...core.shapes import LoadedShapes, load_shapes
from ..build.cameras import build_cameras, cameras_of
from ..build.materials import MaterialBuilder
from ..build.shapes import build_plan_mesh, build_shapes
from ..build.skin import build_skin_mesh, group_vertices
from ..importer import ImportOptions
from ..properties import object_data
from ..skin import skins_of

_Place = tuple[str, bool, int]
_Slot = tuple[str, bpy.types.Material | None]
_KINDS = ("meshes", "materials", "images")


@dataclass(slots=True, eq=False)
class Built:
    """Mesh datablocks made before the rig is touched.

    Attributes:
        meshes: By the plan's keys.
        skin: The skin's mesh, if there is to be one.
        materials: What makes further materials.
        existing: What was in the file before.
    """

    meshes: Mapping[MeshKey, bpy.types.Mesh]
    skin: bpy.types.Mesh | None
    materials: MaterialBuilder
    existing: Mapping[str, set[int]]

    def discard_unused(self) -> None:
        """Remove what was made and is not used."""
        for kind in _KINDS:
            known = self.existing[kind]
            items = [item for item in getattr(bpy.data, kind) if item.session_uid not in known and item.users == 0]
            bpy.data.batch_remove(items)


def read_shapes(
    old: Robot,
    new: Robot,
    changes: DescriptionChanges,
    options: ImportOptions,
    everything: bool,
) -> LoadedShapes:
    """Read the meshes of the links whose shapes have changed; of all links for a skin, or where asked for."""
    was = {name: before for before, name in changes.links.items()}
    wanted = []
    for link in new.links:
        before = old.link(was[link.name]) if link.name in was else None
        visuals = (everything or options.skinned or before is None) or _differ(before.visuals, link.visuals)
        collisions = (everything or before is None) or _differ(before.collisions, link.collisions)
        wanted.append(
            replace(link, visuals=link.visuals if visuals else (), collisions=link.collisions if collisions else ())
        )
    return load_shapes(
        replace(new, links=tuple(wanted)),
        visuals=options.visuals,
        collisions=options.collisions,
        dae_up_axis=options.dae_up_axis,
        gltf_up_axis=options.gltf_up_axis,
    )


def _differ(old: tuple[Shape, ...], new: tuple[Shape, ...]) -> bool:
    return len(old) != len(new) or any(shape_changes(a, b) for a, b in zip(old, new, strict=True))


def build_meshes(plan: RigPlan, pack: bool) -> Built:
    """Make the mesh datablocks of a plan."""
    existing = {kind: {item.session_uid for item in getattr(bpy.data, kind)} for kind in _KINDS}
    materials = MaterialBuilder(pack=pack)
    meshes = {key: build_plan_mesh(mesh, materials) for key, mesh in plan.meshes.items()}
    skin = None if plan.skin is None else build_skin_mesh(plan.skin, materials)
    return Built(meshes, skin, materials, existing)


def renew_shapes(
    rig: bpy.types.Object, old: Robot, plan: RigPlan, changes: DescriptionChanges, built: Built, everything: bool
) -> None:
    """Let the rig's visuals and collisions be those of the new description.

    Args:
        rig: The armature object, rebuilt.
        old: The robot before.
        plan: The plan, with the shapes that were read.
        changes: What has changed.
        built: The meshes.
        everything: Whether shapes that are described as before get their new meshes too.
    """
    present = _present(rig)
    _remove(obj for slot, obj in present.items() if not _described(plan.robot, slot))
    present = {slot: obj for slot, obj in present.items() if _described(plan.robot, slot)}
    homes = {
        is_collision: next((obj.users_collection for slot, obj in present.items() if slot[1] == is_collision), ())
        for is_collision in (False, True)
    }
    stage = bpy.data.collections.new(plan.robot.name)
    was = {name: before for before, name in changes.links.items()}
    made = build_shapes(replace(plan, skin=None), rig, stage, built.meshes, built.materials)
    kept = []
    for fresh in made:
        slot = _slot(fresh)
        before, after = _shape(old, (was.get(slot[0], ""), *slot[1:])), _shape(plan.robot, slot)
        differing = {"geometry", "origin", "material"} if before is None else shape_changes(before, after)
        if everything:
            differing = differing | {"geometry"}
        if _give(fresh, present.get(slot), before is None, frozenset(differing)):
            kept.append(fresh)
    for fresh in kept:
        _settle(fresh, homes[object_data(fresh).is_collision])
    _remove(obj for obj in made if obj not in kept)
    _dissolve(stage, rig)


def _present(rig: bpy.types.Object) -> dict[_Place, bpy.types.Object]:
    return {_slot(obj): obj for obj in rig.children if object_data(obj).index >= 0}


def _slot(obj: bpy.types.Object) -> _Place:
    data = object_data(obj)
    return data.link, data.is_collision, data.index


def _described(robot: Robot, slot: _Place) -> bool:
    return _shape(robot, slot) is not None


def _shape(robot: Robot, slot: _Place) -> Shape | None:
    link = next((link for link in robot.links if link.name == slot[0]), None)
    if link is None:
        return None
    shapes = link.collisions if slot[1] else link.visuals
    return shapes[slot[2]] if slot[2] < len(shapes) else None


def _give(fresh: bpy.types.Object, old: bpy.types.Object | None, added: bool, differing: frozenset[str]) -> bool:
    """Give an old object what has changed of its shape; return whether the fresh object is to be kept instead."""
    if old is None:  # a new shape, or one that the user has deleted
        return added or bool(differing)
    if not differing:
        return False
    if (old.data is None) != (fresh.data is None):
        name = old.name
        _remove([old])
        fresh.name = name
        return True
    if "origin" in differing:
        scale = old.scale.copy()
        old.matrix_basis = fresh.matrix_basis
        if old.rotation_mode == "XYZ":
            old.location, old.rotation_euler = fresh.location, fresh.rotation_euler
        old.scale = scale
    if fresh.data is not None and differing & {"geometry", "material"}:
        own = [] if "material" in differing else [(slot.link, slot.material) for slot in old.material_slots]
        if "geometry" in differing:
            before = old.data
            old.data = fresh.data
            if isinstance(before, bpy.types.Mesh) and before.users == 0:
                bpy.data.meshes.remove(before)
        _paint(old, fresh, own)
    return False


def _paint(obj: bpy.types.Object, fresh: bpy.types.Object, own: Sequence[_Slot]) -> None:
    """Give an object the materials of a fresh one of the same mesh, but keep those that users have chosen or edited.

    Args:
        obj: The object.
        fresh: The one that shows what is described.
        own: The object's slots before; none where the description has another material now.
    """
    by_name = {_stem(material.name): (link, material) for link, material in own if material is not None}
    described = {_stem(slot.material.name) for slot in fresh.material_slots if slot.material is not None}
    for index, slot in enumerate(fresh.material_slots):
        if slot.material is None or index >= len(obj.material_slots):
            continue
        link, material = by_name.get(_stem(slot.material.name), (slot.link, slot.material))
        before = own[index][1] if len(own) == len(fresh.material_slots) else None
        if material == slot.material and before is not None and _stem(before.name) not in described:
            link, material = own[index]  # another one than the description's, put there by the user
        target = obj.material_slots[index]
        target.link = link
        target.material = material


def _materials(obj: bpy.types.Object) -> dict[str, bpy.types.Material]:
    found = (slot.material for slot in obj.material_slots)
    return {_stem(material.name): material for material in found if material is not None}


def _stem(name: str) -> str:
    head, dot, number = name.rpartition(".")
    return head if dot and number.isdigit() else name


def _settle(obj: bpy.types.Object, homes: Iterable[bpy.types.Collection]) -> None:
    """Put an object into the collections where its like are; if there are none, it stays in its own."""
    homes = list(homes)
    if not homes:
        return
    for home in obj.users_collection:
        home.objects.unlink(obj)
    for home in homes:
        home.objects.link(obj)


def _dissolve(stage: bpy.types.Collection, rig: bpy.types.Object) -> None:
    """Hang the collections that still hold something from that of the rig; remove the others."""
    for child in list(stage.children):
        stage.children.unlink(child)
        if child.objects:
            rig.users_collection[0].children.link(child)
        else:
            bpy.data.collections.remove(child)
    bpy.data.collections.remove(stage)


def _remove(objects: Iterable[bpy.types.Object]) -> None:
    bpy.data.batch_remove(list(objects))


def renew_skin(rig: bpy.types.Object, plan: RigPlan, built: Built, changes: DescriptionChanges) -> None:
    """Let the rig's skin show the new description; materials of the same name are kept where none has changed."""
    skins = skins_of(rig)
    if plan.skin is None or built.skin is None:
        _remove(skins)
        return
    if not skins:
        return
    skin = skins[0]
    changed = any("material" in change.detail for change in changes.changes)
    by_name = {} if changed else _materials(skin)
    old_mesh = skin.data
    skin.data = built.skin
    for slot in skin.material_slots:
        if slot.material is not None and _stem(slot.material.name) in by_name:
            slot.material = by_name[_stem(slot.material.name)]
    skin.matrix_parent_inverse = Matrix.Identity(4)
    group_vertices(plan.skin, skin)
    if isinstance(old_mesh, bpy.types.Mesh) and old_mesh.users == 0:
        bpy.data.meshes.remove(old_mesh)


def renew_cameras(rig: bpy.types.Object, old: Robot, plan: RigPlan, changes: DescriptionChanges) -> None:
    """Replace the cameras whose description has changed; the others are left alone."""
    cameras = cameras_of(rig)
    unchanged = [new for new in plan.robot.cameras if any(_is_same(was, new, changes) for was in old.cameras)]
    stay = {camera.name for camera in unchanged}
    _remove(obj for obj in cameras if _stem(obj.name) not in stay and obj.name not in stay)
    fresh = tuple(camera for camera in plan.cameras if camera.name not in stay)
    if not fresh:
        return
    homes = next((obj.users_collection for obj in cameras_of(rig)), ())
    stage = bpy.data.collections.new(plan.robot.name)
    for obj in build_cameras(replace(plan, cameras=fresh), rig, stage):
        _settle(obj, homes)
    _dissolve(stage, rig)


def _is_same(old: Camera, new: Camera, changes: DescriptionChanges) -> bool:
    return same_camera(replace(old, link=changes.links.get(old.link, "")), new)
