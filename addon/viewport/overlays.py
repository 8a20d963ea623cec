# SPDX-License-Identifier: GPL-3.0-or-later
"""Names and axes over the active robot. A drawing handler exists only while its overlay is on."""

from __future__ import annotations

from collections.abc import Callable

import bpy
import numpy as np
from bpy.app.handlers import persistent
from numpy.typing import NDArray

from ...core.errors import UrdfRigError
from ...core.viewport import axes_lines, on_screen, place_labels
from ..convert import to_array
from ..readout import size_of
from ..rig import active_rig
from .drawing import Color, Texts, blending, draw_lines, lines_batch
from .settings import change_listeners, viewport_settings
from .shown import LinkFrames, link_frames

Array = NDArray[np.float64]

_AXIS_SHARE = 0.05  # of the robot's reach
_AXIS_WIDTH = 2.0
_GAP = 6.0  # px between a frame and its name
_MOST_CHARACTERS = 63

_handles: dict[str, object] = {}


def drawn_overlays() -> frozenset[str]:
    """Return which overlays have a drawing handler."""
    return frozenset(_handles)


def _is_visible(context: bpy.types.Context) -> bool:
    space = context.space_data
    return isinstance(space, bpy.types.SpaceView3D) and space.overlay.show_overlays


def _frames(context: bpy.types.Context) -> tuple[bpy.types.Object, LinkFrames] | None:
    """Return the active robot, if it is to be drawn over in this view, and its frames."""
    rig = active_rig(context) if _is_visible(context) else None
    if rig is None or not rig.visible_get():
        return None
    try:
        return rig, link_frames(rig, viewport_settings(context.window_manager).which)
    except UrdfRigError:  # the panel says what is wrong
        return None


def axes_of(context: bpy.types.Context, rig: bpy.types.Object, frames: LinkFrames) -> tuple[Array, Array]:
    """Return the frames' axes as pairs of points in the world, shape (6 n, 3), and their colors, shape (6 n, 4).

    Raises:
        UrdfRigError: If the rig is damaged.
    """
    length = _AXIS_SHARE * size_of(rig) * viewport_settings(context.window_manager).axis_size
    theme = context.preferences.themes[0].user_interface
    colors = [(*color, 1.0) for color in (theme.axis_x, theme.axis_y, theme.axis_z)]
    return axes_lines(frames.poses, length), np.tile(np.repeat(colors, 2, axis=0), (len(frames.names), 1))


def _draw_axes() -> None:
    context = bpy.context
    found = _frames(context)
    if found is None or not found[1].names:
        return
    points, colors = axes_of(context, *found)
    with blending():
        draw_lines(lines_batch(points, colors), _AXIS_WIDTH)


def texts_of(frames: LinkFrames, named: str) -> list[str]:
    """Return what is written beside each frame; nothing beside the base where joints are named."""
    texts = frames.joints if named == "JOINTS" else frames.names
    return [text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…" for text in texts]


def _draw_names() -> None:
    context = bpy.context
    found = _frames(context)
    if found is None:
        return
    state, region = viewport_settings(context.window_manager), context.region
    view = to_array(context.region_data.perspective_matrix)
    seen = on_screen(found[1].poses[:, :3, 3], view, (region.width, region.height))
    texts = texts_of(found[1], state.named)
    near_first = [i for i in np.argsort(seen.depths, kind="stable") if seen.seen[i] and texts[i]]
    if not near_first:
        return
    writer, gap = Texts(state.name_size), _GAP * context.preferences.system.ui_scale
    height = writer.size("Ág")[1] * 1.1  # the same for all, so that rows are even
    sizes = np.array([(writer.size(texts[i])[0] + gap, height) for i in near_first])
    corners, placed = place_labels(seen.places[near_first] + gap, sizes)
    theme = context.preferences.themes[0].view_3d
    color: Color = (*theme.space.text_hi, 1.0)
    writer.draw([(texts[i], *corners[k]) for k, i in enumerate(near_first) if placed[k]], color)


_DRAWN: dict[str, tuple[Callable[[], None], str]] = {
    "axes": (_draw_axes, "POST_VIEW"),
    "names": (_draw_names, "POST_PIXEL"),
}


def follow_settings() -> None:
    """Have a drawing handler for each overlay that is on, and none for others."""
    managers = bpy.data.window_managers
    for name, (draw, when) in _DRAWN.items():
        wanted = any(getattr(viewport_settings(manager), name) for manager in managers)
        if wanted and name not in _handles:
            _handles[name] = bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", when)
        elif not wanted and name in _handles:
            bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(name), "WINDOW")
    for manager in managers:
        _redraw(manager)


def _redraw(manager: bpy.types.WindowManager) -> None:
    for window in manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


@persistent
def _after_load(_path: str) -> None:
    follow_settings()  # they come from the file


def register() -> None:
    """Start with what the settings say, which is nothing in a new file."""
    change_listeners.append(follow_settings)
    bpy.app.handlers.load_post.append(_after_load)
    if not bpy.app.background:  # a pending timer makes Blender 4.2 crash at exit
        bpy.app.timers.register(follow_settings)


def unregister() -> None:
    """Take all overlays away."""
    if bpy.app.timers.is_registered(follow_settings):
        bpy.app.timers.unregister(follow_settings)
    bpy.app.handlers.load_post.remove(_after_load)
    change_listeners.remove(follow_settings)
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.popitem()[1], "WINDOW")
