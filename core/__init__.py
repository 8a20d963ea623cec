# SPDX-License-Identifier: GPL-3.0-or-later
"""URDF Rig's core: robot models, kinematics and the bone formalism, without Blender.

The names listed in ``__all__`` are a stable contract. Radians, metres, seconds; quaternions ``w x y z``; ``A_H_B``
maps coordinates in frame B to coordinates in frame A.
"""

from .bones import axis_roll_from_matrix, bone_from_frame, matrix_from_axis_roll
from .errors import UrdfError, UrdfRigError
from .ik import planar_two_link, solve_ik, solve_ik_all
from .kinematics import forward_kinematics, jacobian, jacobian_derivative
from .loading import load
from .model import Robot

__all__ = [
    "Robot",
    "UrdfError",
    "UrdfRigError",
    "axis_roll_from_matrix",
    "bone_from_frame",
    "forward_kinematics",
    "jacobian",
    "jacobian_derivative",
    "load",
    "matrix_from_axis_roll",
    "planar_two_link",
    "solve_ik",
    "solve_ik_all",
]
