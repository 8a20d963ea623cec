# SPDX-License-Identifier: GPL-3.0-or-later
"""How a rig moves in its animation: joint velocities from F-curves where these say all, else from samples.

A channel that nothing but an F-curve animates is differentiated exactly. Everything else (drivers, the NLA, modifiers,
easings, planar and floating joints, the armature object itself) is read from Blender at sub-frames.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.errors import RigError
from ..core.kinematics import OFFSETS, RobotMotion, joint_motion, pose_rates, value_rates
from ..core.model import Robot
from ..core.stepwise import finished
from .exact_curves import Channels
from .kept_pose import BONE_CHANNELS, kept_pose
from .rig import JointBone, joint_bones, joint_values, robot_of
from .spatial_joints import SpatialJoint, spatial_joints
from .world import base_of, world_pose

Array = NDArray[np.float64]

SUBFRAME = 0.5  # with less, float32 channels would leave too few digits to the second differences
_TRANSFORMS = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")
_DELTAS = ("delta_location", "delta_rotation_euler", "delta_rotation_quaternion", "delta_scale")


def sample_motion(context: bpy.types.Context, rig: bpy.types.Object, frames: Sequence[float]) -> RobotMotion:
    """Return how the rig moves at T frames of the animation, as ``sample_stepwise`` does, at once."""
    return finished(sample_stepwise(context, rig, frames))


def sample_stepwise(
    context: bpy.types.Context, rig: bpy.types.Object, frames: Sequence[float]
) -> Generator[tuple[float, str], None, RobotMotion]:
    """Return how the rig moves at T frames of the animation; the current frame and the rig's pose are kept.

    It yields the share done before each frame that has to be played. At a key where a curve has a corner, the velocity
    is the mean of those before and after.

    Args:
        context: Its scene is the one that is animated.
        rig: The armature object.
        frames: The frames, parts of one allowed, at least one.

    Raises:
        RigError: If the object is no rig, or not in the view layer.
        UrdfError: If the stored description was damaged.
    """
    robot = robot_of(rig)
    context.view_layer.update()
    if context.view_layer.objects.get(rig.name) is not rig:
        raise RigError(f"{rig.name!r} is not in the current view layer")
    times = np.asarray(frames, dtype=np.float64)
    sources = _sources(context.scene, robot, rig, times)
    samples = (yield from _read(context, robot, rig, times)) if sources.need_samples else None
    render = context.scene.render
    return _assembled(robot, base_of(rig), sources, samples, render.fps / render.fps_base)


@dataclass(frozen=True, slots=True, eq=False)
class _Sources:
    """What is known without samples, for T frames.

    Attributes:
        joints: Value, velocity and acceleration by the frame of each free joint, shape (T, 3); None where not known.
        spatial: Value of each planar or floating joint, shape (T, 3) or (T, 7); None where it moves.
        world: ``W_H_A``, shape (T, 4, 4); None where the armature object moves.
    """

    joints: Mapping[str, Array | None]
    spatial: Mapping[str, Array | None]
    world: Array | None

    @property
    def need_samples(self) -> bool:
        """Whether something is not known."""
        return self.world is None or any(item is None for item in (*self.joints.values(), *self.spatial.values()))


@dataclass(frozen=True, slots=True, eq=False)
class _Samples:
    """The same as read at sub-frames: values (5, T), (5, T, 3 or 7) and poses (5, T, 4, 4)."""

    joints: Mapping[str, Array]
    spatial: Mapping[str, Array]
    world: Array


def _sources(scene: bpy.types.Scene, robot: Robot, rig: bpy.types.Object, times: Array) -> _Sources:
    channels = Channels(rig)
    count = len(times)
    render = scene.render
    remapping = render.frame_map_old / render.frame_map_new
    joints = {
        joint.data.joint: _exact(joint, channels, times, remapping)
        for joint in joint_bones(rig)
        if not joint.data.leader
    }
    spatial = {
        name: np.broadcast_to(joint.value, (count, len(joint.value))) if _bone_rests(joint, channels) else None
        for name, joint in spatial_joints(robot, rig).items()
    }
    world = np.broadcast_to(world_pose(rig, scene), (count, 4, 4)) if object_rests(rig, channels) else None
    return _Sources(joints, spatial, world)


def _exact(joint: JointBone, channels: Channels, times: Array, remapping: float) -> Array | None:
    path = joint.curve_path
    points = channels.points((path, 1), joint.data.sign * joint.value, times * remapping)
    if points is None:
        return None
    return joint.data.sign * np.array(points) * (1.0, remapping, remapping**2)


def _bone_rests(joint: SpatialJoint, channels: Channels) -> bool:
    return channels.rest(f"{joint.bone.path_from_id()}.{name}" for name, _ in BONE_CHANNELS)


def object_rests(rig: bpy.types.Object, channels: Channels) -> bool:
    """Whether nothing can move an object but the user."""
    held = rig.parent is not None or rig.rigid_body is not None or any(not item.mute for item in rig.constraints)
    return not held and channels.rest(_TRANSFORMS + _DELTAS)


def _read(
    context: bpy.types.Context, robot: Robot, rig: bpy.types.Object, times: Array
) -> Generator[tuple[float, str], None, _Samples]:
    """Return what Blender evaluates around the frames."""
    scene = context.scene
    wanted = np.round(times + SUBFRAME * np.array(OFFSETS)[:, None], 6)
    distinct, places = np.unique(wanted, return_inverse=True)
    joints: list[dict[str, float]] = []
    spatial: list[dict[str, Array]] = []
    world: list[Array] = []
    with kept_frame(context, rig):
        for index, time in enumerate(distinct):
            yield index / len(distinct), f"Frame {time:g}"
            frame = int(np.floor(time))
            scene.frame_set(frame, subframe=float(time - frame))
            evaluated = rig.evaluated_get(context.evaluated_depsgraph_get())
            joints.append(joint_values(evaluated))
            spatial.append({name: joint.value for name, joint in spatial_joints(robot, evaluated).items()})
            world.append(world_pose(evaluated, scene))
    places = places.reshape(wanted.shape)
    return _Samples(
        {name: np.array([item[name] for item in joints])[places] for name in joints[0]},
        {name: np.array([item[name] for item in spatial])[places] for name in spatial[0]},
        np.array(world)[places],
    )


@contextmanager
def kept_frame(context: bpy.types.Context, rig: bpy.types.Object) -> Iterator[None]:
    """Keep the current frame, and what the rig's channels hold: it need not be what the animation says."""
    scene = context.scene
    frame, subframe = scene.frame_current, scene.frame_subframe
    stance = {name: tuple(getattr(rig, name)) for name in _TRANSFORMS}
    with kept_pose(context, rig):
        try:
            yield
        finally:
            scene.frame_set(frame, subframe=subframe)
            for name, value in stance.items():
                setattr(rig, name, value)


