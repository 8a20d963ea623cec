# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole rig from a plan, or nothing."""

from __future__ import annotations

import bpy

from ...core.plan import RigPlan
from .armature import build_armature
from .shapes import build_shapes
from .transaction import leave_edit_mode, rolled_back_on_error


def build_rig(context: bpy.types.Context, plan: RigPlan) -> bpy.types.Object:
    """Return the armature object of a new rig, selected and active, in a collection of its own.

    The armature is scaled so that a metre of the robot is a metre in the scene's unit. If anything goes wrong,
    everything made so far is removed.
    """
    leave_edit_mode()
    with rolled_back_on_error():
        collection = bpy.data.collections.new(plan.robot.name)
        context.scene.collection.children.link(collection)
        rig = build_armature(context, plan, collection)
        build_shapes(plan, rig, collection)
        unit = context.scene.unit_settings
        if unit.system != "NONE":
            rig.scale = (1.0 / unit.scale_length,) * 3
        rig.select_set(True)
        context.view_layer.objects.active = rig
        context.view_layer.update()
    return rig
