# SPDX-License-Identifier: GPL-3.0-or-later
"""The vertices of a skinned mesh against forward kinematics, a configuration at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .kinematics import forward_kinematics
from .model import Robot
from .spatial import change_of_frame

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """The vertices of a mesh that are fixed to one link.

    Attributes:
        link: The link.
        vertices: Which vertices of the mesh they are, shape (n,).
        link_points: Where they should sit in the link's frame [m], shape (n, 3).
    """

    link: str
    vertices: NDArray[np.intp]
    link_points: Array

    @property
    def radius(self) -> float:
        """Largest distance [m] of one of them from the link's origin."""
        return float(np.linalg.norm(self.link_points, axis=1).max())


def bodies_of(parts: Sequence[str], part_of_vertex: NDArray[np.int32], link_points: Array) -> tuple[Body, ...]:
    """Return the vertices of each link.

    Args:
        parts: The links of the mesh's parts.
        part_of_vertex: For each vertex the number of its part, from 1 on, shape (V,); 0 for those of no link.
        link_points: Where they should sit in their links' frames [m], shape (V, 3).

    Links that have no vertex any more are left out, and so are numbers that stand for no part.
    """
    links = list(dict.fromkeys(parts))
    numbers = np.array([-1, *(links.index(link) for link in parts)])
    known = (part_of_vertex > 0) & (part_of_vertex <= len(parts))
    link_of_vertex = numbers[np.where(known, part_of_vertex, 0)]
    order = np.argsort(link_of_vertex, kind="stable")
    edges = np.searchsorted(link_of_vertex[order], np.arange(len(links) + 1))
    return tuple(
        Body(link, order[start:stop], link_points[order[start:stop]])
        for link, start, stop in zip(links, edges[:-1], edges[1:], strict=True)
        if stop > start
    )


def stray_distances(
    robot: Robot, base: str, q: Mapping[str, Array], bodies: Sequence[Body], base_points: Array
) -> list[float]:
    """Return how far [m] each body's farthest vertex is from where forward kinematics puts it.

    Args:
        robot: The robot, from its description.
        base: The link in whose frame the points are given.
        q: One configuration, as ``forward_kinematics`` takes it.
        bodies: The bodies, all of links of the robot.
        base_points: Where the mesh's vertices are [m], shape (V, 3).
    """
    expected = forward_kinematics(robot, q, base)
    distances = []
    for body in bodies:
        gap = change_of_frame(expected[body.link], body.link_points) - base_points[body.vertices]
        distances.append(float(np.linalg.norm(gap, axis=1).max()))
    return distances
