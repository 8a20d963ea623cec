# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture of the robot: its own camera, lights and ground, made after the file has been written."""

from __future__ import annotations

import importlib
import math
from pathlib import Path
from typing import TYPE_CHECKING, cast

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..addon.properties import object_data
from ..addon.skin import skins_of
from ..core.errors import RigError

_SIZE = (800, 600)
_SAMPLES = 12  # the denoiser does the rest
_WITHOUT_DENOISER = 2  # times as many
_BOUNCES = 3
_VIEW = Vector((1.0, -1.5, 0.65)).normalized()

if TYPE_CHECKING:

    class CyclesSettings:
        """What Cycles, which is an add-on too, keeps on a scene."""

        device: str
        samples: int
        use_denoising: bool
        denoising_prefilter: str
        max_bounces: int


def render_preview(
    context: bpy.types.Context,
    rig: bpy.types.Object,
    path: Path,
    *,
    size: tuple[int, int] = _SIZE,
    samples: int = _SAMPLES,
) -> None:
    """Render the rig's visuals to a PNG file.

    Args:
        context: Its scene is rendered; camera, lights and ground are added to it.
        rig: The armature object.
        path: The file to write.
        size: Width and height [pixels].
        samples: Light paths for each pixel.

    Raises:
        RigError: If the picture cannot be written.
    """
    low, high = _bounds(context, rig)
    scene = context.scene
    _light(scene, (low + high) / 2.0, low.z, max(float((high - low).length), 1e-3))
    # the view's size is taken from the render settings
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.camera = _camera(context, low, high)
    scene.render.engine = "CYCLES"
    cycles = cast("CyclesSettings", scene.cycles)  # type: ignore[attr-defined]  # an add-on's, so not in the stubs
    cycles.device = "CPU"
    cycles.use_denoising = _has_denoiser()
    cycles.samples = samples if cycles.use_denoising else _WITHOUT_DENOISER * samples
    cycles.denoising_prefilter = "FAST"
    cycles.max_bounces = _BOUNCES
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.filepath = str(path.absolute())
    try:
        bpy.ops.render.render(write_still=True)
    except RuntimeError as error:
        raise RigError(f"{path} cannot be rendered: {str(error).strip()}") from error


def _has_denoiser() -> bool:
    """Whether Blender was built with one; some distributions do without, and then denoising is an error."""
    return bool(getattr(importlib.import_module("_cycles"), "with_openimagedenoise", False))


def _bounds(context: bpy.types.Context, rig: bpy.types.Object) -> tuple[Vector, Vector]:
    """Return the lowest and highest corner of what is seen; of the bones where there are no visuals."""
    graph = context.evaluated_depsgraph_get()
    points = []
    visuals = [obj for obj in rig.children if object_data(obj).index >= 0 and not object_data(obj).is_collision]
    for obj in [*visuals, *skins_of(rig)]:
        if obj.type == "MESH":
            evaluated = obj.evaluated_get(graph)
            points += [evaluated.matrix_world @ Vector(corner) for corner in evaluated.bound_box]
    points = points or [rig.matrix_world @ bone.head for bone in rig.pose.bones]
    corners = np.array(points)
    return Vector(corners.min(axis=0)), Vector(corners.max(axis=0))


def _camera(context: bpy.types.Context, low: Vector, high: Vector) -> bpy.types.Object:
    optics = bpy.data.cameras.new("Preview")
    optics.lens = 60.0
    camera = bpy.data.objects.new("Preview", optics)
    context.scene.collection.objects.link(camera)
    camera.rotation_euler = _VIEW.to_track_quat("Z", "Y").to_euler()
    context.view_layer.update()
    margin = (high - low) * 0.06
    corners = [
        value
        for x in (low.x - margin.x, high.x + margin.x)
        for y in (low.y - margin.y, high.y + margin.y)
        for z in (low.z - margin.z, high.z + margin.z)
        for value in (x, y, z)
    ]
    fit = camera.camera_fit_coords(context.evaluated_depsgraph_get(), corners)
    location, _scale = cast("tuple[Vector, float]", fit)  # 4.2's stubs know of no result
    camera.location = location
    optics.clip_end = max(1000.0, 4.0 * (location - low).length)
    optics.clip_start = min(0.01, (high - low).length * 0.01)
    return camera


def _light(scene: bpy.types.Scene, center: Vector, floor: float, size: float) -> None:
    """A key and a fill light, a bright room, and a ground for shadows."""
    for name, direction, strength, angle in (
        ("Key", Vector((0.5, -1.0, 1.4)), 1.9, 12.0),
        ("Fill", Vector((-1.0, -0.6, 0.7)), 0.4, 40.0),
    ):
        light = cast("bpy.types.SunLight", bpy.data.lights.new(f"Preview {name}", "SUN"))
        light.energy, light.angle = strength, math.radians(angle)
        lamp = bpy.data.objects.new(light.name, light)
        lamp.rotation_euler = direction.to_track_quat("Z", "Y").to_euler()
        scene.collection.objects.link(lamp)
    world = bpy.data.worlds.new("Preview")
    if world.node_tree is None:
        world.use_nodes = True
    background = next(node for node in world.node_tree.nodes if isinstance(node, bpy.types.ShaderNodeBackground))
    background.inputs["Color"].default_value = (0.85, 0.9, 1.0, 1.0)
    background.inputs["Strength"].default_value = 0.28
    scene.world = world
    ground = bpy.data.meshes.new("Preview Ground")
    far = 40.0 * size
    ground.from_pydata([(-far, -far, 0.0), (far, -far, 0.0), (far, far, 0.0), (-far, far, 0.0)], [], [(0, 1, 2, 3)])
    material = bpy.data.materials.new("Preview Ground")
    if material.node_tree is None:
        material.use_nodes = True
    shader = next(node for node in material.node_tree.nodes if isinstance(node, bpy.types.ShaderNodeBsdfPrincipled))
    shader.inputs["Base Color"].default_value = (0.35, 0.37, 0.4, 1.0)
    shader.inputs["Roughness"].default_value = 0.9
    ground.materials.append(material)
    plane = bpy.data.objects.new(ground.name, ground)
    plane.matrix_world = Matrix.Translation((center.x, center.y, floor - 0.001 * size))
    scene.collection.objects.link(plane)
