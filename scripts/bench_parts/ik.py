# SPDX-License-Identifier: GPL-3.0-or-later
"""Inverse kinematics: how often it succeeds and how long it takes, beside other solvers with the same targets."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from . import ik_peers, peers
from .robots import locate
from .tables import OURS, table

if TYPE_CHECKING:
    from urdf_rig.core import Robot

_REACHED = 1e-6
_AWAY = 0.1


class Arm(NamedTuple):
    """What is measured: a file beside the corpus's panda, a frame, its base, and the joint given in closed form."""

    file: str
    frame: str
    base: str | None = None
    position_only: bool = False
    given: str | None = None


# the folder of each package of example-robot-data stands beside the others
ARMS = {
    "panda": Arm("panda_description/urdf/panda.urdf", "panda_link8", given="panda_joint7"),
    "ur3": Arm("ur_description/urdf/ur3_robot.urdf", "tool0"),
    "ur5": Arm("ur_description/urdf/ur5_robot.urdf", "tool0"),
    "ur10": Arm("ur_description/urdf/ur10_robot.urdf", "tool0"),
    "xarm7": Arm("xarm_description/urdf/xarm7.urdf", "link7", given="joint7"),
    "talos arm": Arm("talos_data/robots/talos_left_arm.urdf", "gripper_left_base_link"),
    "talos arm and torso": Arm("talos_data/robots/talos_full_v2.urdf", "gripper_left_base_link"),
    "g1 arm and waist": Arm("g1_description/urdf/g1_29dof_rev_1_0.urdf", "left_rubber_hand"),
    "icub arm and torso": Arm("icub_description/robots/icub.urdf", "r_hand_dh_frame"),
    "pr2 arm": Arm("pr2_description/urdf/pr2.urdf", "r_gripper_tool_frame", base="torso_lift_link"),
    "allegro finger": Arm("allegro_hand_description/urdf/allegro_right_hand.urdf", "link_3.0_tip", position_only=True),
}
_CLOSED = ("ur3", "ur5", "ur10", "panda", "xarm7")


class Task(NamedTuple):
    """Targets and starts for one arm."""

    robot: Robot
    text: str
    arm: Arm
    lower: np.ndarray
    upper: np.ndarray
    q: np.ndarray
    targets: np.ndarray
    zero: np.ndarray
    near: np.ndarray


def run(options: argparse.Namespace) -> None:
    """Print the tables: 10 targets a round for the numeric solvers, ten times as many for the closed forms."""
    names = [name for name in options.robots if name in ARMS] or list(ARMS)
    print(_closed_forms([name for name in names if name in _CLOSED], 100 * options.rounds))
    for name in names:
        print(_numeric(name, _task(name, 10 * options.rounds)))
    print("".join(f"{name}: not here; {how}\n" for name, how in ik_peers.missing().items()), end="")
    print(_humanoid(max(10, 2 * options.rounds)))


def _task(name: str, count: int) -> Task:
    from urdf_rig.core import load
    from urdf_rig.core.kinematics import frame_pose

    arm = ARMS[name]
    path = locate("panda").parents[2] / arm.file
    robot = load(path)
    lower, upper, q = _random(robot, count)
    rng = np.random.default_rng(1)
    away = rng.normal(size=q.shape)
    away *= _AWAY / np.linalg.norm(away, axis=1, keepdims=True)
    zero = np.clip(np.zeros(q.shape[1]), lower, upper)
    targets = frame_pose(robot, q, arm.frame, base=arm.base)
    return Task(robot, peers.bare_text(path), arm, lower, upper, q, targets, zero, np.clip(q + away, lower, upper))


def _random(robot: Robot, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return bounds (infinite for unlimited joints) and configurations within, unlimited joints in half a turn."""
    from urdf_rig.core.ik.bounds import joint_bounds

    lower, upper = joint_bounds(robot)
    low, high = (np.where(np.isfinite(bound), bound, sign * np.pi) for bound, sign in ((lower, -1), (upper, 1)))
    q = low + np.random.default_rng(0).random((count, len(low))) * (high - low)
    return lower, upper, q


def _closed_forms(names: Sequence[str], count: int) -> str:
    rows = []
    for name in names:
        task = _task(name, count)
        found, worst, doubles, seconds = 0, 0.0, 0, []
        for q, target in zip(task.q, task.targets, strict=True):
            rows_of_q, elapsed = _all_of_one(task, q, target)
            seconds.append(elapsed)
            found += bool(len(rows_of_q)) and bool(_angles_apart(task, rows_of_q, q).max(axis=1).min() < 1e-6)
            worst = max(worst, _worst_error(task, rows_of_q, target))
            apart = np.abs(rows_of_q[:, None] - rows_of_q[None]).max(axis=2) + np.eye(len(rows_of_q))
            doubles += bool(len(rows_of_q)) and bool(apart.min() < 1e-6)
        share = f"{100.0 * found / count:.2f} %"
        rows.append((name, share, f"{worst:.1e}", str(doubles), *_two(seconds)))
    heads = ("", "generating q found", "worst error", "with doubles", "median ms", "95 % ms")
    return table(f"Closed forms, all solutions of {count:,} random poses each", heads, rows)


def _all_of_one(task: Task, q: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, float]:
    from urdf_rig.core.ik import solve_ik_all

    given = {name: float(q[task.robot.dofs.index(name)]) for name in (task.arm.given,) if name}
    start = np.where(_moving(task), 0.0, q)
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


def _two(seconds: Sequence[float]) -> tuple[str, str]:
    return f"{np.median(seconds) * 1e3:.2f}", f"{np.percentile(seconds, 95) * 1e3:.2f}"


def _numeric(name: str, task: Task) -> str:
    solvers: dict[str, ik_peers.Solver] = {OURS: _ours(task)}
    for title, make in ik_peers.SOLVERS.items():
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
            cells += [f"{share:.1f} %", *_two([elapsed for _, elapsed in runs])]
        rows.append((title, *cells))
    heads = ("", "from zero", "median ms", "95 % ms", "from 0.1 rad", "median ms", "95 % ms")
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

    task = _task("talos arm and torso", count)
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
        (kind, f"{100.0 * sum(ok for ok, _ in runs) / count:.1f} %", *_two([elapsed for _, elapsed in runs]))
        for kind, runs in results.items()
    ]
    heads = ("", "reached", "median ms", "95 % ms")
    return table(f"talos, four limbs, base and centre of mass, {count} reachable goal sets", heads, rows)
