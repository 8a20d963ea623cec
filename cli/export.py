# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing the scene: .blend, or the robot alone by one of Blender's own exporters, chosen by the suffix.

What the exporters get is the armature, what is seen of its visuals, and its cameras: no collisions, bone shapes or
inertia. The pose is the one shown; if the rig is animated, its motion is sampled at every frame, so that followers and
limits are in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy

from ..addon.properties import object_data
from ..core.errors import ModelError, RigError


def _write_blend(path: str, _animated: bool) -> None:
    preferences = bpy.context.preferences.filepaths
    versions, preferences.save_version = preferences.save_version, 0
    try:
        bpy.ops.wm.save_as_mainfile(filepath=path, compress=True, check_existing=False)
    finally:
        preferences.save_version = versions


def _write_gltf(path: str, animated: bool) -> None:
    bpy.ops.export_scene.gltf(
        filepath=path,
        export_format="GLB" if path.lower().endswith(".glb") else "GLTF_SEPARATE",
        use_selection=True,
        export_cameras=True,
        # nodes in the pose that is shown; the skin is bound at rest all the same
        export_rest_position_armature=False,
        export_current_frame=True,
        export_animations=animated,
        export_animation_mode="SCENE",
        export_anim_scene_split_object=False,
    )


def _write_fbx(path: str, animated: bool) -> None:
    bpy.ops.export_scene.fbx(
        filepath=path,
        use_selection=True,
        object_types={"ARMATURE", "MESH", "CAMERA"},
        add_leaf_bones=False,
        path_mode="COPY",
        embed_textures=True,
        bake_anim=animated,
        bake_anim_use_all_actions=False,
        bake_anim_use_nla_strips=False,
        bake_anim_simplify_factor=0.0,
    )


def _write_usd(path: str, _animated: bool) -> None:
    # the pose of a skeleton is an animation in USD, be it of one frame
    bpy.ops.wm.usd_export(
        filepath=path, selected_objects_only=True, export_animation=True, export_custom_properties=False
    )


_WRITERS: dict[str, Callable[[str, bool], None]] = {
    ".blend": _write_blend,
    ".glb": _write_gltf,
    ".gltf": _write_gltf,
    ".fbx": _write_fbx,
    ".usd": _write_usd,
    ".usdc": _write_usd,
    ".usda": _write_usd,
    ".usdz": _write_usd,
}


def check_output(path: Path) -> None:
    """Check, before any work is done, that ``path`` can be written.

    Raises:
        ModelError: If its suffix is not known or its folder does not exist.
    """
    if path.suffix.lower() not in _WRITERS:
        raise ModelError(f"{path.name!r}: the suffix has to be one of {', '.join(_WRITERS)}")
    if not path.absolute().parent.is_dir():
        raise ModelError(f"the folder of {path} does not exist")


def write(context: bpy.types.Context, rig: bpy.types.Object, path: Path) -> None:
    """Write the file.

    Raises:
        RigError: If Blender cannot write it.
    """
    writer = _WRITERS[path.suffix.lower()]
    name = str(path.absolute())
    try:
        if writer is _write_blend:
            writer(name, False)
        else:
            with _only_the_robot(context, rig) as animated:
                writer(name, animated)
    except RuntimeError as error:  # what operators raise for their error reports
        raise RigError(f"{path} cannot be written: {str(error).strip()}") from error


@contextmanager
def _only_the_robot(context: bpy.types.Context, rig: bpy.types.Object) -> Iterator[bool]:
    """Select what is exported and let the scene be as long as its motion; say whether there is any."""
    layer, scene = context.view_layer, context.scene
    kept = layer.objects.active, list(layer.objects.selected), scene.frame_start, scene.frame_end
    frames = _animated_frames(rig)
    _select(layer, rig, [rig, *filter(_is_exported, rig.children)])
    scene.frame_start, scene.frame_end = frames or (scene.frame_current, scene.frame_current)
    try:
        yield frames is not None
    finally:
        active, selected, scene.frame_start, scene.frame_end = kept
        _select(layer, active, selected)


def _select(layer: bpy.types.ViewLayer, active: bpy.types.Object | None, objects: list[bpy.types.Object]) -> None:
    for obj in list(layer.objects.selected):
        obj.select_set(False)
    for obj in objects:
        if obj.visible_get(view_layer=layer):
            obj.select_set(True)
    layer.objects.active = active


def _is_exported(obj: bpy.types.Object) -> bool:
    return obj.type in ("MESH", "CAMERA") and not object_data(obj).is_collision


def _animated_frames(rig: bpy.types.Object) -> tuple[int, int] | None:
    """Return the first and last frame in which the rig has keyframes or strips."""
    data = rig.animation_data
    if data is None:
        return None
    ranges = [] if data.action is None else [(data.action.frame_range[0], data.action.frame_range[1])]
    ranges += [(strip.frame_start, strip.frame_end) for track in data.nla_tracks for strip in track.strips]
    if not ranges:
        return None
    return max(0, math.floor(min(start for start, _ in ranges))), math.ceil(max(end for _, end in ranges))
