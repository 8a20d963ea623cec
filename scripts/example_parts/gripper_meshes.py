# SPDX-License-Identifier: GPL-3.0-or-later
"""The shapes of ``gripper``, each file in the frame of its link; the fingers are those of the left (+y) side."""

from __future__ import annotations

import math

import numpy as np

from .outlines import Outline, Point2, rounded, shifted, tapered
from .solids import Solid, block, drum, extrude, lathe, repeated, ring, screw

GROWN = 1.25  # the motor, the gripper's body and its fingers are drawn smaller than they come out

_FINGER, _PIVOT, _BAR, _BODY_PIVOT = 0.06, 0.02, 0.046, 0.088
FINGER = _FINGER * GROWN  # distance of a finger's two pivots
PIVOT, BAR = _PIVOT * GROWN, _BAR * GROWN  # how far the pivots of a finger and of its bar are from the middle
BODY_PIVOT = _BODY_PIVOT * GROWN  # x of all four pivots in the gripper's body


def _slot(mouth: float, depth: float, centre: Point2, outwards: Point2) -> list[Point2]:
    """Return the corners of a T slot in one side of a profile, in counter-clockwise order."""
    (u, v), (nu, nv) = centre, outwards
    along = [(-mouth, 0.0), (-mouth, -0.004), (-2 * mouth, -0.004), (-2 * mouth, -depth)]
    along += [(-a, b) for a, b in reversed(along)]
    return [(u - a * nv + b * nu, v + a * nu + b * nv) for a, b in along]


def _column_profile() -> Outline:
    """Return the cross-section of the column in (x, y): grooves on three sides, a channel for the screw in front."""
    sharp: list[Point2] = [(0.036, -0.014), (0.022, -0.014), (0.022, 0.014), (0.036, 0.014)]
    back, front = -0.044, 0.036
    points = [(front, -0.05), *sharp, (front, 0.05), *_slot(0.004, 0.011, (-0.004, 0.05), (0.0, 1.0))]
    points += [(back, 0.05), *_slot(0.004, 0.011, (back, 0.024), (-1.0, 0.0))]
    points += [*_slot(0.004, 0.011, (back, -0.024), (-1.0, 0.0)), (back, -0.05)]
    points += _slot(0.004, 0.011, (-0.004, -0.05), (0.0, -1.0))
    corners = {(front, -0.05), (front, 0.05), (back, 0.05), (back, -0.05)}
    return rounded(points, [0.005 if point in corners else 0.0 for point in points], 3)


def base() -> list[Solid]:
    """Foot, column with two rails and a lead screw, and the lift motor on top; z up from the floor."""
    feet = [(x, y, 0.0) for x in (-0.082, 0.142) for y in (-0.078, 0.078)]
    rail = rounded([(0.034, -0.008), (0.049, -0.008), (0.049, 0.008), (0.034, 0.008)], 0.002, 1)
    motor = [(0, 0.65), (0.033, 0.65), (0.033, 0.722), (0, 0.722)]
    return [
        block((-0.1, 0.16), (-0.096, 0.096), (0.0, 0.018), "dark", corner=0.028, bevel=0.004),
        *repeated(screw(0.009, (0.016, 0.025), "steel"), feet),
        block((-0.056, 0.058), (-0.064, 0.064), (0.012, 0.052), "white", corner=0.012, bevel=0.006),
        extrude(_column_profile(), (0.04, 0.62), "grey"),
        *repeated(extrude(rail, (0.046, 0.616), "steel"), [(0, -0.033, 0), (0, 0.033, 0)]),
        drum(0.0065, (0.045, 0.617), "steel", segments=20).moved(x=0.034),
        block((-0.056, 0.058), (-0.064, 0.064), (0.61, 0.646), "white", corner=0.012, bevel=0.006),
        ring(0.024, 0.0345, (0.644, 0.652), "teal", segments=40).moved(x=0.01),
        lathe(rounded(motor, [0, 0, 0.01, 0], 3, closed=False), "dark", segments=40).moved(x=0.01),
        block((-0.05, -0.018), (-0.014, 0.014), (0.66, 0.7), "dark", axis="x", corner=0.006, bevel=0.003),
    ]


