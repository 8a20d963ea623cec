# SPDX-License-Identifier: GPL-3.0-or-later
"""The robot's tree as arrays: what is the same for all configurations, computed once.

The tree is made of *nodes*, frames that hang from each other by a constant transform and then a motion about or along
one of the node's own axes,

    B_H_n = B_H_p K_n M(q_n)

with p the node before n. A link is a node; where its joint turns about an axis that is none of x, y, z, or is met
against its URDF direction, there is a node for the motion before the link's own. Links behind fixed joints hang from
the last node that moves, so that the tree is no deeper than it must be.

Source: formalism, sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..model import Joint, JointType, Robot
from ..spatial import Array, inverse, skew, transform
from ..tree import Step, steps_from
from .configuration import Coupling, coupling
from .joints import planar_basis

_CACHED_TREES = 256


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One node: the node before it, ``K_n``, and its motion.

    Attributes:
        parent: The node before, -1 for the base.
        constant: ``K_n``, shape (4, 4).
        depth: Number of nodes before it.
        joint: The joint that moves it; None where nothing does.
        axis: Which of its own axes it turns about or slides along: 0, 1, 2.
        sign: +1 or -1: the way along that axis in which its value grows.
        row: Its value's row among the tree's distinct values, which differ by more than their sign; -1 where no scalar
            joint moves it.
        turns: Whether it turns about its axis.
        slides: Whether it slides along its axis.
    """

    parent: int
    constant: Array
    depth: int = 0
    joint: Joint | None = None
    axis: int = 2
    sign: int = 1
    row: int = -1
    turns: bool = False
    slides: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class CompiledTree:
    """A robot hung from one base link, or the part of it that some links need. Node 0 is the base.

    Attributes:
        node_of: The node of each link.
        nodes: All nodes, nearer ones first.
        walk: All nodes but the base, each branch to its end before the next.
        levels: The nodes of each depth but the first, as start and stop.
        parents: The node before each, shape (N,).
        upright: Whether the axes of ``K_n`` are those of the node before.
        scalar: The nodes that a scalar joint moves, shape (k,).
        rows: ``row`` of each of them, shape (k,).
        axes: ``axis`` of each of them, shape (k,).
        signs: ``sign`` of each of them, shape (k, 1, 1).
        slides: Which of them slide, shape (k,).
        leaders: The free joint, by its place in ``robot.dofs``, behind each of the distinct values, shape (d,).
        multipliers: Distinct value = multiplier times the leader's plus offset, shape (d, 1).
        offsets: Shape (d, 1).
        spatial: The nodes that a planar or floating joint moves.
        terms: ``K_n M(q) = terms[0] + terms[1] sin q + terms[2] cos q + terms[3] q``, shape (4, N, 4, 4).
    """

    node_of: dict[str, int]
    nodes: tuple[Node, ...]
    walk: tuple[int, ...]
    levels: tuple[tuple[int, int], ...]
    parents: NDArray[np.intp]
    upright: tuple[bool, ...]
    scalar: NDArray[np.intp]
    rows: NDArray[np.intp]
    axes: NDArray[np.intp]
    signs: Array
    slides: NDArray[np.bool_]
    leaders: NDArray[np.intp]
    multipliers: Array
    offsets: Array
    spatial: tuple[int, ...]
    terms: Array

    def values(self, free: Array) -> Array:
        """Return the distinct values (d, T) from those of the free joints (n, T)."""
        values = free[self.leaders]
        values *= self.multipliers
        values += self.offsets
        return values


_TREES: WeakKeyDictionary[Robot, dict[tuple[str, ...], CompiledTree]] = WeakKeyDictionary()


def compiled_tree(robot: Robot, base: str | None = None, links: Sequence[str] | None = None) -> CompiledTree:
    """Return the robot's arrays for one base, computed once for each.

    Args:
        robot: Any robot.
        base: The link to hang the tree from; the root where None.
        links: Only these links and what they hang from; all where None.

    Raises:
        UnknownNameError: If there is no such link.
    """
    start = robot.root if base is None else robot.link(base).name
    key = (start,) if links is None else (start, *(robot.link(name).name for name in links))
    trees = _TREES.setdefault(robot, {})
    if key not in trees:
        if len(trees) >= _CACHED_TREES:
            trees.clear()
        trees[key] = _compile(robot, start, None if links is None else set(links))
    return trees[key]


def _compile(robot: Robot, base: str, wanted: set[str] | None) -> CompiledTree:
    nodes = [Node(-1, np.eye(4))]
    node_of = {base: 0}
    hung = {base: (0, np.eye(4))}
    for step in _needed(steps_from(robot, base), wanted):
        at, offset = hung[step.parent]
        if step.joint.type is JointType.FIXED:
            ahead = step.joint.origin.matrix if step.direction > 0 else inverse(step.joint.origin.matrix)
            hung[step.link] = at, offset @ ahead
        else:
            node, after = _moving(step, at, offset, nodes[at].depth + 1)
            hung[step.link] = len(nodes), after
            nodes.append(node)
        if wanted is None or step.link in wanted:
            node_of[step.link] = _node_of_link(nodes, *hung[step.link])
    order = sorted(range(len(nodes)), key=lambda index: nodes[index].depth)
    place = {old: new for new, old in enumerate(order)}
    ordered = [replace(nodes[old], parent=place.get(nodes[old].parent, -1)) for old in order]
    distinct, ordered = _distinct_values(ordered, coupling(robot))
    return _as_arrays(ordered, {link: place[old] for link, old in node_of.items()}, distinct)


