# SPDX-License-Identifier: GPL-3.0-or-later
"""Keyframes from goals: solved frame by frame, each from the one before, so that no joint jumps or loses a turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import RigError, UrdfRigError
from ...core.ik import IkResult
from ..convert import to_array, to_matrix
from ..fcurves import Channel, curves_by_channel, remove_keys
from ..keying import key_channel
from ..rig import joint_bones_by_name, robot_of
from ..world import nearest_rigid, seen_from
from .goals import goals_of
from .settings import goal_data, ik_data
from .solving import CERTAIN, configuration, joints_that_serve, look, solve
from .status import tell
from .tool import is_finite

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Baked:
    """What became of it.

    Attributes:
        frames: Number of frames.
        missed: Number of those at which a goal was not reached.
        position: The worst residual [m].
        rotation: The worst residual [rad].
    """

    frames: int
    missed: int
    position: float
    rotation: float


def bake(context: bpy.types.Context, rig: bpy.types.Object, frames: Sequence[int]) -> Baked:
    """Key the joints that serve the rig's goals, at these frames; keys between the first and the last are replaced.

    The armature is keyed too where its base is free. The rig is not live afterwards. The current frame is kept.

    Args:
        context: Its scene is played.
        rig: The armature object.
        frames: The frames, rising, at least one.

    Raises:
        UrdfRigError: If there is no goal, one makes no sense at some frame, or the rig is damaged. Nothing is keyed.
    """
    goals = goals_of(rig, context.view_layer)
    if not goals:
        raise RigError("the robot has no goal")
    serving = joints_that_serve(rig, goals)
    scene, was_live = context.scene, ik_data(rig).live
    now = scene.frame_current, scene.frame_subframe
    ik_data(rig).live = False
    try:
        solved = _solved(context, rig, goals, frames)
    except UrdfRigError:
        ik_data(rig).live = was_live
        raise
    finally:
        scene.frame_set(now[0], subframe=now[1])
    _key_joints(rig, serving, frames, solved)
    if ik_data(rig).base_free:
        _key_base(rig, frames, solved)
    scene.frame_set(now[0], subframe=now[1])
    tell(rig, goals, solved[min(range(len(frames)), key=lambda index: abs(frames[index] - now[0]))].result)
    # what is left of postures and swivels is no distance that anything is off
    counted = [index for index, goal in enumerate(goals) if goal_data(goal).kind != "POSTURE"]
    residuals = [item.result.residuals[index] for item in solved for index in counted]
    return Baked(
        len(frames),
        sum(not item.result.reached for item in solved),
        max((residual.position for residual in residuals), default=0.0),
        max((residual.rotation for residual in residuals), default=0.0),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Solved:
    """What was found for a frame, and the armature's matrix (4, 4) in the world then."""

    result: IkResult
    world: Array


def _solved(
    context: bpy.types.Context, rig: bpy.types.Object, goals: Sequence[bpy.types.Object], frames: Sequence[int]
) -> list[_Solved]:
    robot = robot_of(rig)
    context.view_layer.update()
    start = configuration(robot, rig)
    before = to_array(rig.matrix_world)
    found: list[_Solved] = []
    for frame in frames:
        context.scene.frame_set(frame)
        graph = context.evaluated_depsgraph_get()
        seen = look(rig, goals, graph)
        world = seen.world
        # random starts only where there is no pose before that this one must be near to
        result = solve(rig, goals, seen, start, 0 if found else CERTAIN, _from(world, before))
        before = world @ result.W_H_B
        found.append(_Solved(result, before))
        start = {**start, **dict(zip(robot.dofs, result.q.tolist(), strict=True))}
    return found


def _from(world: Array, before: Array) -> Array | None:
    """Return where the base was, seen from where the armature is."""
    seen = seen_from(world, before)
    return nearest_rigid(seen) if is_finite(seen) else None  # the goals have no pose then, which is said elsewhere


def _key_joints(
    rig: bpy.types.Object, serving: Sequence[str], frames: Sequence[int], solved: Sequence[_Solved]
) -> None:
    robot, bones = robot_of(rig), joint_bones_by_name(rig)
    joints = [(bones[name], robot.dofs.index(name)) for name in serving]
    channels = {(joint.curve_path, 1) for joint, _ in joints}
    _clear(rig, channels, frames)
    for frame, item in zip(frames, solved, strict=True):
        for joint, column in joints:
            joint.value = float(item.result.q[column])
            key_channel(joint, frame)


def _key_base(rig: bpy.types.Object, frames: Sequence[int], solved: Sequence[_Solved]) -> None:
    modes = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
    turn = modes.get(rig.rotation_mode, "rotation_euler")
    _clear(rig, {(path, index) for path in ("location", turn) for index in range(4)}, frames)
    for frame, item in zip(frames, solved, strict=True):
        previous: Any = getattr(rig, turn)
        previous = previous.copy() if hasattr(previous, "make_compatible") else None
        rig.matrix_world = to_matrix(item.world)
        if previous is not None:  # the same turn can be written in several ways: the nearest
            current: Any = getattr(rig, turn).copy()
            current.make_compatible(previous)
            setattr(rig, turn, current)
        for path in ("location", turn):
            rig.keyframe_insert(path, frame=frame)


def _clear(rig: bpy.types.Object, channels: set[Channel], frames: Sequence[int]) -> None:
    """Remove the keys that channels have in the range of the frames."""
    for channel, curve in curves_by_channel(rig).items():
        if channel in channels:
            remove_keys(curve, frames[0], frames[-1])
