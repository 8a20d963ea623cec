# SPDX-License-Identifier: GPL-3.0-or-later
"""Goals follow links and joints that have new names."""

from __future__ import annotations

import bpy

from ..new_names import NewNames
from .kinds import KINDS
from .settings import URDF_RIG_PG_ik_value, goal_data, remember_values, remembered_values


def follow_new_names(_context: bpy.types.Context, rig: bpy.types.Object, names: NewNames) -> list[str]:
    """Let a rig's goals follow, with their postures and solutions; name those whose link is gone."""
    remarks = []
    for obj in bpy.data.objects:
        data = goal_data(obj)
        if obj.type != "EMPTY" or obj.library is not None or data.rig != rig:
            continue
        if data.link in names.links:
            if names.link(data.link) != data.link:
                data.link = names.link(data.link)
        elif KINDS[data.kind].frame:
            remarks.append(f"the goal {obj.name!r} is for link {data.link!r}, which is gone")
        for values in (data.posture, *(solution.values for solution in data.solutions)):
            _rename(values, names)
    return remarks


def _rename(values: bpy.types.bpy_prop_collection[URDF_RIG_PG_ik_value], names: NewNames) -> None:
    before = remembered_values(values)
    after = names.by_joint(before)
    if list(after) != list(before):
        remember_values(values, after)
