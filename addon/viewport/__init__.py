# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn over the active robot: handles of its joints, names, axes of its frames. All off until asked for."""
