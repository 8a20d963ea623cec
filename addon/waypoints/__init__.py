# SPDX-License-Identifier: GPL-3.0-or-later
"""Waypoints of a rig, and the keyframes made of them."""
