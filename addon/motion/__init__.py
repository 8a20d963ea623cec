# SPDX-License-Identifier: GPL-3.0-or-later
"""Recorded motions onto rigs, and the motions of rigs to files."""
