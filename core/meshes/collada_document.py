# SPDX-License-Identifier: GPL-3.0-or-later
"""An opened COLLADA document: its tree, its libraries by id, and a pycollada object to load pieces into."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import MeshError

# What pycollada raises for pieces that are not as it expects. It reads attributes and texts without checks.
PIECE_FAULTS = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, DeprecationWarning)


class ColladaDocument:
    """The tree of one document and what was remarked about it."""

    def __init__(self, root: ET.Element, path: Path) -> None:
        from collada import Collada
        from collada.common import DaeError

        self.root = root
        self.path = path
        self.notes: dict[str, None] = {}  # a set in order
        namespace, _, name = root.tag.rpartition("}")
        if name != "COLLADA":
            raise MeshError(f"{path.name} is no COLLADA document, its first element is {name[:80]}")
        self._prefix = namespace + "}" if namespace else ""
        self.library: Any = Collada()
        self.library.ignoreErrors(DaeError)
        self.library.tag = self.tag
        self._ids: dict[str, dict[str, ET.Element]] = {}
        self._repair_textures()

    def tag(self, name: str) -> str:
        """Return the qualified name of an element."""
        return self._prefix + name

    def note(self, text: str) -> None:
        """Remark something, once, with the file's name before it."""
        self.notes[f"{self.path.name} {text}"] = None

    def find(self, node: ET.Element, *names: str) -> ET.Element | None:
        """Return the first element down this path of names."""
        return node.find("/".join(self.tag(name) for name in names))

    def all(self, node: ET.Element, *names: str) -> list[ET.Element]:
        """Return all elements down this path of names."""
        return node.findall("/".join(self.tag(name) for name in names))

    def by_id(self, kind: str, reference: str | None) -> ET.Element | None:
        """Return the ``kind`` element anywhere in the document that ``#id`` refers to."""
        if kind not in self._ids:
            elements = self.root.iter(self.tag(kind))
            self._ids[kind] = {element.get("id") or "": element for element in elements}
        return self._ids[kind].get((reference or "").removeprefix("#"))

    @property
    def unit(self) -> float:
        """Length of the document's unit [m]."""
        element = self.find(self.root, "asset", "unit")
        try:
            meter = float((element.get("meter") if element is not None else None) or 1.0)
        except ValueError:
            return 1.0
        return meter if math.isfinite(meter) and meter > 0.0 else 1.0

    @property
    def up_axis(self) -> str:
        """The axis that the document says is up, or empty."""
        element = self.find(self.root, "asset", "up_axis")
        return ((element.text if element is not None else "") or "").strip().upper()

    def _repair_textures(self) -> None:
        """Rewrite the way in which COLLADA 1.5 names images, which pycollada does not read, the 1.4 way.

        Samplers without surface are taken out; pycollada gives up an effect for them, but finds images without.
        """
        for init in self.root.iter(self.tag("init_from")):
            reference = self.find(init, "ref")
            if reference is not None:
                init.text = reference.text
        for profile in self.root.iter(self.tag("profile_COMMON")):
            params = profile.iter(self.tag("newparam"))
            surfaces = {param.get("sid") for param in params if self.find(param, "surface") is not None}
            for parent in (profile, *self.all(profile, "technique")):
                parent[:] = [new for child in parent for new in self._with_surface(child, surfaces)]

    def _with_surface(self, element: ET.Element, surfaces: set[str | None]) -> list[ET.Element]:
        """Return the element; a sampler after its surface, or not at all if that is missing."""
        sampler = self.find(element, "sampler2D") if element.tag == self.tag("newparam") else None
        if sampler is None:
            return [element]
        image, source = self.find(sampler, "instance_image"), self.find(sampler, "source")
        if source is not None:
            return [element] if (source.text or "").strip() in surfaces else []
        if image is None:
            return []
        name = f"{element.get('sid')}-surface"
        ET.SubElement(sampler, self.tag("source")).text = name
        holder = ET.Element(self.tag("newparam"), sid=name)
        surface = ET.SubElement(holder, self.tag("surface"), type="2D")
        ET.SubElement(surface, self.tag("init_from")).text = (image.get("url") or "").removeprefix("#")
        return [holder, element]


def reason(error: Exception) -> str:
    """Return what an error of pycollada or Python says, on one short line."""
    return " ".join(str(getattr(error, "msg", error)).split())[:200] or type(error).__name__


def numbers(text: str | None) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return a few numbers written as text.

    Raises:
        ValueError: If there is a word that is no finite number.
    """
    values = np.array([float(word) for word in (text or "").split()], dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError("a number is not finite")
    return values
