# SPDX-License-Identifier: GPL-3.0-or-later
"""The rig plan: everything that Blender has to create for a robot, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..meshes.data import MeshData
from ..model import Material, Origin, Robot
from .riding import Ride

Array = NDArray[np.float64]


class Channel(StrEnum):
    """The pose channel that carries a joint's value."""

    NONE = "none"
    ROTATION = "rotation"  # rotation_euler.y
    LOCATION = "location"  # location.y
    PLANAR = "planar"  # location.x, location.z and rotation_euler.y
    FLOATING = "floating"  # location and rotation_quaternion


class BoneGroup(StrEnum):
    """Bone collections, by the name that the user sees."""

    JOINTS = "Joints"
    FIXED = "Fixed frames"
    FOLLOWERS = "Followers"


@dataclass(frozen=True, slots=True)
class Follow:
    """``channel = factor * channel(leader) + offset``, for bones whose joint mimics another."""

    leader: str
    factor: float
    offset: float


@dataclass(frozen=True, slots=True, eq=False)
class BonePlan:
    """One bone, for one link.

    Attributes:
        name: Bone name, unique and at most 63 bytes.
        link: The link that rides on the bone.
        joint: The joint that moves it; empty for the base link.
        order: The joint's place in the description; -1 for the base link.
        parent: Name of the parent bone; empty for the base link.
        head, tail: Ends in armature space [m], shape (3,).
        roll: Roll [rad].
        a_h_link: Pose ``A_H_L`` of the link in the armature with all joints at 0, shape (4, 4).
        channel: Which pose channel carries the joint's value.
        sign: The channel's value is ``sign`` times the joint's.
        limits: Range of the *joint* [rad or m], None where unlimited.
        start: Joint value of the pose shown after import: the allowed one nearest to 0.
        follow: How a mimic joint's channel depends on its leader's; None for free joints.
        group: Bone collection.
        display_size: Radius [m] of the drawn bone shape.
    """

    name: str
    link: str
    joint: str
    order: int
    parent: str
    head: Array
    tail: Array
    roll: float
    a_h_link: Array
    channel: Channel
    sign: int
    limits: tuple[float, float] | None
    start: float
    follow: Follow | None
    group: BoneGroup
    display_size: float


MeshKey = tuple[object, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MeshPlan:
    """One mesh datablock: shared by all shapes with the same file and scale."""

    key: MeshKey
    name: str
    data: MeshData


@dataclass(frozen=True, slots=True, eq=False)
class ShapePlan:
    """One visual or collision object that rides on a bone.

    Attributes:
        name: Object name.
        link: The link it belongs to.
        bone: The bone it is parented to.
        is_collision: Whether it is a ``<collision>``.
        origin: Its pose ``L_H_V`` in the link's frame.
        mesh: Key of its mesh; None where the mesh is missing and a placeholder is shown.
        material: URDF material for the parts that have none of their own.
        texture: The image file of that material, where it names one that exists.
    """

    name: str
    link: str
    bone: str
    is_collision: bool
    origin: Origin
    mesh: MeshKey | None
    material: Material | None
    texture: Path | None


@dataclass(frozen=True, slots=True, eq=False)
class CameraPlan:
    """One camera object that rides on a bone.

    Attributes:
        name: Object name.
        link: The link it belongs to.
        bone: The bone it is parented to.
        link_h_view: Its pose ``L_H_V`` in the link's frame, (4, 4); it looks along its own -Z, with +Y up.
        angle: Horizontal field of view [rad], less than a half turn.
        width, height: Size of its image in pixels, which are square.
        near, far: Between which distances it sees [m].
    """

    name: str
    link: str
    bone: str
    link_h_view: Array
    angle: float
    width: int
    height: int
    near: float
    far: float


@dataclass(frozen=True, slots=True)
class SkinPart:
    """The vertices ``start`` to ``stop`` - 1 of a skinned mesh: one visual, which moves with one bone.

    Attributes:
        link: The link that they belong to.
        bone: The bone that moves them.
    """

    link: str
    bone: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True, eq=False)
class SkinPlan:
    """One mesh of all visuals, bound to the bones.

    Attributes:
        name: Object name.
        data: The mesh in armature space at rest; a corner normal is zero where its file has none.
        colored: For each of its materials, whether vertex colours are its colour.
        link_vertices: Positions [m] of the vertices in the frames of their links, shape (V, 3), float32.
        parts: The visuals, one after the other, covering all vertices.
    """

    name: str
    data: MeshData
    colored: tuple[bool, ...]
    link_vertices: NDArray[np.float32]
    parts: tuple[SkinPart, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RigPlan:
    """A whole robot hung from ``base``.

    Attributes:
        robot: The robot.
        base: The link that the rig hangs from.
        bones: Parents before their children.
        rides: The bone that each link rides on.
        shapes: The objects that show visuals and collisions.
        meshes: Their meshes.
        cameras: The camera objects.
        skin: The one mesh of all visuals, in the place of an object for each.
        fixed_frames: Whether links on fixed joints have bones.
    """

    robot: Robot
    base: str
    bones: tuple[BonePlan, ...]
    rides: Mapping[str, Ride]
    shapes: tuple[ShapePlan, ...]
    meshes: Mapping[MeshKey, MeshPlan]
    cameras: tuple[CameraPlan, ...] = ()
    skin: SkinPlan | None = None
    fixed_frames: bool = True
