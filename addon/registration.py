# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules of the extension, in the order in which they are registered."""

from . import handlers, preferences, properties
from .operators import import_robot, joints, verify
from .ui import robot_panel

MODULES = (properties, preferences, handlers, import_robot, joints, verify, robot_panel)
