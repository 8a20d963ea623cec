# SPDX-License-Identifier: GPL-3.0-or-later
"""Jacobians of one frame and their time derivatives, with a floating base."""

from __future__ import annotations

import argparse
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from . import peers
from .robots import locate, random_values
from .tables import OURS, comparison, milliseconds, table
from .timing import Times, take_turns

if TYPE_CHECKING:
    from urdf_rig.core import Robot


def run(options: argparse.Namespace) -> None:
    """Print the tables."""
    from urdf_rig.core import load
    from urdf_rig.core.tree import path_to

    pinocchio = peers.find("pinocchio")
    missing = {} if pinocchio else {"Pinocchio": peers.how_to_install("pinocchio")}
    for name in options.robots:
        path = locate(name)
        robot = load(path)
        frame = max(robot.links, key=lambda link: len(path_to(robot, link.name))).name
        what = f"Jacobian and derivative of {frame}, {robot.name} with a floating base"
        for count in (1000, 1):
            times = _times(robot, peers.bare_text(path), pinocchio, (frame, count), options.rounds)
            print(comparison(f"{what}, {count:,} configuration{'s' if count > 1 else ''}", times, missing))
        print(_scaling(robot, frame, what, options))


def _times(
    robot: Robot, text: str, pinocchio: ModuleType | None, question: tuple[str, int], rounds: int
) -> dict[str, Times]:
    from urdf_rig.core.kinematics import jacobian, jacobian_derivative

    frame, count = question
    q, _, every = random_values(robot, count)
    v = np.random.default_rng(1).normal(size=(count, len(robot.dofs) + 6))
    if count == 1:
        q, v = q[0], v[0]

    def ours() -> object:
        return jacobian(robot, q, frame, floating=True), jacobian_derivative(robot, q, v, frame, floating=True)

    ways: dict[str, peers.Work] = {
        OURS: ours,
        "urdf_rig, Jacobian alone": lambda: jacobian(robot, q, frame, floating=True),
    }
    if pinocchio:
        peer = peers.Pinocchio(pinocchio, text, floating=True)
        ways["Pinocchio, Python loop"] = peer.jacobians(every, frame)
    return take_turns(ways, rounds=rounds)


def _scaling(robot: Robot, frame: str, what: str, options: argparse.Namespace) -> str:
    """Return a table of the time for more and more configurations."""
    from urdf_rig.core.kinematics import jacobian, jacobian_derivative

    rows = []
    for count in (1, 10, 100, 1000, 10_000, *((100_000,) if options.large else ())):
        q, _, _ = random_values(robot, count)
        v = np.random.default_rng(1).normal(size=(count, len(robot.dofs) + 6))
        ways: dict[str, peers.Work] = {
            "jacobian": lambda q=q: jacobian(robot, q, frame, floating=True),
            "derivative": lambda q=q, v=v: jacobian_derivative(robot, q, v, frame, floating=True),
        }
        times = take_turns(ways, rounds=3 if count > 1000 else options.rounds)
        best = [times[name].best for name in ways]
        rows.append((f"{count:,}", *map(milliseconds, best), *(f"{each / count * 1e6:.2f}" for each in best)))
    heads = ("configurations", "J ms", "dJ/dt ms", "J µs each", "dJ/dt µs each")
    return table(f"{what}, by the number of configurations", heads, rows)
