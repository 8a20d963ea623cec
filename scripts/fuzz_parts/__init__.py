# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``scripts/fuzz.py`` is made of: mutators of descriptions and mesh files, and child processes with limits."""
