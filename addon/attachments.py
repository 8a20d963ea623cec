# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that a robot carries: each hangs from a link, its own transform measured from the link's frame.

That it is an attachment, and of which link, is stored on the object; where it is in the link's frame is its own
location and rotation, which can be keyed as ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import bpy
import numpy as np
from bpy.props import FloatVectorProperty, PointerProperty, StringProperty
from numpy.typing import ArrayLike, NDArray

from ..core.errors import RigError
from ..core.plan import rides
from ..core.spatial import inverse, rotation_from_rpy, rpy_from_rotation, transform
from .build.parenting import Seat, hang, seats
from .convert import to_array, to_matrix
from .properties import armature_data, bone_data
from .rig import armature_of, robot_of
from .world import armature_pose, nearest_rigid

Array = NDArray[np.float64]

_FLAT = 1e-12


def _object(data: URDF_RIG_PG_attachment) -> bpy.types.Object:
    return cast("bpy.types.Object", data.id_data)


def _xyz(data: URDF_RIG_PG_attachment) -> tuple[float, ...]:
    place = _object(data).location
    return place[0], place[1], place[2]


def _set_xyz(data: URDF_RIG_PG_attachment, value: Sequence[float]) -> None:
    _object(data).location = value


def _rpy(data: URDF_RIG_PG_attachment) -> tuple[float, ...]:
    obj = _object(data)
    if obj.rotation_mode == "XYZ":
        turn = obj.rotation_euler
        return turn[0], turn[1], turn[2]
    return tuple(rpy_from_rotation(nearest_rigid(to_array(obj.matrix_basis))[:3, :3]).tolist())


def _set_rpy(data: URDF_RIG_PG_attachment, value: Sequence[float]) -> None:
    _turn(_object(data), value)


class URDF_RIG_PG_attachment(bpy.types.PropertyGroup):
    """The link that carries an object"""

    if TYPE_CHECKING:
        link: str
        xyz: Sequence[float]
        rpy: Sequence[float]
    else:
        link: StringProperty(name="Link", description="The link that carries this object")
        xyz: FloatVectorProperty(
            name="XYZ",
            size=3,
            precision=4,
            step=1,
            description="Where it is in the link's frame, in metres",
            get=_xyz,
            set=_set_xyz,
        )
        rpy: FloatVectorProperty(
            name="RPY",
            size=3,
            subtype="EULER",
            description="How it is turned in the link's frame: roll, pitch and yaw as in URDF",
            get=_rpy,
            set=_set_rpy,
        )


def attachment_data(obj: bpy.types.Object) -> URDF_RIG_PG_attachment:
    """Return which link carries an object; its ``link`` is empty where none does."""
    return cast("URDF_RIG_PG_attachment", obj.urdf_rig_attachment)  # type: ignore[attr-defined]


def attachments_of(rig: bpy.types.Object) -> list[bpy.types.Object]:
    """Return what the rig carries, by name."""
    found = [obj for obj in rig.children if obj.parent_type == "BONE" and attachment_data(obj).link]
    return sorted(found, key=lambda obj: obj.name)


def attached_pose(obj: bpy.types.Object) -> Array:
    """Return ``L_H_O``, shape (4, 4) [m], of an attachment without its scale, as its own channels hold it."""
    return nearest_rigid(to_array(obj.matrix_basis))


def attach(obj: bpy.types.Object, rig: bpy.types.Object, link: str, link_h_object: ArrayLike | None = None) -> None:
    """Let a link carry an object, at the size that it has.

    Args:
        obj: Any object, with what hangs from it.
        rig: The armature object.
        link: The link.
        link_h_object: The object's pose in the link's frame, shape (4, 4) [m]; None to leave it where it is now.

    Raises:
        RigError: If the object cannot hang from the rig, or no bone carries the link.
        UnknownNameError: If the robot has no such link.
        UrdfError: If the stored description was damaged.
    """
    _check(obj, rig)
    seat = _seat(rig, link)
    world_h_object = _evaluated(obj)
    world_h_link = world_pose_of(rig, link)
    size = float(np.cbrt(abs(np.linalg.det(world_h_link[:3, :3]))))
    if size < _FLAT:
        raise RigError(f"{rig.name!r} has a scale of zero")
    basis = np.linalg.solve(world_h_link, world_h_object)
    if link_h_object is not None:
        pose = np.asarray(link_h_object, dtype=np.float64)
        if pose.shape != (4, 4) or not np.isfinite(pose).all():
            raise RigError("the pose of an attachment must be a transform of four by four numbers")
        scale = np.linalg.norm(world_h_object[:3, :3], axis=0) / size
        basis = pose @ np.diag([*scale, 1.0])
    hang(obj, rig, seat)
    obj.matrix_basis = to_matrix(basis)
    if link_h_object is not None and obj.rotation_mode == "XYZ":
        obj.rotation_euler = rpy_from_rotation(np.asarray(link_h_object)[:3, :3]).tolist()
    attachment_data(obj).link = link


