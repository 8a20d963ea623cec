# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of the library that works in Blender, for scripts.

A script outside the application, with the ``bpy`` package, may call these at once; the extension is registered for it.
Names that end the same as an operator's do the same work; there is no undo step, as scripts want none.
"""

from .motions import check_motion, generate_motion, play_motion, record_motion, record_waypoint
from .posing import add_goal, apply_pose, bake_goals, poses, save_pose, solve_goals
from .robots import (
    attach,
    change_base,
    detach,
    get_joints,
    link_pose,
    reload_description,
    rig,
    rigs,
    robot,
    set_joints,
    verify,
)

__all__ = [
    "add_goal",
    "apply_pose",
    "attach",
    "bake_goals",
    "change_base",
    "check_motion",
    "detach",
    "generate_motion",
    "get_joints",
    "link_pose",
    "play_motion",
    "poses",
    "record_motion",
    "record_waypoint",
    "reload_description",
    "rig",
    "rigs",
    "robot",
    "save_pose",
    "set_joints",
    "solve_goals",
    "verify",
]
