# SPDX-License-Identifier: GPL-3.0-or-later
"""The armature object's own motion, written so that all links move in the world as before when the base is another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import RigError
from ...core.kinematics import forward_kinematics
from ...core.kinematics.configuration import coupling
from ...core.model import Robot
from ...core.spatial import pose_error
from ...core.tree import path_to
from ..convert import to_array
from ..fcurves import action_curves, acts
from ..kept_pose import BONE_CHANNELS
from ..motion_rates import kept_frame
from ..rig import JointBone, joint_bones, joint_bones_by_name
from ..spatial_joints import spatial_joints
from ..world import armature_pose, base_of
from .frames import curve_time, frames_to_keep

Array = NDArray[np.float64]

OWN_MOVES = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle")
OWN_SCALES = ("scale", "delta_location", "delta_rotation_euler", "delta_rotation_quaternion", "delta_scale")
# what is written in float32 need not stand stiller than that to count as standing still
_STILL = 1e-6
_SHEAR = 1e-5
_OUTSIDE = 1e-6
_OFF = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class BaseMotion:
    """Where the armature object has to be.

    Attributes:
        now: Its own transform at present, (4, 4).
        frames: Frames of its motion, shape (T,); empty where it stands still.
        bases: Its own transform at these, shape (T, 4, 4).
    """

    now: Array
    frames: Array
    bases: Array


def check_movable(context: bpy.types.Context, rig: bpy.types.Object, robot: Robot) -> None:
    """Make sure that the armature object's motion can be written anew, and that its bones do what the joints say.

    Raises:
        RigError: If not, saying why and what to do.
    """
    cure = "bake it first (Object › Animation › Bake Action)"
    if any(not item.mute and item.influence > 0.0 for item in rig.constraints):
        raise RigError(f"{rig.name!r} has constraints that move it: {cure}, with Visual Keying and Clear Constraints")
    if min(*rig.scale, *rig.delta_scale) <= 0.0:
        raise RigError(f"{rig.name!r} is mirrored or flat: give it a positive scale first")
    if rig.rigid_body is not None:
        raise RigError(f"{rig.name!r} is moved by rigid body physics: {cure}")
    animation = rig.animation_data
    if animation is not None:
        if any(len(track.strips) for track in animation.nla_tracks):
            raise RigError(
                f"{rig.name!r} has strips in the NLA editor: bake them to one action first (NLA › Bake Action)"
            )
        if any(curve.data_path in OWN_MOVES + OWN_SCALES for curve in animation.drivers):
            raise RigError(f"drivers move {rig.name!r}: {cure}, and delete the drivers")
    _check_bones(context, rig, robot)


def _check_bones(context: bpy.types.Context, rig: bpy.types.Object, robot: Robot) -> None:
    """Compare the bones with forward kinematics of their channels, limits left aside where they act."""
    joints = joint_bones(rig)
    if any(_is_outside(joint, joint.value) for joint in joints):
        return
    context.view_layer.update()
    shown = rig.evaluated_get(context.evaluated_depsgraph_get())
    expected = forward_kinematics(robot, _configuration(shown, robot), _base(rig, robot))
    links = {bone.bone.urdf_rig.link for bone in shown.pose.bones}  # type: ignore[attr-defined]
    size = 1.0 + max(float(np.abs(pose[:3, 3]).max()) for pose in expected.values())
    for link in [link.name for link in robot.links if link.name in links]:
        distance, angle = pose_error(expected[link], armature_pose(shown, robot, link))
        if float(distance) > _OFF * size or float(angle) > _OFF:
            raise RigError(
                f"link {link!r} is not where its joints put it, as by a constraint on a bone: "
                "bake the pose (Pose › Animation › Bake Action) or run Verify"
            )


def _base(rig: bpy.types.Object, robot: Robot) -> str:
    return robot.link(base_of(rig)).name


def _configuration(rig: bpy.types.Object, robot: Robot) -> dict[str, Any]:
    values: dict[str, Any] = {joint.data.joint: joint.value for joint in joint_bones(rig) if not joint.data.leader}
    return values | {name: joint.value for name, joint in spatial_joints(robot, rig).items()}


def base_motion(
    context: bpy.types.Context, rig: bpy.types.Object, robot: Robot, old_base: str, new_base: str
) -> BaseMotion:
    """Return where the armature object has to be when it hangs from another link; the current frame is kept.

    Args:
        context: Its scene is the one that is animated.
        rig: The armature object as it is now.
        robot: Its robot.
        old_base: The link that it hangs from.
        new_base: The link that it is to hang from.

    Raises:
        RigError: If the animation is too long, or the armature is scaled so that no link can be its base.
    """
    context.view_layer.update()
    shown = rig.evaluated_get(context.evaluated_depsgraph_get())
    outside = any(_is_outside(joint, joint.value) for joint in joint_bones(rig))
    if outside:
        now = armature_pose(shown, robot, new_base)
    else:
        now = forward_kinematics(robot, _configuration(shown, robot), old_base)[new_base]
    here = _moved(rig, to_array(rig.matrix_basis), now[None])[0]
    curves = [curve for curve in action_curves(rig) if acts(curve) or len(curve.modifiers)]
    moving = _moving_joints(rig, robot, old_base, new_base)
    wanted = [curve for curve in curves if _concerns(curve.data_path, moving)]
    driven = _is_driven(rig, moving)
    nothing = np.zeros(0)
    if not wanted and not driven:
        return BaseMotion(here, nothing, nothing)
    frames = frames_to_keep(context.scene, wanted)
    if driven or any(_is_played(rig, robot, curve.data_path) for curve in wanted):
        bases, poses = _played(context, rig, robot, new_base, frames)
    else:
        times = (frames * curve_time(context.scene)).tolist()
        known = _known(rig, robot, curves, times)
        if known is None:
            bases, poses = _played(context, rig, robot, new_base, frames)
        else:
            poses = np.broadcast_to(forward_kinematics(robot, known, old_base)[new_base], (len(frames), 4, 4))
            bases = _own_transforms(rig, curves, times)
    moved = _moved(rig, bases, poses)
    if _stands_still(moved):
        return BaseMotion(here, nothing, nothing)
    return BaseMotion(here, frames, moved)


def _stands_still(poses: Array) -> bool:
    size = 1.0 + float(np.abs(poses[:, :3, 3]).max())
    return bool(np.abs(poses - poses[0]).max() <= _STILL * size)


def _is_outside(joint: JointBone, value: float) -> bool:
    return abs(joint.clamped(value) - value) > _OUTSIDE


def _moving_joints(rig: bpy.types.Object, robot: Robot, old_base: str, new_base: str) -> set[str]:
    """Return the paths of the bones whose joints lie between two links, or lead one that does."""
    rule = coupling(robot)
    names = {
        robot.dofs[rule.leader[rule.row[step.joint.name]]] if step.joint.type.is_scalar else step.joint.name
        for step in path_to(robot, new_base, old_base)
    }
    bones = [bone for bone in rig.pose.bones if bone.bone.urdf_rig.joint in names]  # type: ignore[attr-defined]
    return {bone.path_from_id() for bone in bones}


def _concerns(path: str, moving: Iterable[str]) -> bool:
    return path in OWN_MOVES + OWN_SCALES or any(
        path == f"{bone}.{name}" for bone in moving for name, _ in BONE_CHANNELS
    )


def _is_driven(rig: bpy.types.Object, moving: Iterable[str]) -> bool:
    """Whether drivers other than those of followers move one of the joints."""
    if rig.animation_data is None:
        return False
    followers = {joint.curve_path for joint in joint_bones(rig) if joint.data.leader}
    return any(
        curve.data_path not in followers and _concerns(curve.data_path, moving) for curve in rig.animation_data.drivers
    )


def _is_played(rig: bpy.types.Object, robot: Robot, path: str) -> bool:
    """Whether a curve moves a joint whose value is more than a number."""
    return any(path.startswith(joint.bone.path_from_id() + ".") for joint in spatial_joints(robot, rig).values())


def _known(rig: bpy.types.Object, robot: Robot, curves: Sequence[Any], times: Sequence[float]) -> dict[str, Any] | None:
    """Return the configuration at some times from the curves alone; None where a limit stops a joint."""
    by_channel = {(curve.data_path, curve.array_index): curve for curve in curves}
    values: dict[str, Any] = {
        name: np.tile(joint.value, (len(times), 1)) for name, joint in spatial_joints(robot, rig).items()
    }
    for name, joint in joint_bones_by_name(rig).items():
        curve = by_channel.get((joint.curve_path, 1))
        if curve is None:
            sampled = np.full(len(times), joint.value)
        else:
            sampled = joint.data.sign * np.array([curve.evaluate(time) for time in times])
        if joint.data.limited and max(joint.data.lower - sampled.min(), sampled.max() - joint.data.upper) > _OUTSIDE:
            return None
        if not joint.data.leader:
            values[name] = sampled
    return values


def _own_transforms(rig: bpy.types.Object, curves: Sequence[Any], times: Sequence[float]) -> Array:
    """Return the object's own transform at some times, (T, 4, 4), as Blender makes it of its channels."""
    own = [curve for curve in curves if curve.data_path in OWN_MOVES + OWN_SCALES]
    if not own:
        return np.broadcast_to(to_array(rig.matrix_basis), (len(times), 4, 4))
    kept = {name: tuple(getattr(rig, name)) for name in OWN_MOVES + OWN_SCALES}
    found = []
    try:
        for time in times:
            for curve in own:
                getattr(rig, curve.data_path)[curve.array_index] = curve.evaluate(time)
            found.append(to_array(rig.matrix_basis))
    finally:
        for name, value in kept.items():
            setattr(rig, name, value)
    return np.array(found)


