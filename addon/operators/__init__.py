# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators: read inputs, call the core or the rig, report."""
