# SPDX-License-Identifier: GPL-3.0-or-later
"""The colours of the examples: display (sRGB) values, opaque."""

from __future__ import annotations

from typing import NamedTuple


class Colour(NamedTuple):
    """A surface: display colour 0..1, and how metallic and rough it is where a file format can say so."""

    red: float
    green: float
    blue: float
    metallic: float = 0.0
    roughness: float = 0.4

    @property
    def rgb(self) -> tuple[float, float, float]:
        """The three display values."""
        return self.red, self.green, self.blue

    @property
    def linear(self) -> tuple[float, float, float]:
        """The three values as light intensities, as glTF wants them."""
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in self.rgb)
        return round(red, 5), round(green, 5), round(blue, 5)


COLOURS = {
    "white": Colour(0.90, 0.91, 0.92),
    "grey": Colour(0.66, 0.68, 0.70),
    "dark": Colour(0.16, 0.17, 0.19, roughness=0.5),
    "black": Colour(0.08, 0.08, 0.09, roughness=0.7),
    "steel": Colour(0.62, 0.64, 0.66, metallic=0.8, roughness=0.3),
    "orange": Colour(0.98, 0.45, 0.09),
    "teal": Colour(0.05, 0.60, 0.60),
}
