# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions as the YAML of ROS 2 messages."""

from __future__ import annotations

import json
import re

import numpy as np

from .base_motion import BaseMotion
from .errors import MotionError
from .joint_motion import Array, JointMotion

_NANO = 1_000_000_000
_WHOLE_MANTISSA = re.compile(r"(?<![.\d])(\d+)e")
_WORLD, _BASE = "world", "base_link"


def row_text(values: Array) -> str:
    """Return numbers with as many digits as they need to be read back the same, as JSON."""
    return "[" + ", ".join(map(repr, (values + 0.0).tolist())) + "]"


def fields_of(motion: JointMotion) -> list[tuple[str, Array]]:
    """Return what is known of positions, velocities and accelerations, by name."""
    pairs = [(name, getattr(motion, name)) for name in ("positions", "velocities", "accelerations")]
    return [(name, values) for name, values in pairs if values is not None]


def _numbers(values: Array) -> str:
    # 1e-05 is a text to the parsers that ROS uses, 1.0e-05 a number
    return _WHOLE_MANTISSA.sub(r"\1.0e", row_text(values))


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(json.dumps(name) for name in names)


def _stamps(motion: JointMotion) -> list[str]:
    stamps = np.round(motion.times * _NANO).astype(np.int64)
    if stamps[0] < 0:
        raise MotionError("messages of ROS cannot begin before time 0")
    if (np.diff(stamps) <= 0).any():
        raise MotionError("a trajectory's instants are a nanosecond apart at least")
    return ["{{sec: {}, nanosec: {}}}".format(*divmod(stamp, _NANO)) for stamp in stamps.tolist()]


def trajectory_text(motion: JointMotion) -> str:
    """Return a motion as a JointTrajectory, or, with a moving base, a RobotTrajectory as MoveIt has it.

    Raises:
        MotionError: If it begins before 0, which a trajectory cannot say, or instants are nearer than 1 ns.
    """
    stamps = _stamps(motion)
    margin = "" if motion.base is None else "  "
    lines = [f"{margin}joint_names: [{_names(motion.joints)}]", f"{margin}points:"]
    fields = fields_of(motion)
    for index, stamp in enumerate(stamps):
        for place, (name, values) in enumerate(fields):
            lines.append(f"{margin}  {'  ' if place else '- '}{name}: {_numbers(values[index])}")
        lines.append(f"{margin}    time_from_start: {stamp}")
    if motion.base is not None:
        lines = ["joint_trajectory:", *lines, "multi_dof_joint_trajectory:", *_base_points(motion.base, stamps)]
    return "\n".join(lines) + "\n"


def _base_points(base: BaseMotion, stamps: list[str]) -> list[str]:
    lines = [
        f"  header: {{frame_id: {json.dumps(base.frame or _WORLD)}}}",
        f"  joint_names: [{json.dumps(base.link or _BASE)}]",
        "  points:",
    ]
    for index, stamp in enumerate(stamps):
        lines += [f"  - transforms: [{_transform(base, index)}]", f"    time_from_start: {stamp}"]
    return lines


def _transform(base: BaseMotion, index: int) -> str:
    values = np.concatenate([base.positions[index], base.quaternions[index]])
    x, y, z, qw, qx, qy, qz = _numbers(values)[1:-1].split(", ")
    return f"{{translation: {{x: {x}, y: {y}, z: {z}}}, rotation: {{x: {qx}, y: {qy}, z: {qz}, w: {qw}}}}}"


def states_text(motion: JointMotion) -> str:
    """Return a motion as JointState messages, one document each; with a moving base a TransformStamped after each.

    A JointState has no accelerations.

    Raises:
        MotionError: If it begins before 0, which a stamp cannot say, or instants are nearer than 1 ns.
    """
    names, base = _names(motion.joints), motion.base
    lines = []
    for index, stamp in enumerate(_stamps(motion)):
        if motion.joints:
            lines += [f"header: {{stamp: {stamp}, frame_id: ''}}", f"name: [{names}]"]
            lines.append(f"position: {_numbers(motion.positions[index])}")
            if motion.velocities is not None:
                lines.append(f"velocity: {_numbers(motion.velocities[index])}")
            lines += ["effort: []", "---"]
        if base is not None:
            lines.append(f"header: {{stamp: {stamp}, frame_id: {json.dumps(base.frame or _WORLD)}}}")
            lines.append(f"child_frame_id: {json.dumps(base.link or _BASE)}")
            lines += [f"transform: {_transform(base, index)}", "---"]
    return "\n".join(lines) + "\n"
