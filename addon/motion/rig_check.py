# SPDX-License-Identifier: GPL-3.0-or-later
"""Can the robot do what its animation shows? Samples, proxies and limits of a rig, for the core to judge."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.collision import CollisionModel, Proxy, collision_model, proxy_of
from ...core.model import Mesh, Robot
from ...core.motion.robot_check import MotionCheck, check_robot_motion_stepwise
from ...core.shapes import load_shapes
from ...core.stepwise import finished, scaled
from ..fcurves import action_curves
from ..properties import armature_data, object_data
from ..rig import armature_of, robot_of
from ..semantics import disabled_pairs
from .check_settings import stored_overrides
from .playback import frames_a_second
from .played import Progress
from .sampling import record_stepwise

Array = NDArray[np.float64]
_RECORDED = 0.3
"""Share of the work that playing the animation is taken to be."""
Meshes = dict[tuple[str, int], NDArray[np.float32]]


@dataclass(frozen=True, slots=True, eq=False)
class RigCheck:
    """A rig's motion held against its robot; sample i was taken at frame ``start + i * step``."""

    check: MotionCheck
    start: float
    step: float

    def frame(self, index: int) -> float:
        """Return the frame of a sample."""
        return self.start + index * self.step


def frame_limits(scene: bpy.types.Scene) -> tuple[int, int]:
    """Return first and last frame of a scene's preview range where it has one, else of its range."""
    if scene.use_preview_range:
        return scene.frame_preview_start, scene.frame_preview_end
    return scene.frame_start, scene.frame_end


def check_rig(
    context: bpy.types.Context,
    rig: bpy.types.Object,
    *,
    start: float,
    end: float,
    rate: float = 0.0,
    collisions: bool = True,
) -> RigCheck:
    """Return what the robot cannot do from one frame to another, whatever moves it.

    Args:
        context: Its scene is the one that is animated.
        rig: The armature object.
        start: First frame.
        end: Last frame.
        rate: Samples a second; 0 is one for each frame.
        collisions: Whether to look for self-collision.

    Raises:
        ModelError: If that is no range of frames, the robot has no joints that move, or there is too much to look at.
        RigError: If the object is no rig, a constraint takes a bone off its joint's axis, or stored data were damaged.
        UrdfError: If the stored description was damaged.
    """
    return finished(check_rig_stepwise(context, rig, start=start, end=end, rate=rate, collisions=collisions))


def check_rig_stepwise(
    context: bpy.types.Context,
    rig: bpy.types.Object,
    *,
    start: float,
    end: float,
    rate: float = 0.0,
    collisions: bool = True,
) -> Generator[Progress, None, RigCheck]:
    """Do the work of ``check_rig``, yielding the share done, 0 to 1, and a text before each step; return its result."""
    robot = robot_of(rig)
    recording = record_stepwise(context, rig, start=start, end=end, rate=rate)
    motion = yield from scaled(recording, 0.0, _RECORDED, lambda step: step)
    fps = frames_a_second(context.scene)
    step = fps / rate if rate else 1.0
    checking = check_robot_motion_stepwise(
        robot,
        motion,
        overrides=stored_overrides(rig),
        collisions=rig_collisions(rig, robot) if collisions else None,
        clock=_clock(rig, start, end, step) / fps,
    )
    check = yield from scaled(checking, _RECORDED, 1.0, lambda step: (step[0], "Looking for self-collision"))
    return RigCheck(check, start, step)


def _clock(rig: bpy.types.Object, start: float, end: float, step: float) -> float:
    """Return by how many frames float32 may move two samples: those between whole frames, and keys that are."""
    animation = rig.animation_data
    loose = 0 if float(start).is_integer() and float(step).is_integer() else 1
    if animation is not None:
        loose += bool(len(animation.nla_tracks)) or any(_has_part_frames(curve) for curve in action_curves(rig))
    return loose * float(np.spacing(np.float32(max(abs(start), abs(end), 1.0))))


def _has_part_frames(curve: bpy.types.FCurve) -> bool:
    co = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
    curve.keyframe_points.foreach_get("co", co)
    return bool((co[0::2] % 1.0).any())


def rig_collisions(rig: bpy.types.Object, robot: Robot) -> CollisionModel:
    """Return what to look at for self-collision.

    Meshes are those of the collision objects in the file, and where these were not imported, those that the
    description names, as long as they are still there.

    Raises:
        RigError: If stored data were damaged.
    """
    return collision_model(robot, _proxies(rig, robot), disabled_pairs(rig, robot))


def _proxies(rig: bpy.types.Object, robot: Robot) -> Iterator[Proxy]:
    known = _collision_meshes(rig)
    shapes = [(link.name, index, shape) for link in robot.links for index, shape in enumerate(link.collisions)]
    if any(isinstance(shape.geometry, Mesh) and (link, index) not in known for link, index, shape in shapes):
        known = _meshes_on_disk(rig, robot) | known
    for link, index, shape in shapes:
        proxy = proxy_of(link, shape, known.get((link, index)))
        if proxy is not None:
            yield proxy


def _collision_meshes(rig: bpy.types.Object) -> Meshes:
    """Return the vertices of the rig's collision objects in their geometry's frame [m], by link and index."""
    found: Meshes = {}
    for obj in rig.children:
        data = object_data(obj)
        if data.is_collision and data.index >= 0 and isinstance(obj.data, bpy.types.Mesh):
            vertices = np.empty(3 * len(obj.data.vertices), dtype=np.float32)
            obj.data.vertices.foreach_get("co", vertices)
            found[data.link, data.index] = vertices.reshape(-1, 3)
    return found


def _meshes_on_disk(rig: bpy.types.Object, robot: Robot) -> Meshes:
    source = armature_data(armature_of(rig)).source
    if not source or not Path(source).is_file():
        return {}
    loaded = load_shapes(replace(robot, source=Path(source)), visuals=False, collisions=True)
    found: Meshes = {}
    counts: dict[str, int] = {}
    for shape in loaded.shapes:
        index = counts.get(shape.link, 0)
        counts[shape.link] = index + 1
        if shape.mesh is not None:
            found[shape.link, index] = shape.mesh.vertices
    return found
