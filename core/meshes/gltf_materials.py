# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials and images of glTF. Its colour factors are linear; ours are display-referred."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .data import Image, SurfaceMaterial
from .gltf_buffers import GltfFile, Json

_SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}


def srgb(linear: NDArray[Any]) -> NDArray[Any]:
    """Return display-referred values of linear ones, both 0..1 (clipped)."""
    linear = np.clip(np.nan_to_num(linear), 0.0, 1.0)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1.0 / 2.4) - 0.055)


def texture_set(material_item: Json) -> int:
    """Return which set of texture coordinates the base colour texture uses."""
    return int(_base_texture(material_item).get("texCoord", 0))


def material(gltf: GltfFile, item: Json, index: int, notes: list[str]) -> SurfaceMaterial:
    """Return one material of the document; a texture that cannot be found adds a note."""
    surface = item.get("pbrMetallicRoughness", {})
    older = _older(item)
    factor = [float(value) for value in older.get("diffuseFactor", surface.get("baseColorFactor", (1.0,) * 4))]
    red, green, blue = srgb(np.array(factor[:3])).tolist()
    red_glow, green_glow, blue_glow = srgb(np.array(item.get("emissiveFactor", (0.0,) * 3), dtype=np.float64)).tolist()
    # What a metallic-roughness texture says is not known here; a dielectric is the safer guess.
    mapped = bool(older) or "metallicRoughnessTexture" in surface
    return SurfaceMaterial(
        str(item.get("name") or f"material {index}"),
        (red, green, blue, 1.0 if item.get("alphaMode", "OPAQUE") == "OPAQUE" else _unit(factor[3])),
        texture=_texture(gltf, _base_texture(item), notes),
        metallic=0.0 if mapped else _unit(surface.get("metallicFactor", 1.0)),
        roughness=0.5 if mapped else _unit(surface.get("roughnessFactor", 1.0)),
        emission=(red_glow, green_glow, blue_glow),
    )


def _older(item: Json) -> Json:
    """Return the specular-glossiness description that came before metallic-roughness, if there is one."""
    found = item.get("extensions", {}).get("KHR_materials_pbrSpecularGlossiness", {})
    return found if isinstance(found, dict) else {}


def _base_texture(item: Json) -> Json:
    found = _older(item).get("diffuseTexture") or item.get("pbrMetallicRoughness", {}).get("baseColorTexture") or {}
    return found if isinstance(found, dict) else {}


def _unit(value: float) -> float:
    return min(max(float(value), 0.0), 1.0)


def _texture(gltf: GltfFile, reference: Json, notes: list[str]) -> Image | None:
    if "index" not in reference:
        return None
    if "KHR_texture_transform" in reference.get("extensions", {}):
        notes.append(f"{gltf.path.name} moves a texture (KHR_texture_transform); that is not applied")
    texture = gltf.items("textures")[reference["index"]]
    source = texture.get("source", texture.get("extensions", {}).get("EXT_texture_webp", {}).get("source"))
    if source is None:
        notes.append(f"{gltf.path.name} has a texture in a format that is not read")
        return None
    item = gltf.items("images")[source]
    name = str(item.get("name") or f"image {source}")
    if "bufferView" in item:
        return Image(_with_suffix(name, str(item.get("mimeType"))), data=gltf.view_bytes(item["bufferView"]))
    uri = str(item["uri"])
    if uri.startswith("data:"):
        kind = uri[len("data:") :].partition(",")[0].partition(";")[0]
        return Image(_with_suffix(name, kind), data=gltf.uri_content(uri))
    file = gltf.file(uri)
    if file is None:
        notes.append(f"{gltf.path.name}: the texture {uri[:200]} was not found in its folder")
        return None
    return Image(file.name, path=file)


def _with_suffix(name: str, mime_type: str) -> str:
    suffix = _SUFFIXES.get(mime_type, "")
    return name if name.lower().endswith((suffix, ".jpeg")) else name + suffix
