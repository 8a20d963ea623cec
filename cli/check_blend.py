# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of ``check-motion`` that opens a .blend."""

from __future__ import annotations

from argparse import Namespace

from .session import blender_session  # first: it says what to do where there is no Blender

# isort: split
from ..addon.motion.check_settings import store_overrides
from ..addon.motion.rig_check import check_rig, frame_limits
from ..addon.rig import robot_of
from .blend_file import chosen_rig, open_blend
from .motion_findings import Checked, joint_limits


def check_blend(arguments: Namespace) -> Checked:
    """Return what the robot of a .blend cannot do of its animation; the file stays as it is."""
    with blender_session():
        context = open_blend(arguments.input)
        rig = chosen_rig(context, arguments.input, arguments.rig)
        robot = robot_of(rig)
        overrides, remarks = joint_limits(arguments.joint_limits, robot)
        if overrides:
            store_overrides(rig, overrides, arguments.joint_limits.name)
        first, last = frame_limits(context.scene)
        result = check_rig(
            context,
            rig,
            start=first if arguments.start is None else arguments.start,
            end=last if arguments.end is None else arguments.end,
            rate=arguments.rate,
            collisions=arguments.collisions,
        )
    return Checked(robot, result.check, (*remarks, *result.check.diagnostics), result.frame)
