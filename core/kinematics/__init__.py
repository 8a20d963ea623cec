# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinematics: pure functions of a robot and a configuration, for one configuration or many at once."""

from .chain import Frame
from .configuration import Configuration, JointValue, joint_positions, resolve_configuration
from .forward import forward_kinematics, rest_poses
from .frame_motion import frame_acceleration, frame_pose, frame_velocity, relative_pose
from .jacobian import jacobian, jacobian_derivative, relative_jacobian
from .joints import joint_motion, planar_basis, spatial_value
from .manipulability import (
    Ellipsoid,
    condition_number,
    manipulability,
    manipulability_ellipsoid,
    singular_directions,
)
from .mass import center_of_mass, center_of_mass_jacobian, total_mass
from .moving_frame import FrameMotion, RobotMotion, motion_of_frame
from .rates import OFFSETS, pose_rates, value_rates
from .representations import Representation, VelocityRepresentation, velocity_cross, velocity_transform

__all__ = [
    "OFFSETS",
    "Configuration",
    "Ellipsoid",
    "Frame",
    "FrameMotion",
    "JointValue",
    "Representation",
    "RobotMotion",
    "VelocityRepresentation",
    "center_of_mass",
    "center_of_mass_jacobian",
    "condition_number",
    "forward_kinematics",
    "frame_acceleration",
    "frame_pose",
    "frame_velocity",
    "jacobian",
    "jacobian_derivative",
    "joint_motion",
    "joint_positions",
    "manipulability",
    "manipulability_ellipsoid",
    "motion_of_frame",
    "planar_basis",
    "pose_rates",
    "relative_jacobian",
    "relative_pose",
    "resolve_configuration",
    "rest_poses",
    "singular_directions",
    "spatial_value",
    "total_mass",
    "value_rates",
    "velocity_cross",
    "velocity_transform",
]
