# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a rig and its links are in the world, in metres, as Blender has evaluated them."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.errors import RigError
from ..core.model import Robot
from ..core.plan import Ride, rides
from ..core.spatial import inverse, transform
from .convert import to_array
from .properties import armature_data, bone_data
from .rig import armature_of
from .sliders import scene_unit

Array = NDArray[np.float64]

_SCALE_TOLERANCE = 1e-4


def base_of(rig: bpy.types.Object) -> str:
    """Return the link that sits in the armature object's own frame."""
    return armature_data(armature_of(rig)).base


def nearest_rigid(matrix: Array) -> Array:
    """Return the rigid transform (4, 4) that is left of a matrix without its scale; mirroring counts as scale."""
    left, _, right = np.linalg.svd(matrix[:3, :3])
    rotation = left @ right
    return transform(rotation if np.linalg.det(rotation) > 0.0 else -rotation, matrix[:3, 3])


def seen_from(world_h_a: Array, world_h_b: Array) -> Array:
    """Return ``A_H_B``, shape (4, 4), of two matrices in the world, scale and all; NaN where A has no inverse.

    In Python's own numbers: for three of them that is faster than numpy, whose solver may even wake up threads.
    """
    (a, b, c, x), (d, e, f, y), (g, h, i, z), _ = world_h_a.tolist()
    first = e * i - f * h, c * h - b * i, b * f - c * e
    second = f * g - d * i, a * i - c * g, c * d - a * f
    third = d * h - e * g, b * g - a * h, a * e - b * d
    determinant = a * first[0] + b * second[0] + c * third[0]
    if determinant == 0.0 or determinant != determinant:
        return np.full((4, 4), np.nan)
    out = np.eye(4)
    out[:3, :3] = np.array((first, second, third)) / determinant @ world_h_b[:3, :3]
    out[:3, 3] = np.array((first, second, third)) / determinant @ (world_h_b[:3, 3] - (x, y, z))
    return out


def world_pose(rig: bpy.types.Object, scene: bpy.types.Scene) -> Array:
    """Return ``W_H_B``, shape (4, 4) [m], of an armature object, which is its base link's pose."""
    matrix = to_array(rig.matrix_world)
    matrix[:3, 3] *= scene_unit(scene)
    return nearest_rigid(matrix)


def is_scaled(rig: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Whether the armature is shown larger, smaller or otherwise distorted than the robot is."""
    part = to_array(rig.matrix_world)[:3, :3] * scene_unit(scene)
    return bool(np.abs(part.T @ part - np.eye(3)).max() > _SCALE_TOLERANCE or np.linalg.det(part) < 0.0)


def armature_pose(rig: bpy.types.Object, robot: Robot, link: str) -> Array:
    """Return ``A_H_L``, shape (4, 4) [m], a link's pose in the armature as its bone shows it, whatever moved the bone.

    A link without a bone of its own rides on that of the link that it is fixed to.

    Raises:
        RigError: If no bone carries the link.
        UnknownNameError: If the robot has no such link.
    """
    bone: bpy.types.PoseBone | None = rig.pose.bones.get(link)
    carrier_h_link = np.eye(4)
    if bone is None or bone_data(bone.bone).link != link:  # it was renamed, or the link has none
        bones = {bone_data(bone.bone).link: bone for bone in rig.pose.bones}
        ride = Ride(link, carrier_h_link) if link in bones else rides(robot, base_of(rig), bones).get(link)
        if ride is None:
            raise RigError(f"link {robot.link(link).name!r} has no bone")
        bone, carrier_h_link = bones[ride.carrier], ride.carrier_h_link
    b_h_l = np.reshape(bone_data(bone.bone).bone_h_link, (4, 4)).astype(np.float64)
    return nearest_rigid(to_array(bone.matrix) @ b_h_l) @ carrier_h_link


def link_pose(rig: bpy.types.Object, scene: bpy.types.Scene, robot: Robot, link: str, reference: str | None) -> Array:
    """Return ``R_H_L``, shape (4, 4) [m], of a link in another, or in the world where ``reference`` is None.

    Raises:
        RigError: If no bone carries a link.
        UnknownNameError: If the robot has no such link.
    """
    pose = armature_pose(rig, robot, link)
    if reference is None:
        return world_pose(rig, scene) @ pose
    return np.asarray(inverse(armature_pose(rig, robot, reference)) @ pose)