def _assembled(robot: Robot, base: str, sources: _Sources, samples: _Samples | None, rate: float) -> RobotMotion:
    """Return the motion; ``rate`` is the number of frames in a second."""
    step = SUBFRAME / rate
    count = samples.world.shape[1] if samples is not None else len(sources.world)
    q: dict[str, Array] = {}
    v, a = np.zeros((2, count, len(robot.dofs)))
    for column, name in enumerate(robot.dofs):
        known = sources.joints.get(name)
        if known is not None:
            q[name], v[:, column], a[:, column] = known[:, 0], known[:, 1] * rate, known[:, 2] * rate**2
        elif samples is not None and name in samples.joints:
            q[name] = samples.joints[name][2]
            v[:, column], a[:, column] = value_rates(samples.joints[name], step)
    spatial: dict[str, tuple[Array, Array]] = {}
    for name, value in sources.spatial.items():
        if value is not None:
            q[name] = value
        elif samples is not None:
            q[name] = samples.spatial[name][2]
            spatial[name] = pose_rates(joint_motion(robot.joint(name), samples.spatial[name]), step)
    world, still = sources.world, np.zeros((count, 6))
    velocity, acceleration = still, still
    if world is None:
        assert samples is not None
        world = samples.world[2]
        velocity, acceleration = pose_rates(samples.world, step)
    return RobotMotion(base, q, v, a, world, velocity, acceleration, spatial)
