# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the F-curves of a rig are, in all its actions, and actions that nothing else uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, cast

import bpy

from ..motion.actions import CurveHome, NewAction


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
        homes += [home for home in _homes(user) if home not in homes]
    return homes


def _homes(user: ActionUser) -> list[CurveHome]:
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