def _needed(steps: tuple[Step, ...], wanted: set[str] | None) -> list[Step]:
    """Return the steps that lead to the wanted links, in the order from the base."""
    if wanted is None:
        return list(steps)
    reached, needed = set(wanted), []
    for step in reversed(steps):
        if step.link in reached:
            reached.add(step.parent)
            needed.append(step)
    return needed[::-1]


def _moving(step: Step, at: int, offset: Array, depth: int) -> tuple[Node, Array]:
    """Return the node that the step's joint moves, and the transform from it to the link reached."""
    joint, ahead = step.joint, step.direction > 0
    axis, sign, turned = 2, step.direction, np.eye(4)
    if joint.axis is not None and joint.type.is_scalar:
        axis = int(np.argmax(np.abs(joint.axis)))
        if np.count_nonzero(joint.axis) == 1:
            sign *= 1 if joint.axis[axis] > 0.0 else -1
        else:
            axis, turned = 2, transform(planar_basis(joint.axis), np.zeros(3))
    before = joint.origin.matrix @ turned if ahead else turned
    after = inverse(turned) if ahead else inverse(joint.origin.matrix @ turned)
    turns, slides = joint.type.turns, joint.type is JointType.PRISMATIC
    return Node(at, offset @ before, depth, joint, axis, sign, turns=turns, slides=slides), after


def _node_of_link(nodes: list[Node], at: int, offset: Array) -> int:
    """Return the node that is the link itself, made now if the last one that moves is not."""
    if np.array_equal(offset, np.eye(4)):
        return at
    nodes.append(Node(at, offset, nodes[at].depth + 1))
    return len(nodes) - 1


def _distinct_values(nodes: list[Node], rule: Coupling) -> tuple[list[tuple[int, float, float]], list[Node]]:
    """Return leader, multiplier and offset of each distinct value, and the nodes that know theirs."""
    known: dict[tuple[int, float, float], int] = {}
    numbered = []
    for node in nodes:
        if node.joint is not None and node.joint.type.is_scalar:
            row = rule.row[node.joint.name]
            leader, factor, shift = int(rule.leader[row]), float(rule.multiplier[row]), float(rule.offset[row])
            sign = node.sign
            if (leader, -factor, -shift) in known:
                factor, shift, sign = -factor, -shift, -sign
            node = replace(node, sign=sign, row=known.setdefault((leader, factor, shift), len(known)))
        numbered.append(node)
    return list(known), numbered


def _as_arrays(nodes: list[Node], node_of: dict[str, int], distinct: list[tuple[int, float, float]]) -> CompiledTree:
    scalar = [index for index, node in enumerate(nodes) if node.row >= 0]
    moved = [nodes[index] for index in scalar]
    depths = [node.depth for node in nodes]
    bounds = [depths.index(depth) for depth in range(1, depths[-1] + 1)] + [len(nodes)]
    return CompiledTree(
        node_of=node_of,
        nodes=tuple(nodes),
        walk=_walk(nodes),
        levels=tuple(pairwise(bounds)),
        parents=np.array([node.parent for node in nodes], dtype=np.intp),
        upright=tuple(bool(np.array_equal(node.constant[:3, :3], np.eye(3))) for node in nodes),
        scalar=np.array(scalar, dtype=np.intp),
        rows=np.array([node.row for node in moved], dtype=np.intp),
        axes=np.array([node.axis for node in moved], dtype=np.intp),
        signs=np.array([float(node.sign) for node in moved]).reshape(-1, 1, 1),
        slides=np.array([node.slides for node in moved], dtype=np.bool_),
        leaders=np.array([leader for leader, _, _ in distinct], dtype=np.intp),
        multipliers=np.array([factor for _, factor, _ in distinct]).reshape(-1, 1),
        offsets=np.array([shift for _, _, shift in distinct]).reshape(-1, 1),
        spatial=tuple(index for index, node in enumerate(nodes) if node.joint is not None and node.row < 0),
        terms=np.stack([_terms(node) for node in nodes], axis=1),
    )


def _walk(nodes: list[Node]) -> tuple[int, ...]:
    behind: list[list[int]] = [[] for _ in nodes]
    for index, node in enumerate(nodes[1:], 1):
        behind[node.parent].append(index)
    walk, waiting = [], [0]
    while waiting:
        walk.append(waiting.pop())
        waiting += behind[walk[-1]][::-1]
    return tuple(walk[1:])


def _terms(node: Node) -> Array:
    """Return the constant, sine, cosine and linear matrices (4, 4, 4) of one node's transform."""
    terms = np.zeros((4, 4, 4))
    terms[0] = np.eye(4)
    if node.turns:
        a = node.sign * skew(np.eye(3)[node.axis])
        terms[0, :3, :3] += a @ a
        terms[1, :3, :3] = a
        terms[2, :3, :3] = -a @ a
    elif node.slides:
        terms[3, node.axis, 3] = node.sign
    return np.asarray(node.constant @ terms)
