# SPDX-License-Identifier: GPL-3.0-or-later
"""Empties that show each link's centre of mass and inertia; they can be taken away again."""

from __future__ import annotations

import bpy

from ...core.model import Robot
from ...core.plan import InertiaPlan, plan_inertia, rides
from ..convert import to_matrix
from ..properties import armature_data, bone_data, object_data
from ..rig import armature_of
from .parenting import Seat, hang, seats

_PART = "inertia"
_HOME = "Inertia"


def inertia_objects(rig: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the objects that show the rig's inertia; none where it is not shown."""
    return [obj for obj in rig.children if object_data(obj).part == _PART]


def show_inertia(rig: bpy.types.Object, robot: Robot) -> list[str]:
    """Show every link's centre of mass and inertia in a collection ``Inertia`` beside the rig.

    Returns:
        What cannot be shown as it is, with the link's name.
    """
    armature = armature_of(rig)
    carriers = {bone_data(bone).link for bone in armature.bones}
    places = seats(rig, rides(robot, armature_data(armature).base, carriers))
    plans = [plan for plan in plan_inertia(robot) if plan.link in places]
    if not plans:
        return []
    home = bpy.data.collections.new(_HOME)
    rig.users_collection[0].children.link(home)
    for plan in plans:
        _build(plan, rig, places[plan.link], home)
    return [f"link {plan.link!r}: {plan.remark}" for plan in plans if plan.remark]


def hide_inertia(rig: bpy.types.Object) -> None:
    """Take away what ``show_inertia`` has made."""
    objects = inertia_objects(rig)
    homes = {home for obj in objects for home in obj.users_collection}
    bpy.data.batch_remove(objects)
    for home in homes:
        if home.name.partition(".")[0] == _HOME and not home.objects and not home.children:
            bpy.data.collections.remove(home)


def _build(plan: InertiaPlan, rig: bpy.types.Object, seat: Seat, home: bpy.types.Collection) -> None:
    ball = _empty(f"{plan.link} mass", "SPHERE", plan, rig, seat, home)
    ball.empty_display_size = plan.radius
    ball.location = plan.link_h_box[:3, 3].tolist()
    if plan.size is not None:
        box = _empty(f"{plan.link} inertia", "CUBE", plan, rig, seat, home)
        box.empty_display_size = 1.0
        box.matrix_basis = to_matrix(plan.link_h_box)
        box.scale = (0.5 * plan.size).tolist()  # an empty's cube reaches from -1 to 1


def _empty(
    name: str, shape: str, plan: InertiaPlan, rig: bpy.types.Object, seat: Seat, home: bpy.types.Collection
) -> bpy.types.Object:
    obj = bpy.data.objects.new(name, None)
    obj.empty_display_type = shape
    obj.show_in_front = True
    hang(obj, rig, seat)
    data = object_data(obj)
    data.part, data.link = _PART, plan.link
    home.objects.link(obj)
    return obj
