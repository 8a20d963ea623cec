# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens when a file is opened: its rigs get their sliders, and their followers are looked after."""

from __future__ import annotations

import bpy
from bpy.app.handlers import persistent

from .followers import repair_all_followers, stop_watching_names, watch_names
from .sliders import define_sliders, remove_sliders


@persistent
def _after_load(_path: str) -> None:
    define_sliders()
    repair_all_followers()
    watch_names()


def define_soon() -> None:
    """Define missing sliders as soon as Blender allows it; drawing code may not.

    Without a window nothing draws them, and a pending timer makes Blender 4.2 crash at exit.
    """
    if not bpy.app.background and not bpy.app.timers.is_registered(_define_once):
        bpy.app.timers.register(_define_once)


def _define_once() -> None:
    define_sliders()


def register() -> None:
    """Add the handler; rigs of a file that is already open get their sliders."""
    bpy.app.handlers.load_post.append(_after_load)
    watch_names()
    define_soon()


def unregister() -> None:
    """Remove the handler, pending work and the sliders."""
    bpy.app.handlers.load_post.remove(_after_load)
    stop_watching_names()
    if bpy.app.timers.is_registered(_define_once):
        bpy.app.timers.unregister(_define_once)
    remove_sliders()
