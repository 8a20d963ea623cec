# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture as SVG."""

from __future__ import annotations

from xml.sax.saxutils import escape

from .figure import Colour, Figure, Line, Rectangle


def svg_text(figure: Figure) -> str:
    """Return the picture as an SVG document."""
    size = f'width="{figure.width}" height="{figure.height}" viewBox="0 0 {figure.width} {figure.height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="Helvetica, Arial, sans-serif">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    for item in figure.items:
        if isinstance(item, Line):
            points = " ".join(f"{_short(x)},{_short(y)}" for x, y in item.points.tolist())
            dashes = ' stroke-dasharray="6 4"' if item.dashed else ""
            style = f'stroke="{_hex(item.colour)}" stroke-width="{_short(item.width)}"{dashes}'
            parts.append(f'<polyline points="{points}" fill="none" {style} stroke-linejoin="round"/>')
        elif isinstance(item, Rectangle):
            place = f'x="{_short(item.x)}" y="{_short(item.y)}"'
            extent = f'width="{_short(item.width)}" height="{_short(item.height)}"'
            parts.append(f'<rect {place} {extent} fill="{_hex(item.colour)}"/>')
        else:
            place = f'x="{_short(item.x)}" y="{_short(item.y)}" font-size="{_short(item.size)}"'
            weight = ' font-weight="bold"' if item.bold else ""
            style = f'text-anchor="{item.anchor}" fill="{_hex(item.colour)}"{weight}'
            clean = "".join(letter if letter.isprintable() else "?" for letter in item.text)
            parts.append(f"<text {place} {style}>{escape(clean)}</text>")
    return "\n".join([*parts, "</svg>\n"])


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)


def _short(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
