# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of the bone itself: its frame, its roll, and the pole. All matrices are the library's own."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from urdf_rig.core.bones import matrix_from_axis_roll
from urdf_rig.core.spatial import transform

from .solids import AXES, BLUE, GREEN, GREY, INK, RED, Color, add, arc, arrow, axes, ball, bone, label
from .studio import new_scene, on_paper, render, sideways

Array = NDArray[np.float64]

_SAFE: Color = (0.52, 0.74, 0.55)
_UNSAFE: Color = (0.93, 0.66, 0.40)


def bone_frame() -> Array:
    """Head, tail and the three axes of one bone, and the armature's frame."""
    new_scene((0.75, -1.0, 0.55), (0.5, 0.0, 0.82), 2.2)
    home = np.eye(4)
    axes(home, 0.42, width=0.011)
    for index, name in enumerate("xyz"):
        label(name, 0.5 * np.eye(3)[index], 0.085, AXES[index])
    label("A", (-0.09, 0.0, -0.09), 0.12)
    head, y = np.array([0.62, 0.25, 0.42]), np.array([0.42, 0.22, 0.9])
    frame = transform(matrix_from_axis_roll(y, math.radians(-25.0)), head)
    y = frame[:3, 1]
    length = 0.85
    bone(frame, length)
    axes(frame, 0.5, which="xz", width=0.014)
    tail = head + length * y
    arrow(tail, tail + 0.3 * y, GREEN, 0.014)
    arrow((0.0, 0.0, 0.0), head, GREY, 0.006)
    ball(head, 0.03, INK)
    ball(tail, 0.022, INK)
    for index, far in ((0, 0.58), (2, 0.58), (1, length + 0.38)):
        label("xyz"[index], head + far * frame[:3, index], 0.1, AXES[index])
    label("head h", head + np.array([0.12, 0.0, -0.02]), 0.1, align="LEFT")
    label("tail t", tail + np.array([0.1, 0.0, -0.03]), 0.1, align="LEFT")
    return on_paper((render(), 1.0))


def roll() -> Array:
    """One direction, three rolls."""
    new_scene((0.12, -1.0, 1.0), (0.05, 0.0, 0.3), 3.0)
    y = np.array([0.16, 0.1, 1.0])
    for place, degrees in zip((-1.0, 0.0, 1.0), (0.0, 30.0, 60.0)):
        head = place * sideways()
        start = transform(matrix_from_axis_roll(y, 0.0), head)
        frame = transform(matrix_from_axis_roll(y, math.radians(degrees)), head)
        bone(frame, 0.95)
        if degrees:
            axes(start, 0.42, share=0.72, which="xz", width=0.012)
            for index, color in ((0, RED), (2, BLUE)):
                arc(head, start[:3, index], frame[:3, index], 0.3, color)
        axes(frame, 0.44, which="xz", width=0.015)
        tip = head + 0.95 * frame[:3, 1]
        arrow(tip, tip + 0.2 * frame[:3, 1], GREEN, 0.015)
        for index, far in ((0, 0.53), (2, 0.53), (1, 1.23)):
            label("xyz"[index], head + far * frame[:3, index], 0.1, AXES[index])
        label(f"r = {degrees:.0f}°", head + np.array([0.0, -0.2, -0.6]), 0.13)
    return on_paper((render(), 1.0))


def pole() -> Array:
    """The x axis of the roll-free matrix at bone directions all over the sphere."""
    new_scene((1.0, -0.95, 0.5), (0.0, 0.0, -0.03), 3.35)
    _sphere(0.97)
    for polar in (9.0, 20.0, 33.0, 47.0, 62.0, 78.0, 94.0, 110.0, 126.0, 142.0):
        count = max(8, round(34 * math.sin(math.radians(polar))))
        for index in range(count):
            around = 2.0 * math.pi * (index + 0.5 * (round(polar) % 2)) / count
            s = math.sin(math.radians(polar))
            y = np.array([s * math.cos(around), -math.cos(math.radians(polar)), s * math.sin(around)])
            x = matrix_from_axis_roll(y, 0.0)[:, 0]
            length = 0.1 if polar < 15.0 else 0.15
            arrow(y * 1.01 - 0.5 * length * x, y * 1.01 + 0.5 * length * x, RED, 0.009)
    ball((0.0, -1.0, 0.0), 0.028, INK)
    arrow((0.0, -1.7, 0.0), (0.0, -1.05, 0.0), INK, 0.008)
    label("pole", -1.42 * sideways() + (0.0, 0.0, 0.02), 0.12)
    label("(0, −1, 0)", -1.42 * sideways() - (0.0, 0.0, 0.13), 0.1)
    corner = transform(np.eye(3), -1.3 * sideways() - (0.0, 0.0, 1.05))
    axes(corner, 0.3, width=0.011)
    for index, name in enumerate("xyz"):
        label(name, corner[:3, 3] + 0.37 * np.eye(3)[index], 0.09, AXES[index])
    return on_paper((render(), 1.0))


def _sphere(radius: float) -> None:
    """Add the sphere, cut where the sign of a bone is turned."""
    cut = math.acos(0.05)  # from the pole
    for start, end, color in ((0.0, cut, _UNSAFE), (cut, math.pi, _SAFE)):
        polar, around = np.linspace(start, end, 33), np.linspace(0.0, 2.0 * np.pi, 97)[:-1]
        p, a = np.meshgrid(polar, around, indexing="ij")
        points = radius * np.stack([np.sin(p) * np.cos(a), -np.cos(p), np.sin(p) * np.sin(a)], axis=-1)
        faces = [
            (row * 96 + i, row * 96 + (i + 1) % 96, (row + 1) * 96 + (i + 1) % 96, (row + 1) * 96 + i)
            for row in range(32)
            for i in range(96)
        ]
        add(points.reshape(-1, 3), faces, color, smooth=True)
