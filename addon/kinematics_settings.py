# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kinematics section is about: the frame, the frame it is seen from, how motions are written and drawn.

It is the window's, not the file's: a linked robot can be looked at, and looking changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, PointerProperty, StringProperty

from ..core.errors import UrdfRigError
from ..core.model import Robot
from .classes import ROBOT_WORDS
from .new_names import NewNames
from .properties import bone_data
from .rig import active_rig, armature_of, robot_of
from .world import base_of

REPRESENTATIONS = (
    ("mixed", "Mixed", "Linear part: velocity of the frame's origin. Axes: those of the reference"),
    ("body", "Body", "Linear part: velocity of the frame's origin. Axes: those of the frame itself"),
    (
        "inertial",
        "Inertial",
        "Linear part: velocity of the body's point at the reference's origin. Axes: those of the reference",
    ),
)


def links_of_active_rig(_owner: object, context: bpy.types.Context, text: str) -> list[str]:
    """Return the links whose names hold the text, for a search field."""
    rig = active_rig(context)
    try:
        return [] if rig is None else [link.name for link in robot_of(rig).links if text.lower() in link.name.lower()]
    except UrdfRigError:
        return []


class URDF_RIG_PG_kinematics(bpy.types.PropertyGroup):
    """What the kinematics section shows"""

    if TYPE_CHECKING:
        frame: str
        seen_from: str
        reference: str
        rotation: str
        representation: str
        live: bool
        axes: bool
        velocity: bool
        ellipsoid: bool
        length: float
    else:
        frame: StringProperty(
            name="Frame",
            description="The link whose frame is shown. Empty: that of the active bone",
            search=links_of_active_rig,
        )
        seen_from: EnumProperty(
            name="Seen from",
            translation_context=ROBOT_WORDS,
            description="Where the frame is seen from: whose axes and origin the numbers are about",
            items=(
                ("WORLD", "World", "Blender's world"),
                ("BASE", "Base", "The link that the armature hangs from"),
                ("LINK", "Link", "Any link of the robot"),
            ),
        )
        reference: StringProperty(
            name="Reference", description="The link that the frame is seen from", search=links_of_active_rig
        )
        rotation: EnumProperty(
            name="Rotation",
            description="How the frame's orientation is written",
            items=(
                ("RPY", "Roll, Pitch, Yaw", "Angles about the fixed axes x, y, z, as in URDF"),
                ("QUATERNION", "Quaternion", "w, x, y, z"),
                ("MATRIX", "Matrix", "The pose as a matrix of four by four, in metres"),
            ),
        )
        representation: EnumProperty(
            name="Velocities", description="How velocities and accelerations are written", items=REPRESENTATIONS
        )
        live: BoolProperty(
            name="Live", description="Measure again whenever the frame changes. Costs time during playback"
        )
        axes: BoolProperty(name="Axes", default=True, description="Draw the frame's axes: x red, y green, z blue")
        velocity: BoolProperty(
            name="Velocity", default=True, description="Draw the measured velocity of the frame's origin in the world"
        )
        ellipsoid: BoolProperty(
            name="Ellipsoid",
            translation_context=ROBOT_WORDS,
            default=True,
            description="Draw the velocities that joint velocities of norm 1 give the frame's origin, the base at rest",
        )
        length: FloatProperty(
            name="1 m/s Drawn as",
            default=0.25,
            min=1e-4,
            soft_max=10.0,
            precision=3,
            description="How long a velocity of 1 m/s is drawn, in metres of the robot",
        )


def kinematics_settings(window_manager: bpy.types.WindowManager) -> URDF_RIG_PG_kinematics:
    """Return what the kinematics section shows."""
    return cast("URDF_RIG_PG_kinematics", window_manager.urdf_rig_kinematics)  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The frame asked for.

    Attributes:
        link: The link whose frame it is.
        reference: The link that it is seen from; None for the world.
    """

    link: str
    reference: str | None

    @property
    def text(self) -> str:
        """A few words for it."""
        return f"{self.link} in {'the world' if self.reference is None else self.reference}"


def chosen_frame(context: bpy.types.Context, rig: bpy.types.Object, robot: Robot) -> Chosen:
    """Return the frame that the user looks at.

    Raises:
        UnknownNameError: If the robot has no such link.
    """
    state = kinematics_settings(context.window_manager)
    if state.seen_from == "WORLD":
        reference = None
    else:
        reference = state.reference if state.seen_from == "LINK" and state.reference else base_of(rig)
        reference = robot.link(reference).name
    if state.frame:
        return Chosen(robot.link(state.frame).name, reference)
    bone = armature_of(rig).bones.active
    name = "" if bone is None else bone_data(bone).link
    return Chosen(name or base_of(rig), reference)


def follow_new_names(context: bpy.types.Context, rig: bpy.types.Object, names: NewNames) -> list[str]:
    """Let the frames that are looked at follow links that have new names, if they are those of this rig."""
    if active_rig(context) == rig:
        state = kinematics_settings(context.window_manager)
        state.frame, state.reference = names.link(state.frame), names.link(state.reference)
    return []


def register() -> None:
    """Register the settings and hang them on the window manager."""
    bpy.utils.register_class(URDF_RIG_PG_kinematics)
    settings = PointerProperty(type=URDF_RIG_PG_kinematics)
    bpy.types.WindowManager.urdf_rig_kinematics = settings  # type: ignore[attr-defined]


def unregister() -> None:
    """Take the settings away."""
    del bpy.types.WindowManager.urdf_rig_kinematics  # type: ignore[attr-defined]
    bpy.utils.unregister_class(URDF_RIG_PG_kinematics)
