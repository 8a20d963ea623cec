# SPDX-License-Identifier: GPL-3.0-or-later
"""From a robot to its rig plan: one bone a link, placed by the bone formalism."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..bones import bone_from_frame, bone_length, bone_rotation, tail_for_float32
from ..kinematics import rest_poses
from ..kinematics.configuration import coupling
from ..model import Joint, JointType, Robot
from ..shapes import LoadedShape
from ..spatial import transform
from ..tree import Step, steps_from
from .cameras import plan_cameras
from .names import unique_names
from .riding import Ride, links_with_bones, rides
from .rig import BoneGroup, BonePlan, Channel, Follow, MeshPlan, RigPlan, ShapePlan
from .skin import plan_skin

Array = NDArray[np.float64]

_CHANNELS = {
    JointType.FIXED: Channel.NONE,
    JointType.REVOLUTE: Channel.ROTATION,
    JointType.CONTINUOUS: Channel.ROTATION,
    JointType.PRISMATIC: Channel.LOCATION,
    JointType.PLANAR: Channel.PLANAR,
    JointType.FLOATING: Channel.FLOATING,
}
# bones without an axis of their own take the link's frame
_OWN_FRAME = (0.0, 1.0, 0.0)


def plan_rig(
    robot: Robot,
    shapes: Sequence[LoadedShape] = (),
    base: str | None = None,
    *,
    cameras: bool = True,
    fixed_frames: bool = True,
    skinned: bool = False,
) -> RigPlan:
    """Return everything that Blender has to create.

    Args:
        robot: Any robot.
        shapes: Its visuals and collisions, already read.
        base: The link that becomes the root bone; the robot's root where None.
        cameras: Whether its cameras are planned too.
        fixed_frames: Whether links on fixed joints have bones; if not, what belongs to them rides on the next bone
            towards the base.
        skinned: Whether all visuals are one mesh, bound to the bones.

    Raises:
        UnknownNameError: If ``base`` is not a link.
    """
    root = robot.root if base is None else robot.link(base).name
    riding = rides(robot, root, links_with_bones(robot, root, fixed_frames=fixed_frames))
    bones = _plan_bones(robot, root, riding)
    names = {bone.link: bone.name for bone in bones}
    bone_of = {link: names[ride.carrier] for link, ride in riding.items()}
    meshes = {shape.key: MeshPlan(shape.key, shape.mesh_name, shape.mesh) for shape in shapes if shape.mesh is not None}
    planned = tuple(_plan_shape(shape, bone_of[shape.link]) for shape in shapes)
    skin = None
    if skinned:
        visuals = [shape for shape in planned if not shape.is_collision]
        skin = plan_skin(f"{robot.name} mesh", visuals, meshes, rest_poses(robot, root))
        planned = tuple(shape for shape in planned if shape.is_collision or shape.mesh is None)
        meshes = {shape.mesh: meshes[shape.mesh] for shape in planned if shape.mesh is not None}
    return RigPlan(
        robot=robot,
        base=root,
        bones=bones,
        rides=riding,
        shapes=planned,
        meshes=meshes,
        cameras=plan_cameras(robot, bone_of) if cameras else (),
        skin=skin,
        fixed_frames=fixed_frames,
    )


def _plan_shape(shape: LoadedShape, bone: str) -> ShapePlan:
    return ShapePlan(
        shape.name,
        shape.link,
        bone,
        shape.is_collision,
        shape.shape.origin,
        shape.key if shape.mesh is not None else None,
        shape.shape.material,
        shape.texture,
    )


def _plan_bones(robot: Robot, root: str, riding: Mapping[str, Ride]) -> tuple[BonePlan, ...]:
    """Plan the bones; a bone's frame sits at its joint's frame, whichever of the joint's two links it carries."""
    a_h_link = rest_poses(robot, root)
    steps = steps_from(robot, root)
    names = unique_names(link.name for link in robot.links)
    heads = {root: np.zeros(3)} | {step.link: a_h_link[step.joint.child][:3, 3] for step in steps}
    length = bone_length(max(float(np.linalg.norm(head)) for head in heads.values()))
    sizes = _display_sizes(heads, steps, length)
    order = {joint.name: index for index, joint in enumerate(robot.joints)}
    turns: dict[str, Array] = {}
    signs: dict[str, int] = {}
    bones = []
    for step in (None, *(step for step in steps if riding[step.link].carrier == step.link)):
        link = root if step is None else step.link
        joint = None if step is None else step.joint
        frame = a_h_link[link if joint is None else joint.child]
        axis = _OWN_FRAME if joint is None or joint.axis is None or joint.type is JointType.FIXED else joint.axis
        carrier = "" if step is None else riding[step.parent].carrier
        parent_y = None if step is None else turns[carrier][:, 1]
        turns[link], sign = bone_rotation(frame[:3, :3], axis, parent_y)
        tail = tail_for_float32(heads[link], turns[link][:, 1], length)
        rest = bone_from_frame(transform(turns[link], heads[link]), float(np.linalg.norm(tail - heads[link])))
        signs[link] = sign * (1 if step is None else step.direction)
        bones.append(
            BonePlan(
                name=names[link],
                link=link,
                joint="" if joint is None else joint.name,
                order=-1 if joint is None else order[joint.name],
                parent="" if step is None else names[carrier],
                head=rest.head,
                tail=rest.tail,
                roll=rest.roll,
                a_h_link=a_h_link[link],
                channel=Channel.NONE if joint is None else _CHANNELS[joint.type],
                sign=signs[link],
                limits=None if joint is None or joint.mimic is not None else joint.range,
                start=0.0 if joint is None else _start_value(joint),
                follow=None,
                group=_group(joint),
                display_size=sizes[link],
            )
        )
    return _with_followers(robot, bones)


def _start_value(joint: Joint) -> float:
    """Return the allowed value nearest to 0."""
    if not joint.type.is_scalar or joint.range is None or joint.mimic is not None:
        return 0.0
    return min(max(0.0, joint.range[0]), joint.range[1])


def _group(joint: Joint | None) -> BoneGroup:
    if joint is None or joint.type is JointType.FIXED:
        return BoneGroup.FIXED
    return BoneGroup.JOINTS if joint.mimic is None else BoneGroup.FOLLOWERS


def _with_followers(robot: Robot, bones: list[BonePlan]) -> tuple[BonePlan, ...]:
    """Give each mimic joint's bone its rule, with chains of mimics multiplied out and signs of both channels in it."""
    rule = coupling(robot)
    by_joint = {bone.joint: bone for bone in bones}
    out = []
    for bone in bones:
        if bone.group is BoneGroup.FOLLOWERS:
            row = rule.row[bone.joint]
            leader = by_joint[robot.dofs[rule.leader[row]]]
            factor = bone.sign * leader.sign * float(rule.multiplier[row])
            bone = replace(bone, follow=Follow(leader.name, factor, bone.sign * float(rule.offset[row])))
        out.append(bone)
    return tuple(out)


def _display_sizes(heads: dict[str, Array], steps: Sequence[Step], length: float) -> dict[str, float]:
    """Return how large each bone is drawn: by the distance to its neighbours, within sensible bounds."""
    nearest: dict[str, float] = {}
    for step in steps:
        gap = float(np.linalg.norm(heads[step.link] - heads[step.parent]))
        if gap > 1e-3 * length:
            nearest[step.link] = min(gap, nearest.get(step.link, math.inf))
            nearest[step.parent] = min(gap, nearest.get(step.parent, math.inf))
    return {link: min(max(0.4 * nearest.get(link, length), 0.1 * length), 0.8 * length) for link in heads}
