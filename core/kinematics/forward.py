# SPDX-License-Identifier: GPL-3.0-or-later
"""Forward kinematics of every link from any base link, for many configurations at once.

Inside, the configurations stand last and a pose is four *columns*, ``poses[node, column, row, configuration]``: the
axes x, y, z and the origin. A product with a constant transform is then one multiplication of a (4, 4) by a (4, T)
matrix for each row, and a turn about one of the frame's own axes mixes two columns, in steps that are long and
contiguous. One configuration alone takes another way, as there the number of calls is what counts.

Source: formalism, sections 1 and 2 (wiki.ros.org/urdf/XML/joint; Traversaro and Saccon).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..model import Robot
from ..spatial import Array, inverse
from .compiled import CompiledTree, Node, compiled_tree
from .configuration import Configuration, JointValue, coupling, resolve_configuration
from .joints import joint_motion

Columns = tuple[Array, ...]

# configurations computed at a time, so that what is worked on stays in the processor's cache
_CHUNK = 1024


def chunks(count: int) -> Iterator[slice]:
    """Yield slices that cover ``count`` configurations, each short enough to be computed at once."""
    for start in range(0, count, _CHUNK):
        yield slice(start, min(start + _CHUNK, count))


def node_poses(
    tree: CompiledTree, configuration: Configuration, start: Array | None = None, out: Array | None = None
) -> Array:
    """Return ``W_H_n`` of all nodes as columns, without the last row: shape (N, 4, 3, T).

    Args:
        tree: The tree; its base is B.
        configuration: The values, for few configurations (``chunks``). Complex ones give complex poses, for
            differentiation by a complex step.
        start: ``W_H_B`` as columns, shape (4, 3, T) or (4, 3, 1); W is B where None.
        out: Where to write the result.
    """
    values = configuration.scalars[tree.distinct]
    if out is None:
        out = np.empty((len(tree.nodes), 4, 3, values.shape[1]), dtype=values.dtype)
    out[0] = np.eye(4)[:, :3, None] if start is None else start
    motions = {
        index: _spatial_motion(tree.nodes[index], configuration)
        for index in tree.spatial
        if (joint := tree.nodes[index].joint) is not None and joint.name in configuration.spatial
    }
    compute = _single if values.shape[1] == 1 else _many
    compute(out, tree, values, motions)
    return out


def _many(out: Array, tree: CompiledTree, values: Array, motions: dict[int, Array]) -> None:
    sines, cosines = list(np.sin(values)), list(np.cos(values))
    spare_x, spare_y = np.empty((2, 3, values.shape[1]), dtype=values.dtype)
    columns = [tuple(pose) for pose in out]
    for index in tree.walk:
        node, shift, pose = tree.nodes[index], tree.shifts[index], columns[index]
        before = columns[node.parent]
        if shift is None:
            # a column of the product is the parent's columns times a column of the constant
            np.matmul(node.constant.T, out[node.parent].transpose(1, 0, 2), out=out[index].transpose(1, 0, 2))
            before = pose
        else:
            _shift(before, shift, pose[3], spare_x)
        if node.turns:
            # a turn the other way is the same with the two axes exchanged
            x, y = (node.axis + node.sign) % 3, (node.axis - node.sign) % 3
            _turn(before[x], before[y], pose[x], pose[y], sines[node.row], cosines[node.row], spare_x, spare_y)
            if shift is not None:
                pose[node.axis][:] = before[node.axis]
        elif shift is not None:
            out[index, :3] = out[node.parent, :3]
        if node.slides:
            np.multiply(pose[node.axis], node.sign * values[node.row], out=spare_x)
            np.add(pose[3], spare_x, out=pose[3])
        elif index in motions:
            out[index] = _compose(out[index], motions[index])


def _shift(before: Columns, shift: tuple[tuple[int, float], ...], origin: Array, spare: Array) -> None:
    """Put ``origin``, shape (3, T), to the given coordinates in the frame ``before``."""
    start = before[3]
    for axis, distance in shift:
        np.multiply(before[axis], distance, out=spare)
        np.add(start, spare, out=origin)
        start = origin
    if not shift:
        origin[:] = start


def _turn(
    x: Array, y: Array, new_x: Array, new_y: Array, sine: Array, cosine: Array, spare_x: Array, spare_y: Array
) -> None:
    """Turn the axes x and y, shape (3, T), about the third; the new ones may be the same arrays."""
    np.multiply(y, sine, out=spare_x)
    np.multiply(x, sine, out=spare_y)
    np.multiply(x, cosine, out=new_x)
    np.add(new_x, spare_x, out=new_x)
    np.multiply(y, cosine, out=new_y)
    np.subtract(new_y, spare_y, out=new_y)


def _single(out: Array, tree: CompiledTree, values: Array, motions: dict[int, Array]) -> None:
    q = np.zeros((len(tree.nodes), 1, 1), dtype=values.dtype)
    q[tree.scalar, 0] = values[tree.rows]
    constant, sine, cosine, linear = tree.terms
    step = constant + sine * np.sin(q) + cosine * np.cos(q) + linear * q
    for index, motion in motions.items():
        step[index, :3] = _compose(step[index, :3].T[..., None], motion)[..., 0].T
    poses = out[..., 0].transpose(0, 2, 1)
    for start, stop in tree.levels:
        poses[start:stop] = poses[tree.parents[start:stop]] @ step[start:stop]


def _spatial_motion(node: Node, configuration: Configuration) -> Array:
    """Return the motion of a planar or floating joint's node as columns, shape (4, 3, T)."""
    assert node.joint is not None
    motion = joint_motion(node.joint, configuration.spatial[node.joint.name])
    return np.asarray((motion if node.sign > 0 else inverse(motion))[:, :3].transpose(2, 1, 0))


def _compose(a_h_b: Array, b_h_c: Array) -> Array:
    """Return ``A_H_C``; all as columns, shape (4, 3, T)."""
    out = a_h_b[0] * b_h_c[:, 0, None] + a_h_b[1] * b_h_c[:, 1, None] + a_h_b[2] * b_h_c[:, 2, None]
    out[3] += a_h_b[3]
    return np.asarray(out)


def link_poses(tree: CompiledTree, configuration: Configuration) -> Array:
    """Return ``B_H_n`` of all nodes as columns, shape (N, 4, 4, T)."""
    scalars = configuration.scalars
    out = np.empty((len(tree.nodes), 4, 4, scalars.shape[1]), dtype=scalars.dtype)
    out[:, :3, 3] = 0.0
    out[:, 3, 3] = 1.0
    for part in chunks(scalars.shape[1]):
        node_poses(tree, configuration.part(part), out=out[:, :, :3, part])
    return out


def forward_kinematics(robot: Robot, q: JointValue | None = None, base: str | None = None) -> dict[str, Array]:
    """Return ``B_H_L`` of every link, (4, 4), or (T, 4, 4) for T configurations.

    The arrays for T configurations are views of one block in which the configurations come last.

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
    chosen = poses.transpose(0, 3, 2, 1) if configuration.batched else poses[..., 0].swapaxes(1, 2)
    return {link.name: chosen[tree.node_of[link.name]] for link in robot.links}
