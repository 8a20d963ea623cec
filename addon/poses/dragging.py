# SPDX-License-Identifier: GPL-3.0-or-later
"""Blending a pose in by dragging the mouse."""

from __future__ import annotations

from dataclasses import dataclass, field

import bpy

from ...core.poses import JointNumbers, blended, fit_values
from ..rig import robot_of
from .joint_state import blend_joint_state, joint_state, set_joint_state
from .named import NamedPose

_WIDTH = 300.0  # pixels from nothing to all of it, at the usual size of the interface


@dataclass(slots=True)
class PoseDrag:
    """A drag that is going on.

    Attributes:
        rig: The armature object.
        pose: The pose that is blended in.
        x: Where the mouse was at first [pixels].
        scale: The size of the interface; 1 is usual.
        factor: How far the pose is blended in now, 0..1.
    """

    rig: bpy.types.Object
    pose: NamedPose
    x: float
    scale: float = 1.0
    factor: float = 0.0
    _start: dict[str, JointNumbers] = field(default_factory=dict)
    _end: dict[str, JointNumbers] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._start = joint_state(self.rig)
        fitted = fit_values(robot_of(self.rig), self.pose.joints)
        self._end = {**fitted.values, **fitted.spatial}

    def move(self, x: float) -> None:
        """Blend as far as the mouse is now to the right of where it was at first."""
        self.factor = min(max((x - self.x) / (_WIDTH * self.scale), 0.0), 1.0)
        set_joint_state(self.rig, blended(self._start, self._end, self.factor))

    def cancel(self) -> None:
        """Put the joints back."""
        set_joint_state(self.rig, self._start)

    def finish(self, context: bpy.types.Context) -> tuple[str, ...]:
        """Keep the pose, key it where auto-keying is on, and return what there is to say."""
        return blend_joint_state(context, self.rig, self._start, self.pose.joints, self.factor).remarks

    @property
    def text(self) -> str:
        """What the status bar and the header say meanwhile."""
        return (
            f"Blend {self.pose.name}: {100.0 * self.factor:.0f} %   (drag: more or less, click: confirm, Esc: cancel)"
        )
