# SPDX-License-Identifier: GPL-3.0-or-later
"""URDF: reading files and objects in memory into the model, writing it, and finding the files that are named."""

from .foreign import robot_from_urdfpy
from .reader import parse_urdf, read_urdf
from .resources import ResourceResolver
from .writer import urdf_text

__all__ = ["ResourceResolver", "parse_urdf", "read_urdf", "robot_from_urdfpy", "urdf_text"]
