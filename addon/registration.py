# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules of the extension, in the order in which they are registered."""

from . import handlers, preferences, properties
from .operators import cameras, import_options, import_robot, inertia, joints, verify
from .ui import camera_panel, inertia_panel, robot_panel

MODULES = (
    properties,
    preferences,
    handlers,
    import_options,
    import_robot,
    joints,
    verify,
    cameras,
    inertia,
    robot_panel,
    camera_panel,
    inertia_panel,
)
