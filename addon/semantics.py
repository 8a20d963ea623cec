# SPDX-License-Identifier: GPL-3.0-or-later
"""The named poses of an SRDF file beside the description, kept on the armature."""

from __future__ import annotations

import json

import bpy

from ..core.diagnostics import Diagnostic, Level
from ..core.errors import UrdfError
from ..core.model import Robot
from ..core.urdf.srdf import find_srdf, read_srdf
from .properties import armature_data
from .rig import armature_of


def remember_semantics(rig: bpy.types.Object, robot: Robot) -> tuple[Diagnostic, ...]:
    """Store groups and named poses, where there is an SRDF file for the robot, and return the remarks from reading."""
    path = None if robot.source is None else find_srdf(robot.source, robot.name)
    if path is None:
        return ()
    try:
        semantics = read_srdf(path, robot)
    except UrdfError as error:
        message = f"{error.message}; its named poses are not there"
        return (Diagnostic(Level.WARNING, message, error.file or str(path), error.line, error.element),)
    armature_data(armature_of(rig)).semantics = json.dumps(semantics.as_dict(), ensure_ascii=False)
    return semantics.diagnostics
