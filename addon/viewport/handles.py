# SPDX-License-Identifier: GPL-3.0-or-later
"""The handles of a rig's free joints: where each is, what it shows. They keep nothing of Blender's."""

from __future__ import annotations

import math
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.spatial import inverse
from ...core.viewport import Look, dial_frames, dial_radii, handle_places, limit_on_screen, on_screen, pixel_sizes
from ..convert import read_matrices, to_array
from ..display_units import display_units, shown
from ..readout import size_of
from ..rig import JointBone, armature_of, joint_bones
from .settings import URDF_RIG_PG_viewport
from .shown import is_shown

Array = NDArray[np.float64]

_SMALLEST, _LARGEST = 14.0, 150.0  # px, of the radius
_MOST = 256  # handles in a view


@dataclass(frozen=True, slots=True)
class Handled:
    """A joint that has a handle.

    Attributes:
        joint: The joint's name.
        bone: The name of the bone whose channel holds its value.
        look: Whether it is a dial, lowest and highest value [rad or m]; infinite where there is none.
    """

    joint: str
    bone: str
    look: Look

    @property
    def turns(self) -> bool:
        """Whether it is a dial, rather than an arrow."""
        return self.look[0]


@dataclass(frozen=True, slots=True, eq=False)
class Handles:
    """The handles of n joints: dials, for joints that turn, and arrows, for those that slide.

    Attributes:
        joints: The joints.
        values: Their values, shape (n,) [rad or m].
        frames: In Blender's world, shape (n, 4, 4), with axes of length 1; about, or along, Z the value grows.
        metres: How long a metre of each joint's axis is in the world, shape (n,).
        radii: In the world, shape (n,).
        axes: The axis of the armature that each joint's is nearest to at zero, shape (n,): 0, 1 or 2.
    """

    joints: tuple[Handled, ...]
    values: Array
    frames: Array
    metres: Array
    radii: Array
    axes: NDArray[np.intp]

    @property
    def looks(self) -> list[Look]:
        """What they look like."""
        return [joint.look for joint in self.joints]

    def places(self) -> Array:
        """Return where they are drawn, shape (2, n, 4, 4)."""
        return handle_places(self.frames, self.radii, self.metres, self.looks, self.values)

    def middles(self) -> Array:
        """Return the dials' middles, and where the arrows stand, shape (n, 3)."""
        way = np.where([joint.turns for joint in self.joints], 0.0, self.values * self.metres)
        return np.asarray(self.frames[:, :3, 3] + way[:, None] * self.frames[:, :3, 2])

    def only(self, kept: NDArray[np.intp]) -> Handles:
        """Return those with these indices."""
        joints = tuple(self.joints[index] for index in kept)
        numbers = (self.values[kept], self.frames[kept], self.metres[kept], self.radii[kept])
        return Handles(joints, *numbers, self.axes[kept])

    def in_view(self, view: Array, size: tuple[float, float], scale: float, keep: Handles | None = None) -> Handles:
        """Return those that are seen, neither too small to be hit nor so large that they hide the robot.

        Args:
            keep: Instead of those that are seen, take the joints that these are for, as far as they are still there.
            view: World to clip coordinates, shape (4, 4).
            size: Width and height of the region [px].
            scale: Of Blender's interface.
        """
        if keep is None:
            taken = np.flatnonzero(on_screen(self.middles(), view, size).seen)[:_MOST]
        else:
            number = {joint: index for index, joint in enumerate(self.joints)}
            taken = np.array([number[joint] for joint in keep.joints if joint in number], dtype=np.intp)
        seen = self.only(taken)
        pixels = pixel_sizes(seen.frames[:, :3, 3], view, size[0])
        seen.radii[:] = limit_on_screen(seen.radii, pixels, _SMALLEST * scale, _LARGEST * scale)
        return seen


def joint_handles(rig: bpy.types.Object, state: URDF_RIG_PG_viewport) -> Handles:
    """Return the handles of the free joints that are shown, at the pose that Blender has evaluated.

    Raises:
        UrdfRigError: If the rig is damaged.
    """
    armature = armature_of(rig)
    rest, posed = read_matrices(armature.bones, "matrix_local"), read_matrices(rig.pose.bones, "matrix")
    number = {bone.name: index for index, bone in enumerate(armature.bones)}
    posed = posed[np.argsort([number[bone.name] for bone in rig.pose.bones], kind="stable")]
    joints = [joint for joint in joint_bones(rig) if not joint.data.leader and is_shown(joint.bone, state.which)]
    bones = np.array([number[joint.bone.name] for joint in joints], dtype=np.intp)
    parents = np.array(
        [-1 if bone.parent is None else number[bone.parent.name] for bone in armature.bones], dtype=np.intp
    )
    # where the parents have been moved to, and for the last, which stands for no parent, nowhere
    back = inverse(rest)
    moved = np.concatenate([posed @ back, np.eye(4)[None]])
    frames = dial_frames(
        moved[parents[bones]] @ rest[bones],
        np.array([joint.data.sign for joint in joints], dtype=np.float64),
        _farthest_children(rest, back, parents)[bones],
    )
    world = to_array(rig.matrix_world) @ frames
    lengths = np.linalg.norm(world[:, :3, :3], axis=1)
    world[:, :3, :3] /= lengths[:, None]
    radii = state.handle_size * dial_radii(rest[bones, :3, 3], size_of(rig)) * np.cbrt(np.prod(lengths, axis=1))
    axes = np.argmax(np.abs(rest[bones, :3, 1]), axis=1)
    values = np.array([joint.value for joint in joints], dtype=np.float64)
    return Handles(tuple(map(_handled, joints)), values, world, lengths[:, 2], radii, axes)


def _handled(joint: JointBone) -> Handled:
    data = joint.data
    ends = (data.lower, data.upper) if data.limited else (-math.inf, math.inf)
    return Handled(data.joint, joint.bone.name, (joint.turns, *ends))


def _farthest_children(rest: Array, back: Array, parents: NDArray[np.intp]) -> Array:
    """Return where the farthest child of each bone starts, in the bone's frame, shape (n, 3); X without children."""
    found = np.tile([1.0, 0.0, 0.0], (len(rest), 1))
    children = np.flatnonzero(parents >= 0)
    own = parents[children]
    starts = (back[own] @ rest[children, :, 3, None])[:, :3, 0]
    order = np.argsort(np.linalg.norm(starts, axis=1), kind="stable")
    found[own[order]] = starts[order]  # of several for one bone the last is kept
    return found


def handle_text(joint: Handled, value: float, scene: bpy.types.Scene) -> str:
    """Return a joint's name, value and range in the scene's units."""
    units = display_units(scene)
    turns, lower, upper = joint.look
    factor, name = (units.angle, units.angle_name) if turns else (units.length, f" {units.length_name}")
    text, low, high = shown((value, lower, upper), factor)
    text = f"{joint.joint}  {text}{name}"
    if math.isfinite(upper - lower):
        return f"{text}   ({low} … {high}{name})"
    whole = math.trunc(value / (2.0 * math.pi)) if turns else 0
    return f"{text}   ({whole:+d} × 360°)" if whole else text
