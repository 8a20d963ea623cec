# SPDX-License-Identifier: GPL-3.0-or-later
"""Named poses of a rig: those of its SRDF file and those that the user has saved."""
