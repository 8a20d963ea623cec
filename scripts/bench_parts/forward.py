# SPDX-License-Identifier: GPL-3.0-or-later
"""Forward kinematics of every link."""

from __future__ import annotations

import argparse
import tracemalloc
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from . import peers
from .robots import locate, random_values
from .tables import OURS, comparison, milliseconds, table
from .timing import Times, take_turns

if TYPE_CHECKING:
    from urdf_rig.core import Robot

Libraries = dict[str, ModuleType | None]


def run(options: argparse.Namespace) -> None:
    """Print the tables."""
    from urdf_rig.core import load

    libraries = {name: peers.find(name) for name in ("urchin", "pinocchio", "yourdfpy")}
    missing = {name: peers.how_to_install(name) for name, module in libraries.items() if module is None}
    for name in options.robots:
        path = locate(name)
        robot, text = load(path), peers.bare_text(path)
        what = f"Every link's pose, {robot.name} ({len(robot.links)} links, {len(robot.dofs)} free joints)"
        print(comparison(f"{what}, 1,000 configurations", _many(robot, text, libraries, options.rounds), missing))
        print(comparison(f"{what}, one configuration", _one(robot, text, libraries, options.rounds), missing))
        print(_scaling(robot, what, options))


def _many(robot: Robot, text: str, libraries: Libraries, rounds: int) -> dict[str, Times]:
    from urdf_rig.core import forward_kinematics

    q, free, every = random_values(robot, 1000)
    links = [link.name for link in robot.links]
    result = np.empty((len(links), 4, 4, len(q)))
    ways: dict[str, peers.Work] = {
        OURS: lambda: forward_kinematics(robot, q),
        "(writing the result alone)": lambda: result.fill(1.0),
    }
    if urchin := libraries["urchin"]:
        ways["urchin link_fk_batch"] = peers.Urchin(urchin, text).poses(free)
    if pinocchio := libraries["pinocchio"]:
        ways["Pinocchio, Python loop"] = peers.Pinocchio(pinocchio, text).poses(every, links)
    return take_turns(ways, rounds=rounds)


def _one(robot: Robot, text: str, libraries: Libraries, rounds: int) -> dict[str, Times]:
    from urdf_rig.core import forward_kinematics

    q, free, every = random_values(robot, 1)
    links = [link.name for link in robot.links]
    named = {name: float(values[0]) for name, values in free.items()}
    ways: dict[str, peers.Work] = {
        OURS: lambda: forward_kinematics(robot, named),
        "urdf_rig, values as an array": lambda: forward_kinematics(robot, q[0]),
    }
    if urchin := libraries["urchin"]:
        ways["urchin link_fk"] = peers.Urchin(urchin, text).pose(named)
    if pinocchio := libraries["pinocchio"]:
        followed = {name: float(values[0]) for name, values in every.items()}
        ways["Pinocchio"] = peers.Pinocchio(pinocchio, text).pose(followed, links)
    if yourdfpy := libraries["yourdfpy"]:
        ways["yourdfpy"] = peers.Yourdfpy(yourdfpy, text).pose(named)
    return take_turns(ways, rounds=rounds)


def _scaling(robot: Robot, what: str, options: argparse.Namespace) -> str:
    """Return a table of time and memory for more and more configurations."""
    from urdf_rig.core import forward_kinematics

    rows = []
    for count in (1, 10, 100, 1000, 10_000, *((100_000,) if options.large else ())):
        q, _, _ = random_values(robot, count)
        times = take_turns(
            {OURS: lambda q=q: forward_kinematics(robot, q)}, rounds=3 if count > 1000 else options.rounds
        )
        tracemalloc.start()
        poses = forward_kinematics(robot, q)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        result = len(robot.links) * count * 16 * 8
        assert len(poses) == len(robot.links)
        best = times[OURS].best
        rows.append(
            (
                f"{count:,}",
                milliseconds(best),
                f"{best / count * 1e6:.2f}",
                f"{result / 1e6:.1f}",
                f"{(peak - result) / 1e6:.1f}",
            )
        )
    heads = ("configurations", "best ms", "µs each", "result MB", "memory besides MB")
    return table(f"{what}, by the number of configurations", heads, rows)
