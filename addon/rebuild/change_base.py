# SPDX-License-Identifier: GPL-3.0-or-later
"""Another base link for a rig, nothing in the world moved by it."""

from __future__ import annotations

from dataclasses import dataclass

import bpy

from ...core.errors import RigError
from ...core.plan import plan_rig
from ..ik.goals import goals_of
from ..ik.settings import goal_data
from ..properties import armature_data
from ..rig import armature_of, robot_of
from ..world import base_of
from .base_keys import write_base_motion
from .base_motion import base_motion, check_movable
from .editing import check_rebuildable, kept_workplace
from .rebuilding import look_at, rebuild
from .spatial_keys import spatial_motions


@dataclass(frozen=True, slots=True)
class BaseChanged:
    """What a change of base has done.

    Attributes:
        base: The base link before.
        keys: At how many frames the armature object is keyed now, so that nothing moves otherwise than before.
        remarks: What could not be kept, in words.
    """

    base: str
    keys: int
    remarks: tuple[str, ...]


def change_base(rig: bpy.types.Object, link: str, context: bpy.types.Context | None = None) -> BaseChanged:
    """Let a rig hang from another of its links; every link is and moves in the world as before.

    The armature object and its datablocks stay the same ones. Joint values, keys, limits, materials and what hangs from
    the rig are kept. Where the new base moves, the armature object is keyed at every frame of the scene's range and of
    the animation: the motion is the same at these. Between two of them the object moves in a straight line and turns
    evenly, while the links did so along curves.

    Args:
        rig: The armature object.
        link: The new base link.
        context: Its view layer must hold the rig; Blender's own where None.

    Raises:
        RigError: If the rig cannot be changed, saying why. Nothing is changed then.
        UnknownNameError: If the robot has no such link.
        UrdfError: If the stored description was damaged.
    """
    context = context or bpy.context
    robot = robot_of(rig)
    old_base, new_base = base_of(rig), robot.link(link).name
    if old_base == new_base:
        raise RigError(f"{rig.name!r} hangs from {link!r} already")
    check_rebuildable(context, rig)
    with kept_workplace(context, rig):
        check_movable(context, rig, robot)
        motion = base_motion(context, rig, robot, old_base, new_base)
        before = look_at(rig, robot, spatial_motions(context, rig, robot))
        plan = plan_rig(robot, (), new_base, cameras=False, fixed_frames=armature_data(armature_of(rig)).fixed_frames)
        links = {item.name: item.name for item in robot.links}
        joints = {item.name: item.name for item in robot.joints}
        rebuilt = rebuild(context, rig, before, plan, links, joints)
        write_base_motion(context.scene, rig, motion)
        rig.update_tag()
        context.view_layer.update()
    remarks = list(rebuilt.remarks)
    for goal in goals_of(rig, context.view_layer):
        if goal_data(goal).link == new_base:
            remarks.append(f"the goal {goal.name!r} is for the base now: it can only be met by a free base")
    return BaseChanged(old_base, len(motion.frames), tuple(remarks))
