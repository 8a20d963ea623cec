# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``make_examples.py`` is made of: outlines, solids, file writers and the two example robots."""
