# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots that are in memory already, as objects of the libraries urdfpy and urchin (which need not be installed)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..errors import UrdfSyntaxError, UrdfValueError
from ..model import (
    Box,
    Capsule,
    Cylinder,
    Geometry,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    Material,
    Mesh,
    Mimic,
    Origin,
    PackagePaths,
    Robot,
    Shape,
    Sphere,
    Vec3,
)
from ..spatial import rpy_from_rotation
from .origins import make_origin
from .reader import NO_PACKAGE_PATHS, parse_urdf
from .writer import urdf_text

_Read = TypeVar("_Read")


def robot_from_urdfpy(
    urdf: Any,  # noqa: ANN401  # of a library that is not among our dependencies
    *,
    source: Path | str | None = None,
    package_paths: PackagePaths = NO_PACKAGE_PATHS,
) -> Robot:
    """Return the robot that an object of class ``urdfpy.URDF`` or ``urchin.URDF`` holds.

    It is checked like a file, and what a file could not say, such as several roots, is refused in the same words.

    Args:
        urdf: The object; it is only read.
        source: The file that it was loaded from, if its mesh files are named relative to that.
        package_paths: Where ``package://`` names are looked for.

    Raises:
        UrdfError: If it is no such object, or describes no usable robot.
    """
    try:
        described = Robot(
            str(urdf.name), tuple(map(_link, urdf.links)), tuple(map(_joint, urdf.joints)), root="", source=None
        )
    except AttributeError as error:
        raise UrdfSyntaxError(f"not a urdfpy or urchin URDF object: {error}") from None
    except (TypeError, ValueError) as error:
        raise UrdfValueError(f"the {type(urdf).__module__} object holds a value of another kind: {error}") from None
    path = None if source is None else Path(source)
    file = f"{type(urdf).__module__} object" if path is None else str(path)
    return parse_urdf(urdf_text(described), file=file, source=path, package_paths=package_paths)


def _optional(value: Any, read: Callable[[Any], _Read]) -> _Read | None:  # noqa: ANN401
    return None if value is None else read(value)


def _vector(values: Any) -> Vec3:  # noqa: ANN401
    x, y, z = np.asarray(values, dtype=np.float64)
    return float(x), float(y), float(z)


def _origin(matrix: Any) -> Origin:  # noqa: ANN401
    pose = np.eye(4) if matrix is None else np.asarray(matrix, dtype=np.float64)
    return make_origin(_vector(pose[:3, 3]), _vector(rpy_from_rotation(pose[:3, :3])))


def _link(link: Any) -> Link:  # noqa: ANN401
    return Link(
        str(link.name),
        tuple(map(_shape, link.visuals)),
        tuple(map(_shape, link.collisions)),
        _optional(link.inertial, _inertial),
    )


def _inertial(inertial: Any) -> Inertial:  # noqa: ANN401
    return Inertial(
        float(inertial.mass), _origin(inertial.origin), np.asarray(inertial.inertia, dtype=np.float64).reshape(3, 3)
    )


def _shape(shape: Any) -> Shape:  # noqa: ANN401
    material = _optional(getattr(shape, "material", None), _material)
    return Shape(str(shape.name or ""), _origin(shape.origin), _geometry(shape.geometry), material)


def _geometry(geometry: Any) -> Geometry:  # noqa: ANN401
    if geometry.box is not None:
        return Box(_vector(geometry.box.size))
    if geometry.sphere is not None:
        return Sphere(float(geometry.sphere.radius))
    for part, kind in ((geometry.cylinder, Cylinder), (getattr(geometry, "capsule", None), Capsule)):
        if part is not None:
            return kind(float(part.radius), float(part.length))
    scale = geometry.mesh.scale
    return Mesh(str(geometry.mesh.filename), (1.0, 1.0, 1.0) if scale is None else _vector(np.broadcast_to(scale, 3)))


def _material(material: Any) -> Material:  # noqa: ANN401
    rgba = None
    if material.color is not None:
        red, green, blue, alpha = (float(part) for part in material.color)
        rgba = (red, green, blue, alpha)
    return Material(str(material.name), rgba, _optional(material.texture, lambda texture: str(texture.filename)))


def _joint(joint: Any) -> Joint:  # noqa: ANN401
    kind = JointType(joint.joint_type)
    return Joint(
        str(joint.name),
        kind,
        str(joint.parent),
        str(joint.child),
        _origin(joint.origin),
        None if kind in (JointType.FIXED, JointType.FLOATING) else _vector(joint.axis),
        _optional(joint.limit, _limits),
        _optional(joint.mimic, _mimic),
    )


def _limits(limit: Any) -> Limits:  # noqa: ANN401
    numbers = (getattr(limit, name) for name in ("lower", "upper", "velocity", "effort"))
    return Limits(*(_optional(number, float) for number in numbers))


def _mimic(mimic: Any) -> Mimic:  # noqa: ANN401
    return Mimic(str(mimic.joint), float(mimic.multiplier), float(mimic.offset))
