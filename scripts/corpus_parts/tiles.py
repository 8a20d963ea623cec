# SPDX-License-Identifier: GPL-3.0-or-later
"""Small pictures of robots, and many of them as one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import bpy
import numpy as np
from figure_parts.studio import write_png
from numpy.typing import NDArray

from urdf_rig.addon.importer import ImportOptions, import_robot
from urdf_rig.cli.preview import render_preview

_GAP = 4
_SAMPLES = 8


def render_tile(robot: Path, out: Path, size: int) -> None:
    """Render a robot into a square picture; a file that is there is a whole one."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True, load_ui=False)
    rig = import_robot(bpy.context, robot, ImportOptions()).rig
    part = out.with_suffix(".part.png")
    render_preview(bpy.context, rig, part, size=(size, size), samples=_SAMPLES)
    part.replace(out)


def write_sheet(tiles: Sequence[Path], out: Path, columns: int) -> None:
    """Write the tiles, row by row, as one picture."""
    pictures = [_pixels(tile) for tile in tiles]
    size = pictures[0].shape[0]
    rows = -(-len(pictures) // columns)
    step = size + _GAP
    sheet = np.ones((rows * step - _GAP, columns * step - _GAP, 3))
    for index, picture in enumerate(pictures):
        row, column = divmod(index, columns)
        sheet[row * step : row * step + size, column * step : column * step + size] = picture
    out.parent.mkdir(parents=True, exist_ok=True)
    write_png(out, sheet)


def _pixels(path: Path) -> NDArray[np.float64]:
    """Return a picture, shape (rows, columns, 3), first row on top."""
    image = bpy.data.images.load(str(path))
    columns, rows = image.size
    pixels = np.empty(rows * columns * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(rows, columns, 4)[::-1, :, :3].astype(np.float64)
