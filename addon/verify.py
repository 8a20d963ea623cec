# SPDX-License-Identifier: GPL-3.0-or-later
"""Verification of a rig as Blender evaluates it: pose it, read bones and shapes, compare with forward kinematics."""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.errors import RigError
from ..core.model import Robot
from ..core.plan import links_with_bones, rides
from ..core.spatial import inverse
from ..core.verification import Measured, Verification, compare, range_violations, sample_configurations
from .convert import to_array
from .kept_pose import kept_pose
from .properties import armature_data, bone_data, object_data
from .rig import armature_of, joint_bones_by_name, joint_values, robot_of
from .skin import skin_readers
from .spatial_joints import spatial_joints

Array = NDArray[np.float64]

# constraints take every bone through float32 world coordinates and back, so that far from the origin some steps add up
_WORLD_ROUNDING = 8.0


def verify_rig(context: bpy.types.Context, rig: bpy.types.Object, samples: int = 20) -> Verification:
    """Return how well a rig does what its stored description says; the pose is as before afterwards.

    Args:
        context: Its view layer must hold the rig.
        rig: The armature object.
        samples: Number of configurations beside the current one, at least 1.

    Raises:
        RigError: If the object is no rig, or not in the view layer.
        UrdfError: If the stored description was damaged.
    """
    robot = robot_of(rig)
    if context.view_layer.objects.get(rig.name) is not rig:
        raise RigError(f"{rig.name!r} is not in the current view layer")
    base = armature_data(armature_of(rig)).base
    context.view_layer.update()
    problems = range_violations(robot, joint_values(rig)) + _missing_links(robot, rig)
    items = _items(robot, rig)
    configurations = sample_configurations(robot, max(samples, 1))
    tried: list[Mapping[str, Array]] = []
    poses: list[list[Array]] = []
    with kept_pose(context, rig), skin_readers(context, robot, base, rig) as skins:
        for configuration in (None, *configurations):
            if configuration is not None:
                _pose(robot, rig, configuration)
                context.view_layer.update()
            graph = context.evaluated_depsgraph_get()
            evaluated = rig.evaluated_get(graph)
            tried.append(_read(robot, evaluated))
            poses.append([_pose_of(context, evaluated, item) for item, *_ in items])
            for skin in skins:
                skin.measure(graph, evaluated, tried[-1])
    strayed = [stray for skin in skins for stray in skin.result()]
    problems += [skin.problem for skin in skins if skin.problem]
    return compare(
        robot, base, tried, _measured(items, poses), strayed=strayed, problems=problems, rounding=_rounding(rig)
    )


def _rounding(rig: bpy.types.Object) -> float:
    """Return what Blender cannot resolve [m] where the rig stands."""
    far = float(np.abs(to_array(rig.matrix_world)[:3, 3]).max()) / max(rig.matrix_world.median_scale, 1e-9)
    return _WORLD_ROUNDING * float(np.finfo(np.float32).eps) * far


def _missing_links(robot: Robot, rig: bpy.types.Object) -> list[str]:
    armature = armature_of(rig)
    data = armature_data(armature)
    needed = links_with_bones(robot, data.base, fixed_frames=data.fixed_frames)
    present = {bone_data(bone).link for bone in armature.bones}
    return [f"link {link.name!r} has no bone" for link in robot.links if link.name in needed - present]


_Item = tuple[bpy.types.ID | str, str, str, Array]


def _items(robot: Robot, rig: bpy.types.Object) -> list[_Item]:
    """Return what to read: the bone's name or the shape's object, its link, its label and its pose in the link."""
    known = {link.name: link for link in robot.links}
    items: list[_Item] = []
    armature = armature_of(rig)
    bones = {bone_data(bone).link: bone for bone in armature.bones}
    for link, ride in rides(robot, armature_data(armature).base, bones).items():
        bone = bones[ride.carrier]
        b_h_l = np.reshape(bone_data(bone).bone_h_link, (4, 4)).astype(np.float64) @ ride.carrier_h_link
        items.append((bone.name, link, f"bone {bone.name!r}", inverse(b_h_l)))
    for obj in rig.children:
        shape = object_data(obj)
        if shape.index < 0 or shape.link not in known:
            continue
        shapes = known[shape.link].collisions if shape.is_collision else known[shape.link].visuals
        if shape.index < len(shapes):
            items.append((obj, shape.link, f"object {obj.name!r}", shapes[shape.index].origin.matrix))
    return items


def _measured(items: list[_Item], poses: list[list[Array]]) -> list[Measured]:
    """Return the poses read, of each configuration all items, by item."""
    stacked = np.array(poses).swapaxes(0, 1) if items else np.zeros((0, len(poses), 4, 4))
    return [
        Measured(link, what, link_h_item, series)
        for (_, link, what, link_h_item), series in zip(items, stacked, strict=True)
    ]


def _pose_of(context: bpy.types.Context, evaluated: bpy.types.Object, item: bpy.types.ID | str) -> Array:
    """Return the pose of a bone or of a shape's object in armature space."""
    if isinstance(item, str):
        return to_array(evaluated.pose.bones[item].matrix)
    assert isinstance(item, bpy.types.Object)
    if item.visible_get(view_layer=context.view_layer) or item.is_evaluated:
        world = item.evaluated_get(context.evaluated_depsgraph_get()).matrix_world
        return to_array(evaluated.matrix_world.inverted_safe() @ world)
    # Blender evaluates no hidden object: follow its parenting instead
    bone: bpy.types.PoseBone | None = evaluated.pose.bones.get(item.parent_bone)
    tail = np.eye(4) if bone is None else to_array(bone.matrix)
    if bone is not None:
        tail[:3, 3] += tail[:3, 1] * bone.bone.length
    return np.asarray(tail @ to_array(item.matrix_parent_inverse) @ to_array(item.matrix_basis))


def _pose(robot: Robot, rig: bpy.types.Object, configuration: Mapping[str, Array]) -> None:
    scalar, spatial = joint_bones_by_name(rig), spatial_joints(robot, rig)
    for name, value in configuration.items():
        if name in scalar:
            scalar[name].value = float(value)
        elif name in spatial:
            spatial[name].value = value


def _read(robot: Robot, rig: bpy.types.Object) -> dict[str, Array]:
    """Return the configuration that the channels of the evaluated rig hold."""
    values = {name: np.asarray(value) for name, value in joint_values(rig).items()}
    return values | {name: joint.value for name, joint in spatial_joints(robot, rig).items()}
