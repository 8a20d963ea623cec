# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules of the extension, in the order in which they are registered."""

from . import handlers, kinematics_settings, live_motion, overlay, preferences, properties
from .operators import (
    cameras,
    export_frame_motion,
    import_options,
    import_robot,
    inertia,
    joints,
    kinematics,
    verify,
)
from .ui import camera_panel, inertia_panel, kinematics_panel, robot_panel

MODULES = (
    properties,
    preferences,
    handlers,
    kinematics_settings,
    live_motion,
    overlay,
    import_options,
    import_robot,
    joints,
    verify,
    cameras,
    inertia,
    kinematics,
    export_frame_motion,
    robot_panel,
    kinematics_panel,
    camera_panel,
    inertia_panel,
)
