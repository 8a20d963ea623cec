# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh files and primitive shapes as plain arrays: one decoder a format, no Blender."""
