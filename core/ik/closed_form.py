# SPDX-License-Identifier: GPL-3.0-or-later
"""All solutions of an arm that has a closed form: candidates, polished, checked, each once, within limits."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..spatial import Array, inverse
from . import parallel, spherical
from .arm import EXACT, Arm, Family
from .few_joints import FewJoints
from .loop import Candidate
from .path import Path
from .rotation_error import rotation_vector
from .whole_turns import distinct

ACCURACY = 1e-9
_POLISHED = 2e-12
_HOPELESS = 0.3
_SAME = 1e-6
_STEPS = 30
_STUCK, _LEAST = 1.0, 1e-14
_ASIDE = np.array(
    [sign * size for size in (3e-4, 1e-3, 3e-3, 1e-2, 2e-2, 5e-2, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0) for sign in (1.0, -1.0)]
)


def all_angles(arm: Arm | FewJoints, base_h_frame: Array, reference: Array) -> tuple[Array, list[tuple[int, ...]]]:
    """Return all values of the path's joints that reach a pose, up to whole turns and regardless of limits.

    Args:
        arm: The arm.
        base_h_frame: ``B_H_F*``, shape (4, 4), of which only the position counts where the arm says so.
        reference: Values of the path's joints, shape (k,): what a joint that is free at a singularity is given.

    Returns:
        Rows of path values, shape (s, k), and for each row the places on the path of its free joints.
    """
    near = tuple(float(reference[place]) for place in arm.moving)
    if isinstance(arm, FewJoints):
        candidates = arm.candidates(base_h_frame, near)
    else:
        solver = spherical.solve if arm.family is Family.SPHERICAL else parallel.solve
        candidates = solver(arm.loop(base_h_frame, near))
    if not candidates:
        return np.zeros((0, len(arm.path.joints))), []
    rows: Array = np.empty((len(candidates), len(arm.path.joints)))
    for place, value in arm.given.items():
        rows[:, place] = value
    order = [arm.moving[(arm.start + i) % len(near)] for i in range(len(near))]
    rows[:, order] = [angles for angles, _ in candidates]
    good = _polish(arm, rows, base_h_frame)
    origin: NDArray[np.intp] = np.arange(len(rows))
    if arm.deviation > EXACT:
        more, beside = _beside_singular_ones(arm, rows, base_h_frame)
        found = _polish(arm, more, base_h_frame)  # which moves the rows
        rows, good = np.concatenate([rows, more]), np.concatenate([good, found])
        origin = np.concatenate([origin, beside])
    rows[:, arm.moving] -= 2.0 * np.pi * np.round((rows[:, arm.moving] - near) / (2.0 * np.pi))
    kept = np.flatnonzero(good)
    kept = kept[distinct(rows[kept], _SAME)]
    return rows[kept], [_places(order, candidates[origin[index]]) for index in kept]


def _beside_singular_ones(arm: Arm | FewJoints, rows: Array, base_h_frame: Array) -> tuple[Array, NDArray[np.intp]]:
    """Return starts beside the rows that are near a singularity, and the row of each.

    There the small difference between the arm and the one that was solved moves solutions far, by pairs, along the one
    direction in which the pose hardly changes.
    """
    _, columns = pose_error(arm.path, rows, inverse(base_h_frame))
    moving = list(arm.moving)
    _, sizes, directions = np.linalg.svd(columns[moving].transpose(1, 2, 0))
    singular = np.flatnonzero(sizes[:, -1] < math.sqrt(arm.deviation))
    starts = np.repeat(rows[singular, None], len(_ASIDE), axis=1)
    starts[:, :, moving] += _ASIDE[:, None] * directions[singular, -1][:, None]
    return starts.reshape(-1, rows.shape[1]), np.repeat(singular, len(_ASIDE))


def _places(order: list[int], candidate: Candidate) -> tuple[int, ...]:
    return tuple(sorted(order[i] for i in candidate[1]))


def _polish(arm: Arm | FewJoints, rows: Array, base_h_frame: Array) -> NDArray[np.bool_]:
    """Improve the rows in place by damped Newton steps; return which of them reach the pose."""
    if not len(rows):
        return np.zeros(0, dtype=bool)
    path, back, moving = arm.path, inverse(base_h_frame), list(arm.moving)
    counting = 3 if arm.position_only else 6
    error, columns = (part[..., :counting] for part in pose_error(path, rows, back))
    size = np.sqrt(np.einsum("ti,ti->t", error, error))
    damping = np.full(len(rows), 1e-12)
    for _ in range(_STEPS):
        todo = np.flatnonzero((size > _POLISHED) & (size < _HOPELESS) & (damping < _STUCK))
        if not len(todo):
            break
        jacobian = columns[moving][:, todo].transpose(1, 2, 0)
        step = _damped_step(jacobian, error[todo, :, None], damping[todo, None, None])
        tried = rows[todo]
        tried[:, moving] -= step[:, :, 0]
        tried_error, tried_columns = (part[..., :counting] for part in pose_error(path, tried, back))
        tried_size = np.sqrt(np.einsum("ti,ti->t", tried_error, tried_error))
        better = tried_size < size[todo]
        damping[todo] = np.where(
            better, np.maximum(1e-2 * damping[todo], _LEAST), np.maximum(30.0 * damping[todo], 1e-9)
        )
        at = todo[better]
        rows[at], error[at], size[at] = tried[better], tried_error[better], tried_size[better]
        columns[:, at] = tried_columns[:, better]
        # what rounding does not let come nearer has arrived
        damping[(size < 0.1 * ACCURACY) & (damping > 1e-9)] = _STUCK
    reached: NDArray[np.bool_] = size <= 0.5 * ACCURACY
    return reached


def _damped_step(jacobian: Array, error: Array, damping: Array) -> Array:
    """Return ``J^T (J J^T + damping)^-1 e``, from whichever of ``J J^T`` and ``J^T J`` has full rank."""
    turned = jacobian.transpose(0, 2, 1)
    rows, columns = jacobian.shape[1:]
    if rows <= columns:
        return np.asarray(turned @ np.linalg.solve(jacobian @ turned + damping * np.eye(rows), error))
    return np.asarray(np.linalg.solve(turned @ jacobian + damping * np.eye(columns), turned @ error))


def pose_error(path: Path, values: Array, frame_h_base: Array) -> tuple[Array, Array]:
    """Return the error in the frame's axes (T, 6) and the body Jacobian's columns (k, T, 6) for path values (T, k)."""
    reached, columns = path.evaluate_values(values.T)
    difference = frame_h_base @ reached
    error = np.empty((len(values), 6))
    rotation = difference[:, :3, :3]
    error[:, 3:] = rotation_vector(rotation)
    error[:, :3] = np.einsum("tji,tj->ti", rotation, difference[:, :3, 3])
    return error, columns
