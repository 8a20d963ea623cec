# SPDX-License-Identifier: GPL-3.0-or-later
"""What all operators on the active robot share: without what they need they are disabled, and say why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..rig import active_rig


class OnRobot:
    """Mixed into operators that need a robot."""

    if TYPE_CHECKING:

        @classmethod
        def poll_message_set(cls, message: str) -> None:
            """Say why the operator is disabled; of ``bpy.types.Operator``."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a robot, with all that is needed."""
        rig = active_rig(context)
        obstacle = "No robot selected" if rig is None else cls.obstacle(context, rig)
        if obstacle:
            cls.poll_message_set(obstacle)
        return not obstacle

    @classmethod
    def obstacle(cls, _context: bpy.types.Context, _rig: bpy.types.Object) -> str:
        """Return why there is nothing to do with the robot; empty where there is no reason."""
        return ""


class OnLocalRobot(OnRobot):
    """Mixed into operators that change the robot, which is of this file or a library override."""

    @classmethod
    def obstacle(cls, context: bpy.types.Context, rig: bpy.types.Object) -> str:
        """Return that the robot is linked, if it is."""
        if rig.library is not None:
            return "The robot is linked from another file: make a library override of it"
        return super().obstacle(context, rig)
