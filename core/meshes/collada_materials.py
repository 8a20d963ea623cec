# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of COLLADA, by pycollada's effects."""

from __future__ import annotations

from typing import Any

from .collada_document import PIECE_FAULTS, ColladaDocument, reason
from .data import Image, Rgba, SurfaceMaterial
from .images import find_image

_GREY = (0.8, 0.8, 0.8)
_LUMINANCE = (0.212671, 0.715160, 0.072169)

_Rgb = tuple[float, float, float]


class Palette:
    """The materials that a scene uses, in order of first use."""

    def __init__(self, document: ColladaDocument) -> None:
        self.materials: list[SurfaceMaterial] = []
        self._document = document
        self._indices: dict[str, int] = {}
        self._load("image")
        self._load("effect")
        self._load("material")

    def index(self, name: str) -> int:
        """Return the place in ``materials`` of the material with this id; -1 if there is none."""
        if name not in self._indices:
            found = self._document.library.materials.get(name)
            self._indices[name] = -1 if found is None else len(self.materials)
            if found is not None:
                self.materials.append(self._surface(found))
        return self._indices[name]

    def _load(self, kind: str) -> None:
        from collada.common import DaeError
        from collada.material import CImage, DaeMissingSampler2D, Effect, Material

        loader = {"image": CImage, "effect": Effect, "material": Material}[kind]
        document = self._document
        shelf = getattr(document.library, f"{kind}s")
        for node in document.all(document.root, f"library_{kind}s", kind):
            try:
                shelf.append(loader.load(document.library, {}, node))
            except (DaeError, DaeMissingSampler2D, *PIECE_FAULTS) as error:
                document.note(f"has {kind} {node.get('id')} that cannot be read ({reason(error)}); left out")

    def _surface(self, material: Any) -> SurfaceMaterial:  # noqa: ANN401
        effect = material.effect
        diffuse, emission = _rgb(effect.diffuse), _rgb(effect.emission)
        texture, mapped = self._texture(effect.diffuse)
        # Many exporters repeat the diffuse colour as emission, so that only counts where it stands alone.
        glows = emission is not None and any(emission) and not mapped and not (diffuse and any(diffuse))
        color = emission if glows and emission else diffuse
        if mapped:
            color = (1.0, 1.0, 1.0) if texture else None
        return SurfaceMaterial(
            str(material.name or material.id),
            (*(color or _GREY), self._opacity(effect)),
            texture=texture,
            emission=emission if glows and emission else (0.0, 0.0, 0.0),
        )

    def _texture(self, value: Any) -> tuple[Image | None, bool]:  # noqa: ANN401
        """Return the image of a property, if it can be found, and whether it has one."""
        sampler = getattr(value, "sampler", None)
        if sampler is None:
            return None, False
        reference = sampler.surface.image.path
        image = find_image(reference, self._document.path) if reference else None
        if image is None:
            self._document.note(f"names the texture {(reference or '').strip()[:200]}, which was not found")
        return image, True

    def _opacity(self, effect: Any) -> float:  # noqa: ANN401
        """Return alpha.

        Exporters disagree about whether a transparency of 0 or of 1 is opaque. Nothing is exported to be invisible,
        so a result of 0 is taken for that confusion, and as opaque.
        """
        node = effect.xmlnode.find(f".//{self._document.tag('transparent')}")
        given = effect.xmlnode.find(f".//{self._document.tag('transparency')}") is not None
        amount = effect.transparency if given and isinstance(effect.transparency, float) else 1.0
        color = _rgba(effect.transparent) if effect.transparent is not None else (1.0, 1.0, 1.0, 1.0)
        if color is None:  # a texture
            return 1.0
        light = sum(weight * value for weight, value in zip(_LUMINANCE, color, strict=False))
        mode = "A_ONE" if node is None else node.get("opaque", "A_ONE")
        share = amount * (light if mode.startswith("RGB") else color[3])
        alpha = 1.0 - share if mode.endswith("ZERO") else share
        return alpha if 0.001 < alpha <= 1.0 else 1.0


def _rgba(value: Any) -> Rgba | None:  # noqa: ANN401
    """Return a colour property of pycollada, or None if it is a texture or missing."""
    if not isinstance(value, tuple | list) or len(value) < 3:
        return None
    red, green, blue, alpha = (min(max(float(v), 0.0), 1.0) for v in (*value, 1.0)[:4])
    return red, green, blue, alpha


def _rgb(value: Any) -> _Rgb | None:  # noqa: ANN401
    found = _rgba(value)
    return None if found is None else found[:3]
