# SPDX-License-Identifier: GPL-3.0-or-later
"""Bone shapes: small wire objects that say how a joint moves, shared by all rigs of a file."""

from __future__ import annotations

import math

import bpy

from ...core.plan import Channel
from ..properties import object_data

_Wire = tuple[list[tuple[float, float, float]], list[tuple[int, int]]]


def widget(channel: Channel) -> bpy.types.Object:
    """Return the shape for a channel, of radius 1 about the bone's head; made when first asked for.

    It is linked to no scene: pose bones keep it in the file, and it clutters no outliner.
    """
    for obj in bpy.data.objects:
        if obj.library is None and object_data(obj).widget == channel.value:
            return obj
    points, edges = _WIRES[channel]()
    mesh = bpy.data.meshes.new(f"URDF Rig {channel.value}")
    mesh.from_pydata(points, edges, [])
    obj = bpy.data.objects.new(mesh.name, mesh)
    object_data(obj).widget = channel.value
    return obj


def _path(points: list[tuple[float, float, float]], *, closed: bool = False) -> _Wire:
    edges = [(index, index + 1) for index in range(len(points) - 1)]
    return points, [*edges, (len(points) - 1, 0)] if closed else edges


def _joined(*wires: _Wire) -> _Wire:
    points: list[tuple[float, float, float]] = []
    edges: list[tuple[int, int]] = []
    for more, links in wires:
        edges += [(a + len(points), b + len(points)) for a, b in links]
        points += more
    return points, edges


def _ring(u: int, v: int, radius: float = 1.0, count: int = 32) -> _Wire:
    points = []
    for index in range(count):
        point = [0.0, 0.0, 0.0]
        point[u] = radius * math.cos(2 * math.pi * index / count)
        point[v] = radius * math.sin(2 * math.pi * index / count)
        points.append((point[0], point[1], point[2]))
    return _path(points, closed=True)


def _dial() -> _Wire:
    """A ring about the turning axis Y, with a hand along Z that shows the angle."""
    return _joined(_ring(0, 2), _path([(0.0, 0.0, 0.0), (0.0, 0.0, 1.0)]), _path([(0.0, -0.3, 0.0), (0.0, 0.3, 0.0)]))


def _arrow() -> _Wire:
    """A double arrow along the sliding axis Y."""
    heads = [_path([(0.15, end * 0.8, 0.0), (0.0, end, 0.0), (-0.15, end * 0.8, 0.0)]) for end in (-1.0, 1.0)] + [
        _path([(0.0, end * 0.8, 0.15), (0.0, end, 0.0), (0.0, end * 0.8, -0.15)]) for end in (-1.0, 1.0)
    ]
    return _joined(_path([(0.0, -1.0, 0.0), (0.0, 1.0, 0.0)]), *heads)


def _cross() -> _Wire:
    """Three short axes for a frame that does not move."""
    axes = [_path([(0.0, 0.0, 0.0), (0.5 * (k == 0), 0.5 * (k == 1), 0.5 * (k == 2))]) for k in range(3)]
    return _joined(*axes)


def _square() -> _Wire:
    """A square in the plane of motion, with its normal."""
    corners = [(1.0, 0.0, 1.0), (-1.0, 0.0, 1.0), (-1.0, 0.0, -1.0), (1.0, 0.0, -1.0)]
    return _joined(_path(corners, closed=True), _path([(0.0, 0.0, 0.0), (0.0, 0.5, 0.0)]))


def _ball() -> _Wire:
    return _joined(_ring(0, 1), _ring(1, 2), _ring(0, 2))


_WIRES = {
    Channel.NONE: _cross,
    Channel.ROTATION: _dial,
    Channel.LOCATION: _arrow,
    Channel.PLANAR: _square,
    Channel.FLOATING: _ball,
}
