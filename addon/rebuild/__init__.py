# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigs that are changed while they are in use: hung from another link, or read again from a changed description."""
