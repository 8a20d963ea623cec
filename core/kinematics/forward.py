# SPDX-License-Identifier: GPL-3.0-or-later
"""Forward kinematics of every link from any base link, for many configurations at once.

``B_H_L`` is the product of the joint transforms along the path from B to L; a joint met against its URDF direction
contributes the inverse. Every scalar joint's transform is one formula, ``C0 + C1 sin q + C2 cos q + C3 q``, with
constant (3, 4) matrices, so that all links of one tree depth are computed in one vectorised step. Arrays carry the
configurations last: numpy's inner loops then run over them.

Source: formalism, sections 1 and 2 (wiki.ros.org/urdf/XML/joint; Traversaro and Saccon).
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..model import Joint, JointType, Robot
from ..spatial import Array, inverse, skew
from ..tree import steps_from
from .configuration import Configuration, JointValue, coupling, resolve_configuration
from .joints import joint_motion

_CHUNK = 512


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """The links of one tree depth, as rows ``start:stop`` of the compiled tree."""

    start: int
    stop: int
    parents: NDArray[np.intp]
    values: NDArray[np.intp]
    constant: Array
    sine: Array
    cosine: Array
    linear: Array
    spatial: tuple[tuple[int, Joint, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class CompiledTree:
    """A robot hung from one base, as arrays. Row 0 is the base; ``links`` names the rows."""

    links: tuple[str, ...]
    row: dict[str, int]
    levels: tuple[_Level, ...]


_TREES: WeakKeyDictionary[Robot, dict[str, CompiledTree]] = WeakKeyDictionary()


def compiled_tree(robot: Robot, base: str | None = None) -> CompiledTree:
    """Return the robot's arrays for one base; computed once for each.

    Raises:
        UnknownNameError: If ``base`` is not a link.
    """
    start = robot.root if base is None else robot.link(base).name
    trees = _TREES.setdefault(robot, {})
    if start not in trees:
        trees[start] = _compile(robot, start)
    return trees[start]


def _compile(robot: Robot, base: str) -> CompiledTree:
    steps = steps_from(robot, base)
    links = (base, *(step.link for step in steps))
    row = {link: index for index, link in enumerate(links)}
    value_row = coupling(robot).row
    levels = []
    first = 0
    while first < len(steps):
        last = first
        while last < len(steps) and steps[last].depth == steps[first].depth:
            last += 1
        level = steps[first:last]
        terms = np.array([_terms(step.joint, step.direction) for step in level])
        spatial = tuple(
            (index, step.joint, step.direction)
            for index, step in enumerate(level)
            if step.joint.type in (JointType.PLANAR, JointType.FLOATING)
        )
        parents = np.array([row[step.parent] for step in level], dtype=np.intp)
        values = np.array([value_row.get(step.joint.name, -1) for step in level], dtype=np.intp)
        levels.append(_Level(first + 1, last + 1, parents, values, *np.moveaxis(terms, 1, 0), spatial))
        first = last
    return CompiledTree(links, row, tuple(levels))


def _terms(joint: Joint, direction: int) -> Array:
    """Return the constant, sine, cosine and linear matrices (4, 3, 4) of one joint's transform."""
    before, after = (joint.origin.matrix, np.eye(4)) if direction > 0 else (np.eye(4), inverse(joint.origin.matrix))
    terms = np.zeros((4, 4, 4))
    terms[0] = np.eye(4)
    if joint.type.turns:
        a = skew(np.asarray(joint.axis))
        terms[0, :3, :3] += a @ a
        terms[1, :3, :3] = direction * a
        terms[2, :3, :3] = -a @ a
    elif joint.type.is_scalar:
        terms[3, :3, 3] = direction * np.asarray(joint.axis)
    return np.asarray((before @ terms @ after)[:, :3])


def link_poses(tree: CompiledTree, configuration: Configuration) -> Array:
    """Return ``B_H_L`` without its last row for every row of the tree, shape (L, 3, 4, T)."""
    scalars = configuration.scalars
    count = scalars.shape[1]
    out = np.empty((len(tree.links), 3, 4, count))
    for start in range(0, count, _CHUNK):
        part = slice(start, min(start + _CHUNK, count))
        _poses_into(out[..., part], tree, scalars[:, part], {k: v[part] for k, v in configuration.spatial.items()})
    return out


def _poses_into(out: Array, tree: CompiledTree, scalars: Array, spatial: dict[str, Array]) -> None:
    out[0] = np.eye(4)[:3, :, None]
    # the extra zero row serves joints without a scalar value, whose index is -1
    q = np.concatenate([scalars, np.zeros((1, out.shape[-1]))])
    sine, cosine = np.sin(q), np.cos(q)
    for level in tree.levels:
        v = level.values
        motion = (
            level.constant[..., None]
            + level.sine[..., None] * sine[v][:, None, None]
            + level.cosine[..., None] * cosine[v][:, None, None]
            + level.linear[..., None] * q[v][:, None, None]
        )
        for index, joint, direction in level.spatial:
            if joint.name in spatial:
                motion[index] = _spatial_transform(joint, direction, spatial[joint.name])
        parent = out[level.parents]
        here = out[level.start : level.stop]
        np.multiply(parent[:, :, 0, None], motion[:, None, 0], out=here)
        here += parent[:, :, 1, None] * motion[:, None, 1]
        here += parent[:, :, 2, None] * motion[:, None, 2]
        here[:, :, 3] += parent[:, :, 3]


def _spatial_transform(joint: Joint, direction: int, value: Array) -> Array:
    """Return the transform of a planar or floating joint, shape (3, 4, T)."""
    p_h_c = joint.origin.matrix @ joint_motion(joint, value)
    return np.moveaxis(p_h_c if direction > 0 else inverse(p_h_c), 0, -1)[:3]


def forward_kinematics(robot: Robot, q: JointValue | None = None, base: str | None = None) -> dict[str, Array]:
    """Return ``B_H_L`` of every link, (4, 4), or (T, 4, 4) for T configurations.

    Args:
        robot: Any robot.
        q: As ``resolve_configuration`` takes it: a mapping from joint name to value, or an array in the order of
            ``robot.dofs``; None is all zeros.
        base: The link B in whose frame poses are given; the root where None.

    Raises:
        UnknownNameError: If the base or a joint does not exist.
        JointValueError: If a value has the wrong shape, is not finite, or belongs to no free joint.
    """
    return _by_link(robot, compiled_tree(robot, base), resolve_configuration(robot, q))


def rest_poses(robot: Robot, base: str | None = None) -> dict[str, Array]:
    """Return ``B_H_L`` of every link, (4, 4), with every joint at 0, mimic joints too, whatever their offsets.

    Raises:
        UnknownNameError: If the base does not exist.
    """
    zero = Configuration(np.zeros((len(coupling(robot).names), 1)), {}, batched=False)
    return _by_link(robot, compiled_tree(robot, base), zero)


def _by_link(robot: Robot, tree: CompiledTree, configuration: Configuration) -> dict[str, Array]:
    poses = link_poses(tree, configuration)
    full = np.empty((len(tree.links), poses.shape[-1], 4, 4))
    full[..., :3, :] = np.moveaxis(poses, -1, 1)
    full[..., 3, :] = (0.0, 0.0, 0.0, 1.0)
    chosen = full if configuration.batched else full[:, 0]
    return {link.name: chosen[tree.row[link.name]] for link in robot.links}
