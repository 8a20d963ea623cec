# SPDX-License-Identifier: GPL-3.0-or-later
"""The handles of a rig's free joints: where each is, what it shows. They keep nothing of Blender's."""

from __future__ import annotations

import math
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from ...core.viewport import dial_frames, dial_radii, limit_on_screen, pixel_sizes
from ..convert import to_array
from ..display_units import display_units, shown
from ..readout import size_of
from ..rig import JointBone, armature_of, joint_bones
from .settings import URDF_RIG_PG_viewport
from .shown import is_shown

Array = NDArray[np.float64]

_X = Vector((1.0, 0.0, 0.0))
_SMALLEST, _LARGEST = 14.0, 150.0  # px, of the radius


@dataclass(frozen=True, slots=True, eq=False)
class Handle:
    """A dial, for a joint that turns, or an arrow, for one that slides.

    Attributes:
        joint: The joint's name.
        bone: The name of the bone whose channel holds its value.
        turns: Whether it is a dial.
        value: The joint's value [rad or m].
        lower: Its lowest value; None where there is none.
        upper: Its highest value; None where there is none.
        frame: In Blender's world, shape (4, 4), with axes of length 1; about, or along, Z the value grows.
        metre: How long a metre of the joint's axis is in the world.
        radius: In the world.
        axis: The axis of the armature that the joint's axis is nearest to at zero: 0, 1 or 2.
    """

    joint: str
    bone: str
    turns: bool
    value: float
    lower: float | None
    upper: float | None
    frame: Array
    metre: float
    radius: float
    axis: int

    @property
    def place(self) -> Matrix:
        """The frame, in which the handle's radius is 1."""
        return Matrix(self.frame.tolist()) @ Matrix.Scale(self.radius, 4)

    @property
    def length(self) -> float:
        """How long a metre is in ``place``."""
        return self.metre / self.radius


def joint_handles(rig: bpy.types.Object, state: URDF_RIG_PG_viewport) -> list[Handle]:
    """Return the handles of the free joints that are shown, at the pose that Blender has evaluated.

    Raises:
        UrdfRigError: If the rig is damaged.
    """
    joints = [joint for joint in joint_bones(rig) if not joint.data.leader and is_shown(joint.bone, state.which)]
    if not joints:
        return []
    towards = _farthest_children(armature_of(rig))
    frames = dial_frames(
        [to_array(_at_zero(joint.bone)) for joint in joints],
        [joint.data.sign for joint in joints],
        [towards.get(joint.bone.name, _X).to_tuple() for joint in joints],
    )
    radii = state.handle_size * dial_radii([joint.bone.bone.head_local.to_tuple() for joint in joints], size_of(rig))
    world = to_array(rig.matrix_world) @ frames
    lengths = np.linalg.norm(world[:, :3, :3], axis=1)
    world[:, :3, :3] /= lengths[:, None]
    scale = np.cbrt(np.prod(lengths, axis=1))
    return [
        _handle(joint, *numbers)
        for joint, *numbers in zip(joints, world, lengths[:, 2].tolist(), (radii * scale).tolist(), strict=True)
    ]


def _handle(joint: JointBone, frame: Array, metre: float, radius: float) -> Handle:
    data = joint.data
    lower, upper = (data.lower, data.upper) if data.limited else (None, None)
    axis = int(np.argmax(np.abs(to_array(joint.bone.bone.matrix_local)[:3, 1])))
    return Handle(data.joint, joint.bone.name, joint.turns, joint.value, lower, upper, frame, metre, radius, axis)


def _at_zero(bone: bpy.types.PoseBone) -> Matrix:
    """Return where a bone would be in the armature at value 0, its parent as it is."""
    if bone.parent is None:
        return bone.bone.matrix_local
    return bone.parent.matrix @ bone.parent.bone.matrix_local.inverted_safe() @ bone.bone.matrix_local


def _farthest_children(armature: bpy.types.Armature) -> dict[str, Vector]:
    """Return by bone where its farthest child starts, in the bone's frame."""
    found: dict[str, Vector] = {}
    for child in armature.bones:
        if child.parent is not None:
            start = child.parent.matrix_local.inverted_safe() @ child.head_local
            if start.length > found.get(child.parent.name, Vector()).length:
                found[child.parent.name] = start
    return found


def sized_for_view(handles: list[Handle], view: Array, width: float, scale: float) -> list[float]:
    """Return the handles' radii in the world, neither too small to be hit nor so large that they hide the robot.

    Args:
        handles: The handles.
        view: World to clip coordinates, shape (4, 4).
        width: Of the region [px].
        scale: Of Blender's interface.
    """
    pixels = pixel_sizes([handle.frame[:3, 3] for handle in handles], view, width)
    radii = [handle.radius for handle in handles]
    return [float(radius) for radius in limit_on_screen(radii, pixels, _SMALLEST * scale, _LARGEST * scale)]


def handle_text(handle: Handle, scene: bpy.types.Scene) -> str:
    """Return the joint's name, value and range in the scene's units."""
    units = display_units(scene)
    factor, name = (units.angle, units.angle_name) if handle.turns else (units.length, f" {units.length_name}")
    value, *ends = shown((handle.value, *(end for end in (handle.lower, handle.upper) if end is not None)), factor)
    text = f"{handle.joint}  {value}{name}"
    if ends:
        return f"{text}   ({ends[0]} … {ends[1]}{name})"
    turns = math.trunc(handle.value / (2.0 * math.pi)) if handle.turns else 0
    return f"{text}   ({turns:+d} × 360°)" if turns else text
