# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of ``scripts/bench.py``: one module for each thing measured."""