def attach_collection(
    collection: bpy.types.Collection,
    rig: bpy.types.Object,
    link: str,
    link_h_collection: ArrayLike | None = None,
    unit: float = 1.0,
) -> list[bpy.types.Object]:
    """Let a link carry all objects of a collection, as they lie to each other; return those that hang from it now.

    Objects that hang from others of the collection stay with these.

    Args:
        collection: The collection, with those in it.
        rig: The armature object.
        link: The link.
        link_h_collection: Pose in the link's frame of the collection's own: the world's axes, at its instance offset.
            None to leave everything where it is.
        unit: Metres in a unit of the scene.

    Raises:
        RigError: If the collection is empty, or an object cannot hang from the rig. Nothing is changed then.
        UnknownNameError: If the robot has no such link.
        UrdfError: If the stored description was damaged.
    """
    members = set(collection.all_objects)
    tops = [obj for obj in collection.all_objects if obj.parent not in members]
    if not tops:
        raise RigError(f"{collection.name!r} is empty")
    for obj in tops:
        _check(obj, rig)
    _seat(rig, link)
    poses: list[Array | None] = [None] * len(tops)
    if link_h_collection is not None:
        frame = transform(np.eye(3), np.array(collection.instance_offset, dtype=np.float64))
        for index, obj in enumerate(tops):
            inside = nearest_rigid(inverse(frame) @ _evaluated(obj))
            inside[:3, 3] *= unit
            poses[index] = np.asarray(link_h_collection, dtype=np.float64) @ inside
    for obj, pose in zip(tops, poses, strict=True):
        attach(obj, rig, link, pose)
    return tops


def detach(obj: bpy.types.Object) -> None:
    """Let an attachment go; it stays where it is."""
    world = _evaluated(obj)
    attachment_data(obj).link = ""
    obj.parent = None
    obj.matrix_world = to_matrix(world)


def offset_pose(xyz: Sequence[float], rpy: Sequence[float]) -> Array:
    """Return ``L_H_O``, shape (4, 4), from metres and fixed-axis angles as in URDF."""
    return transform(rotation_from_rpy(np.array(rpy, dtype=np.float64)), np.array(xyz, dtype=np.float64))


def world_pose_of(rig: bpy.types.Object, link: str) -> Array:
    """Return a link's matrix in Blender's world, shape (4, 4), with the armature's scale.

    Raises:
        RigError: If no bone carries the link.
        UnknownNameError: If the robot has no such link.
    """
    bpy.context.view_layer.update()
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.asarray(to_array(shown.matrix_world) @ armature_pose(shown, robot_of(rig), link))


def _check(obj: bpy.types.Object, rig: bpy.types.Object) -> None:
    if obj.library is not None:
        raise RigError(f"{obj.name!r} is linked from another file: make it local first")
    above: bpy.types.Object | None = rig
    while above is not None:
        if above == obj:
            raise RigError(f"{obj.name!r} is what the robot hangs from: the robot cannot carry it")
        above = above.parent


def _seat(rig: bpy.types.Object, link: str) -> Seat:
    robot = robot_of(rig)
    armature = armature_of(rig)
    carriers = {bone_data(bone).link for bone in armature.bones}
    places = seats(rig, rides(robot, armature_data(armature).base, carriers))
    if robot.link(link).name not in places:
        raise RigError(f"link {link!r} has no bone")
    return places[link]


def _evaluated(obj: bpy.types.Object) -> Array:
    return to_array(obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)


def _turn(obj: bpy.types.Object, rpy: Sequence[float]) -> None:
    """Turn an object as fixed-axis angles say, which are Blender's XYZ Euler, whatever its own rotation mode."""
    if obj.rotation_mode == "XYZ":
        obj.rotation_euler = rpy
        return
    basis = to_array(obj.matrix_basis)
    scale = np.linalg.norm(basis[:3, :3], axis=0)
    basis[:3, :3] = rotation_from_rpy(np.array(rpy, dtype=np.float64)) * scale
    obj.matrix_basis = to_matrix(basis)


def register() -> None:
    """Register the property group and hang it on objects."""
    bpy.utils.register_class(URDF_RIG_PG_attachment)
    bpy.types.Object.urdf_rig_attachment = PointerProperty(  # type: ignore[attr-defined]
        type=URDF_RIG_PG_attachment
    )


def unregister() -> None:
    """Take the property group away; the data stays in the file."""
    del bpy.types.Object.urdf_rig_attachment  # type: ignore[attr-defined]
    bpy.utils.unregister_class(URDF_RIG_PG_attachment)
