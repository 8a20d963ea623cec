# SPDX-License-Identifier: GPL-3.0-or-later
"""A changed description read onto a rig that is in use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import bpy

from ...core import load
from ...core.description_changes import DescriptionChanges, description_changes
from ...core.diagnostics import Diagnostic
from ...core.errors import RigError
from ...core.loading import with_text
from ...core.model import Robot
from ...core.plan import plan_rig
from ..actions import curve_homes
from ..build.cameras import cameras_of
from ..build.inertia import hide_inertia, inertia_objects, show_inertia
from ..build.transaction import rolled_back_on_error
from ..importer import ImportOptions
from ..new_names import NewNames
from ..properties import armature_data, object_data
from ..rig import armature_of, joint_bones, robot_of
from ..semantics import remember_semantics
from ..skin import skins_of
from ..stored_options import import_data, remember_options, remembered_options
from .bones import bone_names
from .editing import check_rebuildable, kept_workplace
from .rebuilding import look_at, rebuild
from .reload_shapes import build_meshes, read_shapes, renew_cameras, renew_shapes, renew_skin
from .renaming import follow_new_names
from .spatial_keys import spatial_motions

_BEYOND = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Reloaded:
    """What reading a description again has done.

    Attributes:
        changes: How the description differs from the one before.
        base: The base link now.
        remarks: What could not be kept, in words.
        diagnostics: Remarks from reading.
    """

    changes: DescriptionChanges
    base: str
    remarks: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


def reload_options(rig: bpy.types.Object) -> ImportOptions:
    """Return how a rig was imported; of what is not stored, how it looks."""
    shown = {
        "skinned": bool(skins_of(rig)),
        "inertia": bool(inertia_objects(rig)),
        "visuals": bool(skins_of(rig)) or any(object_data(obj).index >= 0 for obj in rig.children),
        "collisions": any(object_data(obj).is_collision for obj in rig.children),
    }
    return ImportOptions(**{**shown, **remembered_options(rig), "skinned": shown["skinned"]})


def reload_description(
    rig: bpy.types.Object,
    path: Path | str | Robot | None = None,
    context: bpy.types.Context | None = None,
    *,
    options: ImportOptions | None = None,
    meshes: bool = False,
) -> Reloaded:
    """Read a description onto a rig, which keeps its motion, poses, goals and what hangs from it.

    Links and joints are the same ones as ``description_changes`` says. Of these, keys, values, limits that were
    switched off, pins, goals, colours, constraints and what hangs from them are kept, and so are the objects of visuals
    that are described as before, with the materials that users have given them. The armature object stays where it is.

    Args:
        rig: The armature object.
        path: The file, or a robot in memory; where None, the file that the rig was read from.
        context: Its view layer must hold the rig; Blender's own where None.
        options: How to read; the base and whether fixed frames have bones stay as they are. None is as stored.
        meshes: Whether to read all meshes again, not only those whose description has changed.

    Raises:
        UrdfError: If the description is refused. Nothing is changed then, nor in the next case.
        RigError: If the rig cannot be changed, or the description has none of its links.
    """
    context = context or bpy.context
    old = robot_of(rig)
    check_rebuildable(context, rig)
    options = options or reload_options(rig)
    new = _read(rig, path, options)
    changes = description_changes(old, new)
    if not changes.links:
        raise RigError(f"{new.name!r} has none of the links of {old.name!r}: import it as a robot of its own")
    data = armature_data(armature_of(rig))
    base = changes.links.get(data.base, new.root)
    with kept_workplace(context, rig), rolled_back_on_error():
        motions = spatial_motions(context, rig, old)
        if any(len(motion.frames) for motion in motions.values()) and _has_strips(rig):
            raise RigError(f"{rig.name!r} has planar or floating joints that move in the NLA editor: bake them first")
        loaded = read_shapes(old, new, changes, options, meshes)
        plan = plan_rig(
            new,
            loaded.shapes,
            base,
            cameras=options.cameras,
            fixed_frames=data.fixed_frames,
            skinned=options.skinned,
        )
        built = build_meshes(plan, options.pack_textures)
        _rename_bones(rig, changes)
        before = look_at(rig, old, motions)
        before = replace(before, source=str(new.source or ""))
        rebuilt = rebuild(context, rig, before, plan, changes.links, changes.joints)
        renew_shapes(rig, old, rebuilt.plan, changes, built, meshes)
        renew_skin(rig, rebuilt.plan, built, changes)
        if options.cameras and (cameras_of(rig) or not old.cameras):
            renew_cameras(rig, old, rebuilt.plan, changes)
        built.discard_unused()
        names = NewNames(changes.links, changes.joints)
        remarks = [*rebuilt.remarks, *_clamp(rig), *follow_new_names(context, rig, names)]
        if base != changes.links.get(before.base):
            remarks.append(f"the base link {before.base!r} is gone: the rig hangs from {base!r} now")
        semantic_remarks = _after(context, rig, new, options)
    import_data(rig).changes = "\n".join([*map(str, changes.changes), *remarks])
    return Reloaded(changes, base, tuple(remarks), (*new.diagnostics, *loaded.diagnostics, *semantic_remarks))


def _read(rig: bpy.types.Object, path: Path | str | Robot | None, options: ImportOptions) -> Robot:
    if isinstance(path, Robot):
        return with_text(path)
    if path is None:
        path = armature_data(armature_of(rig)).source
        if not path:
            raise RigError(f"{rig.name!r} does not remember the file that it was read from: choose one")
    place = Path(bpy.path.abspath(str(path)))
    return load(place, packages=options.packages, package_paths=options.package_paths, xacro_args=options.xacro_args)


def _has_strips(rig: bpy.types.Object) -> bool:
    return rig.animation_data is not None and any(len(track.strips) for track in rig.animation_data.nla_tracks)


def _rename_bones(rig: bpy.types.Object, changes: DescriptionChanges) -> None:
    """Name bones as their links where they were so; Blender takes curves, groups and constraints along."""
    names = bone_names(rig)
    bones = armature_of(rig).bones
    for was, name in changes.links.items():
        if name != was and names.get(was) == was and name not in bones:
            bones[was].name = name


def _after(
    context: bpy.types.Context, rig: bpy.types.Object, robot: Robot, options: ImportOptions
) -> tuple[Diagnostic, ...]:
    """Do what an import does last."""
    remember_options(rig, options)
    armature_data(armature_of(rig)).semantics = ""
    remarks = remember_semantics(rig, robot)
    if inertia_objects(rig):
        hide_inertia(rig)
        show_inertia(rig, robot)
    rig.update_tag()
    context.view_layer.update()
    return remarks


def _clamp(rig: bpy.types.Object) -> list[str]:
    """Set joints that stand outside their new ranges to the nearest end; say so, of those that are keyed there too."""
    remarks = []
    keyed: dict[str, list[float]] = {}
    for home in curve_homes(rig):
        for curve in home.fcurves:
            if curve.array_index == 1:
                keyed.setdefault(curve.data_path, []).extend(point.co[1] for point in curve.keyframe_points)
    for joint in joint_bones(rig):
        if joint.data.leader:
            continue
        if abs(joint.clamped(joint.value) - joint.value) > _BEYOND:
            remarks.append(f"joint {joint.data.joint!r} stood at {joint.value:.6g}, outside its range now")
            joint.value = joint.value
        values = keyed.get(joint.curve_path, ())
        beyond = sum(
            abs(joint.clamped(value) - value) > _BEYOND for value in (joint.data.sign * number for number in values)
        )
        if beyond:
            remarks.append(
                f"joint {joint.data.joint!r} has {beyond} keys outside its range now, where its limit stops it"
            )
    return remarks


def described(reloaded: Reloaded) -> Sequence[str]:
    """Return what has changed, a sentence each."""
    lines = [str(change) for change in reloaded.changes.changes]
    return [*lines, *reloaded.remarks] or ["nothing has changed"]
