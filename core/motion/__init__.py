# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint motions: recordings read and written, resampled, and fitted to a robot."""

from __future__ import annotations

from .bags import Topic, is_bag, motion_topics
from .base_motion import BaseMotion
from .errors import MotionError
from .files import READABLE, WRITABLE, read_motion, write_motion
from .fitting import Fitted, fit_to_robot, in_degrees, with_followers
from .joint_motion import JointMotion
from .recording import Recording

__all__ = [
    "READABLE",
    "WRITABLE",
    "BaseMotion",
    "Fitted",
    "JointMotion",
    "MotionError",
    "Recording",
    "Topic",
    "fit_to_robot",
    "in_degrees",
    "is_bag",
    "motion_topics",
    "read_motion",
    "with_followers",
    "write_motion",
]
