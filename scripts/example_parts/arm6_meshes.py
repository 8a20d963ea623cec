# SPDX-License-Identifier: GPL-3.0-or-later
"""The shapes of ``arm6``, each file in the frame of its link (shared caps and screws: along z)."""

from __future__ import annotations

import math

import numpy as np

from .outlines import rectangle, rounded, shifted, tapered, waisted
from .solids import Solid, block, drum, extrude, hexagon_bolt, lathe, repeated, ring, screw

HOLD = 0.0015


def base() -> list[Solid]:
    """Foot plate, pedestal, cable box and the neck of joint 1; z up from the floor to 0.16."""
    pedestal = [(0, 0.016), (0.118, 0.016), (0.112, 0.032), (0.094, 0.075), (0.094, 0.146), (0, 0.146)]
    corners = ((x, y, 0.0) for x in (-0.101, 0.101) for y in (-0.101, 0.101))
    box = (-0.124, -0.08)
    return [
        block((-0.13, 0.13), (-0.13, 0.13), (0.0, 0.022), "dark", corner=0.04, bevel=0.004),
        *repeated(hexagon_bolt(0.011, (0.018, 0.031), "steel"), list(corners)),
        lathe(rounded(pedestal, [0, 0.003, 0.03, 0.05, 0.008, 0], 4, closed=False), "white"),
        ring(0.085, 0.0965, (0.112, 0.122), "orange"),
        drum(0.084, (0.14, 0.161), "black"),
        block(box, (-0.048, 0.048), (0.03, 0.1), "dark", axis="x", corner=0.012, bevel=0.005),
        drum(0.014, (-0.136, -0.12), "steel", axis="x", bevel=0.002, steps=1, segments=18).moved(0, -0.022, 0.068),
        drum(0.014, (-0.136, -0.12), "steel", axis="x", bevel=0.002, steps=1, segments=18).moved(0, 0.022, 0.068),
        drum(0.009, (-0.1375, -0.135), "black", axis="x", segments=16).moved(0, -0.022, 0.068),
        drum(0.009, (-0.1375, -0.135), "black", axis="x", segments=16).moved(0, 0.022, 0.068),
    ]


def shoulder() -> list[Solid]:
    """Turntable and tower; joint 1 along z through the origin, joint 2 along y at z = 0.2."""
    table = [(0, 0.001), (0.1, 0.001), (0.1, 0.085), (0, 0.085)]
    turned = rounded(table, [0, 0.006, 0.03, 0], 5, closed=False)
    tower = shifted(tapered(0.079, 0.088, 0.108, 16), 0.0, 0.092)
    return [
        lathe(np.insert(turned, len(turned) - 1, (0.055, 0.085), axis=0), "white"),
        extrude(tower, (-0.066, 0.066), "white", axis="y", bevel=0.014, hold=HOLD),
        drum(0.072, (0.05, 0.092), "white", axis="y", bevel=0.014, hold=HOLD).moved(z=0.2),
    ]


def shoulder_neck() -> list[Solid]:
    """The dark seam of joint 2 and the motor behind the tower, in the shoulder's frame."""
    return [
        drum(0.074, (-0.086, -0.06), "dark", axis="y").moved(z=0.2),
        block((-0.118, -0.06), (-0.04, 0.04), (0.095, 0.235), "dark", axis="x", corner=0.018, bevel=0.008),
    ]


def upper_arm() -> list[Solid]:
    """A waisted beam beside the shoulder; joint 2 along y through the origin, joint 3 at z = 0.42."""
    beam = waisted(0.09, 0.074, 0.42, (0.45, 0.35), 0.14, 18)
    panel = waisted(0.034, 0.028, 0.18, (0.16, 0.16), 0.05, 10)
    return [
        extrude(beam, (-0.152, -0.084), "white", axis="y", bevel=0.018, steps=4),
        extrude(shifted(panel, 0, 0.125), (-0.1545, -0.15), "dark", axis="y", bevel=0.0015, steps=1),
        extrude(shifted(tapered(0.007, 0.0055, 0.15, 8), 0, 0.14), (-0.1565, -0.153), "orange", "y", 0.001, 1),
        drum(0.068, (-0.1555, -0.148), "dark", axis="y", bevel=0.002, steps=2),
        drum(0.053, (-0.1555, -0.148), "dark", axis="y", bevel=0.002, steps=2).moved(z=0.42),
        ring(0.05, 0.062, (-0.1575, -0.15), "orange", axis="y"),
        ring(0.037, 0.047, (-0.1575, -0.15), "orange", axis="y").moved(z=0.42),
    ]


