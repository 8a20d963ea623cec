# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of every link of every robot of the corpus against Pinocchio, urchin and iDynTree."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from urdf_rig.core import forward_kinematics, load

COUNT = 50
TOLERANCE = 1e-9


@contextmanager
def foreign_warnings() -> Iterator[None]:
    """Let a library be imported that uses what Python or numpy will drop; iDynTree would crash from an error there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def stacked(poses: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    return {name: np.stack([pose[name] for pose in poses]) for name in poses[0]}


def poses_by_pinocchio(description, oracle):
    """Return values of the free joints, and poses of all links in the root link."""
    values = description.sample(COUNT)
    complete = description.with_followers(values)
    return values, stacked([oracle.poses({name: complete[name][t] for name in complete}) for t in range(COUNT)])


@pytest.fixture
def pinocchio_poses(corpus_path: Path, describe, pinocchio):
    description = describe(corpus_path)
    return poses_by_pinocchio(description, pinocchio(description))


def test_every_link_is_where_pinocchio_has_it(corpus_path: Path, pinocchio_poses, deviation) -> None:
    values, expected = pinocchio_poses
    distance, angle = deviation(forward_kinematics(load(corpus_path), values), expected)
    assert distance < TOLERANCE
    assert angle < TOLERANCE


def test_every_link_from_five_other_bases(corpus_path: Path, pinocchio_poses, deviation) -> None:
    values, from_root = pinocchio_poses
    robot = load(corpus_path)
    others = [link.name for link in robot.links if link.name != robot.root]
    for base in np.random.default_rng(5).choice(others, 5, replace=False):
        to_base = np.linalg.inv(from_root[base])
        expected = {name: to_base @ pose for name, pose in from_root.items()}
        distance, angle = deviation(forward_kinematics(robot, values, str(base)), expected)
        assert distance < TOLERANCE, base
        assert angle < TOLERANCE, base


@pytest.mark.parametrize(
    "case",
    [
        "26-general-axis-and-rotated-origin",
        "27-floating-and-planar",
        "29-mimic-chain-offset",
        "35-axis-near-minus-y",
        "39-jacobian-representations",
    ],
)
def test_what_the_robots_lack_agrees_too(case: str, describe, pinocchio, deviation) -> None:
    file = Path(__file__).parents[2] / "data" / "cases" / case / "robot.urdf"
    description = describe(file)
    values, expected = poses_by_pinocchio(description, pinocchio(description))
    distance, angle = deviation(forward_kinematics(load(file), values), expected)
    assert distance < TOLERANCE
    assert angle < TOLERANCE


# urchin adds a planar joint's shift in the wrong axes and knows no rotation there, and iDynTree refuses such joints
STILL = ("planar",)


def test_every_link_is_where_urchin_has_it(corpus_path: Path, tmp_path: Path, describe, deviation) -> None:
    with foreign_warnings():
        import urchin
    description = describe(corpus_path, STILL)
    file = tmp_path / "bare.urdf"
    file.write_text(description.text, encoding="utf-8")
    values = description.sample(COUNT, seed=1)
    # urchin follows mimic joints by itself, one link of a chain far; the corpus has no longer ones
    expected = urchin.URDF.load(str(file)).link_fk_batch(values, use_names=True)
    distance, angle = deviation(forward_kinematics(load(corpus_path), values), expected)
    assert distance < TOLERANCE
    assert angle < TOLERANCE


def test_every_link_is_where_idyntree_has_it(corpus_path: Path, describe, deviation) -> None:
    with foreign_warnings():
        import idyntree.bindings as idyntree

    description = describe(corpus_path, STILL)
    loader = idyntree.ModelLoader()
    assert loader.loadModelFromString(description.text)
    dynamics = idyntree.KinDynComputations()
    assert dynamics.loadRobotModel(loader.model())
    model = dynamics.model()
    values = description.sample(COUNT, seed=2)
    complete = description.with_followers(values)
    slots = {name: model.getJoint(model.getJointIndex(name)).getDOFsOffset() for name in complete}
    names = [link.get("name") for link in description.root.iter("link")]
    poses = []
    for t in range(COUNT):
        positions = np.zeros(model.getNrOfDOFs())
        for name, slot in slots.items():
            positions[slot] = complete[name][t]
        assert dynamics.setJointPos(positions)
        poses.append(
            {
                name: dynamics.getRelativeTransform(description.base, name).asHomogeneousTransform().toNumPy()
                for name in names
            }
        )
    distance, angle = deviation(forward_kinematics(load(corpus_path), values), stacked(poses))
    assert distance < TOLERANCE
    assert angle < TOLERANCE
