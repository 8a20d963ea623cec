# SPDX-License-Identifier: GPL-3.0-or-later
"""The joints from the base to one frame, made ready for evaluating pose and Jacobian many times.

    B_H_F = K_0 Z_1(q_1) K_1 Z_2(q_2) K_2 … Z_k(q_k) K_k

``Z`` turns about z or slides along z: constant turns before and after each joint bring its axis there. With
``G_j = Z_j K_j … Z_k K_k`` the frame's pose in the joint's frame, the columns of the body Jacobian are

    turning:  linear R^T (z x p), angular R^T z        sliding:  linear R^T z, angular 0        (R, p) = G_j

so that one product a joint gives both. Arrays are stacked joints first, configurations second.

Source: formalism, sections 1, 2, 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kinematics.chain import Frame, frame_parts
from ..kinematics.configuration import coupling
from ..kinematics.joints import joint_motion, planar_basis
from ..model import Joint, Robot
from ..spatial import Array, inverse, transform
from ..tree import Step, path_to


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """The path to one frame.

    Attributes:
        joints: The scalar joints on it, from the base.
        columns: The free joint, by its place in ``robot.dofs``, that moves each.
        multipliers: How many times faster each moves than its free joint, signed, shape (k, 1).
        offsets: Its value where the free joint is at 0, signed, shape (k, 1).
        first: ``K_0``, shape (4, 4).
        constants: ``K_1 … K_k``, shape (k, 4, 4).
        terms: ``Z K`` as a sum of matrices times 1, sin q, cos q, and q where anything slides, shape (k, 3 or 4, 16).
        direct: Whether the joints' own values are those of the free joints.
        turning: 1 for joints that turn, 0 for those that slide, shape (k, 1, 1); None where nothing slides.
    """

    joints: tuple[Joint, ...]
    columns: NDArray[np.intp]
    multipliers: Array
    offsets: Array
    first: Array
    constants: Array
    terms: Array
    turning: Array | None
    direct: bool

    def evaluate(self, q: Array) -> tuple[Array, Array]:
        """Return ``B_H_F``, shape (T, 4, 4), and the body Jacobian's columns for the joints' own values, (k, T, 6).

        Args:
            q: Values of ``robot.dofs``, shape (T, n).
        """
        return self.evaluate_values(self.values(q))

    def values(self, q: Array) -> Array:
        """Return the values of the path's own joints, shape (k, T), from those of ``robot.dofs``, shape (T, n)."""
        own = q.T[self.columns]
        return own if self.direct else own * self.multipliers + self.offsets

    def evaluate_values(self, values: Array) -> tuple[Array, Array]:
        """Return what ``evaluate`` does, from the values of the path's own joints, shape (k, T)."""
        pose, seen = self.pose(values)
        return pose, self.slopes(seen)

    def pose(self, values: Array) -> tuple[Array, Array]:
        """Return ``B_H_F``, shape (T, 4, 4), and the frame as each joint sees it, ``G_j``, shape (k, T, 4, 4)."""
        count, width = values.shape
        if not count:
            return np.broadcast_to(self.first, (width, 4, 4)), np.zeros((0, width, 4, 4))
        features = np.ones((count, width, 3 if self.turning is None else 4))
        np.sin(values, out=features[:, :, 1])
        np.cos(values, out=features[:, :, 2])
        if self.turning is not None:
            features[:, :, 3] = values
        # G_k is the last, then each is its own times the one behind it
        seen = (features @ self.terms).reshape(count, width, 4, 4)
        if width != 1:
            for j in range(count - 2, -1, -1):
                seen[j] = seen[j] @ seen[j + 1]
            return self.first @ seen[0], seen
        single = list(seen[:, 0])
        for j in range(count - 2, -1, -1):
            single[j][:] = single[j].dot(single[j + 1])
        return self.first.dot(single[0])[None], seen

    def slopes(self, seen: Array) -> Array:
        """Return the body Jacobian's columns, shape (k, T, 6), from what ``pose`` returns."""
        columns = np.empty((*seen.shape[:2], 6))
        z = seen[:, :, 2, :3]
        circling = columns[:, :, :3]
        np.multiply(seen[:, :, 0, 3:], seen[:, :, 1, :3], out=circling)
        circling -= seen[:, :, 1, 3:] * seen[:, :, 0, :3]
        columns[:, :, 3:] = z
        if self.turning is not None:
            columns[:, :, 3:] *= self.turning
            circling[:] = np.where(self.turning > 0.0, circling, z)
        return columns

    def is_plain(self) -> bool:
        """Whether each free joint moves one joint of the path, at its own speed."""
        return len(set(self.columns.tolist())) == len(self.columns) and bool(np.all(np.abs(self.multipliers) == 1.0))


