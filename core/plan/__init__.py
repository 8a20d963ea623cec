# SPDX-License-Identifier: GPL-3.0-or-later
"""The rig plan: what Blender has to create, decided without Blender."""

from .build import plan_rig
from .inertia import InertiaPlan, plan_inertia
from .kept_names import with_kept_names
from .materials import urdf_surface
from .names import unique_names
from .riding import Ride, links_with_bones, rides
from .rig import (
    BoneGroup,
    BonePlan,
    CameraPlan,
    Channel,
    Follow,
    MeshKey,
    MeshPlan,
    RigPlan,
    ShapePlan,
    SkinPart,
    SkinPlan,
)

__all__ = [
    "BoneGroup",
    "BonePlan",
    "CameraPlan",
    "Channel",
    "Follow",
    "InertiaPlan",
    "MeshKey",
    "MeshPlan",
    "Ride",
    "RigPlan",
    "ShapePlan",
    "SkinPart",
    "SkinPlan",
    "links_with_bones",
    "plan_inertia",
    "plan_rig",
    "rides",
    "unique_names",
    "urdf_surface",
    "with_kept_names",
]
