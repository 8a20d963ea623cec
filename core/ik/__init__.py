# SPDX-License-Identifier: GPL-3.0-or-later
"""Inverse kinematics: closed forms with all their solutions, and one numeric solver for everything else."""

from .all_solutions import solve_ik_all
from .goals import (
    AxisGoal,
    CenterOfMassGoal,
    Goal,
    LineGoal,
    LookAtGoal,
    OrientationGoal,
    PlaneGoal,
    PoseGoal,
    PositionGoal,
    PostureGoal,
    SwivelGoal,
)
from .planar import PlanarSolutions, planar_three_link, planar_two_link
from .result import IkResult, IkSolutions, Residual
from .solve import solve_ik
from .swivel import SwivelArm, swivel_angle, swivel_arm

__all__ = [
    "AxisGoal",
    "CenterOfMassGoal",
    "Goal",
    "IkResult",
    "IkSolutions",
    "LineGoal",
    "LookAtGoal",
    "OrientationGoal",
    "PlanarSolutions",
    "PlaneGoal",
    "PoseGoal",
    "PositionGoal",
    "PostureGoal",
    "Residual",
    "SwivelArm",
    "SwivelGoal",
    "planar_three_link",
    "planar_two_link",
    "solve_ik",
    "solve_ik_all",
    "swivel_angle",
    "swivel_arm",
]
