# SPDX-License-Identifier: GPL-3.0-or-later
"""The motion measured last, for the panel and the overlay to show, and the handler that keeps it up to date."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import bpy
from bpy.app.handlers import persistent

from ..core.errors import UrdfRigError
from ..core.kinematics import FrameMotion, RobotMotion, motion_of_frame
from ..core.model import Robot
from .kinematics_settings import kinematics_settings
from .motion_rates import sample_motion
from .rig import active_rig, robot_of

_KEPT = 8


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """How a rig moved.

    Attributes:
        robot: Its robot.
        frame: The frame of the animation.
        motion: The motion, at that one instant.
    """

    robot: Robot
    frame: float
    motion: RobotMotion


_measured: dict[int, Measured] = {}
_measuring: list[int] = []


def current_frame(scene: bpy.types.Scene) -> float:
    """Return the scene's frame, parts of one included."""
    return scene.frame_current + scene.frame_subframe


def measure(context: bpy.types.Context, rig: bpy.types.Object) -> None:
    """Measure how a rig moves at the current frame.

    Raises:
        RigError: If the object is no rig, or not in the view layer.
        UrdfError: If the stored description was damaged.
    """
    frame = current_frame(context.scene)
    _measured.pop(rig.session_uid, None)
    _measuring.append(rig.session_uid)
    try:
        motion = sample_motion(context, rig, [frame])
    finally:
        _measuring.pop()
    while len(_measured) >= _KEPT:
        del _measured[next(iter(_measured))]
    _measured[rig.session_uid] = Measured(robot_of(rig), frame, motion)


def measured(rig: bpy.types.Object) -> Measured | None:
    """Return how a rig moved when it was measured last."""
    found = _measured.get(rig.session_uid)
    return found if found is not None and found.robot is robot_of(rig) else None


@lru_cache(maxsize=8)
def motion_seen(found: Measured, link: str, reference: str | None, representation: str) -> FrameMotion:
    """Return how a link's frame moved, as ``motion_of_frame`` does; remembered for the next redraw.

    Raises:
        UnknownNameError: If the robot has no such link.
    """
    return motion_of_frame(found.robot, found.motion, link, reference, representation)


@persistent
def _on_frame_change(scene: bpy.types.Scene, graph: bpy.types.Depsgraph) -> None:
    # sampling changes the frame too; and a render has frames of its own, which must be left alone
    if _measuring or graph.mode == "RENDER":
        return
    context = bpy.context
    if not hasattr(context, "object") or context.scene != scene:  # as when a render ends
        return
    rig = active_rig(context) if kinematics_settings(context.window_manager).live else None
    if rig is not None:
        try:
            measure(context, rig)
        except UrdfRigError:  # the panel says what is wrong with the rig
            _measured.pop(rig.session_uid, None)


@persistent
def _on_load(_path: str) -> None:
    _measured.clear()


def register() -> None:
    """Add the handlers."""
    bpy.app.handlers.frame_change_post.append(_on_frame_change)
    bpy.app.handlers.load_post.append(_on_load)


def unregister() -> None:
    """Remove the handlers and forget all motions."""
    bpy.app.handlers.load_post.remove(_on_load)
    bpy.app.handlers.frame_change_post.remove(_on_frame_change)
    _measured.clear()
