# SPDX-License-Identifier: GPL-3.0-or-later
"""Hypothesis without a time limit for each example, which busy machines break at random."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("urdf_rig", deadline=None)
settings.load_profile("urdf_rig")
