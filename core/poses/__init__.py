# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses by joint name: as text, fitted to a robot, at random, and blended."""

from .fitting import FittedValues, blended, fit_values, random_values
from .text import FORMS, JointNumbers, joint_text, parse_joint_text

__all__ = [
    "FORMS",
    "FittedValues",
    "JointNumbers",
    "blended",
    "fit_values",
    "joint_text",
    "parse_joint_text",
    "random_values",
]