def _played(
    context: bpy.types.Context, rig: bpy.types.Object, robot: Robot, link: str, frames: Array
) -> tuple[Array, Array]:
    """Return the object's own transform and a link's pose in the armature, (T, 4, 4) each, as Blender plays them."""
    bases, poses = [], []
    with kept_frame(context, rig):
        for frame in frames.tolist():
            whole = int(np.floor(frame))
            context.scene.frame_set(whole, subframe=frame - whole)
            shown = rig.evaluated_get(context.evaluated_depsgraph_get())
            bases.append(to_array(shown.matrix_basis))
            poses.append(armature_pose(shown, robot, link))
    return np.array(bases), np.array(poses)


def _moved(rig: bpy.types.Object, bases: Array, poses: Array) -> Array:
    """Return ``bases @ poses``, of which location, rotation and the scale that ``bases`` has are left."""
    product = np.asarray(bases @ poses)
    axes = product[:, :3, :3]
    lengths = np.linalg.norm(axes, axis=1)
    if (lengths <= 0.0).any():
        raise RigError(f"{rig.name!r} has a scale of zero")
    units = axes / lengths[:, None, :]
    gram = units.swapaxes(1, 2) @ units
    uneven = (lengths.max(axis=1) - lengths.min(axis=1)) / lengths.max(axis=1)
    turned = np.abs(poses[:, :3, :3] - np.eye(3)).max() > _SHEAR
    if np.abs(gram - np.eye(3)).max() > _SHEAR or (turned and uneven.max() > _SHEAR):
        raise RigError(f"{rig.name!r} is scaled unevenly: give it the same scale along all axes first")
    return product
