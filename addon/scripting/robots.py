# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigs made, read, verified and changed."""

from __future__ import annotations

import atexit
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path

import bpy
import numpy as np
from numpy.typing import NDArray

from ... import addon
from ...core.model import Robot
from ...core.verification import Verification
from .. import attachments
from ..importer import ImportOptions, import_robot
from ..rebuild import change_base as rebuild
from ..rebuild import reload
from ..rig import is_rig, joint_values, robot_of, set_joint_values
from ..verify import verify_rig
from ..world import armature_pose, world_pose

AnyPath = str | PathLike[str]


def rig(
    source: AnyPath | Robot,
    *,
    base: str = "",
    packages: Mapping[str, AnyPath] | None = None,
    package_paths: Sequence[AnyPath] = (),
    xacro_args: Mapping[str, str] | None = None,
    visuals: bool = True,
    collisions: bool = False,
    skinned: bool = False,
) -> bpy.types.Object:
    """Return a new rig, an armature object, in the current scene.

    >>> import urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> arm.name, len(arm.data.bones)
    ('arm6', 9)

    Args:
        source: A URDF or xacro file, or a robot in memory (``Robot.from_urdfpy``), which knows its own packages.
        base: The link that becomes the root; empty for the description's own.
        packages: Folder of each package that is named.
        package_paths: Further folders in which packages are looked for.
        xacro_args: Values for the arguments of a xacro file.
        visuals: Whether to make the visual shapes.
        collisions: Whether to make the collision shapes.
        skinned: Whether to bind all visuals as one mesh.

    Raises:
        UrdfError: If the description is refused; the scene is as it was.
        UnknownNameError: If ``base`` is no link.
    """
    _registered()
    options = ImportOptions(
        base=base,
        packages={name: Path(folder) for name, folder in (packages or {}).items()},
        package_paths=tuple(Path(folder) for folder in package_paths),
        xacro_args=dict(xacro_args or {}),
        visuals=visuals,
        collisions=collisions,
        skinned=skinned,
    )
    described = source if isinstance(source, Robot) else Path(source)
    return import_robot(bpy.context, described, options).rig


def rigs() -> list[bpy.types.Object]:
    """Return the rigs of the open file, by name.

    >>> import urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> [each.name for each in urdf_rig.rigs()]
    ['arm6']
    """
    _registered()
    return [obj for obj in bpy.data.objects if is_rig(obj)]


def robot(rig: bpy.types.Object) -> Robot:
    """Return the robot that a rig stands for, from the description stored in it.

    >>> import urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> urdf_rig.robot(arm).dofs
    ('joint_1', 'joint_2', 'joint_3', 'joint_4', 'joint_5', 'joint_6')

    Raises:
        RigError: If the object is no rig.
    """
    return robot_of(rig)


def get_joints(rig: bpy.types.Object) -> dict[str, float]:
    """Return the values [rad or m] of the free joints, by name.

    >>> import urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> urdf_rig.get_joints(arm)["joint_2"]
    0.0
    """
    return joint_values(rig)


def set_joints(rig: bpy.types.Object, values: Mapping[str, float]) -> None:
    """Set free joints [rad or m]; values beyond a joint's range are clamped, other joints stay.

    >>> import urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> urdf_rig.set_joints(arm, {"joint_2": 0.5, "joint_3": 100.0})
    >>> round(urdf_rig.get_joints(arm)["joint_2"], 6)
    0.5
    >>> urdf_rig.get_joints(arm)["joint_3"] < 100.0
    True

    Raises:
        UnknownNameError: If the robot has no such joint; nothing is set.
        RigError: If a joint follows another; nothing is set.
    """
    set_joint_values(rig, dict(values))
    bpy.context.view_layer.update()


