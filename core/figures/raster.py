# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture as pixels, with smooth edges, and as PNG.

Source of the format: W3C, *Portable Network Graphics*, second edition: signature, IHDR, IDAT, IEND; filter type 0.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from .figure import Colour, Figure, Line, Rectangle, Text
from .strokes import text_strokes

Array = NDArray[np.float64]
Pixels = NDArray[np.float32]

MAX_PIXELS = 60_000_000
_DASH, _DASH_GAP = 6.0, 4.0
_PEN = 0.085  # width of a letter's strokes by the font size
_BOLD = 0.13
_TOGETHER = 8  # segments


def rasterised(figure: Figure, scale: float = 1.0) -> NDArray[np.uint8]:
    """Return the picture as RGB, shape (height, width, 3), the top row first.

    Args:
        figure: The picture.
        scale: Pixels for each of its own.

    Raises:
        ValueError: If that is more than ``MAX_PIXELS``.
    """
    width, height = math.ceil(figure.width * scale), math.ceil(figure.height * scale)
    if width * height > MAX_PIXELS:
        raise ValueError(f"a picture of {width} by {height} pixels is too large")
    pixels = np.full((height, width, 3), 255.0, dtype=np.float32)
    for item in figure.items:
        if isinstance(item, Rectangle):
            x, y = round(item.x * scale), round(item.y * scale)
            right, bottom = round((item.x + item.width) * scale), round((item.y + item.height) * scale)
            pixels[max(y, 0) : max(bottom, 0), max(x, 0) : max(right, 0)] = item.colour
        elif isinstance(item, Line):
            for points in _dashes(item.points) if item.dashed else (item.points,):
                _stroke(pixels, points * scale, item.colour, item.width * scale)
        else:
            _letters(pixels, item, scale)
    return np.asarray(np.clip(pixels + 0.5, 0.0, 255.0).astype(np.uint8))


def _letters(pixels: Pixels, item: Text, scale: float) -> None:
    strokes, width = text_strokes(item.text, item.size * scale)
    shift = {"start": 0.0, "middle": -0.5, "end": -1.0}[item.anchor] * width
    pen = max(item.size * scale * (_BOLD if item.bold else _PEN), 1.0)
    start = np.array([item.x * scale + shift, item.y * scale])
    for stroke in strokes:
        _stroke(pixels, stroke + start, item.colour, pen)


def _dashes(points: Array) -> Iterator[Array]:
    """Yield the dashes of each segment."""
    for start, end in pairwise(points):
        length = float(np.linalg.norm(end - start))
        for at in np.arange(0.0, length, _DASH + _DASH_GAP):
            ends = np.array([at, min(at + _DASH, length)]) / length
            yield start + ends[:, None] * (end - start)


def _stroke(pixels: Pixels, points: Array, colour: Colour, width: float) -> None:
    """Draw a polyline with round ends: a pixel's share is how far its centre is inside."""
    ink = np.array(colour, dtype=np.float32)
    for first in range(0, len(points) - 1, _TOGETHER):
        part = points[first : first + _TOGETHER + 1]
        low = np.maximum(np.floor(part.min(axis=0) - 0.5 * width - 1.0), 0.0).astype(int)
        high = np.ceil(part.max(axis=0) + 0.5 * width + 1.0).astype(int)
        place = pixels[low[1] : max(high[1], 0), low[0] : max(high[0], 0)]
        if place.size:
            share = np.clip(0.5 * width + 0.5 - _distances(part - low, place.shape), 0.0, min(1.0, width))
            place += share[..., None].astype(np.float32) * (ink - place)


def _distances(points: Array, shape: tuple[int, ...]) -> Array:
    """Return how far the centre of each pixel is from a polyline, shape (h, w)."""
    start, step = points[:-1, :, None, None], np.diff(points, axis=0)[:, :, None, None]
    x = np.arange(shape[1]) + 0.5 - start[:, 0]
    y = np.arange(shape[0])[:, None] + 0.5 - start[:, 1]
    dx, dy = step[:, 0], step[:, 1]
    along = np.clip((x * dx + y * dy) / np.maximum(dx * dx + dy * dy, 1e-12), 0.0, 1.0)
    return np.asarray(np.sqrt(((x - along * dx) ** 2 + (y - along * dy) ** 2).min(axis=0)))


def png_bytes(image: NDArray[np.uint8]) -> bytes:
    """Return an RGB image, shape (height, width, 3), the top row first, as a PNG file."""
    height, width = image.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), dtype=np.uint8)  # each row begins with its filter, 0: none
    rows[:, 1:] = image.reshape(height, -1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(rows.tobytes(), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
