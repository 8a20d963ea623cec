# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot under construction: its mesh files and its URDF text, with inertials worked out from the meshes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import NDArray

from .binary_formats import write_glb, write_stl
from .palette import COLOURS
from .shading import MassProperties, mass_properties
from .solids import Solid, Vec3
from .text_formats import write_dae, write_obj

WRITERS = {".stl": write_stl, ".glb": write_glb, ".dae": write_dae, ".obj": write_obj}
ZERO: Vec3 = (0.0, 0.0, 0.0)
ONE: Vec3 = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Visual:
    """A use of a mesh file; ``colour`` is for files that have none of their own."""

    file: str
    colour: str | None = None
    xyz: Vec3 = ZERO
    rpy: Vec3 = ZERO
    scale: Vec3 = ONE


@dataclass(frozen=True, slots=True)
class Primitive:
    """A collision shape: a box of three ``sizes``, or a cylinder of radius and length."""

    sizes: tuple[float, ...]
    xyz: Vec3 = ZERO
    rpy: Vec3 = ZERO


@dataclass(frozen=True, slots=True)
class Limit:
    """Limits in radians or metres and per second; no ``lower`` and ``upper`` for a continuous joint."""

    effort: float
    velocity: float
    lower: float | None = None
    upper: float | None = None


@dataclass(frozen=True, slots=True)
class Follow:
    """``q = multiplier * q(joint) + offset``."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


def degrees(low: float, high: float) -> tuple[float, float]:
    """Return a range in radians, rounded to four decimals as in a data sheet."""
    return round(math.radians(low), 4), round(math.radians(high), 4)


def number(value: float) -> str:
    """Return a value as short text; what is less than 1e-12 is 0."""
    return f"{round(value, 12) + 0.0:.13g}"


def vector(values: Sequence[float]) -> str:
    """Return values with blanks between them."""
    return " ".join(map(number, values))


def pose_matrix(xyz: Vec3, rpy: Vec3) -> NDArray[np.float64]:
    """Return ``Rz(yaw) Ry(pitch) Rx(roll)`` with a translation, shape (4, 4)."""
    (cr, cp, cy), (sr, sp, sy) = ([f(angle) for angle in rpy] for f in (math.cos, math.sin))
    matrix = np.eye(4)
    matrix[:3, :3] = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    matrix[:3, 3] = xyz
    return matrix


def _origin(parent: ET.Element, xyz: Sequence[float], rpy: Sequence[float] = ZERO) -> None:
    if any(xyz) or any(rpy):
        ET.SubElement(parent, "origin", {"xyz": vector(xyz), "rpy": vector(rpy)})


@dataclass
class Description:
    """A robot whose meshes are uris that start with ``prefix``; ``heading`` is a comment at the top of the file."""

    name: str
    prefix: str
    heading: str
    meshes: Mapping[str, Sequence[Solid]]
    root: ET.Element = field(init=False)

    def __post_init__(self) -> None:
        self.root = ET.Element("robot", {"name": self.name})

    def materials(self, names: Sequence[str]) -> None:
        """Declare the colours that visuals refer to."""
        for name in names:
            material = ET.SubElement(self.root, "material", {"name": name})
            ET.SubElement(material, "color", {"rgba": vector([*COLOURS[name].rgb, 1.0])})

    def link(
        self, name: str, mass: float = 0.0, visuals: Sequence[Visual] = (), collisions: Sequence[Primitive] = ()
    ) -> None:
        """Add a link; its mass is spread over the volume of its visuals."""
        link = ET.SubElement(self.root, "link", {"name": name})
        if mass:
            self._inertial(link, mass_properties(self._solids(visuals), mass))
        for use in visuals:
            visual = ET.SubElement(link, "visual")
            _origin(visual, use.xyz, use.rpy)
            geometry = ET.SubElement(visual, "geometry")
            mesh = ET.SubElement(geometry, "mesh", {"filename": f"{self.prefix}{use.file}"})
            if use.scale != ONE:
                mesh.set("scale", vector(use.scale))
            if use.colour:
                ET.SubElement(visual, "material", {"name": use.colour})
        for shape in collisions:
            collision = ET.SubElement(link, "collision")
            _origin(collision, shape.xyz, shape.rpy)
            geometry = ET.SubElement(collision, "geometry")
            if len(shape.sizes) == 3:
                ET.SubElement(geometry, "box", {"size": vector(shape.sizes)})
            else:
                radius, length = map(number, shape.sizes)
                ET.SubElement(geometry, "cylinder", {"radius": radius, "length": length})

    def _solids(self, visuals: Sequence[Visual]) -> list[Solid]:
        placed = []
        for use in visuals:
            matrix = pose_matrix(use.xyz, use.rpy) @ np.diag([*use.scale, 1.0])
            placed += [solid.placed(matrix) for solid in self.meshes[use.file]]
        return placed

    def _inertial(self, link: ET.Element, body: MassProperties) -> None:
        inertial = ET.SubElement(link, "inertial")
        _origin(inertial, np.round(body.centre, 5).tolist())
        ET.SubElement(inertial, "mass", {"value": number(body.mass)})
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = np.round(body.inertia, 9).tolist()
        values = {"ixx": xx, "ixy": xy, "ixz": xz, "iyy": yy, "iyz": yz, "izz": zz}
        ET.SubElement(inertial, "inertia", {key: number(value) for key, value in values.items()})

    def joint(
        self,
        name: str,
        kind: str,
        ends: tuple[str, str],
        xyz: Vec3 = ZERO,
        rpy: Vec3 = ZERO,
        axis: Vec3 | None = None,
        limit: Limit | None = None,
        follow: Follow | None = None,
    ) -> None:
        """Add a joint between the two links ``ends`` = (parent, child)."""
        joint = ET.SubElement(self.root, "joint", {"name": name, "type": kind})
        ET.SubElement(joint, "parent", {"link": ends[0]})
        ET.SubElement(joint, "child", {"link": ends[1]})
        _origin(joint, xyz, rpy)
        if axis:
            ET.SubElement(joint, "axis", {"xyz": vector(axis)})
        if limit:
            values = {"lower": limit.lower, "upper": limit.upper, "effort": limit.effort, "velocity": limit.velocity}
            ET.SubElement(joint, "limit", {key: number(v) for key, v in values.items() if v is not None})
        if follow:
            mimic = ET.SubElement(joint, "mimic", {"joint": follow.joint, "multiplier": number(follow.multiplier)})
            mimic.set("offset", number(follow.offset))

    def write(self, folder: Path) -> None:
        """Write ``<name>.urdf`` and ``meshes/`` into a folder."""
        (folder / "meshes").mkdir(parents=True, exist_ok=True)
        for file, solids in self.meshes.items():
            WRITERS[Path(file).suffix](folder / "meshes" / file, solids)
        ET.indent(self.root)
        body = ET.tostring(self.root, encoding="unicode")
        text = f'<?xml version="1.0" encoding="utf-8"?>\n<!-- {self.heading} -->\n{body}\n'
        (folder / f"{self.name}.urdf").write_text(text, encoding="utf-8", newline="\n")
