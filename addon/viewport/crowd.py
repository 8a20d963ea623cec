# SPDX-License-Identifier: GPL-3.0-or-later
"""All handles of a view, drawn at once and found under the pointer at once, however many there are."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.viewport import Figure, Targets, handle_lines, handle_triangles, pixel_sizes, project, swept
from ..convert import to_array
from .drawing import Texts, blending, draw_lines, draw_triangles, in_pixels, lines_batch, triangles_batch
from .handles import Handles, handle_text

Array = NDArray[np.float64]

_WIDTH, _BOLD = 2.0, 3.5  # px
_WITHIN = 9.0  # px
_SWEPT = 0.35  # opacity
_TEXT_SIZE, _GAP = 13.0, 12.0  # px
_WHITE = (1.0, 1.0, 1.0, 1.0)


class Crowd:
    """The handles of a view, which its gizmos share; they are put in their places before each redraw.

    Attributes:
        handles: The handles.
        dragged: The number of the one that is dragged; until it is let go, all keep their numbers.
    """

    def __init__(self) -> None:
        none = np.empty(0)
        self.dragged: int | None = None
        self.show(Handles((), none, np.empty((0, 4, 4)), none, none, np.empty(0, dtype=np.intp)), np.eye(4), (1.0, 1.0))

    def show(self, handles: Handles, view: Array, size: tuple[float, float]) -> None:
        """Take over where the handles are now.

        Args:
            handles: The handles.
            view: World to clip coordinates, shape (4, 4).
            size: Width and height of the region [px].
        """
        self.handles = handles
        self._view, self._size = view, size
        self._places = handles.places()
        self._lines = handle_lines(self._places, handles.looks)
        self._drawn: set[int] = set()
        self._targets: Targets | None = None
        self._asked: tuple[int, int] | None = None
        self._answer: int | None = None

    def hit(self, place: tuple[int, int], scale: float) -> int | None:
        """Return the number of the handle at a place [px]; each of them asks in turn, the first time it is found."""
        if self._targets is None:
            self._targets = Targets(self._lines.points, self._lines.owners, self._view, self._size)
        if place != self._asked:
            self._asked, self._answer = place, self._targets.hit(place, _WITHIN * scale)
        return self._answer

    def is_first(self, index: int) -> bool:
        """Whether the handle with this number is the first to be drawn this time: in which order, Blender decides."""
        first = not self._drawn or index in self._drawn
        if first:
            self._drawn.clear()
        self._drawn.add(index)
        return first

    def draw(self, context: bpy.types.Context) -> None:
        """Draw all handles in the colors of their axes."""
        theme = context.preferences.themes[0].user_interface
        axes = np.array([(color.r, color.g, color.b) for color in (theme.axis_x, theme.axis_y, theme.axis_z)])
        colors = axes[self.handles.axes]
        triangles = handle_triangles(self._places, self.handles.looks)
        with blending():
            draw_triangles(triangles_batch(triangles.points, _colored(triangles, colors)))
            draw_lines(lines_batch(self._lines.points, _colored(self._lines, colors)), _WIDTH)

    def draw_active(self, context: bpy.types.Context, index: int) -> None:
        """Draw the handle under the pointer once more: bold, with the angle from zero, and what it is."""
        color = context.preferences.themes[0].user_interface.gizmo_hi
        highlight = np.array([(color.r, color.g, color.b)])
        one, place = self.handles.only(np.array([index])), self._places[:, index : index + 1]
        joint, value = one.joints[0], float(one.values[0])
        triangles, lines = handle_triangles(place, one.looks), handle_lines(place, one.looks)
        with blending():
            if joint.turns and value:
                angle = swept(place[0, 0], value)
                draw_triangles(triangles_batch(angle, np.tile([*highlight[0], _SWEPT], (len(angle), 1))))
            draw_triangles(triangles_batch(triangles.points, _colored(triangles, highlight)))
            draw_lines(lines_batch(lines.points, _colored(lines, highlight)), _BOLD)
        self._draw_text(context, one, handle_text(joint, value, context.scene))

    def _draw_text(self, context: bpy.types.Context, one: Handles, text: str) -> None:
        region, scale = context.region, context.preferences.system.ui_scale
        view, (width, height) = to_array(context.region_data.perspective_matrix), (region.width, region.height)
        middle = one.middles()
        place = project(middle, view, (width, height))[0][0]
        beside = one.radii[0] / float(pixel_sizes(middle, view, width)[0]) + _GAP * scale
        writer = Texts(_TEXT_SIZE)
        wide, high = writer.size(text)
        free = width - _covered(context) - wide - _GAP
        x = min(max(place[0] + beside, _GAP), max(free, _GAP))
        above = -0.5 * high if one.joints[0].turns else _GAP * scale  # off the bar that an arrow slides along
        y = min(max(place[1] + above, _GAP), max(height - high - _GAP, _GAP))
        with in_pixels(region):
            writer.draw([(text, x, y)], _WHITE)


def _covered(context: bpy.types.Context) -> int:
    """Return how much of the viewport's right side the sidebar covers [px]."""
    if not context.preferences.system.use_region_overlap:
        return 0
    widths = [region.width for region in context.area.regions if region.type == "UI" and region.alignment == "RIGHT"]
    return max((width for width in widths if width > 1), default=0)


def _colored(figure: Figure, colors: Array) -> Array:
    return np.concatenate([colors[figure.owners], figure.opacities[:, None]], axis=1)
