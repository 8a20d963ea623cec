# SPDX-License-Identifier: GPL-3.0-or-later
"""A new action for one rig, wherever its Blender keeps F-curves, and keys written in bulk."""

from __future__ import annotations

from typing import Any, Protocol, cast

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import RigError

Array = NDArray[np.float64]


class CurveHome(Protocol):
    """What holds F-curves and their groups: an action up to 4.3, later a slot's channel bag."""

    fcurves: Any
    groups: Any


class NewAction:
    """An action for one object, not yet assigned. From 4.4 on it has one slot, layer and strip."""

    def __init__(self, owner: bpy.types.Object, name: str) -> None:
        self._owner = owner
        # 4.2's stubs know no slots, later ones no Action.fcurves
        self._action = cast("Any", bpy.data.actions.new(name))
        self._slot: Any = None
        self._home: Any = self._action
        if hasattr(self._action, "slots"):
            self._slot = self._action.slots.new(id_type="OBJECT", name=owner.name)
            strip = self._action.layers.new("Motion").strips.new(type="KEYFRAME")
            self._home = strip.channelbag(self._slot, ensure=True)

    def add_curve(self, path: str, index: int, group: str, frames: Array, values: Array) -> None:
        """Add a curve, as ``add_linear_curve`` does."""
        add_linear_curve(self._home, path, index, group, frames, values)

    @property
    def unassigned(self) -> bpy.types.Action:
        """The action, which no object follows yet."""
        action: bpy.types.Action = self._action
        return action

    def assign(self) -> bpy.types.Action:
        """Let the object follow it, and return it; the action it had before is kept in the file.

        Raises:
            RigError: If the object's animation cannot be changed now.
        """
        data: Any = self._owner.animation_data_create()
        if data.use_tweak_mode:
            self.discard()
            raise RigError(f"{self._owner.name!r} is in the NLA editor's tweak mode: leave it first")
        before = data.action
        data.action = self._action
        if self._slot is not None:
            data.action_slot = self._slot
        if before is not None and before.users == 0:
            before.use_fake_user = True  # or it would be gone after saving
        action: bpy.types.Action = self._action
        return action

    def discard(self) -> None:
        """Take it out of the file."""
        bpy.data.actions.remove(self._action)


def add_linear_curve(home: CurveHome, path: str, index: int, group: str, frames: Array, values: Array) -> None:
    """Add a curve that is linear between its keys and constant outside them.

    Args:
        home: Where the curve goes.
        path: RNA path from the object.
        index: Array index.
        group: Name of the group of channels that it is in.
        frames: Strictly increasing, parts of frames allowed, shape (k,).
        values: Shape (k,).
    """
    curve = home.fcurves.new(path, index=index)
    curve.group = home.groups.get(group) or home.groups.new(group)
    curve.keyframe_points.add(len(frames))
    points = np.column_stack([frames, values]).astype(np.float32)
    third = np.gradient(frames) / 3.0 if len(frames) > 1 else np.ones(1)
    curve.keyframe_points.foreach_set("co", points.ravel())
    kinds = np.full(len(frames), interpolation_number("LINEAR"), dtype=np.int32)
    curve.keyframe_points.foreach_set("interpolation", kinds)
    for name, sign in (("handle_left", -1.0), ("handle_right", 1.0)):
        handles = np.column_stack([frames + sign * third, values]).astype(np.float32)
        curve.keyframe_points.foreach_set(name, handles.ravel())
    curve.update()


def interpolation_number(name: str) -> int:
    """Return the number that bulk access has for an interpolation such as ``LINEAR``."""
    known: Any = bpy.types.Keyframe.bl_rna.properties["interpolation"]
    return int(known.enum_items[name].value)
