# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines, triangles and texts by Blender's gpu module, which a Blender without a window lacks: hence imported here late.

Positions are arrays (k, 3), colors arrays (k, 4).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

Array = NDArray[np.float64]
Color = tuple[float, float, float, float]


def lines_batch(points: Array, colors: Array) -> Any:  # noqa: ANN401  # the module is imported late
    """Return a batch of lines between pairs of points, to be drawn by ``draw_lines``."""
    return _batch("POLYLINE_FLAT_COLOR", "LINES", points, colors)


def triangles_batch(points: Array, colors: Array) -> Any:  # noqa: ANN401
    """Return a batch of triangles, to be drawn by ``draw_triangles``."""
    return _batch("FLAT_COLOR", "TRIS", points, colors)


def _batch(shader: Any, kind: Any, points: Array, colors: Array) -> Any:  # noqa: ANN401
    import gpu
    from gpu_extras.batch import batch_for_shader

    content: dict[str, Any] = {
        name: np.ascontiguousarray(rows, dtype=np.float32) for name, rows in (("pos", points), ("color", colors))
    }
    return batch_for_shader(gpu.shader.from_builtin(shader), kind, content)


def draw_lines(batch: Any, width: float) -> None:  # noqa: ANN401
    """Draw a batch of lines of a width [px], scaled as Blender's interface is."""
    import gpu

    shader: Any = gpu.shader.from_builtin("POLYLINE_FLAT_COLOR")
    viewport: Any = gpu.state.viewport_get()
    shader.bind()
    shader.uniform_float("viewportSize", viewport[2:])
    shader.uniform_float("lineWidth", width * bpy.context.preferences.system.ui_scale)
    batch.draw(shader)


def draw_triangles(batch: Any) -> None:  # noqa: ANN401
    """Draw a batch of triangles."""
    import gpu

    shader: Any = gpu.shader.from_builtin("FLAT_COLOR")
    shader.bind()
    batch.draw(shader)


@contextmanager
def blending() -> Iterator[None]:
    """Let what is drawn inside be translucent."""
    import gpu

    gpu.state.blend_set("ALPHA")
    try:
        yield
    finally:
        gpu.state.blend_set("NONE")


@contextmanager
def in_pixels(region: bpy.types.Region) -> Iterator[None]:
    """Draw what is drawn inside in the region's pixels, from its lower left corner."""
    import gpu

    stack: Any = gpu.matrix
    with stack.push_pop(), stack.push_pop_projection():
        flat = Matrix.Diagonal((2.0 / region.width, 2.0 / region.height, -1.0, 1.0))
        flat.translation = (-1.0, -1.0, 0.0)
        stack.load_matrix(Matrix.Identity(4))
        stack.load_projection_matrix(flat)
        yield


class Texts:
    """Texts of one size [px], white on dark shadows so that they can be read over everything."""

    _FONT = 0

    def __init__(self, size: float) -> None:
        import blf

        self._blf = blf
        blf.size(self._FONT, size * bpy.context.preferences.system.ui_scale)

    def size(self, text: str) -> tuple[float, float]:
        """Return width and height [px]."""
        return cast("tuple[float, float]", self._blf.dimensions(self._FONT, text))

    def draw(self, texts: list[tuple[str, float, float]], color: Color) -> None:
        """Draw texts with their lower left corners [px]."""
        blf, font = self._blf, self._FONT
        blf.enable(font, blf.SHADOW)
        blf.shadow(font, 3, 0.0, 0.0, 0.0, 0.9)
        blf.shadow_offset(font, 0, 0)
        blf.color(font, *color)
        for text, x, y in texts:
            blf.position(font, x, y, 0.0)
            blf.draw(font, text)
        blf.disable(font, blf.SHADOW)
