# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigs that follow their goals by themselves. Only while there is one do handlers exist."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..rig import is_rig
from .goals import goals_by_rig, place_seen
from .settings import ik_data, switch_listeners
from .solving import follow, was_moved

_following: list[bool] = []


def is_live(rig: bpy.types.Object) -> bool:
    """Whether a rig follows its goals by itself, and may be changed."""
    return is_rig(rig) and rig.library is None and ik_data(rig).live


def watch_if_needed() -> None:
    """Have the handlers exactly while some rig of the file is live."""
    needed = any(is_live(obj) for obj in bpy.data.objects)
    for handlers, handler in _handlers():
        if needed and handler not in handlers:
            handlers.append(handler)
        elif not needed and handler in handlers:
            handlers.remove(handler)


@persistent
def _on_update(_scene: bpy.types.Scene, graph: bpy.types.Depsgraph) -> None:
    _follow_all(graph, only_moved=True)


@persistent
def _on_frame_change(scene: bpy.types.Scene, graph: bpy.types.Depsgraph) -> None:
    # while a render shares the file with a window, nothing may be written unless the window is locked
    if graph.mode == "RENDER" and not (bpy.app.background or scene.render.use_lock_interface):
        return
    _follow_all(graph, only_moved=False)  # joints may have curves of their own


def _follow_all(graph: bpy.types.Depsgraph, *, only_moved: bool) -> None:
    if _following:
        return
    _following.append(True)
    try:
        for rig, goals in goals_by_rig(graph.view_layer).items():
            if is_live(rig) and not (only_moved and not _any_moved(rig, goals, graph)):
                follow(rig, goals, graph, restarts=0)
    finally:
        _following.clear()


def _any_moved(rig: bpy.types.Object, goals: list[bpy.types.Object], graph: bpy.types.Depsgraph) -> bool:
    return any(was_moved(goal, place_seen(rig, goal, graph)) for goal in goals)


def _handlers() -> tuple[tuple[list[Any], Any], ...]:
    return (
        (bpy.app.handlers.depsgraph_update_post, _on_update),
        (bpy.app.handlers.frame_change_post, _on_frame_change),
    )


@persistent
def _on_history(*_: object) -> None:
    watch_if_needed()  # undo may have switched a rig on or off


_HISTORY = (bpy.app.handlers.load_post, bpy.app.handlers.undo_post, bpy.app.handlers.redo_post)


def register() -> None:
    """Look out for live rigs whenever the file changes; those of a file that is already open are found soon."""
    switch_listeners.append(watch_if_needed)
    for handlers in _HISTORY:
        handlers.append(_on_history)
    if not bpy.app.background:  # a pending timer makes Blender 4.2 crash at exit
        bpy.app.timers.register(watch_if_needed)


def unregister() -> None:
    """Take all handlers away."""
    if bpy.app.timers.is_registered(watch_if_needed):
        bpy.app.timers.unregister(watch_if_needed)
    switch_listeners.remove(watch_if_needed)
    for handlers in _HISTORY:
        handlers.remove(_on_history)
    for handlers, handler in _handlers():
        if handler in handlers:
            handlers.remove(handler)
