# SPDX-License-Identifier: GPL-3.0-or-later
"""The robots measured: those of the corpus, found where the tests find them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from _environments import ROOT, environments_root, site_packages

if TYPE_CHECKING:
    from urdf_rig.core import Robot


def locate(name: str) -> Path:
    """Return the file of a robot by its name in ``tests/corpus/robots.json``; any other name is taken as a path.

    Raises:
        SystemExit: If there is no such file.
    """
    listed = json.loads((ROOT / "tests/corpus/robots.json").read_text(encoding="utf-8"))["robots"]
    if name not in listed:
        if Path(name).is_file():
            return Path(name)
        raise SystemExit(f"bench: there is no robot {name}; known: {', '.join(listed)}, or give a file")
    place = os.environ.get("URDF_RIG_ROBOTS")
    made = environments_root() / "robots"
    folders = [Path(place)] if place else [site_packages(made)] if made.is_dir() else []
    for folder in folders:
        for start in (folder, *list(folder.parents)[:3]):
            if (start / listed[name]).is_file():
                return start / listed[name]
    raise SystemExit(
        f"bench: {name} is not here: 'python3 scripts/test.py --only oracle' fetches the robots, or set "
        "URDF_RIG_ROBOTS to the site-packages folder that holds them"
    )


def random_values(robot: Robot, count: int) -> tuple[np.ndarray, Mapping[str, np.ndarray], Mapping[str, np.ndarray]]:
    """Return ``count`` random configurations as an array (count, n), and by name without and with followers."""
    from urdf_rig.core.kinematics import joint_positions

    rng = np.random.default_rng(0)
    spans = [robot.joint(name).range or (-3.0, 3.0) for name in robot.dofs]
    q = np.stack([rng.uniform(*span, count) for span in spans], axis=1)
    return q, {name: q[:, column] for column, name in enumerate(robot.dofs)}, joint_positions(robot, q)
