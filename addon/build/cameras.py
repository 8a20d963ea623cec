# SPDX-License-Identifier: GPL-3.0-or-later
"""Camera objects, each riding on its link's bone and looking where the robot's sensor looks."""

from __future__ import annotations

import bpy

from ...core.plan import CameraPlan, RigPlan
from ..convert import to_matrix
from ..properties import object_data
from .parenting import Seat, hang, seats

CAMERA_PART = "camera"
_DRAWN = 0.05


def build_cameras(plan: RigPlan, rig: bpy.types.Object, collection: bpy.types.Collection) -> list[bpy.types.Object]:
    """Return one object for each camera, in a new ``Sensors`` collection inside ``collection``.

    The rig must have its scale already: distances that a camera sees are in the scene's units, whatever it hangs from.
    Which camera the scene uses, and its resolution, are left as they are.
    """
    if not plan.cameras:
        return []
    home = bpy.data.collections.new("Sensors")
    collection.children.link(home)
    places = seats(rig, plan.rides)
    return [_build(camera, rig, places[camera.link], home) for camera in plan.cameras]


def _build(plan: CameraPlan, rig: bpy.types.Object, seat: Seat, home: bpy.types.Collection) -> bpy.types.Object:
    unit = rig.scale.x
    optics = bpy.data.cameras.new(plan.name)
    optics.sensor_fit = "HORIZONTAL"
    optics.lens_unit = "FOV"
    optics.angle = plan.angle
    optics.clip_start, optics.clip_end = plan.near * unit, plan.far * unit
    optics.display_size = _DRAWN * unit
    obj = bpy.data.objects.new(plan.name, optics)
    hang(obj, rig, seat)
    obj.matrix_basis = to_matrix(plan.link_h_view)
    data = object_data(obj)
    data.part, data.link, data.resolution = CAMERA_PART, plan.link, (plan.width, plan.height)
    home.objects.link(obj)
    return obj


def cameras_of(rig: bpy.types.Object) -> list[bpy.types.Object]:
    """Return the rig's camera objects, by name."""
    found = [obj for obj in rig.children if obj.type == "CAMERA" and object_data(obj).part == CAMERA_PART]
    return sorted(found, key=lambda obj: obj.name)
