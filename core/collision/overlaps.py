# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the proxies of links overlap in many configurations."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError
from ..kinematics.forward import chunks, forward_kinematics
from ..model import Robot
from ..spatial import inverse
from ..stepwise import finished
from .distance import hull_distances
from .proxies import Proxy, directions

Array = NDArray[np.float64]
Pair = tuple[str, str]

MAX_WORK = 100_000_000
"""Pairs of proxies times configurations."""
_DEPTH_WAYS = 128
_CONTACT = 1e-6  # metres; faces that lie on each other do not overlap


def overlap_depths(
    robot: Robot, proxies: Mapping[str, tuple[Proxy, ...]], pairs: Iterable[Pair], q: Array
) -> dict[Pair, Array]:
    """Return how deep the links of each pair overlap [m], shape (T,), 0 where they are apart; only pairs that ever do.

    Whether they overlap is exact for the proxies. The depth is the shortest way to part them in 128 directions and the
    one between their centres, so it may be a little too large.

    Args:
        robot: The robot.
        proxies: By link.
        pairs: Pairs of links.
        q: Values of ``robot.dofs``, shape (T, n).

    Raises:
        ModelError: If that is too much work.
    """
    return finished(overlap_depths_stepwise(robot, proxies, pairs, q))


def overlap_depths_stepwise(
    robot: Robot, proxies: Mapping[str, tuple[Proxy, ...]], pairs: Iterable[Pair], q: Array
) -> Generator[tuple[float], None, dict[Pair, Array]]:
    """Do the work of ``overlap_depths``, yielding the share done, 0 to 1, before each step; return its result."""
    combined = [(pair, a, b) for pair in pairs for a in proxies[pair[0]] for b in proxies[pair[1]]]
    if len(combined) * len(q) > MAX_WORK:
        raise ModelError(
            f"{len(combined)} pairs of collision shapes in {len(q)} samples are too many: take a part of the motion, "
            "or a description with simpler collision shapes"
        )
    balls = {id(proxy): proxy.ball for group in proxies.values() for proxy in group}
    found: dict[Pair, Array] = {}
    parts = list(chunks(len(q)))
    for number, part in enumerate(parts):
        poses = forward_kinematics(robot, q[part])
        for place, (pair, a, b) in enumerate(combined):
            yield ((number + place / len(combined)) / len(parts),)
            near = _near(balls[id(a)], balls[id(b)], poses[pair[0]], poses[pair[1]])
            depth = _depths(a, b, poses[pair[0]], poses[pair[1]], near) if len(near) else None
            if depth is not None:
                whole = found.setdefault(pair, np.zeros(len(q)))
                whole[part] = np.maximum(whole[part], depth)
    return found


def _near(a: tuple[Array, float], b: tuple[Array, float], w_h_a: Array, w_h_b: Array) -> NDArray[np.intp]:
    """Return the configurations in which the balls around two proxies overlap."""
    apart = (w_h_a[:, :3, :3] @ a[0] + w_h_a[:, :3, 3]) - (w_h_b[:, :3, :3] @ b[0] + w_h_b[:, :3, 3])
    return np.flatnonzero(np.einsum("ti,ti->t", apart, apart) < (a[1] + b[1]) ** 2)


def _depths(a: Proxy, b: Proxy, w_h_a: Array, w_h_b: Array, near: NDArray[np.intp]) -> Array | None:
    """Return the depths of one pair of proxies, of which some configurations are near; None where it is apart."""
    a_h_b = inverse(w_h_a[near]) @ w_h_b[near]
    radius = a.radius + b.radius
    distance = hull_distances(a.points, b.points, a_h_b, enough=radius)
    touching = distance <= radius
    if not touching.any():
        return None
    shallow = np.where(distance > 0.0, radius - distance, np.inf)[touching]
    depth = np.minimum(shallow, _parting(a, b, a_h_b[touching]))
    result = np.zeros(len(w_h_a))
    result[near[touching]] = np.where(depth > _CONTACT, depth, 0.0)
    return result if result.any() else None


def _parting(a: Proxy, b: Proxy, a_h_b: Array) -> Array:
    """Return the length by which each pose's proxies must be moved apart, along the best of a few directions."""
    ways = directions(_DEPTH_WAYS)
    rotation, centre = a_h_b[:, :3, :3], a_h_b[:, :3, 3]
    line = rotation @ b.ball[0] + centre - a.ball[0]
    line /= np.maximum(np.linalg.norm(line, axis=1, keepdims=True), 1e-12)
    turned = np.einsum("tji,kj->tki", rotation, ways)
    depth = (ways @ a.points.T).max(axis=1) - (turned @ b.points.T).min(axis=2) - centre @ ways.T
    own = (line @ a.points.T).max(axis=1)
    other = (np.einsum("tji,tj->ti", rotation, line) @ b.points.T).min(axis=1) + np.einsum("ti,ti->t", centre, line)
    shortest = np.minimum(depth.min(axis=1), own - other)
    return np.asarray(np.maximum(shortest + a.radius + b.radius, 0.0))
