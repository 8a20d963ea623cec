# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint motions: recordings read and written, resampled, and fitted to a robot."""

from __future__ import annotations

from .errors import MotionError
from .files import READABLE, WRITABLE, read_motion, write_motion
from .fitting import Fitted, fit_to_robot, in_degrees, with_followers
from .joint_motion import JointMotion
from .recording import Recording

__all__ = [
    "READABLE",
    "WRITABLE",
    "Fitted",
    "JointMotion",
    "MotionError",
    "Recording",
    "fit_to_robot",
    "in_degrees",
    "read_motion",
    "with_followers",
    "write_motion",
]
