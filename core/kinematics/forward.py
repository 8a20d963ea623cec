# SPDX-License-Identifier: GPL-3.0-or-later
"""Forward kinematics of every link from any base link, for many configurations at once.

Inside, the configurations stand last and a pose is four *columns*, ``poses[node, column, row, configuration]``: the
axes x, y, z and the origin. A product with a constant transform is then one multiplication of a (4, 4) by a (4, T)
matrix for each row, and a turn about one of the frame's own axes mixes two columns, in steps that are long and
contiguous. One configuration alone takes another way, as there the number of calls is what counts.

Source: formalism, sections 1 and 2 (wiki.ros.org/urdf/XML/joint; Traversaro and Saccon).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ..model import Joint, Robot
from ..spatial import Array, inverse
from .compiled import CompiledTree, Node, compiled_tree
from .configuration import Configuration, JointValue, resolve_configuration
from .joints import joint_motion

# configurations computed at a time: enough for the calls not to count, few enough for the processor's cache
_CHUNK = 1024


def chunks(count: int, size: int = _CHUNK) -> Iterator[slice]:
    """Yield slices that cover ``count`` configurations, each short enough to be computed at once."""
    for start in range(0, count, size):
        yield slice(start, min(start + size, count))


def node_poses(
    tree: CompiledTree,
    values: Array,
    spatial: Mapping[str, Array],
    start: Array | None = None,
    out: Array | None = None,
) -> Array:
    """Return ``W_H_n`` of all nodes as columns, without the last row: shape (N, 4, 3, T).

    Args:
        tree: The tree; its base is B.
        values: ``tree.values`` of few configurations (``chunks``), shape (d, T). Complex ones give complex poses, for
            differentiation by a complex step.
        spatial: Values of planar (T, 3) and floating (T, 7) joints, those at zero left out.
        start: ``W_H_B`` as columns, shape (4, 3, T) or (4, 3, 1); W is B where None.
        out: Where to write the result.
    """
    if out is None:
        out = np.empty((len(tree.nodes), 4, 3, values.shape[1]), dtype=values.dtype)
    out[0] = np.eye(4)[:, :3, None] if start is None else start
    motions = {}
    for index in tree.spatial:
        node = tree.nodes[index]
        if node.joint is not None and node.joint.name in spatial:
            motions[index] = _spatial_motion(node, node.joint, spatial[node.joint.name])
    compute = _single if values.shape[1] == 1 else _many
    compute(out, tree, values, motions)
    return out


def _many(out: Array, tree: CompiledTree, values: Array, motions: dict[int, Array]) -> None:
    sines, cosines = _sines_and_cosines(values)
    spare_x, spare_y = np.empty((2, 3, values.shape[1]), dtype=values.dtype)
    columns = [tuple(pose) for pose in out]
    rows = out.transpose(0, 2, 1, 3)
    for index in tree.walk:
        node, pose, before = tree.nodes[index], columns[index], columns[tree.nodes[index].parent]
        # columns of a product are the columns before times a column of the constant, a row at a time
        if tree.upright[index]:
            np.matmul(node.constant.T[3:], rows[node.parent], out=rows[index, :, 3:])
        else:
            np.matmul(node.constant.T, rows[node.parent], out=rows[index])
            before = pose
        if node.turns:
            # a turn the other way is the same with the two axes exchanged
            x, y = (node.axis + node.sign) % 3, (node.axis - node.sign) % 3
            _turn(before[x], before[y], pose[x], pose[y], sines[node.row], cosines[node.row], spare_x, spare_y)
            if before is not pose:
                pose[node.axis][:] = before[node.axis]
        elif before is not pose:
            out[index, :3] = out[node.parent, :3]
        if node.slides:
            np.multiply(pose[node.axis], node.sign * values[node.row], out=spare_x)
            np.add(pose[3], spare_x, out=pose[3])
        elif index in motions:
            out[index] = _compose(out[index], motions[index])


def _sines_and_cosines(values: Array) -> tuple[list[Array], list[Array]]:
    """Return sine and cosine of each row, shape (T,), three times below each other, (3, T), as columns are.

    Both come from the tangent of the half angle, which is good to the last digits and takes one call of the three.
    """
    tangent = np.tan(0.5 * values)
    share = 2.0 / (1.0 + tangent * tangent)
    both = np.empty((2, len(values), 3, values.shape[1]), dtype=values.dtype)
    both[0] = (tangent * share)[:, None]
    both[1] = (share - 1.0)[:, None]
    return list(both[0]), list(both[1])


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


def _spatial_motion(node: Node, joint: Joint, value: Array) -> Array:
    """Return the motion of a planar or floating joint's node as columns, shape (4, 3, T)."""
    motion = joint_motion(joint, value)
    return np.asarray((motion if node.sign > 0 else inverse(motion))[:, :3].transpose(2, 1, 0))


