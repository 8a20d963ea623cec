# SPDX-License-Identifier: GPL-3.0-or-later
"""All that remembers links and joints by name, and follows where these have new ones.

What is on bones and on objects that hang from the rig is not here: a rebuild writes it anew.
"""

from __future__ import annotations

from collections.abc import Callable

import bpy

from ...core.errors import UrdfRigError
from .. import kinematics_settings
from ..ik import renaming as ik_renaming
from ..motion import findings
from ..new_names import NewNames
from ..poses import named
from ..waypoints import teaching

_LISTENERS: tuple[tuple[str, Callable[[bpy.types.Context, bpy.types.Object, NewNames], list[str]]], ...] = (
    ("goals", ik_renaming.follow_new_names),
    ("saved poses", named.follow_new_names),
    ("waypoints", teaching.follow_new_names),
    ("findings and joint limits", findings.follow_new_names),
    ("chosen frames", kinematics_settings.follow_new_names),
)
"""Each returns remarks, and raises a ``UrdfRigError`` where something was damaged in the file."""


def follow_new_names(context: bpy.types.Context, rig: bpy.types.Object, names: NewNames) -> list[str]:
    """Let all follow that knows the rig's links and joints by name; return what there is to say."""
    remarks = []
    for what, follow in _LISTENERS:
        try:
            remarks += follow(context, rig, names)
        except UrdfRigError as error:
            remarks.append(f"{what} keep the old names: {error}")
    return remarks
