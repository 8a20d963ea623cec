# SPDX-License-Identifier: GPL-3.0-or-later
"""What a goal can ask for: the kinds, how each is drawn, and what of it is measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of goal.

    Attributes:
        label: Its name for people.
        description: What the robot does.
        icon: Blender's icon.
        display: How the empty is drawn: arrows where all axes count, one arrow where only the z axis does.
        lengths: Whether a distance is left where it is not met.
        angles: Whether an angle is left where it is not met.
        frame: Whether it is about one link, and the tool on it.
        axis: Whether it is about one axis of the tool.
    """

    label: str
    description: str
    icon: Any  # the stubs list hundreds of names, other ones for each Blender
    display: Any
    lengths: bool
    angles: bool
    frame: bool = True
    axis: bool = False


KINDS = {
    "POSE": Kind("Pose", "The tool is where the goal is, and turned like it", "EMPTY_ARROWS", "ARROWS", True, True),
    "POSITION": Kind("Position", "The tool's point is where the goal is", "EMPTY_AXIS", "PLAIN_AXES", True, False),
    "ORIENTATION": Kind("Orientation", "The tool is turned like the goal", "ORIENTATION_GIMBAL", "ARROWS", False, True),
    "AXIS": Kind(
        "Axis Alignment",
        "An axis of the tool points the way of the goal's z axis",
        "EMPTY_SINGLE_ARROW",
        "SINGLE_ARROW",
        False,
        True,
        axis=True,
    ),
    "LOOK_AT": Kind("Look At", "An axis of the tool points at the goal", "HIDE_OFF", "SPHERE", False, True, axis=True),
    "LINE": Kind(
        "On a Line", "The tool's point is on the goal's z axis", "EMPTY_SINGLE_ARROW", "SINGLE_ARROW", True, False
    ),
    "PLANE": Kind(
        "In a Plane", "The tool's point is in the goal's xy plane", "MESH_PLANE", "SINGLE_ARROW", True, False
    ),
    "MASS": Kind(
        "Center of Mass",
        "The robot's centre of mass is above or below the goal",
        "FORCE_FORCE",
        "CUBE",
        True,
        False,
        False,
    ),
    "POSTURE": Kind(
        "Rest Posture",
        "The joints are as near to a posture as other goals let them",
        "ARMATURE_DATA",
        "CONE",
        False,
        False,
        False,
    ),
}

KIND_ITEMS = tuple(
    (name, kind.label, kind.description, kind.icon, number) for number, (name, kind) in enumerate(KINDS.items())
)

AXES = {
    "X": (1.0, 0.0, 0.0),
    "Y": (0.0, 1.0, 0.0),
    "Z": (0.0, 0.0, 1.0),
    "-X": (-1.0, 0.0, 0.0),
    "-Y": (0.0, -1.0, 0.0),
    "-Z": (0.0, 0.0, -1.0),
}

AXIS_ITEMS = tuple((name, name, f"The tool's {name.lower()} axis") for name in ("Z", "X", "Y", "-Z", "-X", "-Y"))