def forearm() -> list[Solid]:
    """Elbow housing; joint 3 along y through the origin, the forearm's axis along x up to joint 4 at 0.13."""
    tube = [(0, -0.112), (0.056, -0.112), (0.056, 0.06), (0.049, 0.118), (0, 0.118)]
    profile = rounded(tube, [0, 0.01, 0.08, 0.006, 0], 4, closed=False)
    return [
        drum(0.072, (-0.072, 0.066), "white", axis="y", bevel=0.014, steps=4, hold=HOLD),
        lathe(profile, "white", axis="x"),
    ]


def forearm_trim() -> list[Solid]:
    """The dark parts of the forearm: the neck of joint 3, a ribbed motor, the seam of joint 4."""
    ribs = [(0.0, -0.156)]
    for k in range(4):
        start = -0.156 + 0.011 * k
        ribs += [(0.0455, start), (0.047, start + 0.0015), (0.047, start + 0.0065), (0.0455, start + 0.008)]
        ribs += [(0.041, start + 0.008), (0.041, start + 0.011)]
    ribs += [(0.041, -0.106), (0.0, -0.106)]
    return [
        drum(0.062, (-0.086, -0.064), "dark", axis="y", segments=40),
        lathe(np.array(ribs), "dark", axis="x", segments=32),
        drum(0.0445, (0.11, 0.1315), "dark", axis="x", segments=40),
    ]


def wrist_1() -> list[Solid]:
    """Forearm tube and fork; joint 4 along z through the origin, joint 5 along y at z = 0.27."""
    tube = [(0, 0.001), (0.0495, 0.001), (0.049, 0.05), (0.041, 0.15), (0, 0.15)]
    root = rectangle((-0.041, 0.041), (0.128, 0.19), 0.018, 4)
    cheek = shifted(tapered(0.04, 0.037, 0.11, 12), 0.0, 0.16)
    left = [
        extrude(cheek, (0.034, 0.053), "white", axis="y", bevel=0.007, steps=3),
        drum(0.031, (0.05, 0.0555), "dark", axis="y", bevel=0.001, steps=1, segments=40).moved(z=0.27),
        ring(0.018, 0.027, (0.054, 0.057), "orange", axis="y", segments=40).moved(z=0.27),
    ]
    return [
        lathe(rounded(tube, [0, 0.004, 0.08, 0, 0], 3, closed=False), "white", segments=44),
        ring(0.03, 0.0505, (0.02, 0.028), "orange", segments=44),
        extrude(root, (-0.0525, 0.0525), "white", axis="y", bevel=0.012, steps=3),
        *left,
        *(solid.mirrored(1) for solid in left),
    ]


def wrist_2() -> list[Solid]:
    """The body between the cheeks; joint 5 along y through the origin, joint 6 along z."""
    nose = [(0, 0.0), (0.0305, 0.0), (0.0305, 0.056), (0, 0.056)]
    return [
        drum(0.0345, (-0.0325, 0.0325), "grey", axis="y", bevel=0.004, segments=40),
        lathe(rounded(nose, [0, 0, 0.005, 0], 3, closed=False), "grey", segments=40),
        drum(0.02, (-0.0345, 0.0345), "grey", axis="y", segments=24),
    ]


def wrist_3() -> list[Solid]:
    """The tool flange: joint 6 along z, mounting face at z = 0.085."""
    profile = [(0, 0.054), (0.024, 0.054), (0.024, 0.059), (0.0315, 0.059), (0.0315, 0.085), (0.0165, 0.085)]
    profile += [(0.0155, 0.08), (0, 0.08)]
    return [lathe(rounded(profile, [0, 0, 0, 0.002, 0.002, 0, 0, 0], 2, closed=False), "steel", segments=40)]


def flange_screws() -> list[Solid]:
    """Six dark screws on the flange."""
    places = [(0.0238 * math.cos(k * math.pi / 3), 0.0238 * math.sin(k * math.pi / 3), 0.0) for k in range(6)]
    return repeated(screw(0.0042, (0.08, 0.0868), "dark"), places)


def cap() -> list[Solid]:
    """A joint cover of radius 0.05 along z, standing on z = 0."""
    rim = [(0, -0.004), (0.05, -0.004), (0.05, 0.006), (0.034, 0.008), (0.032, 0.0055), (0, 0.0055)]
    return [lathe(rounded(rim, [0, 0, 0.003, 0, 0, 0], 2, closed=False), "orange", segments=40)]


MESHES = {
    "base_link.dae": base,
    "shoulder.stl": shoulder,
    "shoulder_trim.stl": shoulder_neck,
    "upper_arm.dae": upper_arm,
    "forearm.stl": forearm,
    "forearm_trim.stl": forearm_trim,
    "wrist_1.obj": wrist_1,
    "wrist_2.stl": wrist_2,
    "wrist_3.stl": wrist_3,
    "screws.stl": flange_screws,
    "cap.stl": cap,
}
