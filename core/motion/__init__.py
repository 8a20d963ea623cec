# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint motions: recordings read and written, resampled, fitted to a robot, checked and plotted."""

from __future__ import annotations

from .bags import Topic, is_bag, motion_topics
from .base_motion import BaseMotion
from .checking import Finding, Findings, Kind
from .errors import MotionError
from .files import READABLE, WRITABLE, read_motion, write_motion
from .fitting import Fitted, fit_to_robot, in_degrees, with_followers
from .joint_motion import JointMotion
from .limits_file import LimitsFile, read_joint_limits
from .plot import write_plot
from .recording import Recording
from .robot_check import MotionCheck, check_robot_motion

__all__ = [
    "READABLE",
    "WRITABLE",
    "BaseMotion",
    "Finding",
    "Findings",
    "Fitted",
    "JointMotion",
    "Kind",
    "LimitsFile",
    "MotionCheck",
    "MotionError",
    "Recording",
    "Topic",
    "check_robot_motion",
    "fit_to_robot",
    "in_degrees",
    "is_bag",
    "motion_topics",
    "read_joint_limits",
    "read_motion",
    "with_followers",
    "write_motion",
    "write_plot",
]
