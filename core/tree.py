# SPDX-License-Identifier: GPL-3.0-or-later
"""The robot's tree hung from any of its links: order, parents, directions. Topology only, no geometry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .model import Joint, JointType, Robot


@dataclass(frozen=True, slots=True)
class Step:
    """How one link hangs from its neighbour towards the base.

    Attributes:
        link: The link reached.
        parent: The neighbour nearer to the base.
        joint: The joint between the two.
        direction: +1 where the joint is met from its URDF parent to its child, -1 where it is met backwards.
        depth: Number of joints between the base and the link.
    """

    link: str
    parent: str
    joint: Joint
    direction: int
    depth: int


def steps_from(robot: Robot, base: str | None = None) -> tuple[Step, ...]:
    """Return one step for every link but the base, nearer links first, equals in document order.

    Args:
        robot: Any robot.
        base: The link to hang the tree from; the root where None.

    Raises:
        UnknownNameError: If there is no such link.
    """
    start = robot.root if base is None else robot.link(base).name
    neighbours: dict[str, list[tuple[Joint, str, int]]] = {link.name: [] for link in robot.links}
    for joint in robot.joints:
        neighbours[joint.parent].append((joint, joint.child, 1))
        neighbours[joint.child].append((joint, joint.parent, -1))
    steps: list[Step] = []
    seen = {start}
    frontier = [start]
    depth = 0
    while frontier:
        depth += 1
        following: list[str] = []
        for near in frontier:
            for joint, far, direction in neighbours[near]:
                if far not in seen:
                    seen.add(far)
                    following.append(far)
                    steps.append(Step(far, near, joint, direction, depth))
        frontier = following
    return tuple(steps)


def path_to(robot: Robot, link: str, base: str | None = None) -> tuple[Step, ...]:
    """Return the steps from the base to ``link``, in that order; empty where they are the same.

    Raises:
        UnknownNameError: If there is no such link.
    """
    by_link = {step.link: step for step in steps_from(robot, base)}
    steps: list[Step] = []
    at = robot.link(link).name
    while at in by_link:
        steps.append(by_link[at])
        at = by_link[at].parent
    return tuple(reversed(steps))


def reach(robot: Robot, base: str | None = None) -> float:
    """Return how far [m] from the base any link's origin can get: the longest path, sliding joints at their far end.

    Raises:
        UnknownNameError: If there is no such link.
    """
    start = robot.root if base is None else base
    length = {start: 0.0}
    for step in steps_from(robot, base):
        stroke = max(map(abs, step.joint.range or (0.0,))) if step.joint.type is JointType.PRISMATIC else 0.0
        length[step.link] = length[step.parent] + float(np.linalg.norm(step.joint.origin.matrix[:3, 3])) + stroke
    return max(length.values())