def link_pose(rig: bpy.types.Object, link: str) -> NDArray[np.float64]:
    """Return ``W_H_L``, shape (4, 4) [m], a link's pose in the world as Blender shows it now.

    >>> import urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> urdf_rig.link_pose(arm, "tool0").shape
    (4, 4)

    Raises:
        UnknownNameError: If the robot has no such link.
        RigError: If the object is no rig.
    """
    bpy.context.view_layer.update()
    pose: NDArray[np.float64] = world_pose(rig, bpy.context.scene) @ armature_pose(rig, robot_of(rig), link)
    return pose


def verify(rig: bpy.types.Object, samples: int = 20) -> Verification:
    """Return how well a rig does what its description says, by forward kinematics; the pose is kept.

    >>> import urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> urdf_rig.verify(arm, samples=5).passed
    True

    Args:
        rig: The armature object, in the current view layer.
        samples: Number of configurations beside the current one, at least 1.

    Raises:
        RigError: If the object is no rig, or not in the view layer.
    """
    return verify_rig(bpy.context, rig, samples)


def change_base(rig: bpy.types.Object, link: str) -> None:
    """Let a rig hang from another of its links; every link is and moves in the world as before.

    Where the new base moves, the armature object is keyed at every frame of the scene's range and of the keys.

    >>> import urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> before = urdf_rig.link_pose(arm, "upper_arm")
    >>> urdf_rig.change_base(arm, "tool0")
    >>> bool(abs(urdf_rig.link_pose(arm, "upper_arm") - before).max() < 1e-5)
    True

    Raises:
        RigError: If the rig cannot be changed, saying why; nothing is changed.
        UnknownNameError: If the robot has no such link.
    """
    rebuild.change_base(rig, link)


def reload_description(rig: bpy.types.Object, source: AnyPath | Robot | None = None) -> list[str]:
    """Read a description onto a rig, whose motion, poses, goals and attachments are kept; return what has changed.

    >>> import urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> urdf_rig.reload_description(arm)
    ['nothing has changed']

    Args:
        rig: The armature object.
        source: A URDF or xacro file, or a robot in memory; None for the file that the rig was read from.

    Raises:
        UrdfError: If the description is refused; nothing is changed.
        RigError: If the rig cannot be changed, or the description has none of its links.
    """
    chosen = source if source is None or isinstance(source, Robot) else Path(source)
    return list(reload.described(reload.reload_description(rig, chosen)))


def attach(
    obj: bpy.types.Object, rig: bpy.types.Object, link: str, link_h_object: NDArray[np.float64] | None = None
) -> None:
    """Let a link carry an object, at a pose in the link's frame.

    >>> import bpy, numpy, urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> camera = bpy.data.objects.new("camera", None)
    >>> bpy.context.collection.objects.link(camera)
    >>> urdf_rig.attach(camera, arm, "tool0", numpy.eye(4))
    >>> tuple(camera.location)
    (0.0, 0.0, 0.0)

    Args:
        obj: Any object, with what hangs from it.
        rig: The armature object.
        link: The link.
        link_h_object: The pose ``L_H_O``, shape (4, 4) [m]; None to leave the object where it is.

    Raises:
        RigError: If the object cannot hang from the rig, or no bone carries the link.
        UnknownNameError: If the robot has no such link.
    """
    attachments.attach(obj, rig, link, link_h_object)


def detach(obj: bpy.types.Object) -> None:
    """Let an object that a link carries go; it stays where it is.

    >>> import bpy, urdf_rig
    >>> arm = urdf_rig.rig("examples/arm6/arm6.urdf")
    >>> camera = bpy.data.objects.new("camera", None)
    >>> bpy.context.collection.objects.link(camera)
    >>> urdf_rig.attach(camera, arm, "tool0")
    >>> urdf_rig.detach(camera)
    >>> camera.parent is None
    True
    """
    attachments.detach(obj)


def _registered() -> None:
    """Register the extension unless Blender has; Blender's package may crash at its end with classes left behind."""
    if not hasattr(bpy.types.Object, "urdf_rig"):
        addon.register()
        atexit.register(addon.unregister)
