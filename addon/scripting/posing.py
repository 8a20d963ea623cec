# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses by name, and links that follow goals."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ...core.errors import RigError
from ...core.poses import JointNumbers
from ..ik import adding, baking, solving
from ..ik.goals import goals_of
from ..ik.kinds import KINDS
from ..ik.settings import goal_data
from ..poses import named
from ..poses.joint_state import set_joint_state
from ..poses.settings import poses_data
from ..rig import robot_of


def poses(rig: bpy.types.Object) -> dict[str, dict[str, JointNumbers]]:
    """Return the joint values [rad or m] of all named poses: those of the SRDF file, and saved ones, which win.

    >>> import urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> urdf_rig.save_pose(arm, "bent", {"joint_2": 0.5})
    >>> urdf_rig.poses(arm)
    {'bent': {'joint_2': 0.5}}

    Raises:
        MotionError: If a saved pose was damaged in the file.
    """
    found = [*reversed(named.srdf_poses(rig)), *(named.saved_pose(item) for item in poses_data(rig).poses)]
    return {pose.name: dict(pose.joints) for pose in found}


def save_pose(rig: bpy.types.Object, name: str, joints: dict[str, JointNumbers] | None = None) -> None:
    """Save a pose under a name, in place of the saved one that has it.

    >>> import urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> urdf_rig.set_joints(arm, {"joint_1": 0.25})
    >>> urdf_rig.save_pose(arm, "turned")
    >>> urdf_rig.poses(arm)["turned"]["joint_1"]
    0.25

    Args:
        rig: The armature object.
        name: The pose's name.
        joints: Values [rad or m] by joint; all of the rig as it is where None.

    Raises:
        RigError: If the name is empty, the armature is linked, or has no joints that move.
    """
    named.save_pose(rig, name, joints)


def apply_pose(rig: bpy.types.Object, name: str) -> list[str]:
    """Set the joints to a named pose, within their limits; return what there is to say.

    >>> import urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> urdf_rig.save_pose(arm, "bent", {"joint_2": 0.5})
    >>> urdf_rig.apply_pose(arm, "bent")
    []
    >>> urdf_rig.get_joints(arm)["joint_2"]
    0.5

    Raises:
        RigError: If there is no such pose, or the rig is linked from another file.
    """
    known = poses(rig)
    if name not in known:
        raise RigError(f"there is no pose {name!r}; known: {', '.join(sorted(known)[:12])}")
    fitted = set_joint_state(rig, known[name])
    bpy.context.view_layer.update()
    return list(fitted.remarks)


def add_goal(
    rig: bpy.types.Object,
    link: str = "",
    kind: str = "POSE",
    *,
    xyz: Sequence[float] = (0.0, 0.0, 0.0),
    rpy: Sequence[float] = (0.0, 0.0, 0.0),
    axis: str = "Z",
) -> bpy.types.Object:
    """Return a new empty that a link follows; it is where the link is now. Move it, then ``solve_goals``.

    >>> import urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> goal = urdf_rig.add_goal(arm, "tool0")
    >>> goal.name
    'IK tool0'

    Args:
        rig: The armature object, in the current view layer.
        link: The link; empty for kinds about the whole robot, ``MASS`` and ``POSTURE``.
        kind: ``POSE``, ``POSITION``,
            ``ORIENTATION``, ``AXIS``, ``LOOK_AT``, ``LINE``, ``PLANE``, ``MASS``, ``POSTURE``.
        xyz: The tool's point in the link [m].
        rpy: How the tool is turned in the link [rad].
        axis: The tool's axis that ``AXIS`` and ``LOOK_AT`` direct: ``X``, ``Y``, ``Z``, ``-X``, ``-Y`` or ``-Z``.

    Raises:
        UrdfRigError: If there is no such kind or link, it cannot move, or the robot has no mass to have a centre.
    """
    if kind not in KINDS:
        raise RigError(f"there is no kind {kind!r} of goal; known: {', '.join(KINDS)}")
    bpy.context.view_layer.update()
    return adding.add_goal(bpy.context, rig, robot_of(rig), adding.Wish(kind, link, xyz, rpy, axis))


def solve_goals(rig: bpy.types.Object) -> bool:
    """Move the joints so that the links are at their goals, as near as can be; return whether all are met.

    >>> import urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> urdf_rig.set_joints(arm, {"joint_2": 0.5, "joint_3": -0.5, "joint_5": 0.8})
    >>> goal = urdf_rig.add_goal(arm, "tool0")
    >>> goal.location.z -= 0.1
    >>> urdf_rig.solve_goals(arm)
    True
    >>> bool(abs(urdf_rig.link_pose(arm, "tool0")[2, 3] - goal.location.z) < 1e-4)
    True

    Raises:
        RigError: If the rig has no goal, or a goal makes no sense.
    """
    bpy.context.view_layer.update()
    goals = goals_of(rig, bpy.context.view_layer)
    if not goals:
        raise RigError("the robot has no goal")
    result = solving.follow(rig, goals, bpy.context.evaluated_depsgraph_get(), solving.CERTAIN)
    if result is None:
        raise RigError(goal_data(goals[0]).problem)
    bpy.context.view_layer.update()
    return result.reached


def bake_goals(rig: bpy.types.Object, start: int, end: int, step: int = 1) -> baking.Baked:
    """Key the joints so that the links follow their goals without this extension; the last frame is included.

    >>> import urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> urdf_rig.set_joints(arm, {"joint_2": 0.5, "joint_3": -0.5, "joint_5": 0.8})
    >>> goal = urdf_rig.add_goal(arm, "tool0")
    >>> goal.keyframe_insert("location", frame=1)
    True
    >>> goal.location.z -= 0.1
    >>> goal.keyframe_insert("location", frame=5)
    True
    >>> baked = urdf_rig.bake_goals(arm, 1, 5)
    >>> baked.frames, baked.missed
    (5, 0)

    Raises:
        UrdfRigError: If there is no goal or no frame, or a goal makes no sense at some frame. Nothing is keyed then.
    """
    frames = range(start, end + 1, step)
    if not len(frames):
        raise RigError(f"from {start} to {end} there are no frames")
    return baking.bake(bpy.context, rig, frames)
