# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths and angles in the units that a scene shows."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import bpy

_LENGTHS = {
    "KILOMETERS": (1e-3, "km"),
    "METERS": (1.0, "m"),
    "CENTIMETERS": (1e2, "cm"),
    "MILLIMETERS": (1e3, "mm"),
    "MICROMETERS": (1e6, "µm"),
    "MILES": (1.0 / 1609.344, "mi"),
    "FEET": (1.0 / 0.3048, "ft"),
    "INCHES": (1.0 / 0.0254, "in"),
    "THOU": (1e3 / 0.0254, "thou"),
}
_MASSES = {
    "TONNES": (1e-3, "t"),
    "KILOGRAMS": (1.0, "kg"),
    "GRAMS": (1e3, "g"),
    "MILLIGRAMS": (1e6, "mg"),
    "CENTUM_WEIGHTS": (1.0 / 45.359237, "cwt"),
    "STONES": (1.0 / 6.35029318, "st"),
    "POUNDS": (1.0 / 0.45359237, "lb"),
    "OUNCES": (16.0 / 0.45359237, "oz"),
}
_MOST_DIGITS = 1e5


@dataclass(frozen=True, slots=True)
class DisplayUnits:
    """What metres, radians and kilograms are multiplied with to be shown, and what the units are called."""

    length: float
    length_name: str
    angle: float
    angle_name: str
    mass: float
    mass_name: str


def display_units(scene: bpy.types.Scene) -> DisplayUnits:
    """Return the units of a scene; of adaptive ones, and of those without a unit, metres or feet, and kg or lb."""
    settings = scene.unit_settings
    default = "FEET" if settings.system == "IMPERIAL" else "METERS"
    length = _LENGTHS.get(settings.length_unit if settings.system != "NONE" else default, _LENGTHS[default])
    angle = (1.0, "rad") if settings.system_rotation == "RADIANS" else (math.degrees(1.0), "°")
    heavy = "POUNDS" if settings.system == "IMPERIAL" else "KILOGRAMS"
    mass = _MASSES.get(settings.mass_unit if settings.system != "NONE" else heavy, _MASSES[heavy])
    return DisplayUnits(*length, *angle, *mass)


def shown(values: Iterable[float], factor: float = 1.0) -> list[str]:
    """Return numbers as short texts of much the same width."""
    return [_short(value * factor) for value in values]


def _short(value: float) -> str:
    if not math.isfinite(value):
        return "∞" if value > 0 else "–"
    size = abs(value)
    if size >= _MOST_DIGITS:
        return f"{value:.2e}"
    decimals = 4 if size < 10 else 3 if size < 100 else 2 if size < 1000 else 1
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if not text.strip("-0.") else text  # no minus before zeros