def _compose(a_h_b: Array, b_h_c: Array) -> Array:
    """Return ``A_H_C``; all as columns, shape (4, 3, T)."""
    out = a_h_b[0] * b_h_c[:, 0, None] + a_h_b[1] * b_h_c[:, 1, None] + a_h_b[2] * b_h_c[:, 2, None]
    out[3] += a_h_b[3]
    return np.asarray(out)


def link_poses(tree: CompiledTree, configuration: Configuration) -> Array:
    """Return ``B_H_n`` of all nodes as columns, shape (N, 4, 4, T)."""
    free = configuration.free
    out = np.empty((len(tree.nodes), 4, 4, free.shape[1]), dtype=free.dtype)
    out[:, :3, 3] = 0.0
    out[:, 3, 3] = 1.0
    for part in chunks(free.shape[1]):
        piece = configuration.part(part)
        node_poses(tree, tree.values(piece.free), piece.spatial, out=out[:, :, :3, part])
    return out


def forward_kinematics(robot: Robot, q: JointValue | None = None, base: str | None = None) -> dict[str, Array]:
    """Return ``B_H_L`` of every link, (4, 4), or (T, 4, 4) for T configurations.

    The arrays for T configurations are views of one block in which the configurations come last.

    >>> from urdf_rig import core
    >>> robot = core.load("examples/arm6/arm6.urdf")
    >>> poses = core.forward_kinematics(robot, {"joint_2": 0.5}, base="tool0")
    >>> poses["tool0"].tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    True
    >>> core.forward_kinematics(robot, np.zeros((100, 6)))["tool0"].shape
    (100, 4, 4)

    Args:
        robot: Any robot.
        q: As ``resolve_configuration`` takes it: a mapping from joint name to value, or an array in the order of
            ``robot.dofs``; None is all zeros.
        base: The link B in whose frame poses are given; the root where None.

    Raises:
        UnknownNameError: If the base or a joint does not exist.
        JointValueError: If a value has the wrong shape, is not finite, or belongs to no free joint.
    """
    tree, configuration = compiled_tree(robot, base), resolve_configuration(robot, q)
    return _by_link(robot, tree, link_poses(tree, configuration), configuration.batched)


def rest_poses(robot: Robot, base: str | None = None) -> dict[str, Array]:
    """Return ``B_H_L`` of every link, (4, 4), with every joint at 0, mimic joints too, whatever their offsets.

    Raises:
        UnknownNameError: If the base does not exist.
    """
    tree = compiled_tree(robot, base)
    poses = np.zeros((len(tree.nodes), 4, 4, 1))
    poses[:, 3, 3] = 1.0
    node_poses(tree, np.zeros((len(tree.leaders), 1)), {}, out=poses[:, :, :3])
    return _by_link(robot, tree, poses, batched=False)


def _by_link(robot: Robot, tree: CompiledTree, poses: Array, batched: bool) -> dict[str, Array]:
    chosen = poses.transpose(0, 3, 2, 1) if batched else poses[..., 0].swapaxes(1, 2)
    return {link.name: chosen[tree.node_of[link.name]] for link in robot.links}
