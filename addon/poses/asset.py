# SPDX-License-Identifier: GPL-3.0-or-later
"""A pose as an asset of Blender's own pose library: an action with one key for each channel of a joint."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np

from ..actions import NewAction
from ..fcurves import add_linear_curve
from ..kept_pose import kept_pose
from ..rig import joint_bones_by_name, robot_of
from ..spatial_joints import spatial_joints
from .joint_state import set_joint_state
from .named import NamedPose

_FRAME = np.array([1.0])


def make_pose_asset(context: bpy.types.Context, rig: bpy.types.Object, pose: NamedPose) -> bpy.types.Action:
    """Return a new action that is a pose asset; the rig stays as it is.

    Args:
        context: Its view layer has the rig.
        rig: The armature object.
        pose: Which pose.

    Raises:
        RigError: If the object is no rig, or linked from another file.
        UrdfError: If the stored description was damaged.
    """
    made = NewAction(rig, pose.name)
    with kept_pose(context, rig):
        set_joint_state(rig, pose.joints)
        for bone, path, index, value in _channels(rig, pose):
            channel = f"{bone.path_from_id()}.{path}", index
            add_linear_curve(made.home, channel, bone.name, _FRAME, np.array([value]))
    action = made.unassigned
    action.asset_mark()
    return action


def _channels(rig: bpy.types.Object, pose: NamedPose) -> Iterator[tuple[bpy.types.PoseBone, str, int, float]]:
    for name, joint in joint_bones_by_name(rig).items():
        if name in pose.joints and not joint.data.leader:
            yield joint.bone, joint.data_path, 1, joint.data.sign * joint.value
    for name, spatial in spatial_joints(robot_of(rig), rig).items():
        if name in pose.joints:
            for path, _ in spatial.properties:
                for index, value in enumerate(getattr(spatial.bone, path)):
                    yield spatial.bone, path, index, value
