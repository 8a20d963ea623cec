# SPDX-License-Identifier: GPL-3.0-or-later
"""What an SRDF file beside the description says, kept on the armature: named poses, and links that may touch."""

from __future__ import annotations

import json
from pathlib import Path

import bpy

from ..core.diagnostics import Diagnostic, Level
from ..core.errors import RigError, UrdfError
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


def disabled_pairs(rig: bpy.types.Object, robot: Robot) -> tuple[tuple[str, str], ...]:
    """Return the pairs of links that may touch; of a rig that was made before they were kept, from its SRDF file.

    Raises:
        RigError: If what is kept was damaged.
    """
    data = armature_data(armature_of(rig))
    try:
        stored = json.loads(data.semantics) if data.semantics else {}
        if "disabled_pairs" in stored:
            return tuple((str(one), str(two)) for one, two in stored["disabled_pairs"])
    except (ValueError, TypeError, RecursionError):
        raise RigError(f"what {rig.name!r} keeps of its SRDF file was damaged: import it again") from None
    path = find_srdf(Path(data.source), robot.name) if data.source else None
    try:
        pairs = () if path is None else read_srdf(path, robot).disabled_pairs
    except UrdfError:  # its import has said why
        pairs = ()
    return tuple((pair.link1, pair.link2) for pair in pairs)
