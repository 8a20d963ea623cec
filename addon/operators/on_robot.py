# SPDX-License-Identifier: GPL-3.0-or-later
"""What all operators on the active robot share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..rig import active_rig


class OnRobot:
    """Mixed into operators that need a robot: without one they are disabled and say why."""

    if TYPE_CHECKING:

        @classmethod
        def poll_message_set(cls, message: str) -> None:
            """Say why the operator is disabled; of ``bpy.types.Operator``."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a robot."""
        if active_rig(context) is None:
            cls.poll_message_set("No robot selected")
            return False
        return True
