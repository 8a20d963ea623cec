# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions played, recorded, made of waypoints, and checked."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

import bpy

from ...core.motion import JointMotion, Recording, read_motion
from ...core.motion.robot_check import MotionCheck
from ..motion import playback, rig_check, sampling
from ..rig import robot_of
from ..waypoints import generating, teaching
from ..waypoints.settings import waypoints_data


def play_motion(
    rig: bpy.types.Object,
    motion: str | PathLike[str] | JointMotion,
    *,
    start: float = 1.0,
    degrees: bool = False,
    rate: float = 0.0,
    topic: str = "",
    base_topic: str = "",
) -> list[str]:
    """Key a recorded motion on a rig, in a new action; return what there is to say.

    >>> import bpy, numpy, urdf_rig
    >>> from urdf_rig.core.motion import JointMotion
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> motion = JointMotion(("joint_1",), numpy.array([0.0, 1.0]), numpy.array([[0.0], [0.5]]))
    >>> urdf_rig.play_motion(arm, motion)
    []
    >>> bpy.context.scene.frame_set(25)
    >>> urdf_rig.get_joints(arm)["joint_1"]
    0.5

    Args:
        rig: The armature object.
        motion: A CSV, JSON, YAML file or ROS bag, or a motion in memory.
        start: Frame of time 0.
        degrees: Whether angles are in degrees, not in radians.
        rate: Keys a second; 0 is one for each sample.
        topic: Of a bag, the topic with joint values; empty for the one most likely meant, ``-`` for none.
        base_topic: Of a bag, the topic with the base's pose; likewise.

    Raises:
        MotionError: If the file cannot be read, or has none of the robot's joints.
        RigError: If the object is no rig, or its animation cannot be changed.
    """
    if isinstance(motion, JointMotion):
        read, file = Recording(motion), ""
    else:
        file = Path(motion).name
        read = read_motion(Path(motion), topic=topic, base_topic=base_topic, base_link=robot_of(rig).root)
    played = playback.play_motion(bpy.context, rig, read.motion, start=start, degrees=degrees, rate=rate, file=file)
    return [str(item) for item in (*read.diagnostics, *played.diagnostics)]


def record_motion(
    rig: bpy.types.Object,
    start: float,
    end: float,
    *,
    rate: float = 0.0,
    rates: bool = False,
    followers: bool = False,
    base: bool = True,
) -> JointMotion:
    """Return how joints and base move from one frame to another, whatever drives them; the first frame is time 0.

    ``urdf_rig.core.motion.write_motion`` writes it to a file.

    >>> import bpy, urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> motion = urdf_rig.record_motion(arm, 1, 25)
    >>> motion.joints[0], motion.positions.shape
    ('joint_1', (25, 6))

    Args:
        rig: The armature object.
        start: First frame.
        end: Last frame, included where the rate meets it.
        rate: Samples a second; 0 is one for each frame.
        rates: Whether to add velocities and accelerations.
        followers: Whether to add the joints that follow another one.
        base: Whether to add the base's pose where it moves.

    Raises:
        ModelError: If that is no range of frames, or nothing of the robot can move.
        RigError: If the object is no rig, or a constraint takes a bone off its joint's axis.
    """
    return sampling.recorded_motion(
        bpy.context, rig, start=start, end=end, rate=rate, rates=rates, followers=followers, base=base
    )


def check_motion(
    rig: bpy.types.Object, start: float, end: float, *, rate: float = 0.0, collisions: bool = True
) -> MotionCheck:
    """Return what the robot cannot do of its animation: limits, jumps, self-collision.

    Joint limits that were read from a file in the sidebar count; nothing is stored on the rig.

    >>> import bpy, numpy, urdf_rig
    >>> from urdf_rig.core.motion import JointMotion
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> motion = JointMotion(("joint_1",), numpy.array([0.0, 0.25]), numpy.array([[0.0], [2.0]]))
    >>> urdf_rig.play_motion(arm, motion)
    []
    >>> found = urdf_rig.check_motion(arm, 1, 7, collisions=False)
    >>> found.passed, [(item.kind.value, item.joint, round(item.value, 3)) for item in found.findings.items]
    (False, [('velocity', 'joint_1', 8.0)])

    Args:
        rig: The armature object.
        start: First frame.
        end: Last frame.
        rate: Samples a second; 0 is one for each frame. Between samples nothing is seen.
        collisions: Whether to look for self-collision.

    Raises:
        ModelError: If that is no range of frames, the robot has no joints that move, or there is too much to look at.
        RigError: If the object is no rig, or a constraint takes a bone off its joint's axis.
    """
    return rig_check.check_rig(bpy.context, rig, start=start, end=end, rate=rate, collisions=collisions).check


def record_waypoint(
    rig: bpy.types.Object,
    name: str,
    frame: float,
    *,
    move: str = "joint",
    tool: str = "",
    smooth: bool = True,
    joints: Sequence[str] | None = None,
) -> None:
    """Record the joints as they are as a waypoint; ``generate_motion`` makes keyframes of all.

    >>> import bpy, urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> urdf_rig.record_waypoint(arm, "start", 1)
    >>> urdf_rig.set_joints(arm, {"joint_1": 0.5})
    >>> urdf_rig.record_waypoint(arm, "end", 25)
    >>> urdf_rig.generate_motion(arm)
    []
    >>> bpy.context.scene.frame_set(1)
    >>> urdf_rig.get_joints(arm)["joint_1"]
    0.0

    Args:
        rig: The armature object.
        name: What it is called.
        frame: When it is reached.
        move: ``joint`` or ``line``: how it is reached from the waypoint before.
        tool: The link that goes on a straight line; needed for ``line``.
        smooth: Whether the move starts and stops gently.
        joints: Which free joints it is of; all where None.

    Raises:
        RigError: If there is a waypoint at the frame already, or the armature is linked from another file.
        UnknownNameError: If the tool's link does not exist.
    """
    data = waypoints_data(rig)
    before = data.link
    if tool:
        data.link = tool
    try:
        teaching.record_waypoint(rig, name, frame, move=move, smooth=smooth, joints=joints)
    finally:
        data.link = before


def generate_motion(rig: bpy.types.Object) -> list[str]:
    """Make keyframes of a rig's waypoints, in place of those made before; return what there is to say.

    >>> import urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> urdf_rig.set_joints(arm, {"joint_2": 0.5, "joint_3": -0.5, "joint_5": 0.8})
    >>> urdf_rig.record_waypoint(arm, "above", 1, tool="tool0")
    >>> urdf_rig.set_joints(arm, {"joint_2": 0.6, "joint_5": 0.7})
    >>> urdf_rig.record_waypoint(arm, "down", 25, move="line", tool="tool0")
    >>> urdf_rig.generate_motion(arm)
    []

    Raises:
        WaypointError: If a move is not possible; it names the joint. Nothing is written then.
        RigError: If the rig's animation cannot be changed.
    """
    made = generating.generate_motion(bpy.context, rig)
    return [str(item) for item in made.diagnostics]
