# SPDX-License-Identifier: GPL-3.0-or-later
"""The joints that move a tool: where it is, and configurations that put it somewhere, for many at once.

    x <- x + J^+ e,        e = (F_R_W (W_o_G - W_o_F), log(F_R_W W_R_G))

the Gauss-Newton step of least norm towards the goal frame G, with the body Jacobian J of the tool's frame F. Joints
that would pass a limit are put there and held, and the others solve again.

Source: formalism, section 7; B. Siciliano et al., "Robotics: Modelling, Planning and Control", 3.7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..ik.bounds import joint_bounds
from ..ik.path import Path, path_of
from ..ik.rotation_error import rotation_vector
from ..kinematics import Frame
from ..model import Robot
from ..spatial import Array

Mask = NDArray[np.bool_]

_ITERATIONS = 30
_REACHED = 1e-9  # m and rad
_LARGEST_STEP = 0.5
_SMALLEST_SINGULAR_VALUE = 1e-7  # of the largest
_ROUNDING = 1e-7  # limits come from float32 channels


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Configurations and how good they are.

    Attributes:
        x: Joint values, shape (T, k).
        reached: Which of them are at the goal, shape (T,).
        held: Which joints were held at a limit, shape (T, k).
    """

    x: Array
    reached: Mask
    held: Mask


@dataclass(frozen=True, slots=True, eq=False)
class Tool:
    """The k free joints that move a tool.

    Attributes:
        names: Their names.
        lower: Shape (k,), -inf where there is no bound.
        upper: Shape (k,).
        rows: How many of the six rows of the error count: 6, or the position's 3.
    """

    names: tuple[str, ...]
    lower: Array
    upper: Array
    rows: int
    _path: Path
    _columns: NDArray[np.intp]
    _fold: Array
    _dofs: int

    @classmethod
    def of(
        cls,
        robot: Robot,
        tool: Frame,
        reference: str | None,
        spatial: Mapping[str, Array] | None = None,
        *,
        keep_orientation: bool = True,
    ) -> Tool:
        """Return the joints between a reference link and a tool.

        Args:
            robot: The robot.
            tool: The tool's frame.
            reference: The link that it is seen from; the root where None.
            spatial: Values of planar (3,) and floating (7,) joints, which stand still.
            keep_orientation: Whether the tool's orientation counts.

        Raises:
            UnknownNameError: If there is no such link.
            ModelError: If the tool's offset is no rigid transform.
        """
        path = path_of(robot, tool, reference, spatial)
        columns = np.unique(path.columns)
        fold = (columns[:, None] == path.columns[None]) * path.multipliers.ravel()
        lower, upper = joint_bounds(robot)
        names = tuple(robot.dofs[column] for column in columns)
        rows = 6 if keep_orientation else 3
        return cls(names, lower[columns], upper[columns], rows, path, columns, fold, len(robot.dofs))

    def _evaluated(self, x: Array) -> tuple[Array, Array]:
        q = np.zeros((len(x), self._dofs))
        q[:, self._columns] = x
        return self._path.pose(self._path.values(q))

    def pose(self, x: Array) -> Array:
        """Return the tool in the reference, shape (T, 4, 4), for joint values (T, k)."""
        return self._evaluated(x)[0]

    def error(self, x: Array, goals: Array) -> tuple[Array, Array]:
        """Return the error towards goals (T, 4, 4), shape (T, rows), and the Jacobian, shape (T, rows, k)."""
        pose, seen = self._evaluated(x)
        inverse_turn = np.swapaxes(pose[:, :3, :3], 1, 2)
        error = np.empty((len(x), 6))
        error[:, :3] = (inverse_turn @ (goals[:, :3, 3] - pose[:, :3, 3])[:, :, None])[:, :, 0]
        error[:, 3:] = rotation_vector(inverse_turn @ goals[:, :3, :3])
        columns = self._path.slopes(seen)
        jacobian = np.tensordot(self._fold, columns, axes=1).transpose(1, 2, 0)
        return error[:, : self.rows], jacobian[:, : self.rows]

    def step(self, x: Array, goals: Array, held: Mask) -> tuple[Array, Array]:
        """Return the step of least norm, shape (T, k), and the size of the error, shape (T,)."""
        error, jacobian = self.error(x, goals)
        free = np.where(held[:, None], 0.0, jacobian)
        step = (np.linalg.pinv(free, _SMALLEST_SINGULAR_VALUE) @ error[:, :, None])[:, :, 0]
        return step, np.abs(error).max(axis=1)

    def freedom(self, x: Array) -> int:
        """Return how many directions the joints can move in with the tool at rest, at the best of (T, k) values."""
        if not len(self.names):
            return 0
        _, jacobian = self.error(x, self.pose(x))
        values = np.linalg.svd(jacobian, compute_uv=False)
        rank = (values > 1e-5 * values[:, :1]).sum(axis=1)
        return len(self.names) - int(rank.max(initial=0))

    def solve(self, x: Array, goals: Array) -> Found:
        """Return the configurations (T, k) near ``x`` that put the tool at the goals, within limits."""
        held = np.zeros(x.shape, dtype=bool)
        reached = np.zeros(len(x), dtype=bool)
        for _ in range(len(self.names) + 1):
            x, reached = self._descended(x, goals, held)
            beyond = (x < self.lower - _ROUNDING) | (x > self.upper + _ROUNDING)
            if not beyond.any():
                break
            held |= beyond
            x = np.clip(x, self.lower, self.upper)
        return Found(np.clip(x, self.lower, self.upper), reached, held)

    def _descended(self, x: Array, goals: Array, held: Mask) -> tuple[Array, Mask]:
        x = x.copy()
        active = np.arange(len(x))
        size = np.zeros(len(x))
        for _ in range(_ITERATIONS):
            step, size = self.step(x[active], goals[active], held[active])
            going = size > _REACHED
            active, step, size = active[going], step[going], size[going]
            if not len(active):
                break
            largest = np.abs(step).max(axis=1, keepdims=True, initial=0.0)
            x[active] += step * np.minimum(1.0, _LARGEST_STEP / np.maximum(largest, 1e-300))
        reached = np.ones(len(x), dtype=bool)
        reached[active] = size <= 100.0 * _REACHED
        return x, reached
