# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions, and where F-curves are in them: new ones, those that a rig follows, and copies that nothing else uses.

Up to version 4.3 an action is for one datablock and holds its curves; later it has slots, and a channel bag for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, cast

import bpy

from ..core.errors import RigError


class CurveHome(Protocol):
    """What holds F-curves and their groups: an action up to 4.3, later a slot's channel bag."""

    fcurves: Any
    groups: Any


class ActionUser(Protocol):
    """Animation data or an NLA strip; from 4.4 on it has an ``action_slot`` too."""

    action: Any


def animation_users(rig: bpy.types.Object) -> Iterator[ActionUser]:
    """Yield what refers to an action, and from 4.4 on to a slot of it: the animation data and all NLA strips."""
    animation = rig.animation_data
    if animation is not None:
        yield animation
        for track in animation.nla_tracks:
            yield from track.strips


def curve_homes(rig: bpy.types.Object) -> list[CurveHome]:
    """Return what holds the rig's F-curves, each once: ``fcurves`` and ``groups``."""
    homes: list[CurveHome] = []
    for user in animation_users(rig):
        homes += [home for home in homes_of(user) if home not in homes]
    return homes


def homes_of(user: ActionUser) -> list[CurveHome]:
    """Return what holds the F-curves of the action, and slot, that animation data or an NLA strip refer to."""
    if user.action is None:
        return []
    if not hasattr(user, "action_slot"):
        return [user.action]
    if user.action_slot is None:
        return []
    bags = [strip.channelbag(user.action_slot) for layer in user.action.layers for strip in layer.strips]
    return [bag for bag in bags if bag is not None]


def all_curves(action: bpy.types.Action) -> Iterator[bpy.types.FCurve]:
    """Yield all curves of an action, whatever they are for."""
    if not hasattr(action, "slots"):
        yield from action.fcurves  # type: ignore[attr-defined]  # gone with 5.0
        return
    layered: Any = action
    for layer in layered.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                yield from bag.fcurves


def active_home(rig: bpy.types.Object) -> CurveHome:
    """Return what holds the F-curves of the rig's active action; made where there is none yet."""
    animation: Any = rig.animation_data_create()
    if animation.action is None:
        NewAction(rig, f"{rig.name} Motion").assign()
    if not hasattr(animation, "action_slot"):
        return cast("CurveHome", animation.action)
    action: Any = animation.action
    if animation.action_slot is None:
        animation.action_slot = action.slots.new(id_type="OBJECT", name=rig.name)
    if not action.layers:
        action.layers.new("Motion")
    layer = action.layers[0]
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    return cast("CurveHome", strip.channelbag(animation.action_slot, ensure=True))


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

    @property
    def home(self) -> CurveHome:
        """What holds its F-curves."""
        home: CurveHome = self._home
        return home

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


def own_actions(rig: bpy.types.Object) -> None:
    """Give the rig copies of the actions that something else uses too, or that are linked from another file."""
    others = {
        _key(user) for obj in bpy.data.objects if obj != rig for user in animation_users(obj) if user.action is not None
    }
    copies: dict[Any, Any] = {}
    for user in animation_users(rig):
        action = user.action
        if action is None or (action.library is None and _key(user) not in others):
            continue
        slot = getattr(user, "action_slot", None)
        if action not in copies:
            copies[action] = action.copy()
        copy = copies[action]
        user.action = copy
        if slot is not None:
            setattr(user, "action_slot", next(item for item in copy.slots if item.handle == slot.handle))  # noqa: B010


def _key(user: ActionUser) -> tuple[int, int]:
    slot = getattr(user, "action_slot", None)
    return user.action.session_uid, 0 if slot is None else slot.handle
