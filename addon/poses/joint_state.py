# SPDX-License-Identifier: GPL-3.0-or-later
"""All of a rig's joints at once: read, and set by name."""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np

from ...core.errors import RigError
from ...core.poses import FittedValues, JointNumbers, blended, fit_values
from ..keying import key_joints_if_wanted
from ..properties import bone_data
from ..rig import joint_bones_by_name, joint_values, robot_of, set_joint_values
from ..spatial_joints import spatial_joints


def joint_state(rig: bpy.types.Object) -> dict[str, JointNumbers]:
    """Return the values of all joints that move by themselves, as the channels hold them.

    Raises:
        RigError: If the object is no rig.
        UrdfError: If the stored description was damaged.
    """
    spatial = spatial_joints(robot_of(rig), rig)
    return {**joint_values(rig), **{name: tuple(joint.value.tolist()) for name, joint in spatial.items()}}


def set_joint_state(
    rig: bpy.types.Object, values: Mapping[str, JointNumbers], *, degrees: bool = False
) -> FittedValues:
    """Set joints, within their limits, and return what was set and what there is to say.

    Args:
        rig: The armature object.
        values: By joint name; those that the robot does not have are left out, and that is said.
        degrees: Whether the values of joints that turn are in degrees.

    Raises:
        RigError: If the object is no rig, or linked from another file.
        UrdfError: If the stored description was damaged.
    """
    if rig.library is not None:
        raise RigError(f"{rig.name!r} is linked from another file: it cannot be posed")
    robot = robot_of(rig)
    bones, spatial = joint_bones_by_name(rig), spatial_joints(robot, rig)
    fitted = fit_values(robot, values, degrees=degrees)
    set_joint_values(rig, {name: value for name, value in fitted.values.items() if name in bones})
    for name, numbers in fitted.spatial.items():
        if name in spatial:
            spatial[name].value = np.array(numbers)
    return fitted


def blend_joint_state(
    context: bpy.types.Context,
    rig: bpy.types.Object,
    start: Mapping[str, JointNumbers],
    end: Mapping[str, JointNumbers],
    factor: float,
) -> FittedValues:
    """Set joints a part of the way from one pose to another, key them where auto-keying is on.

    Args:
        context: Its scene says whether keys are inserted by themselves.
        rig: The armature object.
        start: The pose at 0, as ``joint_state`` returns it.
        end: The pose at 1; only its joints are set.
        factor: How far.

    Raises:
        RigError: If the object is no rig, or linked from another file.
        UrdfError: If the stored description was damaged.
    """
    fitted = fit_values(robot_of(rig), end)
    wanted: dict[str, JointNumbers] = {**fitted.values, **fitted.spatial}
    set_joint_state(rig, blended(start, wanted, factor))
    key_joints_if_wanted(context, rig, wanted)
    return fitted


def joints_of_selected_bones(context: bpy.types.Context, rig: bpy.types.Object) -> set[str]:
    """Return the joints of the bones that are selected in Pose Mode.

    Raises:
        RigError: If none is.
    """
    bones = [bone.bone for bone in context.selected_pose_bones or () if bone.id_data == rig]
    joints = {bone_data(bone).joint for bone in bones} - {""}
    if not joints:
        raise RigError("no bone of a moving joint is selected: select some in Pose Mode")
    return joints
