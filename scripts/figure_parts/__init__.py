# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of ``scripts/make_figures.py``: the figures of the formalism, rendered by Blender."""
