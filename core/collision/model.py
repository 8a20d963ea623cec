# SPDX-License-Identifier: GPL-3.0-or-later
"""Which links can touch each other at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..diagnostics import Diagnostic, Level
from ..kinematics.configuration import coupling
from ..model import Joint, JointType, Robot
from ..urdf.remarks import listed
from .overlaps import overlap_depths
from .proxies import Proxy

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class CollisionModel:
    """The proxies of a robot's links and the pairs of links to look at.

    Attributes:
        robot: The robot.
        proxies: By link.
        pairs: Links that are looked at.
        always: Pairs left out since they overlap in the pose with every joint as near to 0 as its range allows.
        diagnostics: Remarks.
    """

    robot: Robot
    proxies: Mapping[str, tuple[Proxy, ...]]
    pairs: tuple[Pair, ...]
    always: tuple[Pair, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def collision_model(robot: Robot, proxies: Iterable[Proxy], disabled: Iterable[Pair] = ()) -> CollisionModel:
    """Return which pairs to look at.

    Left out are links that cannot move against each other, neighbours (a link, and the nearest one before it in the
    tree that has a proxy), disabled pairs, pairs with a planar or floating joint between them, whose values a joint
    motion does not hold, and pairs that overlap from the start.

    Args:
        robot: The robot.
        proxies: Of its links.
        disabled: Pairs of links that an SRDF file disables, in either order.
    """
    by_link: dict[str, tuple[Proxy, ...]] = {}
    for proxy in proxies:
        by_link[proxy.link] = (*by_link.get(proxy.link, ()), proxy)
    source = str(robot.source or "")
    remarks = []
    bare = [link.name for link in robot.links if link.visuals and link.name not in by_link]
    if bare:
        text = f"no collision shape is known of {listed(bare, 8)}: not looked at"
        remarks.append(Diagnostic(Level.WARNING if not by_link else Level.INFO, text, source))
    parents = {joint.child: joint for joint in robot.joints}
    skipped = {frozenset(pair) for pair in disabled} | set(_neighbours(by_link, parents))
    body = {name: _foot(name, parents, {JointType.FIXED}) for name in by_link}
    scalar = {kind for kind in JointType if kind.is_scalar or kind is JointType.FIXED}
    island = {name: _foot(name, parents, scalar) for name in by_link}
    named = [link.name for link in robot.links if link.name in by_link]
    pairs = tuple(
        (one, two)
        for one, two in combinations(named, 2)
        if body[one] != body[two] and island[one] == island[two] and frozenset((one, two)) not in skipped
    )
    if len(set(island.values())) > 1:
        text = "links with a planar or floating joint between them are not looked at against each other"
        remarks.append(Diagnostic(Level.INFO, text, source))
    always = tuple(overlap_depths(robot, by_link, pairs, start_values(robot)[None]))
    if always:
        shown = listed([f"{one} – {two}" for one, two in always], 8)
        text = f"{shown}: always overlapping, as their proxies do in the rest pose; not looked at"
        remarks.append(Diagnostic(Level.INFO, text, source))
    kept = tuple(pair for pair in pairs if pair not in always)
    return CollisionModel(robot, by_link, kept, always, tuple(remarks))


def _neighbours(by_link: Mapping[str, object], parents: Mapping[str, Joint]) -> Iterable[frozenset[str]]:
    for name in by_link:
        joint = parents.get(name)
        while joint is not None and joint.parent not in by_link:
            joint = parents.get(joint.parent)
        if joint is not None:
            yield frozenset((name, joint.parent))


def _foot(name: str, parents: Mapping[str, Joint], kinds: set[JointType]) -> str:
    """Return the last link that is reached from a link towards the root over joints of some kinds."""
    while name in parents and parents[name].type in kinds:
        name = parents[name].parent
    return name


def start_values(robot: Robot) -> NDArray[np.float64]:
    """Return the free joints' allowed values nearest to 0, shape (n,)."""
    values = []
    for name in coupling(robot).dofs:
        lower, upper = robot.joint(name).range or (0.0, 0.0)
        values.append(min(max(0.0, lower), upper) if lower <= upper else 0.0)
    return np.array(values)
