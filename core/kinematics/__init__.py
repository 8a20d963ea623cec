# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinematics: pure functions of a robot and a configuration, for one configuration or many at once."""

from .configuration import Configuration, JointValue, joint_positions, resolve_configuration
from .forward import forward_kinematics, link_poses, rest_poses
from .joints import joint_motion, planar_basis, spatial_value

__all__ = [
    "Configuration",
    "JointValue",
    "forward_kinematics",
    "joint_motion",
    "joint_positions",
    "link_poses",
    "planar_basis",
    "resolve_configuration",
    "rest_poses",
    "spatial_value",
]
