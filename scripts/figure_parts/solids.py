# SPDX-License-Identifier: GPL-3.0-or-later
"""What figures are made of: arrows, balls, octahedral bones, arcs and labels, as mesh objects."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Color = tuple[float, float, float]

RED: Color = (0.72, 0.03, 0.03)
GREEN: Color = (0.05, 0.38, 0.04)
BLUE: Color = (0.02, 0.10, 0.72)
AXES = (RED, GREEN, BLUE)
BONE: Color = (0.42, 0.46, 0.53)
INK: Color = (0.02, 0.025, 0.03)
GREY: Color = (0.30, 0.32, 0.35)


def pale(color: Color, share: float = 0.7) -> Color:
    """Return a colour mixed with white."""
    r, g, b = (part + share * (0.85 - part) for part in color)
    return r, g, b


def material(color: Color, *, flat: bool = False) -> bpy.types.Material:
    """Return the material of a colour, made once; a flat one is not shaded."""
    name = f"{color} {flat}"
    known: bpy.types.Material | None = bpy.data.materials.get(name)
    if known is not None:
        return known
    made = bpy.data.materials.new(name)
    if made.node_tree is None:
        made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    if flat:
        nodes.clear()
        glow, out = nodes.new("ShaderNodeEmission"), nodes.new("ShaderNodeOutputMaterial")
        assert isinstance(glow, bpy.types.ShaderNodeEmission)
        glow.inputs["Color"].default_value = (*color, 1.0)
        links.new(glow.outputs["Emission"], out.inputs["Surface"])
        return made
    shader = next(node for node in nodes if isinstance(node, bpy.types.ShaderNodeBsdfPrincipled))
    shader.inputs["Base Color"].default_value = (*color, 1.0)
    shader.inputs["Roughness"].default_value = 0.55
    return made


def add(
    points: ArrayLike, faces: Sequence[Sequence[int]], color: Color, *, smooth: bool = False, flat: bool = False
) -> bpy.types.Object:
    """Return a new mesh object in the scene."""
    mesh = bpy.data.meshes.new("Figure")
    mesh.from_pydata(np.asarray(points, dtype=np.float64).tolist(), [], faces)
    mesh.polygons.foreach_set("use_smooth", [smooth] * len(mesh.polygons))
    mesh.materials.append(material(color, flat=flat))
    made = bpy.data.objects.new("Figure", mesh)
    bpy.context.scene.collection.objects.link(made)
    return made


def along(direction: ArrayLike) -> Array:
    """Return a rotation (3, 3) whose z axis is the direction."""
    z = np.asarray(direction, dtype=np.float64)
    z = z / np.linalg.norm(z)
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def turned(
    profile: Sequence[tuple[float, float]], start: Array, direction: Array, color: Color, *, smooth: bool = True
) -> None:
    """Add a solid of revolution: radii and heights along ``direction`` from ``start``."""
    count = 32
    angles = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    rows = np.concatenate([np.column_stack([radius * ring, np.full(count, height)]) for radius, height in profile])
    faces = [
        (row * count + i, row * count + (i + 1) % count, (row + 1) * count + (i + 1) % count, (row + 1) * count + i)
        for row in range(len(profile) - 1)
        for i in range(count)
    ]
    add(rows @ along(direction).T + start, faces, color, smooth=smooth)


def arrow(start: ArrayLike, end: ArrayLike, color: Color, width: float = 0.012) -> None:
    """Add an arrow."""
    start, end = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    length = float(np.linalg.norm(end - start))
    tip = min(5.0 * width, 0.6 * length)
    turned([(0.0, 0.0), (width, 0.0), (width, length - tip)], start, end - start, color)
    turned([(0.0, length - tip), (2.4 * width, length - tip)], start, end - start, color)
    turned([(2.4 * width, length - tip), (0.0, length)], start, end - start, color)


def axes(frame: Array, length: float, *, width: float = 0.012, share: float = 0.0, which: str = "xyz") -> None:
    """Add the axes of a frame ``A_H_F``, shape (4, 4): x red, y green, z blue, paler by ``share``."""
    for index, name in enumerate("xyz"):
        if name in which:
            color = pale(AXES[index], share) if share else AXES[index]
            arrow(frame[:3, 3], frame[:3, 3] + length * frame[:3, index], color, width)


def ball(center: ArrayLike, radius: float, color: Color) -> None:
    """Add a ball."""
    angles = np.linspace(0.0, np.pi, 17)
    profile = [(radius * np.sin(angle), -radius * np.cos(angle)) for angle in angles]
    turned(profile, np.asarray(center, dtype=np.float64), np.array([0.0, 0.0, 1.0]), color)


def bone(frame: Array, length: float, color: Color = BONE, *, slim: float = 0.1) -> None:
    """Add a bone as Blender draws it: an octahedron along y, and balls at both ends."""
    w, h = slim * length, 0.1 * length
    points = np.array([(0, 0, 0), (w, h, w), (w, h, -w), (-w, h, -w), (-w, h, w), (0, length, 0)], dtype=np.float64)
    faces = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1), (5, 2, 1), (5, 3, 2), (5, 4, 3), (5, 1, 4)]
    add(points @ frame[:3, :3].T + frame[:3, 3], faces, color)
    ball(frame[:3, 3], 0.45 * w, color)
    ball(frame[:3, 3] + length * frame[:3, 1], 0.3 * w, color)


def arc(center: Array, start: Array, end: Array, radius: float, color: Color, width: float = 0.006) -> None:
    """Add an arc about ``center`` from one unit vector to another."""
    angle = np.arccos(np.clip(start @ end, -1.0, 1.0))
    side = end - (start @ end) * start
    side = side / np.linalg.norm(side)
    steps = np.linspace(0.0, angle, 24)
    path = [center + radius * (np.cos(step) * start + np.sin(step) * side) for step in steps]
    for a, b in zip(path[:-3], path[1:-2]):
        turned([(width, 0.0), (width, 1.05 * float(np.linalg.norm(b - a)))], a, b - a, color)
    arrow(path[-4], path[-1], color, width)


def label(text: str, place: ArrayLike, size: float, color: Color = INK, align: str = "CENTER") -> None:
    """Add a text that faces the scene's camera."""
    curve = bpy.data.curves.new("Label", "FONT")
    assert isinstance(curve, bpy.types.TextCurve)
    curve.body, curve.size = text, size
    curve.align_x, curve.align_y = align, "CENTER"
    curve.materials.append(material(color, flat=True))
    made = bpy.data.objects.new("Label", curve)
    camera = bpy.context.scene.camera
    assert camera is not None
    made.rotation_euler = camera.rotation_euler
    made.location = np.asarray(place, dtype=np.float64).tolist()
    bpy.context.scene.collection.objects.link(made)
