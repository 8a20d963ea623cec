# SPDX-License-Identifier: GPL-3.0-or-later
"""Camera, lights, Cycles on the processor, and small PNG files."""

from __future__ import annotations

import math
import struct
import tempfile
import zlib
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Vector
from numpy.typing import ArrayLike, NDArray

SIZE = (700, 500)
_SAMPLES = 16
_BOUNCES = 3
_PAPER = (0.965, 0.969, 0.973)
_STEPS = 64  # of brightness: a smooth picture shrinks to a third


def new_scene(view: ArrayLike, target: ArrayLike, width: float, size: tuple[int, int] = SIZE) -> None:
    """Empty the scene; put an orthographic camera that looks against ``view`` and sees ``width`` [m], and lights."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True, load_ui=False)
    scene = bpy.context.scene
    lens = bpy.data.cameras.new("Camera")
    lens.type, lens.ortho_scale = "ORTHO", width
    scene.camera = bpy.data.objects.new("Camera", lens)
    scene.collection.objects.link(scene.camera)
    direction = Vector(np.asarray(view, dtype=float).tolist()).normalized()
    scene.camera.rotation_euler = direction.to_track_quat("Z", "Y").to_euler()
    scene.camera.location = Vector(np.asarray(target, dtype=float).tolist()) + 10.0 * direction
    turn = direction.to_track_quat("Z", "Y")
    for towards, energy, angle in (((-0.6, 0.9, 1.0), 2.1, 15.0), ((1.0, 0.1, 0.8), 0.6, 60.0)):
        light = bpy.data.lights.new("Sun", "SUN")
        assert isinstance(light, bpy.types.SunLight)
        light.energy, light.angle = energy, math.radians(angle)
        lamp = bpy.data.objects.new("Sun", light)
        lamp.rotation_euler = (turn @ Vector(towards)).to_track_quat("Z", "Y").to_euler()
        scene.collection.objects.link(lamp)
    world = bpy.data.worlds.new("World")
    if world.node_tree is None:
        world.use_nodes = True
    background = next(node for node in world.node_tree.nodes if isinstance(node, bpy.types.ShaderNodeBackground))
    background.inputs["Color"].default_value = (1.0, 1.0, 1.0, 1.0)
    background.inputs["Strength"].default_value = 0.35
    scene.world = world
    scene.render.engine = "CYCLES"
    scene.render.film_transparent = True
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.view_settings.view_transform = "Standard"
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGBA"
    cycles: Any = scene.cycles  # type: ignore[attr-defined]  # an add-on's, so not in the stubs
    cycles.device, cycles.samples, cycles.max_bounces = "CPU", _SAMPLES, _BOUNCES
    cycles.use_denoising, cycles.denoising_prefilter = True, "FAST"


def sideways() -> NDArray[np.float64]:
    """Return the direction that points to the right in the picture."""
    camera = bpy.context.scene.camera
    assert camera is not None
    return np.array(camera.rotation_euler.to_matrix(), dtype=np.float64)[:, 0]


def render() -> NDArray[np.float64]:
    """Return the picture, shape (rows, columns, 4), first row on top, alpha not multiplied in."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.png"
        bpy.context.scene.render.filepath = str(path)
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(str(path))
        image.alpha_mode = "CHANNEL_PACKED"
        columns, rows = bpy.context.scene.render.resolution_x, bpy.context.scene.render.resolution_y
        pixels = np.empty(rows * columns * 4, dtype=np.float32)
        image.pixels.foreach_get(pixels)
        bpy.data.images.remove(image)
    return pixels.reshape(rows, columns, 4)[::-1].astype(np.float64)


def on_paper(*layers: tuple[NDArray[np.float64], float]) -> NDArray[np.float64]:
    """Return layers, each with its opacity, over the paper's colour, shape (rows, columns, 3)."""
    out = np.broadcast_to(np.array(_PAPER), (*layers[0][0].shape[:2], 3))
    for pixels, opacity in layers:
        alpha = opacity * pixels[..., 3:]
        out = out * (1.0 - alpha) + pixels[..., :3] * alpha
    return out


def write_png(path: Path, picture: NDArray[np.float64]) -> None:
    """Write an RGB picture with values 0..1, rounded so that it stays small."""
    rows, columns, _ = picture.shape
    paper = np.abs(picture - np.array(_PAPER)).max(axis=-1, keepdims=True) < 1.0 / _STEPS
    stepped = np.where(paper, np.array(_PAPER), np.round(picture * _STEPS) / _STEPS)
    pixels = np.round(np.clip(stepped, 0.0, 1.0) * 255.0).astype(np.uint8).reshape(rows, columns * 3)
    above = np.vstack([np.zeros_like(pixels[:1]), pixels[:-1]])
    lines = np.hstack([np.full((rows, 1), 2, dtype=np.uint8), pixels - above])  # each line as its change from the last
    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b""))
    with path.open("wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for name, data in chunks:
            file.write(struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)))
