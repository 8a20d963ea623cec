# SPDX-License-Identifier: GPL-3.0-or-later
"""A question about one frame made ready for computing: the frame, the values of the joints before it, and the base."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import JointValueError, ModelError
from ..model import Robot
from ..spatial import Array
from .compiled import CompiledTree, compiled_tree
from .configuration import Configuration, JointValue, Rates, resolve_configuration
from .forward import chunks, node_poses

Frame = str | tuple[str, ArrayLike]
"""A link by its name, or a frame F fixed to a link L: the link's name and ``L_H_F``, shape (4, 4)."""

_ROTATION_TOLERANCE = 1e-5
_LARGEST = 1e150


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some of a chain's configurations: which, and their values and ``W_H_B`` as columns, shape (4, 3, T)."""

    which: slice
    tree: CompiledTree
    configuration: Configuration
    start: Array

    def poses(self) -> Array:
        """Return ``W_H_n`` of all nodes as columns, shape (N, 4, 3, T)."""
        return node_poses(self.tree, self.tree.values(self.configuration.free), self.configuration.spatial, self.start)


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """The joints between the base and a frame, for T configurations.

    Attributes:
        tree: The nodes from the base to the frame's link.
        node: The link's node.
        offset: ``L_H_F``, shape (4, 4).
        configuration: The values of the joints, for T configurations.
        start: ``W_H_B`` as columns, shape (4, 3, T).
        leaders: The free joint, by its place in ``robot.dofs``, that moves each of ``tree.scalar``, shape (k,).
        multipliers: How many times faster each of ``tree.scalar`` moves than its leader, shape (k, 1).
        dofs: Number of free joints of the whole robot.
        batched: Whether the caller asked for many configurations.
    """

    tree: CompiledTree
    node: int
    offset: Array
    configuration: Configuration
    start: Array
    leaders: NDArray[np.intp]
    multipliers: Array
    dofs: int
    batched: bool

    @property
    def at_link(self) -> bool:
        """Whether the frame is its link's own."""
        return np.array_equal(self.offset, np.eye(4))

    @property
    def count(self) -> int:
        """Number of configurations."""
        return int(self.start.shape[-1])

    def parts(self) -> Iterator[Part]:
        """Yield the configurations in pieces that are short enough to be computed at once."""
        for which in chunks(self.count):
            yield Part(which, self.tree, self.configuration.part(which), self.start[..., which])

    def spread(self, rates: Rates) -> Array:
        """Return rates for all configurations, shape (n, T)."""
        return np.broadcast_to(rates.rows, (len(rates.rows), self.count))


def frame_parts(robot: Robot, frame: Frame) -> tuple[str, Array]:
    """Return a frame's link and ``L_H_F``, shape (4, 4).

    Raises:
        UnknownNameError: If there is no such link.
        ModelError: If the offset is no rigid transform.
    """
    if isinstance(frame, str):
        return robot.link(frame).name, np.eye(4)
    name, offset = frame
    return robot.link(name).name, _rigid(offset, "the frame's offset", (2,))


def _rigid(value: ArrayLike, what: str, dimensions: tuple[int, ...]) -> Array:
    """Return the value as rigid transforms (4, 4) or (T, 4, 4).

    Raises:
        ModelError: If it is something else.
    """
    try:
        h = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ModelError(f"{what} does not consist of numbers") from None
    if h.ndim not in dimensions or h.shape[-2:] != (4, 4):
        raise ModelError(f"{what} has shape {h.shape}; expected (4, 4)" + (" or (T, 4, 4)" if 3 in dimensions else ""))
    if not np.abs(h).max(initial=0.0) < _LARGEST:  # NaN too
        raise ModelError(f"{what} is not finite")
    rotation = h[..., :3, :3]
    gap = np.abs(rotation @ np.swapaxes(rotation, -1, -2) - np.eye(3)).max(initial=0.0)
    if gap > _ROTATION_TOLERANCE or (np.linalg.det(rotation) < 0.0).any() or (h[..., 3, :] != (0, 0, 0, 1)).any():
        raise ModelError(f"{what} is no rigid transform")
    return h


def chain_to(
    robot: Robot, frame: Frame, q: JointValue | None, base: str | None, W_H_B: ArrayLike | None, *rates: Rates
) -> Chain:
    """Return what is needed to compute anything about a frame.

    Args:
        robot: Any robot.
        frame: The frame F.
        q: Joint values, as ``resolve_configuration`` takes them.
        base: The base link B; the root where None.
        W_H_B: Pose of the base in the world, shape (4, 4) or (T, 4, 4); the world is the base where None.
        *rates: Velocities and accelerations, of which only the number of configurations matters here.

    Raises:
        UnknownNameError: If a link or joint does not exist.
        JointValueError: If a value has the wrong shape or is not finite, or the numbers of configurations differ.
        ModelError: If a pose is no rigid transform.
    """
    link, offset = frame_parts(robot, frame)
    tree = compiled_tree(robot, base, (link,))
    return prepared(robot, tree, (tree.node_of[link], offset), q, W_H_B, *rates)


def prepared(
    robot: Robot,
    tree: CompiledTree,
    place: tuple[int, Array],
    q: JointValue | None,
    W_H_B: ArrayLike | None,
    *rates: Rates,
) -> Chain:
    """Return the chain of a compiled tree to a node and an offset; the rest is as for ``chain_to``."""
    configuration = resolve_configuration(robot, q)
    world = np.eye(4) if W_H_B is None else _rigid(W_H_B, "W_H_B", (2, 3))
    sizes = {rate.rows.shape[1] for rate in rates if rate.batched}
    sizes |= {configuration.free.shape[1]} if configuration.batched else set()
    sizes |= {len(world)} if world.ndim == 3 else set()
    if len(sizes) > 1:
        raise JointValueError(f"values are given for different numbers of configurations: {sorted(sizes)}")
    count = max(sizes, default=1)
    node, offset = place
    return Chain(
        tree=tree,
        node=node,
        offset=offset,
        configuration=configuration.repeated(count),
        start=np.broadcast_to(world.T[:, :3].reshape(4, 3, -1), (4, 3, count)),
        leaders=tree.leaders[tree.rows],
        multipliers=tree.multipliers[tree.rows],
        dofs=len(configuration.free),
        batched=bool(sizes),
    )
