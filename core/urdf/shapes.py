# SPDX-License-Identifier: GPL-3.0-or-later
"""``<visual>`` and ``<collision>``. A bad one is left out with a warning; its neighbours and the robot stay."""

from __future__ import annotations

from collections.abc import Callable

from ..diagnostics import Diagnostics
from ..errors import UrdfError
from ..model import Box, Capsule, Cylinder, Geometry, Material, Mesh, Shape, Sphere, Vec3
from .materials import Materials
from .origins import read_origin
from .remarks import only, quoted, tagged, value_error, warn
from .values import attribute_error, measures, missing_attribute
from .xml import Element


def read_shapes(link: Element, tag: str, materials: Materials, remarks: Diagnostics, who: str) -> tuple[Shape, ...]:
    """Return the usable shapes of a link in document order.

    Args:
        link: The ``<link>``.
        tag: ``visual`` or ``collision``; only visuals have a material.
        materials: The robot's materials.
        remarks: Takes a warning for each shape that is left out.
        who: The link, for messages.
    """
    shapes = []
    for index, element in enumerate(link.all(tag)):
        name = element.attributes.get("name", "")
        label = f"{tag} {quoted(name) if name else index + 1} of {who}"
        try:
            origin, geometry = read_origin(element, remarks, label), _geometry(element, remarks, label)
        except UrdfError as error:
            warn(remarks, element, f"{error.message}; the {tag} is left out", label)
            continue
        material: Material | None = None
        if tag == "visual":
            material = materials.of_visual(element, label)
        shapes.append(Shape(name, origin, geometry, material, element.line))
    return tuple(shapes)


def _geometry(shape: Element, remarks: Diagnostics, who: str) -> Geometry:
    geometry = only(shape, "geometry", remarks, who)
    if geometry is None or not geometry.children:
        raise value_error(geometry or shape, "it has no geometry", who)
    for element in geometry.children:
        if element.tag in _READERS:
            return _READERS[element.tag](element, remarks, who)
    tags = ", ".join(tagged(element.tag) for element in geometry.children[:3])
    raise value_error(geometry, f"the geometry {tags} is not known; URDF has {', '.join(_READERS)}", who)


def _length(element: Element, attribute: str, who: str) -> float:
    if attribute not in element.attributes:
        raise missing_attribute(element, attribute, who)
    (value,) = measures(element, attribute, 1, who)
    if value < 0.0:
        raise attribute_error(element, attribute, "a length cannot be negative", who)
    return value


def _box(element: Element, _remarks: Diagnostics, who: str) -> Box:
    if "size" not in element.attributes:
        raise missing_attribute(element, "size", who)
    x, y, z = measures(element, "size", 3, who)
    if min(x, y, z) < 0.0:
        raise attribute_error(element, "size", "a length cannot be negative", who)
    return Box((x, y, z))


def _cylinder(element: Element, _remarks: Diagnostics, who: str) -> Cylinder:
    return Cylinder(_length(element, "radius", who), _length(element, "length", who))


def _sphere(element: Element, _remarks: Diagnostics, who: str) -> Sphere:
    return Sphere(_length(element, "radius", who))


def _capsule(element: Element, _remarks: Diagnostics, who: str) -> Capsule:
    return Capsule(_length(element, "radius", who), _length(element, "length", who))


def _mesh(element: Element, remarks: Diagnostics, who: str) -> Mesh:
    uri = element.attributes.get("filename", "").strip()
    if not uri:
        raise value_error(element, "<mesh> names no file", who)
    return Mesh(uri, _scale(element, remarks, who))


def _scale(element: Element, remarks: Diagnostics, who: str) -> Vec3:
    if "scale" not in element.attributes:
        return 1.0, 1.0, 1.0
    if len(element.attributes["scale"].split()) == 1:
        (factor,) = measures(element, "scale", 1, who)
        warn(remarks, element, f"the mesh scale is one number; {factor:g} is used for all three axes", who)
        scale: Vec3 = (factor, factor, factor)
    else:
        x, y, z = measures(element, "scale", 3, who)
        scale = (x, y, z)
    if 0.0 in scale:
        raise attribute_error(element, "scale", "a factor of zero leaves nothing of the mesh", who)
    return scale


_READERS: dict[str, Callable[[Element, Diagnostics, str], Geometry]] = {
    "box": _box,
    "cylinder": _cylinder,
    "sphere": _sphere,
    "capsule": _capsule,
    "mesh": _mesh,
}
