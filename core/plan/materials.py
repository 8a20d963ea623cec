# SPDX-License-Identifier: GPL-3.0-or-later
"""A description's materials, as those that mesh files bring."""

from __future__ import annotations

from pathlib import Path

from ..meshes.data import Image, Rgba, SurfaceMaterial
from ..model import Material

_WHITE: Rgba = (1.0, 1.0, 1.0, 1.0)


def urdf_surface(material: Material | None, texture: Path | None) -> SurfaceMaterial | None:
    """Return what a shape's URDF material looks like; None where it says nothing of that.

    Args:
        material: The shape's material.
        texture: Its image file, where it names one that exists.
    """
    if material is None or (material.rgba is None and texture is None):
        return None
    image = None if texture is None else Image(texture.name, path=texture)
    return SurfaceMaterial(material.name or "Material", material.rgba or _WHITE, image)
