# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings of ROS: bags of both generations read, MCAP written."""

from __future__ import annotations

from .opening import is_bag
from .reading import motion_topics, read_bag
from .topics import Topic
from .writing import write_mcap

__all__ = ["Topic", "is_bag", "motion_topics", "read_bag", "write_mcap"]
