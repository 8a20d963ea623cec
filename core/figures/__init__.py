# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of lines and words, as SVG and PNG, drawn with numpy alone."""

from __future__ import annotations

from .figure import Figure, nice_ticks
from .raster import png_bytes, rasterised
from .svg import svg_text

__all__ = ["Figure", "nice_ticks", "png_bytes", "rasterised", "svg_text"]
