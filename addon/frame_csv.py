# SPDX-License-Identifier: GPL-3.0-or-later
"""A frame's motion over the animation as CSV."""

from __future__ import annotations

import math
from pathlib import Path

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.errors import ModelError, RigError
from ..core.kinematics import FrameMotion, motion_of_frame
from ..core.spatial import quaternion_from_rotation
from .motion_rates import sample_motion
from .rig import robot_of

Array = NDArray[np.float64]

HEADER = (
    *("frame", "time [s]", "x [m]", "y [m]", "z [m]", "qw", "qx", "qy", "qz"),
    *("vx [m/s]", "vy [m/s]", "vz [m/s]", "wx [rad/s]", "wy [rad/s]", "wz [rad/s]"),
    *("dvx [m/s^2]", "dvy [m/s^2]", "dvz [m/s^2]", "dwx [rad/s^2]", "dwy [rad/s^2]", "dwz [rad/s^2]"),
)
_MOST_FRAMES = 1_000_000


def frame_range(start: float, end: float, step: float) -> list[float]:
    """Return the frames from ``start`` to ``end``, both included where the step meets the end.

    Raises:
        ModelError: If that is not a range, or one of more than a million frames.
    """
    if not (math.isfinite(start) and math.isfinite(end) and math.isfinite(step)) or step <= 0.0 or end < start:
        raise ModelError(f"no range of frames: from {start:g} to {end:g} in steps of {step:g}")
    count = (end - start) / step
    if count >= _MOST_FRAMES:
        raise ModelError(f"{count:.3g} frames are too many: take a larger step")
    return [start + step * index for index in range(int(count + 1e-6) + 1)]


def frame_motion_csv(
    context: bpy.types.Context,
    rig: bpy.types.Object,
    link: str,
    reference: str | None,
    representation: str,
    frames: list[float],
) -> str:
    """Return a header with units and one line for each frame of the animation.

    Time starts at the first frame. Quaternions ``w x y z`` are those nearest to the line before. Velocity (v, w) and
    its time derivative (dv, dw) are written in the representation.

    Args:
        context: Its scene is the one that is animated.
        rig: The armature object.
        link: The link whose frame it is.
        reference: The link that it is seen from; the world where None.
        representation: ``inertial``, ``body`` or ``mixed``.
        frames: The frames.

    Raises:
        UrdfRigError: If a name is not known, or the rig is damaged.
    """
    robot = robot_of(rig)
    for name in (link, reference):
        if name is not None:
            robot.link(name)  # before the animation is played
    motion = motion_of_frame(robot, sample_motion(context, rig, frames), link, reference, representation)
    rate = context.scene.render.fps / context.scene.render.fps_base
    lines = [",".join(HEADER)]
    for row in _rows(motion, np.array(frames), rate):
        lines.append(",".join(f"{value + 0.0:.10g}" for value in row))
    return "\n".join(lines) + "\n"


def _rows(motion: FrameMotion, frames: Array, rate: float) -> Array:
    turns = quaternion_from_rotation(motion.pose[:, :3, :3])
    flips = np.sign(np.sum(turns[1:] * turns[:-1], axis=1))
    turns[1:] *= np.cumprod(np.where(flips == 0.0, 1.0, flips))[:, None]
    times = (frames - frames[0]) / rate
    return np.column_stack([frames, times, motion.pose[:, :3, 3], turns, motion.velocity, motion.acceleration])


def write_csv(path: Path, text: str) -> None:
    """Write the file.

    Raises:
        RigError: If that is not possible.
    """
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise RigError(f"{path} cannot be written: {error.strerror}") from error
