# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of every link of every robot of the corpus against urdfpy, which lives in an environment of its own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from urdf_rig.core import forward_kinematics, load

COUNT = 50
TOLERANCE = 1e-9


@pytest.fixture(scope="session")
def measured(tmp_path_factory, corpus_names, corpus_file, describe) -> Path:
    """The folder with the poses that urdfpy computed, for all robots in one process."""
    program = os.environ.get("URDF_RIG_URDFPY")
    assert program, "URDF_RIG_URDFPY must name the Python program that has urdfpy"
    folder = tmp_path_factory.mktemp("urdfpy")
    for name in corpus_names:
        # urdfpy adds a planar joint's shift in the wrong axes and knows no rotation there
        description = describe(corpus_file(name), ("planar",))
        (folder / f"{name}.urdf").write_text(description.text, encoding="utf-8")
        np.savez(folder / f"{name}.npz", **description.sample(COUNT, seed=3))
    script = Path(__file__).with_name("urdfpy_poses.py")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [program, str(script), str(folder)], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_every_link_is_where_urdfpy_has_it(corpus_path: Path, corpus_name: str, measured: Path, deviation) -> None:
    with np.load(measured / f"{corpus_name}.npz") as values:
        ours = forward_kinematics(load(corpus_path), dict(values))
    with np.load(measured / f"{corpus_name}.poses.npz") as poses:
        distance, angle = deviation(ours, dict(poses))
    assert distance < TOLERANCE
    assert angle < TOLERANCE
