# SPDX-License-Identifier: GPL-3.0-or-later
"""Planar and floating joints on the pose channels of their bones."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.kinematics import joint_motion, spatial_value
from ..core.model import Joint, JointType, Robot
from ..core.spatial import inverse, quaternion_from_rotation
from .convert import to_array
from .properties import bone_data

Array = NDArray[np.float64]


@dataclass(slots=True)
class SpatialJoint:
    """A planar or floating joint and the bone that shows it."""

    bone: bpy.types.PoseBone
    joint: Joint

    @property
    def properties(self) -> tuple[tuple[str, int], tuple[str, int]]:
        """The bone's properties that hold the value, and how many numbers each has."""
        planar = self.joint.type is JointType.PLANAR
        return ("location", 3), ("rotation_euler", 3) if planar else ("rotation_quaternion", 4)

    @property
    def _backwards(self) -> bool:
        return bone_data(self.bone.bone).link == self.joint.parent

    @property
    def _b_r_j(self) -> Array:
        """The joint frame's rotation in the bone's frame."""
        b_r_l = np.reshape(bone_data(self.bone.bone).bone_h_link, (4, 4)).astype(np.float64)[:3, :3]
        return b_r_l @ self.joint.origin.matrix[:3, :3] if self._backwards else b_r_l

    @property
    def value(self) -> Array:
        """The joint's value, as ``joint_motion`` takes it."""
        basis = to_array(self.bone.matrix_basis)
        motion = inverse(basis) if self._backwards else basis
        b_h_j = np.eye(4)
        b_h_j[:3, :3] = self._b_r_j
        return spatial_value(self.joint, b_h_j.T @ motion @ b_h_j)

    @value.setter
    def value(self, value: Array) -> None:
        motion = joint_motion(self.joint, value)
        motion = inverse(motion) if self._backwards else motion
        b_r_j = self._b_r_j
        turn = b_r_j @ motion[:3, :3] @ b_r_j.T
        self.bone.location = (b_r_j @ motion[:3, 3]).tolist()
        if self.joint.type is JointType.PLANAR:
            self.bone.rotation_euler = (0.0, float(np.arctan2(turn[0, 2], turn[2, 2])), 0.0)
        else:
            self.bone.rotation_quaternion = quaternion_from_rotation(turn).tolist()


def spatial_joints(robot: Robot, rig: bpy.types.Object) -> dict[str, SpatialJoint]:
    """Return the planar and floating joints that have a bone, by name."""
    bones = {bone_data(bone.bone).joint: bone for bone in rig.pose.bones}
    return {
        joint.name: SpatialJoint(bones[joint.name], joint)
        for joint in robot.joints
        if joint.type in (JointType.PLANAR, JointType.FLOATING) and joint.name in bones
    }
