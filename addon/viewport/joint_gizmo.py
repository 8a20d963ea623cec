# SPDX-License-Identifier: GPL-3.0-or-later
"""Dials and arrows by which joints are moved in the viewport.

They are gizmos of our own rather than Blender's dial and arrow: those neither show a range nor stop at it, and
in Blender 4 they leave no undo step. A drag writes what a slider writes, and is one step of undo.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import bpy
import numpy as np
from bpy_extras.view3d_utils import region_2d_to_origin_3d, region_2d_to_vector_3d
from numpy.typing import NDArray

from ...core.errors import UrdfRigError
from ...core.viewport import Ray, slid, turned
from ..classes import class_registration
from ..convert import to_array
from ..keying import key_joints_if_wanted
from ..properties import bone_data
from ..rig import JointBone, active_rig
from .crowd import Crowd
from .handles import Handled, Handles, handle_text, joint_handles
from .settings import viewport_settings

Array = NDArray[np.float64]

_SLOWLY = 0.1
_STEP_ANGLE, _STEP_LENGTH = math.radians(5.0), 0.01  # rad, m


def joint_of(context: bpy.types.Context, handled: Handled) -> JointBone | None:
    """Return the joint that has a handle, or None if it is gone."""
    rig = active_rig(context)
    bone = None if rig is None else rig.pose.bones.get(handled.bone)
    if bone is None or bone_data(bone.bone).joint != handled.joint:
        return None
    return JointBone(bone, bone_data(bone.bone))


def ray_at(context: bpy.types.Context, x: float, y: float) -> Ray:
    """Return the ray through a place of the region [px]."""
    region, view = context.region, context.region_data
    origin, direction = (
        np.array(find(region, view, (x, y)), dtype=np.float64)
        for find in (region_2d_to_origin_3d, region_2d_to_vector_3d)
    )
    return Ray(origin, direction / np.linalg.norm(direction))


def moved_by(handles: Handles, index: int, before: Ray, after: Ray, up: Array) -> float:
    """Return by how much a joint's value grows [rad or m] when its handle is dragged from ray to ray."""
    frame = handles.frames[index]
    if handles.joints[index].turns:
        return turned(frame, float(handles.radii[index]), before, after)
    return slid(frame, up, before, after) / float(handles.metres[index])


class URDF_RIG_GT_joint(bpy.types.Gizmo):
    """The handle of one joint"""

    bl_idname = "URDF_RIG_GT_joint"
    bl_target_properties = ()

    __slots__ = ("before", "crowd", "grasped", "index", "start", "total")

    if TYPE_CHECKING:
        crowd: Crowd
        index: int
        grasped: Handled
        start: float
        total: float
        before: Ray

    def setup(self) -> None:
        """Start without anything to show."""
        self.crowd, self.index = Crowd(), 0
        self.use_draw_modal = True
        self.use_tooltip = False

    def draw(self, context: bpy.types.Context) -> None:
        """Draw all handles, if none was drawn yet, and this one again if the pointer is on it."""
        crowd, index = self.crowd, self.index
        if crowd.is_first(index):
            crowd.draw(context)
        if self.is_highlight or crowd.dragged == index:
            crowd.draw_active(context, index)

    def test_select(self, context: bpy.types.Context, location: Sequence[int]) -> int:
        """Return 0 where the handle is under the pointer, else -1."""
        place = (int(location[0]), int(location[1]))
        return 0 if self.crowd.hit(place, context.preferences.system.ui_scale) == self.index else -1

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin a drag."""
        self.grasped = self.crowd.handles.joints[self.index]
        joint = joint_of(context, self.grasped)
        if joint is None:
            return {"CANCELLED"}
        self.crowd.dragged = self.index
        self.start, self.total = joint.value, 0.0
        self.before = ray_at(context, event.mouse_region_x, event.mouse_region_y)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event, tweak: set[str]) -> set[str]:
        """Move the joint with the pointer: by steps while Ctrl is held, slowly while Shift is."""
        joint = joint_of(context, self.grasped)
        if joint is None:
            return {"CANCELLED"}
        after = ray_at(context, event.mouse_region_x, event.mouse_region_y)
        up = to_array(context.region_data.view_matrix)[1, :3]  # its rows are the view's axes
        moved = moved_by(self.crowd.handles, self.index, self.before, after, up)
        self.total += moved * (_SLOWLY if "PRECISE" in tweak else 1.0)
        self.before = after
        value = self.start + self.total
        if "SNAP" in tweak:
            step = _STEP_ANGLE if self.grasped.turns else _STEP_LENGTH
            value = step * round(value / step)
        joint.value = value
        context.area.header_text_set(handle_text(self.grasped, joint.value, context.scene))
        return {"RUNNING_MODAL"}

    def exit(self, context: bpy.types.Context, cancel: bool) -> None:
        """Take the drag back, or leave a key, if they are set by themselves, and one step of undo."""
        context.area.header_text_set(None)
        self.crowd.dragged = None
        joint = joint_of(context, self.grasped)
        if joint is None:
            return
        if cancel:
            joint.value = self.start
        elif joint.value != self.start:
            key_joints_if_wanted(context, cast("bpy.types.Object", joint.bone.id_data), [joint.data.joint])
            bpy.ops.ed.undo_push(message=f"{'Turn' if joint.turns else 'Slide'} {joint.data.joint}")


class URDF_RIG_GGT_joints(bpy.types.GizmoGroup):
    """Handles of the active robot's joints"""

    bl_idname = "URDF_RIG_GGT_joints"
    bl_label = "Robot Joint Handles"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"3D", "PERSISTENT", "SCALE", "SHOW_MODAL_ALL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether handles are wanted, and there is a robot that may be moved."""
        if not viewport_settings(context.window_manager).handles or context.mode not in {"OBJECT", "POSE"}:
            return False
        rig = active_rig(context)
        return rig is not None and rig.library is None and rig.visible_get()

    if TYPE_CHECKING:
        crowd: Crowd
        count: int

    def setup(self, context: bpy.types.Context) -> None:
        """Make no handle yet: they are made as they are needed."""
        self.crowd, self.count = Crowd(), 0

    def draw_prepare(self, context: bpy.types.Context) -> None:
        """Put the handles where the joints are; there is one gizmo for each number."""
        show_in_view(context, self.crowd)
        count = len(self.crowd.handles.joints)
        while len(self.gizmos) < count:
            gizmo = cast("URDF_RIG_GT_joint", self.gizmos.new(URDF_RIG_GT_joint.bl_idname))
            gizmo.crowd, gizmo.index = self.crowd, len(self.gizmos) - 1
        if count != self.count:
            for number, gizmo in enumerate(self.gizmos):
                gizmo.hide = number >= count
            self.count = count


def show_in_view(context: bpy.types.Context, crowd: Crowd) -> None:
    """Show the handles of the active robot as the view has them; while one is dragged, the same ones."""
    region, view = context.region, to_array(context.region_data.perspective_matrix)
    size, scale = (region.width, region.height), context.preferences.system.ui_scale
    try:
        handles = joint_handles(active_rig(context), viewport_settings(context.window_manager))
    except UrdfRigError:  # the panel says what is wrong
        return
    handles = handles.in_view(view, size, scale, None if crowd.dragged is None else crowd.handles)
    if crowd.dragged is None or handles.joints == crowd.handles.joints:
        crowd.show(handles, view, size)


register, unregister = class_registration(URDF_RIG_GT_joint, URDF_RIG_GGT_joints)
