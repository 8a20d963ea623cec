# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials as RViz shows them: display colours made linear, alpha really transparent, equal ones shared."""

from __future__ import annotations

from typing import TypeVar

import bpy

from ...core.meshes.data import Image, Rgba, SurfaceMaterial

_WHITE: Rgba = (1.0, 1.0, 1.0, 1.0)
_Node = TypeVar("_Node", bound=bpy.types.Node)


def to_linear(value: float) -> float:
    """Return the linear value of a display (sRGB) component in 0..1 (IEC 61966-2-1)."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


class MaterialBuilder:
    """Makes each different material once.

    Args:
        pack: Whether image files are packed into the .blend; images inside mesh files always are.
    """

    def __init__(self, *, pack: bool = False) -> None:
        self._pack = pack
        self._made: dict[tuple[object, ...], bpy.types.Material] = {}
        self._images: dict[object, bpy.types.Image] = {}

    def surface(self, material: SurfaceMaterial, *, vertex_colors: bool = False) -> bpy.types.Material:
        """Return the material for one that a mesh file brings, or the description."""
        texture = material.texture
        source = None if texture is None else texture.path or texture.data
        key = (material.name, material.rgba, source, material.metallic, material.roughness, material.emission)
        return self._get((*key, vertex_colors), material, vertex_colors)

    def _get(self, key: tuple[object, ...], surface: SurfaceMaterial, vertex_colors: bool) -> bpy.types.Material:
        if key not in self._made:
            self._made[key] = self._make(surface, vertex_colors)
        return self._made[key]

    def _make(self, surface: SurfaceMaterial, vertex_colors: bool) -> bpy.types.Material:
        material = bpy.data.materials.new(surface.name)
        if material.node_tree is None:
            material.use_nodes = True
        tree = material.node_tree
        # by type: node names are translated in other languages
        shader = next(node for node in tree.nodes if isinstance(node, bpy.types.ShaderNodeBsdfPrincipled))
        base, alpha = _linear(surface.rgba), surface.rgba[3]
        shader.inputs["Base Color"].default_value = base
        shader.inputs["Alpha"].default_value = alpha
        shader.inputs["Metallic"].default_value = surface.metallic
        shader.inputs["Roughness"].default_value = surface.roughness
        if any(surface.emission):
            shader.inputs["Emission Color"].default_value = (*map(to_linear, surface.emission), 1.0)
            shader.inputs["Emission Strength"].default_value = 1.0
        material.diffuse_color = base
        material.metallic, material.roughness = surface.metallic, surface.roughness
        if alpha < 1.0:
            material.surface_render_method = "BLENDED"
        if surface.texture is not None:
            self._add_texture(material, shader, surface)
        elif vertex_colors:
            node = _new_node(tree, bpy.types.ShaderNodeVertexColor)
            node.layer_name = "Color"
            tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
        return material

    def _add_texture(
        self, material: bpy.types.Material, shader: bpy.types.ShaderNodeBsdfPrincipled, surface: SurfaceMaterial
    ) -> None:
        assert surface.texture is not None
        tree = material.node_tree
        node = _new_node(tree, bpy.types.ShaderNodeTexImage)
        node.image = self._image(surface.texture)
        node.location = (-600.0, 300.0)
        color: bpy.types.NodeSocket = node.outputs["Color"]
        if surface.rgba[:3] != _WHITE[:3]:
            color = _multiplied(tree, color, _linear(surface.rgba))
        tree.links.new(color, shader.inputs["Base Color"])
        if node.image.depth in (32, 64, 128):  # the image has an alpha channel
            tree.links.new(node.outputs["Alpha"], shader.inputs["Alpha"])
            material.surface_render_method = "DITHERED"

    def _image(self, image: Image) -> bpy.types.Image:
        key = image.path or image.data
        if key not in self._images:
            if image.path is not None:
                loaded = self._images[key] = bpy.data.images.load(str(image.path), check_existing=True)
                if self._pack and loaded.packed_file is None:
                    loaded.pack()
            else:
                assert image.data is not None
                made = bpy.data.images.new(image.name, 1, 1)
                made.pack(data=image.data, data_len=len(image.data))  # type: ignore[arg-type]  # 4.2's stubs want str
                made.source = "FILE"
                self._images[key] = made
        return self._images[key]


def _linear(rgba: Rgba) -> Rgba:
    """Return a display colour as Blender wants it: linear, alpha as it is."""
    red, green, blue, alpha = rgba
    return to_linear(red), to_linear(green), to_linear(blue), alpha


def _new_node(tree: bpy.types.NodeTree, kind: type[_Node]) -> _Node:
    node = tree.nodes.new(kind.__name__)
    assert isinstance(node, kind)
    return node


def _multiplied(tree: bpy.types.NodeTree, color: bpy.types.NodeSocket, factor: Rgba) -> bpy.types.NodeSocket:
    node = _new_node(tree, bpy.types.ShaderNodeMix)
    node.data_type = "RGBA"
    node.blend_type = "MULTIPLY"
    node.location = (-250.0, 300.0)
    # sockets by type: a mix node has one set for each data type, all with the same names
    amount = next(item for item in node.inputs if isinstance(item, bpy.types.NodeSocketFloatFactor) and item.enabled)
    first, second = (item for item in node.inputs if isinstance(item, bpy.types.NodeSocketColor))
    amount.default_value = 1.0
    second.default_value = factor
    tree.links.new(color, first)
    return next(item for item in node.outputs if isinstance(item, bpy.types.NodeSocketColor))
