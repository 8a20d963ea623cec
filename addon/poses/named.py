# SPDX-License-Identifier: GPL-3.0-or-later
"""Named poses: found, saved, renamed and removed."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import bpy

from ...core.errors import RigError
from ...core.poses import JointNumbers, joint_text, parse_joint_text
from ..new_names import NewNames
from ..properties import armature_data
from ..rig import LONGEST_NAME, armature_of, require_local
from .joint_state import joint_state
from .settings import URDF_RIG_PG_pose, poses_data

_MOST_POSES = 1000


@dataclass(frozen=True, slots=True, eq=False)
class NamedPose:
    """A pose with a name.

    Attributes:
        name: Its name.
        group: The group of joints that it is of in the SRDF file; empty for saved poses.
        joints: Values by joint name.
    """

    name: str
    group: str
    joints: Mapping[str, JointNumbers]


def srdf_poses(rig: bpy.types.Object) -> tuple[NamedPose, ...]:
    """Return the named poses of the robot's SRDF file, in its order."""
    return _read(armature_data(armature_of(rig)).semantics)


@lru_cache(maxsize=32)
def _read(text: str) -> tuple[NamedPose, ...]:
    try:
        found = json.loads(text) if text else {}
    except (ValueError, RecursionError):  # damaged in the file
        return ()
    states = found.get("states") if isinstance(found, dict) else None
    poses = (_state(state) for state in (states if isinstance(states, list) else [])[:_MOST_POSES])
    return tuple(pose for pose in poses if pose is not None)


def _state(state: object) -> NamedPose | None:
    if not isinstance(state, dict) or not isinstance(state.get("name"), str):
        return None
    joints: dict[str, JointNumbers] = {}
    for name, value in _table(state.get("values")):
        if isinstance(value, int | float):
            joints[name] = float(value)
    for name, value in _table(state.get("spatial")):
        if isinstance(value, list) and all(isinstance(number, int | float) for number in value):
            joints[name] = _spatial([float(number) for number in value])
    group = state.get("group")
    return NamedPose(state["name"], group if isinstance(group, str) else "", joints)


def _table(value: object) -> list[tuple[str, object]]:
    return [(str(name), item) for name, item in value.items()] if isinstance(value, dict) else []


def _spatial(numbers: list[float]) -> tuple[float, ...]:
    """Return the numbers of a planar or floating joint as the rig has them.

    MoveIt and Pinocchio write quaternions ``x y z w``, and Pinocchio a plane's angle as its cosine and sine.
    """
    if len(numbers) == 7:
        return (*numbers[:3], numbers[6], *numbers[3:6])
    if len(numbers) == 4:
        return (*numbers[:2], math.atan2(numbers[3], numbers[2]))
    return tuple(numbers)


def saved_pose(item: URDF_RIG_PG_pose) -> NamedPose:
    """Return a saved pose.

    Raises:
        MotionError: If its values were damaged in the file.
    """
    return NamedPose(item.name, "", parse_joint_text(item.joints))


def find_pose(rig: bpy.types.Object, name: str, group: str = "", *, srdf: bool = False) -> NamedPose:
    """Return a pose by its name.

    Args:
        rig: The armature object.
        name: The pose's name.
        group: For one of the SRDF file: the group; empty for the first of that name.
        srdf: Whether it is one of the SRDF file.

    Raises:
        RigError: If there is none.
        MotionError: If its values were damaged in the file.
    """
    if srdf:
        for pose in srdf_poses(rig):
            if pose.name == name and group in ("", pose.group):
                return pose
    else:
        return saved_pose(poses_data(rig).poses[_place(rig, name)])
    known = sorted({pose.name for pose in srdf_poses(rig)})
    raise RigError(f"the SRDF file has no pose {name!r}; known: {', '.join(known[:12])}")


def _place(rig: bpy.types.Object, name: str) -> int:
    poses = poses_data(rig).poses
    place = poses.find(name)
    if place < 0:
        known = [item.name for item in poses]
        raise RigError(f"there is no saved pose {name!r}; known: {', '.join(known[:12])}")
    return place


def save_pose(rig: bpy.types.Object, name: str, joints: Mapping[str, JointNumbers] | None = None) -> bool:
    """Save a pose under a name, in place of the one that has it; return whether there was one.

    Args:
        rig: The armature object.
        name: The pose's name.
        joints: Values by joint name; those of the rig as it is where None.

    Raises:
        RigError: If the name is empty, the armature is linked, or has no joints that move.
        UrdfError: If the stored description was damaged.
    """
    require_local(rig)
    wanted = _checked_name(name)
    values = joint_state(rig) if joints is None else joints
    if not values:
        raise RigError("the robot has no moving joints")
    poses = poses_data(rig).poses
    place = poses.find(wanted)
    item = poses[place] if place >= 0 else poses.add()
    item.name = wanted
    item.joints = joint_text(values, "JSON")
    return place >= 0


def _checked_name(name: str) -> str:
    wanted = name.strip()
    if not wanted or len(wanted.encode()) > LONGEST_NAME:
        raise RigError(f"a pose's name has 1 to {LONGEST_NAME} bytes")
    return wanted


def rename_pose(rig: bpy.types.Object, name: str, new_name: str) -> None:
    """Give a saved pose another name.

    Raises:
        RigError: If there is no such pose, or another one has the new name.
    """
    require_local(rig)
    wanted, place = _checked_name(new_name), _place(rig, name)
    poses = poses_data(rig).poses
    if poses.find(wanted) not in (-1, place):
        raise RigError(f"there is a pose {wanted!r} already")
    poses[place].name = wanted


def remove_pose(rig: bpy.types.Object, name: str) -> None:
    """Remove a saved pose.

    Raises:
        RigError: If there is none.
    """
    require_local(rig)
    poses_data(rig).poses.remove(_place(rig, name))


def follow_new_names(_context: bpy.types.Context, rig: bpy.types.Object, names: NewNames) -> list[str]:
    """Let saved poses follow joints that have new names.

    Raises:
        MotionError: If a pose was damaged in the file; none is changed then.
    """
    items = list(poses_data(rig).poses)
    tables = [names.by_joint(parse_joint_text(item.joints)) for item in items]
    for item, joints in zip(items, tables, strict=True):
        item.joints = joint_text(joints, "JSON")
    return []
