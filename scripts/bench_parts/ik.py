# SPDX-License-Identifier: GPL-3.0-or-later
"""Inverse kinematics: how often it succeeds and how long it takes, beside other solvers with the same targets."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping

import numpy as np

from . import ik_peers
from .ik_arms import ARMS, CLOSED, Task, task_of
from .ik_closed import closed_forms
from .tables import OURS, table, two_percentiles

_REACHED = 1e-6


def run(options: argparse.Namespace) -> None:
    """Print the tables: 10 targets a round for the numeric solvers, ten times as many for the closed forms."""
    names = options.robots or [*dict.fromkeys([*CLOSED, *ARMS]), "humanoid"]
    rounds = 100 if options.full else options.rounds
    closed = [name for name in names if name in CLOSED]
    if closed:
        print(closed_forms(closed, 100 * rounds), flush=True)
    for name in names:
        if name in ARMS:
            print(_numeric(name, 10 * rounds, options.alone), flush=True)
    missing = {} if options.alone else ik_peers.missing()
    print("".join(f"{name}: not here; {how}\n" for name, how in missing.items()), end="")
    if "humanoid" in names:
        print(_humanoid(2 * rounds))


def _numeric(name: str, count: int, alone: bool) -> str:
    task = task_of(ARMS[name], count)
    if task is None:
        return f"{name}: not here; pip install pybullet\n"
    solvers: dict[str, ik_peers.Solver] = {OURS: _ours(task)}
    for title, make in ({} if alone else ik_peers.SOLVERS).items():
        peer = make(task.text, task.robot.dofs, task.arm)
        if peer is not None:
            solvers[title] = peer
    results: dict[tuple[str, str], list[tuple[bool, float]]] = {}
    for index, target in enumerate(task.targets):  # in turns, so that all see the same machine
        for title, solver in solvers.items():
            for kind, start in (("zero", task.zero), ("near", task.near[index])):
                started = time.process_time()
                q = solver(target, start)
                elapsed = time.process_time() - started
                results.setdefault((title, kind), []).append((_succeeded(task, q, target), elapsed))
    rows = []
    for title in solvers:
        cells = []
        for kind in ("zero", "near"):
            runs = results[title, kind]
            share = 100.0 * sum(ok for ok, _ in runs) / len(runs)
            seconds = [elapsed for _, elapsed in runs]
            each = sum(seconds) / max(sum(ok for ok, _ in runs), 1)
            cells += [f"{share:.1f} %", f"{each * 1e3:.2f}", *two_percentiles(seconds)]
        rows.append((title, *cells))
    times = ("ms each reached", "median ms", "95 % ms")  # the first counts what was spent in vain as well
    heads = ("", "from zero", *times, "from 0.1 rad", *times)
    return table(f"{name}, {len(task.targets):,} reachable targets", heads, rows)


def _ours(task: Task) -> ik_peers.Solver:
    from urdf_rig.core.ik import PoseGoal, PositionGoal, solve_ik

    def solve(target: np.ndarray, start: np.ndarray) -> np.ndarray:
        frame = task.arm.frame
        goal = PositionGoal(frame, target[:3, 3]) if task.arm.position_only else PoseGoal(frame, target)
        return solve_ik(task.robot, goal, start, base=task.arm.base).q

    return solve


def _succeeded(task: Task, q: np.ndarray, target: np.ndarray) -> bool:
    """Whether q reaches the target to 1e-6 m and rad, within limits: judged alike for all, by forward kinematics."""
    from urdf_rig.core.kinematics import frame_pose
    from urdf_rig.core.spatial import pose_error

    if not np.isfinite(q).all() or (q < task.lower - 1e-9).any() or (q > task.upper + 1e-9).any():
        return False
    distance, angle = pose_error(frame_pose(task.robot, q, task.arm.frame, base=task.arm.base), target)
    return bool(distance <= _REACHED and (task.arm.position_only or angle <= _REACHED))


_LIMBS = ("gripper_left_base_link", "gripper_right_base_link", "left_sole_link", "right_sole_link")


def _humanoid(count: int) -> str:
    """Return a table for talos with four limbs, a floating base and its centre of mass over a point."""
    from urdf_rig.core.ik import CenterOfMassGoal, PoseGoal, solve_ik
    from urdf_rig.core.kinematics import center_of_mass, frame_pose
    from urdf_rig.core.spatial import rotation_from_rpy, transform

    task = task_of(ARMS["talos arm and torso"], count)
    assert task is not None
    rng = np.random.default_rng(2)
    results: Mapping[str, list[tuple[bool, float]]] = {"from zero": [], "from 0.1 rad": []}
    upright = transform(np.eye(3), [0.0, 0.0, 1.0])
    for q, near in zip(task.q, task.near, strict=True):
        base = transform(rotation_from_rpy(rng.uniform(-0.3, 0.3, 3)), upright[:3, 3] + rng.uniform(-0.3, 0.3, 3))
        goals = [PoseGoal(name, frame_pose(task.robot, q, name, W_H_B=base)) for name in _LIMBS]
        mass = CenterOfMassGoal(center_of_mass(task.robot, q, W_H_B=base))
        beside = base @ transform(rotation_from_rpy([0.05, 0.0, 0.05]), [0.02, 0.0, 0.02])
        for kind, start, at in (("from zero", task.zero, upright), ("from 0.1 rad", near, beside)):
            started = time.process_time()
            found = solve_ik(task.robot, [*goals, mass], start, W_H_B=at, floating=True)
            results[kind].append((found.reached, time.process_time() - started))
    rows = [
        (kind, f"{100.0 * sum(ok for ok, _ in runs) / count:.1f} %", *two_percentiles([elapsed for _, elapsed in runs]))
        for kind, runs in results.items()
    ]
    heads = ("", "reached", "median ms", "95 % ms")
    return table(f"talos, four limbs, base and centre of mass, {count} reachable goal sets", heads, rows)
