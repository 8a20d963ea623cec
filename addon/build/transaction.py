# SPDX-License-Identifier: GPL-3.0-or-later
"""All or nothing: what a failed or cancelled build has made so far is taken away again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy

_COLLECTIONS = ("objects", "meshes", "armatures", "materials", "images", "collections", "actions", "cameras", "lights")


def _existing() -> dict[str, set[int]]:
    return {name: {item.as_pointer() for item in getattr(bpy.data, name)} for name in _COLLECTIONS}


@contextmanager
def rolled_back_on_error() -> Iterator[None]:
    """Remove every datablock made inside the block if it ends with any exception, and let that exception pass."""
    before = _existing()
    try:
        yield
    except BaseException:
        leave_edit_mode()
        made = [
            item for name in _COLLECTIONS for item in getattr(bpy.data, name) if item.as_pointer() not in before[name]
        ]
        bpy.data.batch_remove(made)
        raise


def leave_edit_mode() -> None:
    """Go to Object Mode, from whatever mode the active object is in."""
    view_layer = bpy.context.view_layer
    active = view_layer.objects.active if view_layer is not None else None
    if active is not None and active.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
