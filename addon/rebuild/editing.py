# SPDX-License-Identifier: GPL-3.0-or-later
"""Edit Mode on a rig that is in use, and who works on what before and afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy

from ...core.errors import RigError
from ..build.transaction import leave_edit_mode
from ..followers import repair_followers
from ..ik.settings import ik_data
from ..rig import armature_of


def check_rebuildable(context: bpy.types.Context, rig: bpy.types.Object) -> None:
    """Make sure that a rig's bones can be changed.

    Raises:
        RigError: If they cannot, saying why.
    """
    armature = armature_of(rig)
    if rig.library is not None or armature.library is not None:
        raise RigError(f"{rig.name!r} is linked from another file: change it there")
    if rig.override_library is not None or armature.override_library is not None:
        raise RigError(f"{rig.name!r} is a library override, whose bones cannot be changed: change the original")
    sharing = [obj.name for obj in bpy.data.objects if obj.data == armature and obj != rig]
    if sharing:
        raise RigError(f"{rig.name!r} shares its armature with {sharing[0]!r}: make it a single user first")
    if context.view_layer.objects.get(rig.name) is not rig:
        raise RigError(f"{rig.name!r} is not in the current view layer")
    if rig.animation_data is not None and rig.animation_data.use_tweak_mode:
        raise RigError(f"{rig.name!r} is in the NLA editor's tweak mode: leave it first")
    with _shown(context, rig):
        if not rig.visible_get(view_layer=context.view_layer):  # no Edit Mode then
            raise RigError(f"the collection of {rig.name!r} is hidden: show it first")


@contextmanager
def kept_workplace(context: bpy.types.Context, rig: bpy.types.Object) -> Iterator[None]:
    """Go to Object Mode, the rig posed and not live; in the end mode, selection and active object are as before."""
    layer = context.view_layer
    active, selected = layer.objects.active, list(layer.objects.selected)
    mode = "OBJECT" if active is None else active.mode
    live, position = ik_data(rig).live, armature_of(rig).pose_position
    leave_edit_mode()
    armature_of(rig).pose_position = "POSE"
    ik_data(rig).live = False
    repair_followers(rig)
    try:
        yield
    finally:
        leave_edit_mode()
        for obj in list(layer.objects.selected):
            obj.select_set(False)
        for obj in selected:
            if layer.objects.get(obj.name) == obj:
                obj.select_set(True)
        layer.objects.active = active
        if active is not None and mode == "POSE":
            bpy.ops.object.mode_set(mode="POSE")
        armature_of(rig).pose_position = position
        if live:
            ik_data(rig).live = True


@contextmanager
def edit_mode(context: bpy.types.Context, rig: bpy.types.Object) -> Iterator[None]:
    """Be in Edit Mode on a rig that ``check_rebuildable`` has let through, shown meanwhile if it is hidden."""
    with _shown(context, rig):
        context.view_layer.objects.active = rig
        bpy.ops.object.mode_set(mode="EDIT")
        try:
            yield
        finally:
            bpy.ops.object.mode_set(mode="OBJECT")


@contextmanager
def _shown(context: bpy.types.Context, rig: bpy.types.Object) -> Iterator[None]:
    layer = context.view_layer
    hidden, hidden_here = rig.hide_viewport, rig.hide_get(view_layer=layer)
    rig.hide_viewport = False
    rig.hide_set(False, view_layer=layer)
    try:
        yield
    finally:
        rig.hide_viewport = hidden
        rig.hide_set(hidden_here, view_layer=layer)
