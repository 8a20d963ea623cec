# SPDX-License-Identifier: GPL-3.0-or-later
"""Dials and arrows by which joints are moved in the viewport.

They are gizmos of our own rather than Blender's dial and arrow: those neither show a range nor stop at it, and up to
Blender 5.2 they leave no undo step. A drag writes what a slider writes, and is one step of undo.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import bpy
import numpy as np
from bpy_extras.view3d_utils import region_2d_to_origin_3d, region_2d_to_vector_3d
from numpy.typing import NDArray

from ...core.errors import UrdfRigError
from ...core.viewport import Ray, on_screen, pixel_sizes, slid, turned
from ..classes import class_registration
from ..convert import to_array
from ..properties import bone_data
from ..rig import JointBone, active_rig
from .autokey import key_if_wanted
from .drawing import Texts, in_pixels
from .handle_shapes import HandleShapes
from .handles import Handle, handle_text, joint_handles, sized_for_view
from .settings import viewport_settings

Array = NDArray[np.float64]

_SLOWLY = 0.1
_STEP_ANGLE, _STEP_LENGTH = math.radians(5.0), 0.01  # rad, m
_TEXT_SIZE, _GAP = 13.0, 10.0  # px
_MOST = 160  # handles in a view; each costs time in every redraw


def joint_of(context: bpy.types.Context, handle: Handle) -> JointBone | None:
    """Return the joint that a handle is for, or None if it is gone."""
    rig = active_rig(context)
    bone = None if rig is None else rig.pose.bones.get(handle.bone)
    if bone is None or bone_data(bone.bone).joint != handle.joint:
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


def moved_by(handle: Handle, before: Ray, after: Ray, up: Array) -> float:
    """Return by how much the joint's value grows [rad or m] when its handle is dragged."""
    if handle.turns:
        return turned(handle.frame, handle.radius, before, after)
    return slid(handle.frame, up, before, after) / handle.metre


class URDF_RIG_GT_joint(bpy.types.Gizmo):
    """The handle of one joint"""

    bl_idname = "URDF_RIG_GT_joint"
    bl_target_properties = ()

    __slots__ = ("before", "handle", "shapes", "start", "total")

    if TYPE_CHECKING:
        handle: Handle
        shapes: HandleShapes
        start: float
        total: float
        before: Ray

    def setup(self) -> None:
        """Start without anything to show."""
        self.shapes = HandleShapes()
        self.use_draw_modal = True
        self.use_tooltip = False

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the handle, and its text where the pointer is on it."""
        active = self.is_highlight or self.is_modal
        theme = context.preferences.themes[0].user_interface
        handle = self.handle
        color = theme.gizmo_hi if active else (theme.axis_x, theme.axis_y, theme.axis_z)[handle.axis]
        self.shapes.draw(handle, (color.r, color.g, color.b), active=active)
        if active:
            _draw_text(context, handle)

    def draw_select(self, context: bpy.types.Context, select_id: int) -> None:
        """Draw what can be hit by the pointer."""
        self.shapes.draw_to_select(self.handle, select_id)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin a drag."""
        joint = joint_of(context, self.handle)
        if joint is None:
            return {"CANCELLED"}
        self.start, self.total = joint.value, 0.0
        self.before = ray_at(context, event.mouse_region_x, event.mouse_region_y)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event, tweak: set[str]) -> set[str]:
        """Move the joint with the pointer: by steps while Ctrl is held, slowly while Shift is."""
        joint = joint_of(context, self.handle)
        if joint is None:
            return {"CANCELLED"}
        after = ray_at(context, event.mouse_region_x, event.mouse_region_y)
        up = to_array(context.region_data.view_matrix)[1, :3]  # its rows are the view's axes
        self.total += moved_by(self.handle, self.before, after, up) * (_SLOWLY if "PRECISE" in tweak else 1.0)
        self.before = after
        value = self.start + self.total
        if "SNAP" in tweak:
            step = _STEP_ANGLE if self.handle.turns else _STEP_LENGTH
            value = step * round(value / step)
        joint.value = value
        self.handle = replace(self.handle, value=joint.value)
        context.area.header_text_set(handle_text(self.handle, context.scene))
        return {"RUNNING_MODAL"}

    def exit(self, context: bpy.types.Context, cancel: bool) -> None:
        """Take the drag back, or leave a key, if they are set by themselves, and one step of undo."""
        context.area.header_text_set(None)
        joint = joint_of(context, self.handle)
        if joint is None:
            return
        if cancel:
            joint.value = self.start
        elif joint.value != self.start:
            key_if_wanted(context, joint)
            bpy.ops.ed.undo_push(message=f"{'Turn' if joint.turns else 'Slide'} {joint.data.joint}")


def _draw_text(context: bpy.types.Context, handle: Handle) -> None:
    region, scale = context.region, context.preferences.system.ui_scale
    view = to_array(context.region_data.perspective_matrix)
    middle = handle.frame[:3, 3]
    if not handle.turns:
        middle = middle + handle.value * handle.metre * handle.frame[:3, 2]
    place = on_screen(middle, view, (region.width, region.height)).places[0]
    beside = handle.radius / float(pixel_sizes([middle], view, region.width)[0]) + _GAP * scale
    text, writer = handle_text(handle, context.scene), Texts(_TEXT_SIZE)
    width, height = writer.size(text)
    x = min(max(place[0] + beside, _GAP), max(region.width - width - _GAP, _GAP))
    y = min(max(place[1] - 0.5 * height, _GAP), max(region.height - height - _GAP, _GAP))
    with in_pixels(region):
        writer.draw([(text, x, y)], (1.0, 1.0, 1.0, 1.0))


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

    def setup(self, context: bpy.types.Context) -> None:
        """Make nothing yet: handles are made as they are needed."""

    def draw_prepare(self, context: bpy.types.Context) -> None:
        """Put a handle where each joint is; the one that is dragged stays with its joint."""
        handles = {handle.joint: handle for handle in _handles_in_view(context)}
        gizmos = [cast("URDF_RIG_GT_joint", gizmo) for gizmo in self.gizmos]
        for gizmo in gizmos:
            if gizmo.is_modal:
                gizmo.handle = handles.pop(gizmo.handle.joint, gizmo.handle)
                gizmos.remove(gizmo)
                break
        while len(gizmos) < len(handles):
            gizmos.append(cast("URDF_RIG_GT_joint", self.gizmos.new(URDF_RIG_GT_joint.bl_idname)))
        for gizmo, handle in zip(gizmos, handles.values(), strict=False):
            gizmo.handle = handle
            gizmo.hide = False
        for gizmo in gizmos[len(handles) :]:
            gizmo.hide = True


def _handles_in_view(context: bpy.types.Context) -> list[Handle]:
    region, view = context.region, to_array(context.region_data.perspective_matrix)
    try:
        handles = joint_handles(active_rig(context), viewport_settings(context.window_manager))
    except UrdfRigError:  # the panel says what is wrong
        return []
    seen = on_screen([handle.frame[:3, 3] for handle in handles], view, (region.width, region.height))
    inside = [handle for handle, is_seen in zip(handles, seen.seen, strict=True) if is_seen][:_MOST]
    radii = sized_for_view(inside, view, region.width, context.preferences.system.ui_scale)
    return [replace(handle, radius=radius) for handle, radius in zip(inside, radii, strict=True)]


register, unregister = class_registration(URDF_RIG_GT_joint, URDF_RIG_GGT_joints)
