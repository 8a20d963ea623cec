# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed forms: whether all solutions are found, how exact they are, and how long it takes."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from .ik_arms import CLOSED, Task, task_of
from .tables import table, two_percentiles


def closed_forms(names: Sequence[str], count: int) -> str:
    """Return a table of the arms with a closed form, each for ``count`` random configurations within limits."""
    rows = []
    for name in names:
        task = task_of(CLOSED[name], count)
        if task is None:
            rows.append((name, "not here", "", "", "", "", "", ""))
            continue
        moving = _moving(task)
        found, worst, doubles, most, seconds = 0, 0.0, 0, 0, []
        for q, target in zip(task.q, task.targets, strict=True):
            rows_of_q, elapsed = _all_of_one(task, np.where(moving, 0.0, q), q, target)
            seconds.append(elapsed)
            most = max(most, len(rows_of_q))
            found += bool(len(rows_of_q)) and bool(_angles_apart(task, rows_of_q, q).max(axis=1).min() < 1e-6)
            worst = max(worst, _worst_error(task, rows_of_q, target))
            doubles += _has_doubles(rows_of_q)
        share = f"{found:,} of {count:,}"
        rows.append((name, share, f"{worst:.1e}", str(doubles), str(most), *two_percentiles(seconds)))
    heads = ("", "generating q found", "worst error", "with doubles", "most", "median ms", "95 % ms")
    return table(f"Closed forms, all solutions of {count:,} random poses each", heads, rows)


def _has_doubles(rows: np.ndarray) -> bool:
    """Whether two rows are the same to 1e-6."""
    cells = rows / 2e-6
    return any(len(np.unique(np.round(cells + shift), axis=0)) < len(rows) for shift in (0.0, 0.5))


def _all_of_one(task: Task, start: np.ndarray, q: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, float]:
    from urdf_rig.core.ik import solve_ik_all

    given = {name: float(q[task.robot.dofs.index(name)]) for name in (task.arm.given,) if name}
    started = time.process_time()
    found = solve_ik_all(task.robot, task.arm.frame, target, start, base=task.arm.base, given=given)
    return found.q, time.process_time() - started


def _moving(task: Task) -> np.ndarray:
    from urdf_rig.core.tree import path_to

    names = {step.joint.name for step in path_to(task.robot, task.arm.frame, task.arm.base)}
    return np.array([name in names for name in task.robot.dofs])


def _angles_apart(task: Task, rows: np.ndarray, q: np.ndarray) -> np.ndarray:
    apart = np.abs(rows - q)
    endless = ~np.isfinite(task.lower)
    apart[:, endless] -= 2.0 * np.pi * np.round(apart[:, endless] / (2.0 * np.pi))
    return np.abs(apart)


def _worst_error(task: Task, rows: np.ndarray, target: np.ndarray) -> float:
    from urdf_rig.core.kinematics import frame_pose
    from urdf_rig.core.spatial import pose_error

    if not len(rows):
        return 0.0
    reached = frame_pose(task.robot, rows, task.arm.frame, base=task.arm.base)
    return max(float(each.max()) for each in pose_error(reached, np.broadcast_to(target, reached.shape)))
