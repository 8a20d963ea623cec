# SPDX-License-Identifier: GPL-3.0-or-later
"""The centre of mass as equations.

All links behind fixed joints are lumped into the joint that moves them. The column of a joint is what it carries,
weighed: ``z x (m c - m o) / M`` where it turns, ``z m / M`` where it slides.

Source: formalism, section 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError
from ..kinematics.configuration import coupling
from ..kinematics.mass import total_mass
from ..model import Joint, Robot
from ..spatial import Array, skew
from ..tree import steps_from
from .goals import CenterOfMassGoal, Goal, checked
from .path import around_z, still
from .terms import Slopes, State, Variables


@dataclass(frozen=True, slots=True, eq=False)
class MassTree:
    """The joints of a whole robot with what each carries: ``B_H_n = B_H_p K_n Z(q_n)``. Entry 0 is the base.

    Attributes:
        joints: The scalar joints, nearer ones first, shape of all below: k.
        parents: For each its parent's entry; entries are one more than places.
        constants: ``K``, shape (k, 4, 4).
        signs: -1 for joints met backwards, shape (k,).
        moments: First moment of what each entry holds, in its own frame, over the total mass, shape (k + 1, 4).
        carried: 1 where the entry of the column hangs from the joint of the row, shape (k, k + 1).
    """

    joints: tuple[Joint, ...]
    parents: tuple[int, ...]
    constants: Array
    signs: Array
    moments: Array
    carried: Array


def mass_tree(robot: Robot, base: str | None, spatial: Mapping[str, Array]) -> MassTree:
    """Return the robot's masses hung from a base link.

    Raises:
        UnknownNameError: If there is no such link.
        ModelError: If the robot has no mass.
    """
    mass = total_mass(robot)
    if not mass > 0.0:
        raise ModelError(f"the mass of robot {robot.name!r} is {mass:g} kg: it has no centre of mass")
    joints: list[Joint] = []
    parents: list[int] = []
    constants: list[Array] = []
    signs: list[int] = []
    hung = {robot.root if base is None else base: (0, np.eye(4))}
    for step in steps_from(robot, base):
        at, offset = hung[step.parent]
        if step.joint.type.is_scalar:
            before, after = around_z(step)
            joints.append(step.joint)
            parents.append(at)
            constants.append(offset @ before)
            signs.append(step.direction)
            hung[step.link] = len(joints), after
        else:
            hung[step.link] = at, offset @ still(step, spatial)
    moments = np.zeros((len(joints) + 1, 4))
    for link in robot.links:
        if link.inertial is not None:
            at, offset = hung[link.name]
            moments[at] += link.inertial.mass / mass * (offset @ link.inertial.origin.matrix[:, 3])
    carried = np.eye(len(joints) + 1)
    for entry in range(len(joints), 0, -1):
        carried[parents[entry - 1]] += carried[entry]
    return MassTree(
        tuple(joints),
        tuple(parents),
        np.array(constants).reshape(-1, 4, 4),
        np.array(signs, dtype=np.float64),
        moments,
        carried[1:],
    )


_TREES: WeakKeyDictionary[Robot, dict[str | None, MassTree]] = WeakKeyDictionary()


def _remembered(robot: Robot, base: str | None, spatial: Mapping[str, Array]) -> MassTree:
    if spatial:
        return mass_tree(robot, base, spatial)
    known = _TREES.setdefault(robot, {})
    if base not in known:
        known[base] = mass_tree(robot, base, spatial)
    return known[base]


@dataclass(frozen=True, slots=True, eq=False)
class MassTerm:
    """The centre of mass at a point, in the coordinates ``axes``.

    Attributes:
        leaders, multipliers, offsets: What moves each joint of the tree, signed.
        turning: 1 where a joint turns, 0 where it slides, shape (k, 1, 1).
    """

    goal: Goal
    weights: Array
    lengths: int
    target: Array
    axes: NDArray[np.intp]
    tree: MassTree
    leaders: NDArray[np.intp]
    multipliers: Array
    offsets: Array
    turning: Array
    fold: Array
    floating: bool
    unit: bool = False
    difference_of_directions: bool = False

    def evaluate(self, state: State) -> tuple[Array, Slopes]:
        """Return the residual (T, m), without weights, and what computes its transposed Jacobian (T, N, m)."""
        poses = self._poses(state.q)
        moments = (poses @ self.tree.moments[:, None, :, None])[..., 0]  # (k + 1, T, 4): m c / M and m / M
        center = moments.sum(axis=0)[:, :3]
        to_world = state.W_H_B[:, :3, :3].transpose(0, 2, 1)
        world = (center[:, None] @ to_world)[:, 0] + state.W_H_B[:, :3, 3]
        residual = (world - self.target)[:, self.axes]
        return residual, lambda: self._by_variable(poses, moments, center) @ to_world[..., self.axes]

    def _by_variable(self, poses: Array, moments: Array, center: Array) -> Array:
        """Return how the centre moves in the base, transposed, shape (T, N, 3)."""
        behind = np.tensordot(self.tree.carried, moments, axes=1)
        axis, origin = poses[1:, :, :3, 2], poses[1:, :, :3, 3]
        arm = behind[..., :3] - behind[..., 3:] * origin
        columns = self.turning * np.cross(axis, arm) + (1.0 - self.turning) * axis * behind[..., 3:]
        joints, width = columns.shape[:2]
        by_variable = (self.fold @ columns.reshape(joints, width * 3)).reshape(len(self.fold), width, 3)
        by_variable = by_variable.transpose(1, 0, 2)
        if self.floating:
            by_variable[:, :3] = np.eye(3)
            by_variable[:, 3:6] = skew(center)  # row i is e_i x c
        return by_variable

    def _poses(self, q: Array) -> Array:
        """Return the pose of every entry in the base, shape (k + 1, T, 4, 4)."""
        values = q.T[self.leaders] * self.multipliers + self.offsets
        poses = np.empty((len(self.leaders) + 1, len(q), 4, 4))
        poses[0] = np.eye(4)
        local = poses[1:]
        local[:] = np.eye(4)
        angles = values * self.turning[:, 0]
        local[..., 0, 0] = local[..., 1, 1] = np.cos(angles)
        local[..., 1, 0] = np.sin(angles)
        local[..., 0, 1] = -local[..., 1, 0]
        local[..., 2, 3] = values - angles
        local[:] = self.tree.constants[:, None] @ local
        for entry, parent in enumerate(self.tree.parents, 1):
            if parent:
                poses[entry] = poses[parent] @ poses[entry]
        return poses


def mass_term(
    robot: Robot, goal: CenterOfMassGoal, variables: Variables, base: str | None, spatial: Mapping[str, Array]
) -> MassTerm:
    """Return the equations of a centre-of-mass goal.

    Raises:
        ModelError: If the robot has no mass, or the goal is not finite or empty.
    """
    axes = np.flatnonzero(goal.axes)
    if len(goal.axes) != 3 or not len(axes):
        raise ModelError(f"the axes {goal.axes} of a centre-of-mass goal are not three, some of them true")
    tree, rule = _remembered(robot, base, spatial), coupling(robot)
    rows = [rule.row[joint.name] for joint in tree.joints]
    multipliers = rule.multiplier[rows, None] * tree.signs[:, None]
    return MassTerm(
        goal=goal,
        weights=np.full(len(axes), goal.weight),
        lengths=len(axes),
        target=checked(goal.W_p, (3,), "the goal's centre of mass"),
        axes=axes,
        tree=tree,
        leaders=rule.leader[rows],
        multipliers=multipliers,
        offsets=rule.offset[rows, None] * tree.signs[:, None],
        turning=np.array([float(joint.type.turns) for joint in tree.joints]).reshape(-1, 1, 1),
        fold=variables.fold(rule.leader[rows].tolist(), multipliers),
        floating=variables.floating,
    )
