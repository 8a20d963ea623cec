# SPDX-License-Identifier: GPL-3.0-or-later
"""A ``Robot`` as URDF text, for robots that no file describes: rigs store the text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

import numpy as np

from ..model import Box, Capsule, Cylinder, Geometry, Joint, Limits, Link, Material, Mesh, Origin, Robot, Shape, Sphere

_RATES = ("velocity", "effort", "acceleration", "jerk")


def urdf_text(robot: Robot) -> str:
    """Return the robot's links, joints and materials as a URDF document; reading it gives an equal robot.

    Numbers are written so that they read back exactly. Cameras are no part of URDF and are not written.

    >>> from urdf_rig import core
    >>> from urdf_rig.core.urdf import parse_urdf, urdf_text
    >>> robot = core.load("examples/arm6/arm6.urdf")
    >>> parse_urdf(urdf_text(robot)).dofs == robot.dofs
    True

    Args:
        robot: The robot; its own ``urdf`` is not looked at.
    """
    root = ElementTree.Element("robot", {"name": robot.name, "version": _version(robot)})
    for material in _named_materials(robot):
        _material(root, material)
    for link in robot.links:
        _link(root, link)
    for joint in robot.joints:
        _joint(root, joint)
    ElementTree.indent(root)
    return '<?xml version="1.0"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _version(robot: Robot) -> str:
    limits = [joint.limit for joint in robot.joints if joint.limit is not None]
    if any(limit.acceleration is not None or limit.jerk is not None for limit in limits):
        return "1.2"
    shapes = (shape for link in robot.links for shape in (*link.visuals, *link.collisions))
    return "1.1" if any(isinstance(shape.geometry, Capsule) for shape in shapes) else "1.0"


def _named_materials(robot: Robot) -> Iterable[Material]:
    """Return the materials that have a name, each once, in the order of their first use."""
    used = (visual.material for link in robot.links for visual in link.visuals)
    return {material.name: material for material in reversed([m for m in used if m and m.name])}.values()


def _numbers(values: Iterable[float]) -> str:
    return " ".join(repr(float(value)) for value in values)


def _child(parent: ElementTree.Element, tag: str, **attributes: str | float | None) -> ElementTree.Element:
    """Add an element; attributes that are None are left out."""
    texts = {
        name: value if isinstance(value, str) else repr(float(value))
        for name, value in attributes.items()
        if value is not None
    }
    return ElementTree.SubElement(parent, tag, texts)


def _origin(parent: ElementTree.Element, origin: Origin) -> None:
    if not np.array_equal(origin.matrix, np.eye(4)):
        _child(parent, "origin", xyz=_numbers(origin.xyz), rpy=_numbers(origin.rpy))


def _link(root: ElementTree.Element, link: Link) -> None:
    element = _child(root, "link", name=link.name)
    if link.inertial is not None:
        inertial = _child(element, "inertial")
        _origin(inertial, link.inertial.origin)
        _child(inertial, "mass", value=link.inertial.mass)
        matrix = link.inertial.inertia
        _child(
            inertial,
            "inertia",
            ixx=float(matrix[0, 0]),
            ixy=float(matrix[0, 1]),
            ixz=float(matrix[0, 2]),
            iyy=float(matrix[1, 1]),
            iyz=float(matrix[1, 2]),
            izz=float(matrix[2, 2]),
        )
    for tag, shapes in (("visual", link.visuals), ("collision", link.collisions)):
        for shape in shapes:
            _shape(element, tag, shape)


def _shape(link: ElementTree.Element, tag: str, shape: Shape) -> None:
    element = _child(link, tag, name=shape.name or None)
    _origin(element, shape.origin)
    _geometry(_child(element, "geometry"), shape.geometry)
    if shape.material is not None:
        if shape.material.name:
            _child(element, "material", name=shape.material.name)
        else:
            _material(element, shape.material)


def _geometry(parent: ElementTree.Element, geometry: Geometry) -> None:
    match geometry:
        case Box(size):
            _child(parent, "box", size=_numbers(size))
        case Sphere(radius):
            _child(parent, "sphere", radius=radius)
        case Cylinder(radius, length):
            _child(parent, "cylinder", radius=radius, length=length)
        case Capsule(radius, length):
            _child(parent, "capsule", radius=radius, length=length)
        case Mesh(uri, scale):
            _child(parent, "mesh", filename=uri, scale=None if scale == (1.0, 1.0, 1.0) else _numbers(scale))


def _material(parent: ElementTree.Element, material: Material) -> None:
    element = _child(parent, "material", name=material.name)
    if material.rgba is not None:
        _child(element, "color", rgba=_numbers(material.rgba))
    if material.texture is not None:
        _child(element, "texture", filename=material.texture)


def _joint(root: ElementTree.Element, joint: Joint) -> None:
    element = _child(root, "joint", name=joint.name, type=joint.type.value)
    _origin(element, joint.origin)
    _child(element, "parent", link=joint.parent)
    _child(element, "child", link=joint.child)
    if joint.axis is not None:
        _child(element, "axis", xyz=_numbers(joint.axis))
    if joint.limit is not None:
        _limit(element, joint.limit)
    if joint.mimic is not None:
        mimic = joint.mimic
        _child(element, "mimic", joint=mimic.joint, multiplier=mimic.multiplier, offset=mimic.offset)


def _limit(joint: ElementTree.Element, limit: Limits) -> None:
    names: Sequence[str] = ("lower", "upper", *_RATES)
    _child(joint, "limit", **{name: getattr(limit, name) for name in names})
