# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules of the extension, in the order in which they are registered."""

from . import handlers, kinematics_settings, live_motion, overlay, preferences, properties
from .ik import live, settings
from .operators import (
    cameras,
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
    pose_saving,
    pose_text,
    poses,
    verify,
    waypoint_motion,
    waypoints,
)
from .poses import settings as pose_settings
from .ui import (
    camera_panel,
    ik_panel,
    inertia_panel,
    kinematics_panel,
    motion_panel,
    pose_panel,
    robot_panel,
    waypoint_panel,
)
from .waypoints import settings as waypoint_settings

MODULES = (
    properties,
    preferences,
    handlers,
    kinematics_settings,
    live_motion,
    overlay,
    settings,
    live,
    pose_settings,
    waypoint_settings,
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
    poses,
    pose_saving,
    pose_text,
    waypoints,
    waypoint_motion,
    robot_panel,
    pose_panel,
    waypoint_panel,
    kinematics_panel,
    ik_panel,
    motion_panel,
    camera_panel,
    inertia_panel,
)
