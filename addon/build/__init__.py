# SPDX-License-Identifier: GPL-3.0-or-later
"""Applies a rig plan to Blender: armature, constraints, drivers, meshes and materials."""

from .rig import build_rig

__all__ = ["build_rig"]
