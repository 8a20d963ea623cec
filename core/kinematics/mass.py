# SPDX-License-Identifier: GPL-3.0-or-later
"""Total mass, centre of mass, and the centre's Jacobian. Links without ``<inertial>`` weigh nothing.

Source: wiki.ros.org/urdf/XML/link; the columns are those of formalism section 7, weighed by what each joint carries.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import ModelError
from ..model import Robot
from ..spatial import Array
from .chain import Chain, prepared
from .compiled import CompiledTree, compiled_tree
from .configuration import JointValue
from .representations import Representation
from .screws import Form, cross, write_base_screws


def total_mass(robot: Robot) -> float:
    """Return the sum of the links' masses [kg]."""
    return float(sum(link.inertial.mass for link in robot.links if link.inertial is not None))


def center_of_mass(
    robot: Robot, q: JointValue | None = None, base: str | None = None, W_H_B: ArrayLike | None = None
) -> Array:
    """Return the centre of mass in the world [m], shape (3,), or (T, 3) for T configurations.

    Arguments are those of ``jacobian``.

    Raises:
        UnknownNameError: If a link or joint does not exist.
        JointValueError: If a value has the wrong shape or is not finite, or the numbers of configurations differ.
        ModelError: If the robot has no mass, or ``W_H_B`` is no rigid transform.
    """
    chain, mass = _all_of(robot, q, base, W_H_B)
    _, moments = _masses(robot, chain.tree)
    out = np.empty((3, chain.count))
    for part in chain.parts():
        out[:, part.which] = np.einsum("nc,ncrt->rt", moments, part.poses()) / mass
    return out.T if chain.batched else out[:, 0]


def center_of_mass_jacobian(
    robot: Robot,
    q: JointValue | None = None,
    base: str | None = None,
    W_H_B: ArrayLike | None = None,
    input: Representation = "mixed",
    floating: bool = False,
) -> Array:
    """Return J with ``d/dt W_c = J v``, shape (3, n), or (T, 3, n) for T configurations; columns as ``jacobian``.

    Raises:
        UnknownNameError: If a link or joint does not exist.
        JointValueError: If a value has the wrong shape or is not finite, or the numbers of configurations differ.
        ModelError: If the robot has no mass, or ``W_H_B`` is no rigid transform.
        ValueError: If the representation is not known.
    """
    form = Form.of("mixed", input, floating)
    chain, mass = _all_of(robot, q, base, W_H_B)
    masses, moments = _masses(robot, chain.tree)
    carried = _carried(chain.tree, masses[:, None, None])[:, 0, 0]
    out = np.zeros((chain.dofs + 6 * floating, 3, chain.count))
    for part in chain.parts():
        poses = part.poses()
        behind = _carried(chain.tree, np.einsum("nc,ncrt->nrt", moments, poses))
        if floating:
            columns = np.empty((6, 6, poses.shape[-1]))
            write_base_screws(columns, part.start, behind[0] / mass, form.input)
            out[:6, :, part.which] = columns[:, :3]
        for index, leader, multiplier in zip(chain.tree.scalar, chain.leaders, chain.multipliers[:, 0], strict=True):
            node = chain.tree.nodes[index]
            axis = poses[index, node.axis] * (multiplier * node.sign / mass)
            arm = behind[index] - carried[index] * poses[index, 3]
            column = cross(axis, arm, out=np.empty_like(axis)) if node.turns else axis * carried[index]
            out[6 * floating + leader, :, part.which] += column
    return out.transpose(2, 1, 0) if chain.batched else out[..., 0].T


def _all_of(robot: Robot, q: JointValue | None, base: str | None, W_H_B: ArrayLike | None) -> tuple[Chain, float]:
    mass = total_mass(robot)
    if not mass > 0.0:
        raise ModelError(f"the mass of robot {robot.name!r} is {mass:g} kg: it has no centre of mass")
    tree = compiled_tree(robot, base)
    return prepared(robot, tree, (0, np.eye(4)), q, W_H_B), mass


def _masses(robot: Robot, tree: CompiledTree) -> tuple[Array, Array]:
    """Return the mass (N,) that each node holds, and its first moment (N, 4) about the node's origin, (m c, m)."""
    moments = np.zeros((len(tree.nodes), 4))
    for link in robot.links:
        if link.inertial is not None:
            moments[tree.node_of[link.name]] += link.inertial.mass * link.inertial.origin.matrix[:, 3]
    return moments[:, 3], moments


def _carried(tree: CompiledTree, amounts: Array) -> Array:
    """Return the sum of amounts (N, ...) over each node and all nodes behind it."""
    total = amounts.copy()
    for index in reversed(tree.walk):
        total[tree.nodes[index].parent] += total[index]
    return total
