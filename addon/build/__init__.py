# SPDX-License-Identifier: GPL-3.0-or-later
"""Applies a rig plan to Blender: armature, constraints, drivers, meshes and materials."""

from .rig import build_stepwise

__all__ = ["build_stepwise"]
