# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of ``scripts/build_docs.py``: Markdown with formulas to one HTML page that needs nothing else."""
