# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels: they read and draw; no logic here."""
