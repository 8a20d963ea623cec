# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules of the extension, in the order in which they are registered."""

from . import attachments, handlers, kinematics_settings, live_motion, overlay, preferences, properties, stored_options
from .ik import live, settings
from .operators import (
    attachments as attachment_operators,
)
from .operators import (
    cameras,
    change_base,
    export_frame_motion,
    ik_goals,
    ik_solve,
    import_options,
    import_robot,
    inertia,
    joints,
    kinematics,
    motion_export,
    motion_play,
    reload_description,
    verify,
)
from .ui import camera_panel, ik_panel, inertia_panel, kinematics_panel, life_panel, motion_panel, robot_panel

MODULES = (
    properties,
    preferences,
    handlers,
    kinematics_settings,
    live_motion,
    overlay,
    settings,
    attachments,
    stored_options,
    live,
    import_options,
    import_robot,
    joints,
    verify,
    cameras,
    inertia,
    kinematics,
    export_frame_motion,
    ik_goals,
    ik_solve,
    motion_play,
    motion_export,
    change_base,
    reload_description,
    attachment_operators,
    robot_panel,
    kinematics_panel,
    ik_panel,
    motion_panel,
    life_panel,
    camera_panel,
    inertia_panel,
)
