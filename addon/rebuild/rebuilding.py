# SPDX-License-Identifier: GPL-3.0-or-later
"""A rig rebuilt in place: the same objects and datablocks, with the bones of another plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.kinematics import forward_kinematics, rest_poses
from ...core.model import Robot
from ...core.plan import Channel, RigPlan, plan_rig, rides, with_kept_names
from ...core.spatial import inverse
from ...core.tree import steps_from
from ...core.urdf.remarks import listed
from ..actions import own_actions
from ..build.armature import remember_plan
from ..build.parenting import Seat, seats
from ..followers import drive
from ..properties import armature_data
from ..rig import armature_of, joint_bones
from ..sliders import define_sliders
from .bones import (
    JointTraits,
    bone_names,
    joint_traits,
    place_edit_bones,
    planned_bones,
    remove_followers,
    set_up_again,
    write_values,
)
from .channels import (
    Place,
    move_curves,
    move_drivers,
    moves_between,
    places,
    redirect_readers,
    remove_empty_groups,
    stale_actions,
)
from .children import Child, children_of, hang_again, heirs_of
from .constraints import bone_frames, follow_frames
from .editing import edit_mode
from .spatial_keys import SpatialMotion, clear_spatial, key_spatial

Array = NDArray[np.float64]

_SHOWN = 6


@dataclass(frozen=True, slots=True, eq=False)
class Before:
    """A rig as it was before it is rebuilt.

    Attributes:
        robot: Its robot.
        base: Its base link.
        source: The file that it was read from.
        plan: The plan of its bones, named as they are.
        values: What the channels of its free scalar joints hold [rad or m].
        spatial: Values of its planar and floating joints, and their motion where they move.
        places: Where its joints' values are.
        traits: What belongs to its joints.
        seats: Where its links sit.
        children: What hangs from it.
    """

    robot: Robot
    base: str
    source: str
    plan: RigPlan
    values: Mapping[str, float]
    spatial: Mapping[str, SpatialMotion]
    places: Mapping[str, Place]
    traits: Mapping[str, JointTraits]
    seats: Mapping[str, Seat]
    children: list[Child]


def look_at(rig: bpy.types.Object, robot: Robot, spatial: Mapping[str, SpatialMotion]) -> Before:
    """Return what a rig is like; ``spatial`` is how its planar and floating joints move."""
    data = armature_data(armature_of(rig))
    names = bone_names(rig)
    plan = with_kept_names(plan_rig(robot, (), data.base, cameras=False, fixed_frames=data.fixed_frames), names)
    placed = seats(rig, rides(robot, data.base, names))
    return Before(
        robot,
        data.base,
        data.source,
        plan,
        {joint.data.joint: joint.value for joint in joint_bones(rig) if not joint.data.leader},
        spatial,
        places(rig),
        joint_traits(rig),
        placed,
        children_of(rig, placed),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Rebuilt:
    """What a rebuild has made.

    Attributes:
        plan: The plan, with the bones' names.
        seats: Where the links sit now.
        remarks: What could not be kept, in words.
    """

    plan: RigPlan
    seats: Mapping[str, Seat]
    remarks: tuple[str, ...]


def rebuild(
    context: bpy.types.Context,
    rig: bpy.types.Object,
    before: Before,
    plan: RigPlan,
    links: Mapping[str, str],
    joints: Mapping[str, str],
) -> Rebuilt:
    """Make a rig into that of another plan; the armature object itself stays where it is.

    Joint values, their curves and drivers, limits that were switched off, pins and what hangs from the rig are kept by
    the joints' and links' names.

    Args:
        context: Its view layer must hold the rig.
        rig: The armature object, let through by ``check_rebuildable``.
        before: What it is like now.
        plan: What it shall be, shapes aside.
        links: New names of the links that are still there, by their old names.
        joints: The same of joints.
    """
    armature = armature_of(rig)
    kept = {links[link]: name for link, name in bone_names(rig).items() if link in links}
    plan = with_kept_names(plan, kept)
    own_actions(rig)
    frames = bone_frames(rig)
    remove_followers(rig)
    clear_spatial(rig, before.robot, before.spatial)
    with edit_mode(context, rig):
        place_edit_bones(rig, before.plan, plan, links)
    remember_plan(plan, armature)
    armature_data(armature).source = before.source
    traits = {joints[name]: trait for name, trait in before.traits.items() if name in joints}
    set_up_again(rig, planned_bones(before.plan), plan, traits)
    moves = moves_between(before.places, places(rig), joints)
    move_curves(rig, moves)
    move_drivers(rig, moves)
    remarks = redirect_readers(rig, moves)
    remarks += follow_frames(rig, frames)
    stale = stale_actions(moves)
    if stale:
        remarks.append(f"made for the rig before, and not changed as nothing plays them: {listed(stale, _SHOWN)}")
    for bone in plan.bones:
        if bone.follow is not None:
            drive(rig, bone)
    write_values(rig, _values(before, plan, joints))
    key_spatial(context.scene, rig, plan.robot, before.spatial, joints)
    remove_empty_groups(rig)
    placed = seats(rig, plan.rides)
    _hang(rig, before, plan, links, placed)
    armature_data(armature).verified = False
    define_sliders()
    rig.update_tag()
    context.view_layer.update()
    return Rebuilt(plan, placed, tuple(remarks))


def _values(before: Before, plan: RigPlan, joints: Mapping[str, str]) -> dict[str, float]:
    """Return the values of the new plan's free scalar joints: those before, else the ones to start with."""
    scalar = (Channel.ROTATION, Channel.LOCATION)
    values = {bone.joint: bone.start for bone in plan.bones if bone.channel in scalar and bone.follow is None}
    for name, value in before.values.items():
        now = joints.get(name)
        if now in values and _channel(before.plan, name) is _channel(plan, now):
            values[now] = value
    return values


def _channel(plan: RigPlan, joint: str) -> Channel | None:
    return next((bone.channel for bone in plan.bones if bone.joint == joint), None)


def _hang(
    rig: bpy.types.Object, before: Before, plan: RigPlan, links: Mapping[str, str], placed: Mapping[str, Seat]
) -> None:
    """Hang what hung from the rig where its links are now."""
    configuration: dict[str, ArrayLike] = {name: motion.value for name, motion in before.spatial.items()}
    configuration.update(before.values)
    poses = forward_kinematics(before.robot, configuration, before.base)
    towards = {step.link: step.parent for step in steps_from(before.robot, before.base)}
    names = {name: was for was, name in links.items()}
    new_base = names.get(plan.base, before.base)
    new_h_old = inverse(rest_poses(before.robot, before.base)[new_base])
    bases = before.base, before.base if links.get(before.base) == plan.base else new_base
    hang_again(rig, before.children, placed, heirs_of(links, towards, poses, plan.base), bases, new_h_old)
