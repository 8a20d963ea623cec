# SPDX-License-Identifier: GPL-3.0-or-later
"""The rig plan: what Blender has to create, decided without Blender."""

from .build import plan_rig
from .inertia import InertiaPlan, plan_inertia
from .names import unique_names
from .rig import BoneGroup, BonePlan, CameraPlan, Channel, Follow, MeshKey, MeshPlan, RigPlan, ShapePlan

__all__ = [
    "BoneGroup",
    "BonePlan",
    "CameraPlan",
    "Channel",
    "Follow",
    "InertiaPlan",
    "MeshKey",
    "MeshPlan",
    "RigPlan",
    "ShapePlan",
    "plan_inertia",
    "plan_rig",
    "unique_names",
]
