# SPDX-License-Identifier: GPL-3.0-or-later
"""The visual scene of a COLLADA document, flattened: which geometry stands where, in which materials."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import MeshError
from .collada_document import ColladaDocument, numbers

_MAX_NODES = 50_000
_MAX_DEPTH = 500

Mat4 = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Instance:
    """A geometry by id, its pose in the scene, and which material each symbol of the geometry stands for."""

    geometry: str
    matrix: Mat4
    materials: dict[str, str]


def instances(document: ColladaDocument) -> Iterator[Instance]:
    """Yield every instance of a geometry in the visual scene, in document order; without scene, every geometry once.

    Raises:
        MeshError: If nodes contain themselves, or there are absurdly many.
    """
    scene = _visual_scene(document)
    if scene is None:
        for geometry in document.root.iter(document.tag("geometry")):
            yield Instance(geometry.get("id") or "", np.eye(4), {})
        return
    stack = [(node, np.eye(4), 0) for node in reversed(document.all(scene, "node"))]
    visited = 0
    while stack:
        node, parent, depth = stack.pop()
        visited += 1
        if visited > _MAX_NODES or depth > _MAX_DEPTH:
            raise MeshError(f"{document.path.name} has more than {_MAX_NODES} nodes, or nodes that contain themselves")
        matrix = _node_matrix(document, node, parent)
        inner: list[tuple[ET.Element, Mat4, int]] = []
        for child in node:
            kind = child.tag.rpartition("}")[2]
            if kind == "node":
                inner.append((child, matrix, depth + 1))
            elif kind == "instance_node":
                target = document.by_id("node", child.get("url"))
                if target is None:
                    document.note(f"places the node {child.get('url')}, which it does not hold")
                else:
                    inner.append((target, matrix, depth + 1))
            elif kind in ("instance_geometry", "instance_controller"):
                yield from _instance(document, child, matrix)
        stack += reversed(inner)


def _visual_scene(document: ColladaDocument) -> ET.Element | None:
    chosen = document.find(document.root, "scene", "instance_visual_scene")
    scene = None if chosen is None else document.by_id("visual_scene", chosen.get("url"))
    return scene if scene is not None else document.find(document.root, "library_visual_scenes", "visual_scene")


def _instance(document: ColladaDocument, element: ET.Element, matrix: Mat4) -> Iterator[Instance]:
    url = element.get("url")
    if element.tag == document.tag("instance_controller"):
        url, matrix = _skinned(document, url, matrix)
    if document.by_id("geometry", url) is None:
        document.note(f"places the geometry {url}, which it does not hold")
        return
    bound = document.all(element, "bind_material", "technique_common", "instance_material")
    materials = {item.get("symbol") or "": (item.get("target") or "").removeprefix("#") for item in bound}
    yield Instance((url or "").removeprefix("#"), matrix, materials)


def _skinned(document: ColladaDocument, url: str | None, matrix: Mat4) -> tuple[str | None, Mat4]:
    """Return the geometry under a controller, in the pose in which it was bound to its bones."""
    controller = document.by_id("controller", url)
    for _ in range(4):  # a skin of a morph of a geometry
        if controller is None:
            break
        skin = document.find(controller, "skin")
        source = skin if skin is not None else document.find(controller, "morph")
        if source is None:
            break
        bind = document.find(source, "bind_shape_matrix")
        if bind is not None:
            matrix = matrix @ _transform(document, bind, _matrix)
        url = source.get("source")
        controller = document.by_id("controller", url)
    return url, matrix


def _node_matrix(document: ColladaDocument, node: ET.Element, parent: Mat4) -> Mat4:
    result = parent
    for child in node:
        kind = child.tag.rpartition("}")[2]
        if kind in _TRANSFORMS:
            result = result @ _transform(document, child, _TRANSFORMS[kind])
        elif kind in ("skew", "lookat"):
            document.note(f"has a {kind} transform, which is not applied")
    return result


def _transform(document: ColladaDocument, element: ET.Element, build: Callable[[NDArray[np.float64]], Mat4]) -> Mat4:
    try:
        return build(numbers(element.text))
    except ValueError:
        document.note(f"has a garbled {element.tag.rpartition('}')[2]} transform, which is not applied")
        return np.eye(4)


def _matrix(values: NDArray[np.float64]) -> Mat4:
    return values.reshape(4, 4)


def _translate(values: NDArray[np.float64]) -> Mat4:
    result = np.eye(4)
    result[:3, 3] = values.reshape(3)
    return result


def _scale(values: NDArray[np.float64]) -> Mat4:
    return np.diag([*values.reshape(3), 1.0])


def _rotate(values: NDArray[np.float64]) -> Mat4:
    """Return the rotation for an axis and an angle in degrees, by Rodrigues' formula."""
    x, y, z, degrees = values.reshape(4)
    length = math.sqrt(x * x + y * y + z * z)
    result = np.eye(4)
    if length > 0.0:
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]) / length
        angle = math.radians(degrees)
        result[:3, :3] += math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross
    return result


_TRANSFORMS = {"matrix": _matrix, "translate": _translate, "rotate": _rotate, "scale": _scale}
