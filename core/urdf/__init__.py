# SPDX-License-Identifier: GPL-3.0-or-later
"""URDF files: reading them into the model, and finding the files that they name."""

from .reader import parse_urdf, read_urdf
from .resources import ResourceResolver

__all__ = ["ResourceResolver", "parse_urdf", "read_urdf"]
