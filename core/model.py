# SPDX-License-Identifier: GPL-3.0-or-later
"""The robot as frozen, typed data. No parsing and no files here; a ``Robot`` that exists is a valid tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .diagnostics import Diagnostic
from .errors import UnknownNameError
from .meshes.data import Rgba

Vec3 = tuple[float, float, float]
Mat4 = NDArray[np.float64]


class JointType(StrEnum):
    """The joint types of URDF."""

    FIXED = "fixed"
    REVOLUTE = "revolute"
    CONTINUOUS = "continuous"
    PRISMATIC = "prismatic"
    PLANAR = "planar"
    FLOATING = "floating"

    @property
    def is_scalar(self) -> bool:
        """Whether one number is the joint's value."""
        return self in (JointType.REVOLUTE, JointType.CONTINUOUS, JointType.PRISMATIC)

    @property
    def turns(self) -> bool:
        """Whether the joint's one number is an angle."""
        return self in (JointType.REVOLUTE, JointType.CONTINUOUS)


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """An ``<origin>`` element: ``matrix`` is ``P_H_C``, (4, 4), read-only; ``rpy`` [rad] are fixed-axis angles."""

    xyz: Vec3
    rpy: Vec3
    matrix: Mat4


@dataclass(frozen=True, slots=True)
class Limits:
    """A ``<limit>`` element in rad or m and per second; None where the file is silent or the value does not apply."""

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    effort: float | None = None
    acceleration: float | None = None
    jerk: float | None = None


@dataclass(frozen=True, slots=True)
class Mimic:
    """``q = multiplier * q(joint) + offset``."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """A joint; ``axis`` is a unit vector in the joint (= child) frame, None for fixed and floating joints."""

    name: str
    type: JointType
    parent: str
    child: str
    origin: Origin
    axis: Vec3 | None = None
    limit: Limits | None = None
    mimic: Mimic | None = None
    line: int = 0

    @property
    def range(self) -> tuple[float, float] | None:
        """The closed range of the joint value [rad or m]; None where it is unlimited."""
        if self.limit is None or self.limit.lower is None or self.limit.upper is None:
            return None
        return self.limit.lower, self.limit.upper


@dataclass(frozen=True, slots=True)
class Box:
    """A box centred on its origin, full side lengths [m]."""

    size: Vec3


@dataclass(frozen=True, slots=True)
class Cylinder:
    """A cylinder along z, centred on its origin [m]."""

    radius: float
    length: float


@dataclass(frozen=True, slots=True)
class Sphere:
    """A sphere [m]."""

    radius: float


@dataclass(frozen=True, slots=True)
class Capsule:
    """A cylinder of ``length`` along z with hemispherical ends [m]."""

    radius: float
    length: float


@dataclass(frozen=True, slots=True)
class Mesh:
    """A mesh file, its vertices multiplied by ``scale`` (negative factors mirror)."""

    uri: str
    scale: Vec3 = (1.0, 1.0, 1.0)


Geometry = Box | Cylinder | Sphere | Capsule | Mesh


@dataclass(frozen=True, slots=True)
class Material:
    """A URDF material after names are resolved; ``rgba`` are display (sRGB) values."""

    name: str
    rgba: Rgba | None = None
    texture: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A ``<visual>`` or ``<collision>``: a geometry placed in its link's frame."""

    name: str
    origin: Origin
    geometry: Geometry
    material: Material | None = None
    line: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Inertial:
    """Mass [kg], pose of the inertia frame in the link, and the inertia matrix there [kg m²], shape (3, 3)."""

    mass: float
    origin: Origin
    inertia: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """A link with its shapes in document order."""

    name: str
    visuals: tuple[Shape, ...] = ()
    collisions: tuple[Shape, ...] = ()
    inertial: Inertial | None = None
    line: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A camera that rides on a link and looks along its own +X, with +Z up, as in SDFormat.

    Attributes:
        name: The sensor's name; need not be unique.
        link: The link that it rides on.
        link_h_camera: Its pose ``L_H_S`` in the link's frame, (4, 4), read-only.
        horizontal_fov: Horizontal field of view [rad], up to a full turn.
        width, height: Size of its image in pixels, which are square.
        near, far: Between which distances it sees [m].
    """

    name: str
    link: str
    link_h_camera: Mat4
    horizontal_fov: float
    width: int
    height: int
    near: float
    far: float
    line: int = 0


@dataclass(frozen=True, slots=True)
class PackagePaths:
    """Where ``package://`` names are looked for: a map from name to folder, and folders that hold packages."""

    packages: Mapping[str, Path] = field(default_factory=dict)
    folders: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Robot:
    """A robot: links and joints in document order, forming one tree.

    Attributes:
        root: The link that no joint has as its child.
        diagnostics: Remarks from reading.
        source: The file that was read; None for a robot made in memory.
        urdf: The URDF text, xacro expanded.
        cameras: The cameras in its ``<gazebo>`` blocks.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    root: str
    diagnostics: tuple[Diagnostic, ...] = ()
    source: Path | None = None
    urdf: str = ""
    package_paths: PackagePaths = field(default_factory=PackagePaths)
    cameras: tuple[Camera, ...] = ()
    _link_by_name: Mapping[str, Link] = field(init=False, repr=False)
    _joint_by_name: Mapping[str, Joint] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_link_by_name", {link.name: link for link in self.links})
        object.__setattr__(self, "_joint_by_name", {joint.name: joint for joint in self.joints})

    @staticmethod
    def from_urdfpy(
        urdf: Any,  # noqa: ANN401  # of a library that is not among our dependencies
        *,
        source: Path | str | None = None,
        package_paths: PackagePaths | None = None,
    ) -> Robot:
        """Return the robot that an object of class ``urdfpy.URDF`` or ``urchin.URDF`` holds, checked like a file.

        Args:
            urdf: The object; it is only read.
            source: The file that it was loaded from, if its mesh files are named relative to that.
            package_paths: Where ``package://`` names are looked for.

        Raises:
            UrdfError: If it is no such object, or describes no usable robot.
        """
        from .urdf.foreign import robot_from_urdfpy  # above this module: checking is the reader's

        return robot_from_urdfpy(urdf, source=source, package_paths=package_paths or PackagePaths())

    @property
    def dofs(self) -> tuple[str, ...]:
        """Names of the free scalar joints in document order: no followers, fixed, planar or floating joints."""
        return tuple(joint.name for joint in self.joints if joint.type.is_scalar and joint.mimic is None)

    def link(self, name: str) -> Link:
        """Return the link called ``name``.

        Raises:
            UnknownNameError: If there is none.
        """
        try:
            return self._link_by_name[name]
        except KeyError:
            raise UnknownNameError("link", name, self._link_by_name) from None

    def joint(self, name: str) -> Joint:
        """Return the joint called ``name``.

        Raises:
            UnknownNameError: If there is none.
        """
        try:
            return self._joint_by_name[name]
        except KeyError:
            raise UnknownNameError("joint", name, self._joint_by_name) from None
