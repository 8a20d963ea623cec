# SPDX-License-Identifier: GPL-3.0-or-later
"""What all sections of the sidebar tab "Robot" share."""

from __future__ import annotations

import bpy

from ..rig import active_rig


class RobotTab:
    """Mixed into panels of the tab."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Robot"


class RobotSection(RobotTab):
    """Mixed into sections that are there only when there is a robot."""

    bl_parent_id = "URDF_RIG_PT_robot"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a robot."""
        return active_rig(context) is not None
