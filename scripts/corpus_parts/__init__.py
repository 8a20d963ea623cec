# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``scripts/corpus.py`` and its neighbours are made of."""