def path_of(robot: Robot, frame: Frame, base: str | None = None, spatial: Mapping[str, Array] | None = None) -> Path:
    """Return the path from a base link to a frame.

    Args:
        robot: Any robot.
        frame: A link's name, or the name and ``L_H_F``, shape (4, 4).
        base: The base link; the root where None.
        spatial: Values of planar (3,) and floating (7,) joints; those not named stand at zero.

    Raises:
        UnknownNameError: If there is no such link.
        ModelError: If the frame's offset is no rigid transform.
    """
    link, offset = frame_parts(robot, frame)
    rule = coupling(robot)
    constants = [np.eye(4)]
    joints, turning, signs = [], [], []
    for step in path_to(robot, link, base):
        if not step.joint.type.is_scalar:
            constants[-1] = constants[-1] @ still(step, spatial or {})
            continue
        before, after = around_z(step)
        constants[-1] = constants[-1] @ before
        constants.append(after)
        joints.append(step.joint)
        turning.append(step.joint.type.turns)
        signs.append(step.direction)
    constants[-1] = constants[-1] @ offset
    rows = [rule.row[joint.name] for joint in joints]
    sign = np.array(signs, dtype=np.float64).reshape(-1, 1)
    ks = np.array(constants[1:]).reshape(-1, 4, 4)
    multipliers, offsets = rule.multiplier[rows, None] * sign, rule.offset[rows, None] * sign
    return Path(
        joints=tuple(joints),
        columns=rule.leader[rows],
        multipliers=multipliers,
        offsets=offsets,
        first=constants[0],
        constants=ks,
        terms=_terms(ks, np.array(turning, dtype=bool)),
        turning=None if all(turning) else np.array(turning, dtype=np.float64).reshape(-1, 1, 1),
        direct=bool((multipliers == 1.0).all() and (offsets == 0.0).all()),
    )


def around_z(step: Step) -> tuple[Array, Array]:
    """Return K and K' of a step by a scalar joint: ``K Z(direction q) K'``."""
    turned = transform(planar_basis(np.asarray(step.joint.axis)), np.zeros(3))
    placed = step.joint.origin.matrix @ turned
    return (placed, inverse(turned)) if step.direction > 0 else (turned, inverse(placed))


def still(step: Step, spatial: Mapping[str, Array]) -> Array:
    """Return the transform of a step by a joint that is no variable: fixed, planar or floating."""
    ahead = step.joint.origin.matrix
    if step.joint.name in spatial:
        ahead = ahead @ joint_motion(step.joint, spatial[step.joint.name])
    return ahead if step.direction > 0 else inverse(ahead)


def _terms(ks: Array, turning: NDArray[np.bool_]) -> Array:
    """Return the matrices that ``Z K`` is a sum of, for each joint."""
    terms = np.zeros((len(ks), 3 if turning.all() else 4, 4, 4))
    terms[turning, 0, 2:] = ks[turning, 2:]
    terms[turning, 1, 0], terms[turning, 1, 1] = -ks[turning, 1], ks[turning, 0]
    terms[turning, 2, :2] = ks[turning, :2]
    if terms.shape[1] == 4:
        terms[~turning, 0] = ks[~turning]
        terms[~turning, 3, 2, 3] = 1.0
    return terms.reshape(len(ks), terms.shape[1], 16)
