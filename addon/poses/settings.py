# SPDX-License-Identifier: GPL-3.0-or-later
"""The poses that a user has saved, kept on the armature by joint name."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import bpy
from bpy.props import CollectionProperty, PointerProperty, StringProperty

from ..rig import armature_of

if TYPE_CHECKING:
    from ..item_lists import ItemList


class URDF_RIG_PG_pose(bpy.types.PropertyGroup):
    """A saved pose"""

    if TYPE_CHECKING:
        name: str
        joints: str
    else:
        name: StringProperty(name="Name", description="The pose's name")
        joints: StringProperty(name="Joints", description="The joints' values in radians and metres, as JSON")


class URDF_RIG_PG_poses(bpy.types.PropertyGroup):
    """The poses that have been saved"""

    if TYPE_CHECKING:
        poses: ItemList[URDF_RIG_PG_pose]
    else:
        poses: CollectionProperty(name="Poses", type=URDF_RIG_PG_pose)


def poses_data(rig: bpy.types.Object) -> URDF_RIG_PG_poses:
    """Return the saved poses of a rig."""
    return cast("URDF_RIG_PG_poses", armature_of(rig).urdf_rig_poses)  # type: ignore[attr-defined]


def register() -> None:
    """Register the property groups and hang them on armatures."""
    bpy.utils.register_class(URDF_RIG_PG_pose)
    bpy.utils.register_class(URDF_RIG_PG_poses)
    bpy.types.Armature.urdf_rig_poses = PointerProperty(type=URDF_RIG_PG_poses)  # type: ignore[attr-defined]


def unregister() -> None:
    """Take the property groups away; the data stays in the file."""
    del bpy.types.Armature.urdf_rig_poses  # type: ignore[attr-defined]
    bpy.utils.unregister_class(URDF_RIG_PG_poses)
    bpy.utils.unregister_class(URDF_RIG_PG_pose)