def carriage() -> list[Solid]:
    """Four bearings, a plate and a boss; x away from the column, the rails' running faces at x = -0.001."""
    bearing = block((-0.0125, 0.006), (-0.016, 0.016), (-0.022, 0.022), "dark", axis="x", corner=0.004, bevel=0.002)
    stripe = block((0.006, 0.019), (0.054, 0.0645), (-0.036, 0.036), "teal", axis="y", corner=0.003, bevel=0.0012)
    screws = [(0.0, y, z) for y in (-0.0495, 0.0495) for z in (-0.053, 0.053)]
    boss = [(0, 0.015), (0.0575, 0.015), (0.0575, 0.031), (0, 0.031)]
    return [
        *repeated(bearing, [(0, y, z) for y in (-0.033, 0.033) for z in (-0.032, 0.032)]),
        block((0.003, 0.023), (-0.0625, 0.0625), (-0.066, 0.066), "white", axis="x", corner=0.012, bevel=0.004),
        stripe,
        stripe.mirrored(1),
        *repeated(screw(0.0042, (0.019, 0.0255), "steel", axis="x"), screws),
        lathe(rounded(boss, [0, 0, 0.005, 0], 3, closed=False), "white", axis="x"),
    ]


def roll_motor() -> list[Solid]:
    """A ribbed motor along x with four tie rods: the same after a quarter turn, whichever way up glTF is read."""
    ribs: list[Point2] = [(0.0, -0.003), (0.0415, -0.003), (0.043, -0.0015), (0.043, 0.007)]
    for k in range(4):
        start = 0.008 + 0.0085 * k
        ribs += [(0.0385, start), (0.0385, start + 0.0025), (0.0425, start + 0.0035), (0.0425, start + 0.0075)]
    ribs += [(0.043, 0.043), (0.043, 0.051), (0.0415, 0.0525), (0.0, 0.0525)]
    rods = [(0.0, 0.0415 * math.cos(k * math.pi / 2), 0.0415 * math.sin(k * math.pi / 2)) for k in range(4)]
    return [
        lathe(np.array(ribs), "dark", axis="x"),
        ring(0.036, 0.0437, (0.0455, 0.0495), "teal", axis="x"),
        *repeated(drum(0.0032, (0.003, 0.047), "steel", axis="x", segments=12), rods),
    ]


def body() -> list[Solid]:
    """The gripper's housing: joint axis along x through the origin, four pivots at x = 0.088."""
    right: list[Point2] = [(0.008, -0.04), (0.03, -0.044), (0.074, -0.06)]
    housing = [*right, *((u, -v) for u, v in reversed(right))]
    outline = rounded(housing, [0.012, 0.04, 0.012, 0.012, 0.04, 0.012], 4)
    inlay = [(0.022, -0.03), (0.058, -0.042), (0.058, 0.042), (0.022, 0.03)]
    plate = [(0.05, -0.056), (0.1, -0.056), (0.1, 0.056), (0.05, 0.056)]
    band = [(0.062, -0.049), (0.067, -0.05), (0.067, 0.05), (0.062, 0.049)]
    pivots = [(_BODY_PIVOT, side * y, 0.0) for side in (-1, 1) for y in (_PIVOT, _BAR)]
    upper = [
        extrude(rounded(plate, 0.0118, 4), (0.0185, 0.0255), "dark", bevel=0.0015, steps=2),
        extrude(rounded(inlay, 0.008, 4), (0.028, 0.0325), "dark", bevel=0.001, steps=1),
        extrude(rounded(band, 0.0012, 1), (0.028, 0.0328), "teal"),
        *repeated(screw(0.0062, (0.023, 0.0275), "steel"), pivots),
    ]
    return [
        drum(0.034, (-0.0005, 0.012), "steel", axis="x", segments=40),
        extrude(outline, (-0.032, 0.032), "white", bevel=0.008, steps=4),
        *repeated(drum(0.0035, (-0.0245, 0.0245), "steel", segments=12), pivots),
        ring(0.0068, 0.012, (0.072, 0.077), "steel", axis="x", segments=28),
        *upper,
        *(solid.mirrored(2) for solid in upper),
    ]


