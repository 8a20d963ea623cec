# SPDX-License-Identifier: GPL-3.0-or-later
"""Inverse kinematics in Blender: goals are empties, which the solver of the core makes the rig's links follow."""