def finger() -> list[Solid]:
    """Two cheeks on a hub: turns about z through the origin, carries the tip at x = 0.06."""
    cheek = tapered(0.0098, 0.0088, _FINGER, 9, along="u")
    return [
        extrude(cheek, (0.0105, 0.0172), "white", bevel=0.0015, steps=2),
        extrude(cheek, (-0.0172, -0.0105), "white", bevel=0.0015, steps=2),
        drum(0.0082, (-0.0125, 0.0125), "white", segments=24),
        drum(0.0052, (-0.0182, 0.0182), "white", segments=20).moved(x=_FINGER),
    ]


def bar() -> list[Solid]:
    """The bar beside a finger that keeps the tip parallel."""
    cheek = tapered(0.0062, 0.0062, _FINGER, 7, along="u")
    return [
        extrude(cheek, (0.0105, 0.0168), "steel", bevel=0.001, steps=1),
        extrude(cheek, (-0.0168, -0.0105), "steel", bevel=0.001, steps=1),
        drum(0.0052, (-0.012, 0.012), "steel", segments=16),
        drum(0.004, (-0.0178, 0.0178), "steel", segments=16).moved(x=_FINGER),
    ]


def tip() -> list[Solid]:
    """A jaw with a rubber pad; turns about z through the origin, the bar's pivot at y = 0.026."""
    reach = _BAR - _PIVOT
    tongue = [(-0.0085, -0.0085), (0.022, -0.0085), (0.022, reach + 0.0075), (-0.0085, reach + 0.0075)]
    jaw = [(0.0125, -0.0165), (0.078, -0.0165), (0.078, -0.006), (0.048, 0.008), (0.028, 0.03), (0.0125, 0.03)]
    saw: list[Point2] = [(0.072, -0.0145), (0.02, -0.0145)]
    for k in range(8):
        start = 0.02 + 0.0065 * k
        saw += [(start, -0.0182), (start + 0.001, -0.0194), (start + 0.0045, -0.0194), (start + 0.0055, -0.0182)]
    saw += [(0.072, -0.0182)]
    accent = shifted(tapered(0.0045, 0.0028, 0.03, 5, along="u"), 0.025, 0.002)
    side = extrude(accent, (0.0155, 0.0182), "teal", bevel=0.0008, steps=1)
    return [
        extrude(rounded(tongue, [0.0075, 0.002, 0.002, 0.007], 3), (-0.0098, 0.0098), "dark"),
        extrude(rounded(jaw, [0.004, 0.004, 0.004, 0.02, 0.02, 0.006], 3), (-0.0175, 0.0175), "white", "z", 0.003, 3),
        extrude(np.array(saw), (-0.0145, 0.0145), "black"),
        side,
        side.mirrored(2),
    ]


def plunger() -> list[Solid]:
    """A rod with a soft head that pushes the part out; slides along x."""
    rod = [(0, -0.045), (0.0045, -0.045), (0.0045, 0.009), (0.008, 0.009), (0.008, 0.017), (0, 0.017)]
    return [lathe(rounded(rod, [0, 0, 0, 0.001, 0.003, 0], 2, closed=False), "teal", axis="x", segments=24)]


def meshes() -> dict[str, list[Solid]]:
    """Return the solids of each mesh file."""
    hand = {
        "roll_motor.glb": roll_motor(),
        "gripper_body.dae": body(),
        "finger.stl": finger(),
        "bar.stl": bar(),
        "tip.dae": tip(),
        "plunger.stl": plunger(),
    }
    grown = {file: [solid.scaled(GROWN) for solid in solids] for file, solids in hand.items()}
    return {"base_link.dae": base(), "carriage.obj": carriage(), **grown}
